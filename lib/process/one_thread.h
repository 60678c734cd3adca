/*
 * one_thread.h - a thread that runs functions for others, one at a time: for
 * code that must always be called by the same thread.
 */
#ifndef LIB_PROCESS_ONE_THREAD_H
#define LIB_PROCESS_ONE_THREAD_H

struct error;
struct one_thread;

struct one_thread *one_thread_new(struct error *err);
void one_thread_free(struct one_thread *thread); /* NULL is fine */

/*
 * Runs function(arg) there, and waits until it has returned.  Its CPU time is
 * that of the caller (outside.h), and so is the limit on memory (room.h).  Any
 * thread may call it, but not the function.
 */
void one_thread_call(
    struct one_thread *thread, void (*function)(void *arg), void *arg);

#endif
