/* runs.c - see runs.h. */
#include "strategies/figures/runs.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"

int timed_runs_read(
    struct timed_runs *runs, const struct grid *rows, struct error *err)
{
	/* One more, so that no rows are no error. */
	const size_t bytes = (rows->row_count + 1) * sizeof(*runs->list);

	*runs = (struct timed_runs){ .list = malloc(bytes) };
	if (!runs->list)
		return error_memory(err, bytes);
	for (size_t i = 0; i < rows->row_count; i++)
		runs->list[runs->count++] = (struct timed_run){
			.trial = grid_integer(rows, i, "trial"),
			.samples_per_s = grid_number(rows, i, "samples_per_s"),
			.own_cores = grid_number(rows, i, "own_cores"),
			.others_cores = grid_number(rows, i, "others_cores"),
			.reference_ns = grid_number(rows, i, "reference_ns"),
			.started_ns = grid_number(rows, i, "started_ns"),
		};
	return 0;
}

void timed_runs_release(struct timed_runs *runs)
{
	free(runs->list);
	*runs = (struct timed_runs){ .list = NULL };
}
