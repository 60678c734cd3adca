/*
 * fault_guard.h - a call into a library that damaged data can crash.
 *
 * SIGFPE, SIGSEGV and SIGBUS that the calling thread's own instructions raise
 * while `work` runs end it, with its stack and whatever it held.  So only the
 * library's locks and memory may be lost with it, and the library must not be
 * used again.  Signals of other threads, and those sent by kill, go to who
 * would have had them; the handlers that were there are back afterwards.
 *
 * What it cannot do: a library that writes into memory which is not its own
 * does not always fault; the C library aborts when it finds its heap damaged.
 * One call at a time in a process: callers hold a lock.  Built with a
 * sanitizer, which has such handlers itself, it guards nothing.
 */
#ifndef LIB_SIGNAL_FAULT_GUARD_H
#define LIB_SIGNAL_FAULT_GUARD_H

#include <stdbool.h>

/* The number of the signal that stopped it, or 0. */
int fault_guard(void (*work)(void *arg), void *arg);
/* Not with a sanitizer. */
bool fault_guard_works(void);
/* "SIGFPE" */
const char *fault_name(int number);

#endif
