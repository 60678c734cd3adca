/*
 * chosen.h - some samples of a reader that gives samples by number, as a reader
 * of its own: those that an update adds.
 *
 * Labels keep the numbers that the stored dataset gave to their classes; new
 * classes get the numbers behind these.
 */
#ifndef STRATEGIES_UPDATE_CHOSEN_H
#define STRATEGIES_UPDATE_CHOSEN_H

#include <stddef.h>
#include <stdint.h>

struct classes;
struct error;
struct reader;

struct chosen_plan {
	const struct reader *of; /* borrowed */
	const uint64_t *samples; /* [count], ascending; borrowed */
	size_t count;            /* at least 1 */
	const struct classes
	    *classes; /* classes of the stored dataset; copied */
};

/* Free it before the reader that it is of. */
struct reader *chosen_open(const struct chosen_plan *plan, struct error *err);

#endif
