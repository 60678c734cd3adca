/* trial.c - see trial.h. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/measure/residency.h"
#include "lib/measure/system.h"
#include "strategies/plan.h"
#include "strategies/trial.h"

/* Cold runs are one epoch long; warm ones need a first to fill the cache. */
static unsigned epochs_of_run(const struct plan *plan, enum cache_mode cache)
{
	if (cache == CACHE_NONE)
		return 1;
	return plan->epochs < 2 ? 2 : (unsigned)plan->epochs;
}

unsigned trial_epochs(const struct plan *plan, enum cache_mode cache)
{
	return 1 + (unsigned)plan->runs * epochs_of_run(plan, cache);
}

static bool stopped(const struct trial_plan *plan)
{
	return plan->stop && atomic_load(plan->stop);
}

/* Every sample that was left out, and how many more if they are not known. */
static void tell_skipped(
    const struct trial_plan *plan, const struct loader *loader)
{
	char text[64];
	uint64_t told = 0;

	for (; loader_skipped_name(loader, (size_t)told); told++)
		plan->skipped(
		    plan->arg, loader_skipped_name(loader, (size_t)told));
	if (told < loader_skipped(loader)) {
		snprintf(text, sizeof(text), "%llu more samples",
		    (unsigned long long)(loader_skipped(loader) - told));
		plan->skipped(plan->arg, text);
	}
}

/* The untimed epoch: traced, and hashed if wanted. */
static int traced_epoch(const struct trial_plan *plan, struct loader *loader,
    struct trial_result *result, struct error *err)
{
	const struct schema *schema =
	    &plan->pipeline->schemas[plan->pipeline->count];
	const uint64_t start = clock_now(&clock_monotonic);
	struct batch *batch;
	int rc = 0;

	medium_set_warm(plan->medium, true);
	loader_begin(loader, 0, true);
	while (rc == 0 && !stopped(plan) && (batch = loader_next(loader)))
		if (plan->want_outputs)
			rc = outputs_add(&result->outputs, batch, schema, err);
	if (loader_end(loader, err))
		rc = -1;
	if (rc == 0 && stopped(plan))
		rc = error_set(err, ERROR_INTERRUPTED, "interrupted");
	medium_set_warm(plan->medium, false);
	loader_get_trace(loader, &result->trace);
	result->traced_wall_ns = clock_now(&clock_monotonic) - start;
	result->skipped = loader_skipped(loader);
	outputs_sort(&result->outputs);
	if (plan->skipped)
		tell_skipped(plan, loader);
	return rc;
}

/* One timed epoch: the row but for run, epoch and residency. */
static int timed_epoch(const struct trial_plan *plan, struct loader *loader,
    uint32_t number, struct run_row *row, struct error *err)
{
	struct usage before, after;
	const uint64_t fetched = medium_bytes_read(plan->medium);
	const struct batch *batch;
	uint64_t start, first = 0;

	usage_reset_peak();
	usage_read(&before);
	start = clock_now(&clock_monotonic);
	loader_begin(loader, number, false);
	while ((batch = loader_next(loader))) {
		if (row->samples == 0)
			first = clock_now(&clock_monotonic);
		row->samples += batch->count;
		if (stopped(plan))
			break;
	}
	row->wall_ns = clock_now(&clock_monotonic) - start;
	if (loader_end(loader, err))
		return -1;
	usage_read(&after);
	row->first_batch_ns = first ? first - start : 0;
	row->skipped = loader_skipped(loader);
	row->user_ns = after.user_ns - before.user_ns;
	row->system_ns = after.system_ns - before.system_ns;
	row->bytes_fetched = medium_bytes_read(plan->medium) - fetched;
	row->bytes_from_storage = -1;
	if (before.storage_bytes_read >= 0)
		row->bytes_from_storage =
		    after.storage_bytes_read - before.storage_bytes_read;
	row->peak_rss_bytes = after.peak_rss_bytes;
	if (stopped(plan))
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	return 0;
}

static int one_run(const struct trial_plan *plan, struct loader *loader,
    unsigned run, struct trial_result *result, struct error *err)
{
	const unsigned epochs = epochs_of_run(plan->plan, plan->cache);
	double resident = -1;

	if (residency_drop(plan->reader, &resident, err))
		return -1;
	for (unsigned e = 1; e <= epochs; e++) {
		struct run_row *row = &result->runs[result->run_count];

		*row = (struct run_row){ .run = run,
			.epoch = e,
			.resident_percent = e == 1 ? resident : -1 };
		medium_set_warm(plan->medium, e > 1);
		if (timed_epoch(plan, loader, (uint32_t)result->run_count + 1,
		        row, err))
			return -1;
		result->run_count++;
		if (plan->progress)
			plan->progress(plan->arg);
	}
	return 0;
}

static struct loader *make_loader(
    const struct trial_plan *plan, struct error *err)
{
	const struct loader_plan how = {
		.reader = plan->reader,
		.pipeline = plan->pipeline,
		.from = plan->from,
		.to = plan->pipeline->count,
		.threads = plan->threads,
		.fetchers = (unsigned)plan->plan->fetchers,
		.read_ahead = (unsigned)plan->plan->read_ahead,
		.batch = (unsigned)plan->plan->batch,
		.shuffle = (unsigned)plan->plan->shuffle,
		.seed = plan->plan->seed,
		.skip_errors = plan->skip_errors,
	};

	return loader_new(&how, err);
}

int trial_measure(const struct trial_plan *plan, struct trial_result *result,
    struct error *err)
{
	const size_t rows =
	    plan->plan->runs * epochs_of_run(plan->plan, plan->cache);
	struct loader *loader = make_loader(plan, err);
	int rc = -1;

	if (!loader)
		return -1;
	result->runs = calloc(rows, sizeof(*result->runs));
	if (!result->runs) {
		error_memory(err, rows * sizeof(*result->runs));
		goto done;
	}
	if (traced_epoch(plan, loader, result, err))
		goto done;
	if (plan->progress)
		plan->progress(plan->arg);
	for (unsigned run = 1; run <= plan->plan->runs; run++)
		if (one_run(plan, loader, run, result, err))
			goto done;
	rc = 0;
done:
	medium_set_warm(plan->medium, false);
	loader_free(loader);
	return rc;
}

void trial_result_release(struct trial_result *result)
{
	outputs_release(&result->outputs);
	free(result->runs);
	*result = (struct trial_result)TRIAL_RESULT_INIT;
}
