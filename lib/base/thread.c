/* thread.c - see thread.h. */
#include "lib/base/thread.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "lib/base/array.h"

enum { SECOND_NS = 1000000000 };

int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	static const int own[] = { SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP };
	sigset_t others, before;
	int rc;

	sigfillset(&others);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, &before);
	rc = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

void condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

int condition_wait_until(
    pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t due_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(due_ns / SECOND_NS),
		.tv_nsec = (long)(due_ns % SECOND_NS),
	};

	return pthread_cond_timedwait(condition, lock, &until);
}
