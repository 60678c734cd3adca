/* task.c - see task.h. */
#include "python/module/task.h"

#include <signal.h>
#include <time.h>

enum { SIGNALS_MS = 50 }; /* between two looks for signals */

static void destroy(struct task *task)
{
	pthread_cond_destroy(&task->ended);
	pthread_mutex_destroy(&task->lock);
	task->release(task);
}

static void *run(void *arg)
{
	struct task *task = arg;
	bool is_left;

	task->run(task);
	pthread_mutex_lock(&task->lock);
	task->is_done = true;
	is_left = task->is_left;
	pthread_cond_signal(&task->ended);
	pthread_mutex_unlock(&task->lock);
	if (is_left)
		destroy(task);
	return NULL;
}

/* Its own threads inherit the mask: Python's main thread gets all signals. */
static void block_signals(sigset_t *before)
{
	static const int faults[] = { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV,
		SIGTRAP };
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&blocked, faults[i]);
	pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static void init(struct task *task)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&task->lock, NULL);
	pthread_cond_init(&task->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

int task_start(struct task *task)
{
	pthread_t thread;
	sigset_t before;
	int failed;

	init(task);
	block_signals(&before);
	failed = pthread_create(&thread, NULL, run, task);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed) {
		pthread_detach(thread);
		return 0;
	}
	pthread_cond_destroy(&task->ended);
	pthread_mutex_destroy(&task->lock);
	return -1;
}

/* Is it done, after `ms` at most? */
static bool wait_ms(struct task *task, unsigned ms)
{
	struct timespec until;
	bool is_done;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&task->lock);
	while (!task->is_done &&
	       pthread_cond_timedwait(&task->ended, &task->lock, &until) == 0)
		;
	is_done = task->is_done;
	pthread_mutex_unlock(&task->lock);
	return is_done;
}

int task_wait(struct task *task)
{
	bool is_done;

	for (;;) {
		Py_BEGIN_ALLOW_THREADS is_done = wait_ms(task, SIGNALS_MS);
		Py_END_ALLOW_THREADS if (is_done) return 0;
		if (PyErr_CheckSignals()) {
			task_leave(task, 0);
			return -1;
		}
	}
}

void task_end(struct task *task)
{
	destroy(task);
}

void task_leave(struct task *task, unsigned ms)
{
	bool is_done;

	Py_BEGIN_ALLOW_THREADS wait_ms(task, ms);
	pthread_mutex_lock(&task->lock);
	is_done = task->is_done;
	task->is_left = true;
	pthread_mutex_unlock(&task->lock);
	Py_END_ALLOW_THREADS if (is_done) destroy(task);
}
