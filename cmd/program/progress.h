/*
 * progress.h - how far a long command is, on stderr, with an estimate of the
 * time left: one line that is written again on a terminal; elsewhere a line
 * at once, each 10 % and each minute, whichever comes first, but not more than
 * four a second.
 *
 * Not safe for threads: the caller sees to it that one calls at a time.
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
	size_t columns;            /* of the terminal; 0: it is none */
	uint64_t start_ns, last_ns, shown_ns; /* 0: not yet */
	double start_done, last_done;
	double took_s, did;   /* lately */
	double shown_percent; /* of the last line */
};

void progress_begin(struct progress *progress);
/* `done` of `all`, in any unit that goes with time; `what` in words. */
void progress_show(
    struct progress *progress, double done, double all, const char *what);
/*
 * Seconds that are left, by what was done lately; -1 when that is not known:
 * at first, and when more is done than all was to be.
 */
double progress_left(
    struct progress *progress, uint64_t now_ns, double done, double all);
/* Before anything else is written to stderr, and at the end. */
void progress_clear(struct progress *progress);

#endif
