/*
 * progress.h - progress of a long command on stderr, with an estimate of the
 * time left.  On a terminal it is one line that is rewritten.  Elsewhere it is
 * a line at the start, each 10 % and each minute, at most four a second.
 *
 * Not thread-safe: only one thread may call at a time.
 */
#ifndef CMD_PROGRAM_PROGRESS_H
#define CMD_PROGRAM_PROGRESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct clock;

struct progress {
	FILE *out;
	const struct clock *clock; /* borrowed */
	size_t columns; /* width of the terminal; 0: it is not a terminal */
	uint64_t start_ns, last_ns, shown_ns; /* 0: not yet */
	double start_done, last_done;
	double took_s, did;   /* recent time and work */
	double shown_percent; /* in the line printed last */
};

void progress_begin(struct progress *progress);
/* Shows that `done` of `all`, in any unit, is done; `what` is the work. */
void progress_show(
    struct progress *progress, double done, double all, const char *what);
/* Estimates the seconds left from recent work; -1: not known. */
double progress_left(
    struct progress *progress, uint64_t now_ns, double done, double all);
/* Call it at the end, and before anything else is written to stderr. */
void progress_clear(struct progress *progress);

#endif
