/*
 * fork_lock.h - a mutex that is free in the child of a fork, whatever a thread
 * of its parent held at that moment.
 *
 * The thread that takes it first in a process is told so.  In the child of a
 * fork it makes anew what the lock protects: the fork may have caught that in
 * the middle of a change.  Memory and descriptors of the parent are left as
 * they are there.
 */
#ifndef LIB_MEDIA_BACKENDS_FORK_LOCK_H
#define LIB_MEDIA_BACKENDS_FORK_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct fork_lock {
	pthread_mutex_t mutex; /* for pthread_cond_wait */
	/* 2 * the process that may take it, + 1 while that makes the mutex. */
	atomic_uint_fast64_t owner;
};

/* A static one belongs to nobody: its first taker is told so. */
#define FORK_LOCK_INIT                              \
	{                                           \
		.mutex = PTHREAD_MUTEX_INITIALIZER, \
	}

/* The calling process is its first owner. */
void fork_lock_init(struct fork_lock *lock);
/* Returns true to the first taker in a process that did not make it. */
bool fork_lock_take(struct fork_lock *lock);
void fork_lock_give(struct fork_lock *lock);
/* Nobody holds it, or only threads of a parent do. */
void fork_lock_destroy(struct fork_lock *lock);

#endif
