/*
 * task.h - work in a thread of its own, so that Ctrl-C need not wait for it.
 *
 * Opening a dataset may read from a slow storage, and so may the threads that
 * a loader waits for when it is freed.  The caller waits for the thread as long
 * as it likes, and then leaves it alone: whoever is last frees the task.
 */
#ifndef PYTHON_MODULE_TASK_H
#define PYTHON_MODULE_TASK_H

#include "python/module/python.h"

#include <pthread.h>
#include <stdbool.h>

struct task {
	/* Set by the caller, with the rest zero: */
	void (*run)(struct task *task);     /* in the thread */
	void (*release)(struct task *task); /* frees all of it */

	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_done, is_left; /* under the lock */
};

/*
 * Starts the thread, which has all signals blocked but those of its own faults:
 * 0; -1 if there can be no thread, and the task was not touched.
 */
int task_start(struct task *task);
/*
 * Waits, without the GIL, and runs signal handlers: 0, and the caller releases
 * the task with task_end; -1 if a handler raised, and the task is left alone.
 */
int task_wait(struct task *task);
/* Waits `ms` at most, without the GIL, and ends or leaves the task. */
void task_leave(struct task *task, unsigned ms);
void task_end(struct task *task); /* after task_wait gave 0 */

#endif
