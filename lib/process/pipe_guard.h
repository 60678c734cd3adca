/*
 * pipe_guard.h - keeps SIGPIPE from this thread while it writes to somebody who
 * may have gone.
 */
#ifndef LIB_PROCESS_PIPE_GUARD_H
#define LIB_PROCESS_PIPE_GUARD_H

#include <signal.h>
#include <stdbool.h>

struct pipe_guard {
	sigset_t pipe, before;
	bool was_pending;
};

void pipe_guard_begin(struct pipe_guard *guard);
/* Drops a SIGPIPE that came meanwhile. */
void pipe_guard_end(const struct pipe_guard *guard);

#endif
