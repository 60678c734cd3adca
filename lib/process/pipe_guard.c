/* pipe_guard.c - see pipe_guard.h. */
#include "lib/process/pipe_guard.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

void pipe_guard_begin(struct pipe_guard *guard)
{
	sigset_t pending;

	sigemptyset(&guard->pipe);
	sigaddset(&guard->pipe, SIGPIPE);
	sigpending(&pending);
	guard->was_pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &guard->pipe, &guard->before);
}

void pipe_guard_end(const struct pipe_guard *guard)
{
	const struct timespec at_once = { .tv_sec = 0 };

	if (!guard->was_pending)
		while (sigtimedwait(&guard->pipe, NULL, &at_once) < 0 &&
		       errno == EINTR)
			continue;
	pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}
