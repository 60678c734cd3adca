/*
 * crew.h - the files of a generator, made by several threads: file number i
 * by whoever is free.  What it holds must depend on the plan and i only, so
 * that the number of threads makes no difference.
 */
#ifndef DATASETS_GENERATORS_CREW_H
#define DATASETS_GENERATORS_CREW_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct generate_plan;

struct crew_job {
	size_t state_size; /* of a worker; zeroed */
	/* Makes file `number`, from 0 to plan->count - 1. */
	int (*make)(void *state, const struct generate_plan *plan,
	    uint64_t number, struct error *err);
	void (*release)(void *state); /* NULL: nothing to free */
};

/* Makes them all with plan->threads workers. */
int crew_run(const struct generate_plan *plan, const struct crew_job *job,
    struct error *err);

/* Writes DIR/NAME; the folder is there. */
int crew_write(
    const char *dir, const char *name, struct span bytes, struct error *err);
/* Samples are enough to measure with: all, or 1000. */
uint64_t crew_samples(const struct generate_plan *plan);

#endif
