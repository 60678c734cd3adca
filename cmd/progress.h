/*
 * progress.h - how far a long command is, on stderr: one line that is written
 * again on a terminal, with an estimate of the time left; elsewhere a plain
 * line for what begins, at most every two seconds, and every ten seconds.
 *
 * Not safe for threads: the caller sees to it that one calls at a time.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool terminal;
	uint64_t start_ns, last_ns, shown_ns; /* 0: not yet */
	double start_done, last_done;
	double took_s, did; /* lately */
	char what[256];
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
