/* tar_set.c - see tar_set.h. */
#include "datasets/archives/tar_set.h"

#include <stdlib.h>

#include "datasets/files/spread.h"

static uint64_t run_samples(const void *runs, size_t run)
{
	return ((const struct tar_run *)runs)[run].samples;
}

void tar_select(struct tar_set *set, uint64_t limit)
{
	uint64_t left = limit && limit < set->samples ? limit : set->samples;
	const struct spread_runs all = { set->runs, set->run_count,
		run_samples };
	const size_t runs = spread_enough(&all, left);
	uint64_t before = 0;

	for (size_t i = 0; i < runs; i++) {
		struct tar_run run = set->runs[spread(i, runs, set->run_count)];

		if (run.samples > left)
			run.samples = left;
		left -= run.samples;
		run.before = before;
		before += run.samples;
		set->archives[run.archive].selected += run.samples;
		set->runs[i] = run;
	}
	set->run_count = runs;
}

static uint64_t run_before(const void *runs, size_t run)
{
	return ((const struct tar_run *)runs)[run].before;
}

struct archive_range tar_find_sample(
    const struct tar_set *set, uint64_t number, const struct tar_run **run)
{
	const struct tar_run *of = &set->runs[spread_find(
	    set->runs, set->run_count, number, run_before)];
	const uint64_t place = number - of->before;
	const uint64_t *start = &set->starts[of->first + place];

	*run = of;
	return (struct archive_range){
		.start = start[0],
		.end = place + 1 < of->held ? start[1] : of->end,
	};
}

void tar_set_release(struct tar_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->archives[i].path);
	free(set->archives);
	free(set->runs);
	free(set->starts);
	passed_by_release(&set->passed);
	*set = (struct tar_set){ .count = 0 };
}
