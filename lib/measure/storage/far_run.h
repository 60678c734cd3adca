/* far_run.h - one row of a far probe: connections that work side by side. */
#ifndef LIB_MEASURE_STORAGE_FAR_RUN_H
#define LIB_MEASURE_STORAGE_FAR_RUN_H

#include "lib/measure/storage/far.h"

/*
 * Does the n-th piece of work, one request, and sets how many bytes it moved.
 * Many threads call at once; `thread` is 0 to connections - 1.
 */
typedef int far_work(
    void *arg, unsigned thread, uint64_t n, uint64_t *bytes, struct error *err);

struct far_run {
	const struct far_plan *plan;
	far_work *work;
	void *arg;
	uint64_t most; /* pieces of work; there may be fewer */
};

/*
 * Runs it until the work is done, the time is up or the bytes are moved, and
 * fills all of `row` but its pattern.
 */
int far_run(const struct far_run *run, unsigned connections,
    struct far_row *row, struct error *err);

#endif
