/*
 * thread.h - threads that leave signals to the program's own, and conditions
 * that are waited for by the monotonic clock.
 */
#ifndef LIB_BASE_THREAD_H
#define LIB_BASE_THREAD_H

#include <pthread.h>
#include <stdint.h>

/*
 * Starts a thread with all signals blocked, except those that a thread causes
 * itself: a mapped file may be cut short (mapping.h).  0 or an errno.
 */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* A condition for condition_wait_until. */
void condition_init(pthread_cond_t *condition);
/* Waits no longer than until `due_ns` of clock_monotonic.  0 or an errno. */
int condition_wait_until(
    pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t due_ns);

#endif
