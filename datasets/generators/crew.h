/*
 * crew.h - several threads make the files of a generator: any free worker makes
 * file number i. A file must depend on the plan and i only, so that the number
 * of threads does not matter.
 */
#ifndef DATASETS_GENERATORS_CREW_H
#define DATASETS_GENERATORS_CREW_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct generate_plan;

struct crew_job {
	size_t state_size; /* bytes of a worker's state; zeroed */
	/* Makes file `number`, from 0 to plan->count - 1. */
	int (*make)(void *state, const struct generate_plan *plan,
	    uint64_t number, struct error *err);
	void (*release)(void *state); /* NULL: nothing to free */
};

/* Makes all files with plan->threads workers. */
int crew_run(const struct generate_plan *plan, const struct crew_job *job,
    struct error *err);

/* Writes DIR/NAME into an existing folder. */
int crew_write(
    const char *dir, const char *name, struct span bytes, struct error *err);
/* Returns how many samples are enough for measuring: all, or 1000. */
uint64_t crew_samples(const struct generate_plan *plan);

#endif
