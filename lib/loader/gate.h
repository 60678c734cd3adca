/*
 * gate.h - where the threads of a loader sleep between pieces of work, such as
 * epochs.  It shares the lock of its owner.
 */
#ifndef LIB_LOADER_GATE_H
#define LIB_LOADER_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
	pthread_mutex_t *lock; /* borrowed */
	pthread_cond_t changed;
	uint64_t opened; /* times */
	bool is_closed;  /* no work comes any more */
};

void gate_init(struct gate *gate, pthread_mutex_t *lock);
void gate_release(struct gate *gate);

/*
 * Waits, without the lock, until the gate was opened more often than `seen`,
 * which is 0 at first; false: it is closed, and the thread ends.
 */
bool gate_pass(struct gate *gate, uint64_t *seen);
/* With the lock held: lets all threads pass once. */
void gate_open(struct gate *gate);
/* Takes the lock, and closes the gate for good. */
void gate_close(struct gate *gate);

#endif
