/*
 * sweep.h - a list of numbers in the pipeline file, each of which is measured,
 * or `auto`: the session finds the best number itself (session/tuning.h).
 */
#ifndef STRATEGIES_PLAN_SWEEP_H
#define STRATEGIES_PLAN_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

struct error;

enum { SWEEP_VALUES = 32 };

struct sweep {
	uint64_t values[SWEEP_VALUES]; /* no number twice; as they were given */
	unsigned count;                /* at least 1 */
	bool is_auto;                  /* values[0] is the default then */
};

/* A sweep of a single number. */
#define SWEEP_OF(number)                           \
	{                                          \
		.values = { (number) }, .count = 1 \
	}

/* The list holds values in this range. */
struct sweep_range {
	const char *name; /* the key, for messages: "fetchers" */
	uint64_t least, most;
	bool has_auto;
};

/*
 * Reads a list of numbers, or `auto`, which stands alone and leaves the value
 * that is in front of it.  ERROR_USAGE names the range.
 */
int sweep_parse(struct sweep *sweep, const char *list,
    const struct sweep_range *range, struct error *err);

/* Returns the largest of the values. */
uint64_t sweep_most(const struct sweep *sweep);

#endif
