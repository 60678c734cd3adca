/* partial_epochs.c - see partial_epochs.h. */
#include "strategies/trial/partial_epochs.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/measure/storage/residency.h"
#include "lib/measure/system.h"
#include "lib/sample/reader.h"
#include "strategies/trial/trial.h"

enum {
	TIMES_MOST = 4,         /* warm epochs; the fastest counts */
	LONG_ENOUGH = 60000000, /* ns; one epoch is then enough */
};

/* If so much is in the page cache, nothing is read from storage. */
static const double warm_percent = 99;
/* A long epoch is cut to about this time. */
static const double part_s = 0.25;

double partial_epochs_fraction(double epoch_s)
{
	return epoch_s > 2 * part_s ? part_s / epoch_s : 1;
}

static int run_partial(const struct trial_plan *plan, struct loader *loader,
    enum epoch_extent extent, struct partial_row *row, struct error *err)
{
	const uint64_t bytes = medium_bytes_read(plan->medium);
	struct usage before, after;
	uint64_t start;

	usage_read(&before);
	start = clock_now(&clock_monotonic);
	loader_begin_partial(loader, 0, extent);
	while (loader_next(loader))
		continue;
	row->wall_ns = clock_now(&clock_monotonic) - start;
	if (loader_end(loader, err))
		return -1;
	usage_read(&after);
	row->cpu_ns =
	    after.user_ns + after.system_ns - before.user_ns - before.system_ns;
	row->bytes = medium_bytes_read(plan->medium) - bytes;
	/*
	 * Not known where steps make many samples of one, or where the loader
	 * has only some.
	 */
	row->samples =
	    loading_is_partial(&plan->loading) ||
	            pipeline_makes_many(plan->loading.pipeline,
	                plan->loading.from, plan->loading.pipeline->count)
	        ? 0
	        : plan->reader->samples;
	return 0;
}

int partial_epochs_warm_up(
    const struct trial_plan *plan, struct loader *loader, struct error *err)
{
	struct partial_row ignored;
	double resident;

	if (plan->loading.mode.cache == CACHE_APPLICATION)
		return 0;
	if (plan->reader->ops->check) {
		loader_begin_check(loader);
		while (loader_next(loader))
			continue;
		return loader_end(loader, err);
	}
	if (!plan->reader->codec[0] && plan->reader->ops->unpack)
		return run_partial(plan, loader, EXTENT_DECODE, &ignored, err);
	if (residency_percent(plan->reader, &resident, err))
		return -1;
	return resident >= warm_percent
	           ? 0
	           : run_partial(plan, loader, EXTENT_READ, &ignored, err);
}

static int run_cold(const struct trial_plan *plan, struct loader *loader,
    enum epoch_extent extent, struct partial_row *row, struct error *err)
{
	struct residency found;

	if (residency_drop(plan->reader, plan->drop_failed, &found, err))
		return -1;
	return run_partial(plan, loader, extent, row, err);
}

static int run_warm(const struct trial_plan *plan, struct loader *loader,
    enum epoch_extent extent, struct partial_row *best, struct error *err)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TIMES_MOST && sum < LONG_ENOUGH; i++) {
		struct partial_row row;

		if (run_partial(plan, loader, extent, &row, err))
			return -1;
		if (i == 0 || row.wall_ns < best->wall_ns)
			*best = row;
		sum += row.wall_ns;
	}
	return 0;
}

/* Scales counts of a part to the whole. */
static void scale(struct partial_epochs *partial, uint64_t samples)
{
	const double fraction = partial->fraction;

	for (unsigned l = EXTENT_READ; l < EXTENT_ALL; l++)
		if (partial->rows[l].samples > 0)
			partial->rows[l].samples =
			    (uint64_t)((double)samples * fraction + 0.5);
	partial->requests = (uint64_t)((double)partial->requests / fraction);
	partial->opened = (uint64_t)((double)partial->opened / fraction);
}

/* Seconds of an epoch without anything in the page cache. */
static double cold_seconds(const struct trial_plan *plan, double warm_s)
{
	const double rate = plan->cold_rate ? *plan->cold_rate : 0;
	const double read_s = rate > 0 ? (double)plan->reader->bytes / rate : 0;

	return read_s > warm_s ? read_s : warm_s;
}

static void note_rate(
    const struct trial_plan *plan, const struct partial_row *row)
{
	if (plan->cold_rate && row->bytes > 0 && row->wall_ns > 0)
		*plan->cold_rate =
		    1e9 * (double)row->bytes / (double)row->wall_ns;
}

int partial_epochs_measure(const struct trial_plan *plan, struct loader *loader,
    double epoch_s, struct partial_epochs *partial, struct error *err)
{
	const bool cold = plan->loading.mode.cache == CACHE_NONE;
	int rc = 0;

	if (cold)
		epoch_s = cold_seconds(plan, epoch_s);
	*partial =
	    (struct partial_epochs){ .fraction = loader_set_part(loader,
		                         partial_epochs_fraction(epoch_s)) };
	medium_set_warm(plan->medium, !cold);
	for (unsigned l = EXTENT_READ; rc == 0 && l < EXTENT_ALL; l++) {
		const uint64_t requests = medium_requests(plan->medium);
		const uint64_t opened = medium_opened(plan->medium);
		struct partial_row *row = &partial->rows[l];

		if (l == EXTENT_DECODE && cold && !plan->reader->codec[0])
			break;
		rc = cold ? run_cold(plan, loader, l, row, err)
		          : run_warm(plan, loader, l, row, err);
		if (rc || l != EXTENT_READ || !cold)
			continue;
		note_rate(plan, row);
		partial->requests = medium_requests(plan->medium) - requests;
		partial->opened = medium_opened(plan->medium) - opened;
	}
	medium_set_warm(plan->medium, false);
	scale(partial, plan->reader->samples);
	loader_set_part(loader, 1);
	if (plan->stop && atomic_load(plan->stop))
		*partial = (struct partial_epochs){ .requests = 0 };
	return rc;
}

static int by_wall(const void *a, const void *b)
{
	const struct partial_row *x = a, *y = b;

	return (x->wall_ns > y->wall_ns) - (x->wall_ns < y->wall_ns);
}

void partial_epochs_whole(const struct trial_result *result,
    const struct trial_plan *plan, struct partial_row *all)
{
	const bool cold = plan->loading.mode.cache == CACHE_NONE;
	struct partial_row *rows = calloc(result->run_count + 1, sizeof(*rows));
	size_t count = 0;

	*all = (struct partial_row){ .wall_ns = 0 };
	if (!rows)
		return;
	for (size_t i = 0; i < result->run_count; i++) {
		const struct run_row *run = &result->runs[i];

		if (!run->warmup && (cold || run->epoch > 1))
			rows[count++] = (struct partial_row){
				.wall_ns = run->wall_ns,
				.cpu_ns = run->user_ns + run->system_ns,
				.samples = run->samples,
				.bytes = run->bytes_fetched,
			};
	}
	qsort(rows, count, sizeof(*rows), by_wall);
	*all = rows[count / 2]; /* all 0 where none counts */
	free(rows);
}
