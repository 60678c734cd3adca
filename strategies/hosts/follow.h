/*
 * follow.h - the other ranks of presto profile --together: they open the data
 * that rank 0 has prepared, and run its trials when it says so.  They write
 * nothing.
 */
#ifndef STRATEGIES_HOSTS_FOLLOW_H
#define STRATEGIES_HOSTS_FOLLOW_H

#include <stdatomic.h>
#include <stdbool.h>

struct error;
struct medium;
struct meeting;
struct pipeline;
struct plan;
struct reader;
struct strategies;

struct follow_plan { /* all borrowed */
	struct meeting *meeting;
	const struct plan *plan;
	const struct pipeline *pipeline;
	const struct strategies *strategies; /* those of rank 0, or more */
	const struct reader *source;         /* with as many samples */
	struct medium *medium;
	bool skip_errors;
	const atomic_bool *stop;
};

/* Works until rank 0 has ended. */
int follow_run(const struct follow_plan *plan, struct error *err);

#endif
