/* trial.c - see trial.h. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/cache.h"
#include "lib/measure/residency.h"
#include "lib/measure/system.h"
#include "strategies/plan.h"
#include "strategies/trial.h"

enum { FILL_BATCH_BYTES = 1 << 20, FILL_BATCH = 16 };

/* What an epoch runs. */
struct load {
	struct loader *loader; /* delivers */
	/* Of CACHE_APPLICATION only; the loader then reads from the cache. */
	struct loader *filler;
	struct cache *cache;
};

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

unsigned trial_from(const struct trial_plan *plan)
{
	return plan->cache == CACHE_APPLICATION
	           ? pipeline_last_split(plan->pipeline)
	           : plan->from;
}

static bool stopped(const struct trial_plan *plan)
{
	return plan->stop && atomic_load(plan->stop);
}

static uint64_t count_skipped(const struct load *load)
{
	return loader_skipped(load->loader) +
	       (load->filler ? loader_skipped(load->filler) : 0);
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

static int interrupted(struct error *err)
{
	return error_set(err, ERROR_INTERRUPTED, "interrupted");
}

/* An epoch of the steps in front of the cache, into it. */
static int fill(
    const struct trial_plan *plan, struct load *load, struct error *err)
{
	const struct batch *batch;
	int rc = 0;

	loader_begin(load->filler, 0, false);
	while (rc == 0 && !stopped(plan) && (batch = loader_next(load->filler)))
		rc = cache_add(load->cache, batch, err);
	if (loader_end(load->filler, err))
		rc = -1;
	return rc == 0 && stopped(plan) ? interrupted(err) : rc;
}

/* The untimed epoch: traced, and hashed if wanted. */
static int traced_epoch(const struct trial_plan *plan, struct load *load,
    struct trial_result *result, struct error *err)
{
	const struct schema *schema =
	    &plan->pipeline->schemas[plan->pipeline->count];
	struct loader *loader = load->loader;
	const uint64_t start = clock_now(&clock_monotonic);
	struct batch *batch;
	int rc = 0;

	medium_set_warm(plan->medium, true);
	if (load->filler && fill(plan, load, err))
		return -1;
	loader_begin(loader, 0, true);
	while (rc == 0 && !stopped(plan) && (batch = loader_next(loader)))
		if (plan->want_outputs)
			rc = outputs_add(&result->outputs, batch, schema, err);
	if (loader_end(loader, err))
		rc = -1;
	if (rc == 0 && stopped(plan))
		rc = interrupted(err);
	medium_set_warm(plan->medium, false);
	loader_get_trace(loader, &result->trace);
	result->traced_wall_ns = clock_now(&clock_monotonic) - start;
	result->skipped = count_skipped(load);
	outputs_sort(&result->outputs);
	if (plan->skipped && load->filler)
		tell_skipped(plan, load->filler);
	if (plan->skipped)
		tell_skipped(plan, loader);
	return rc;
}

/* What an epoch delivers, from `start` on. */
static int deliver(const struct trial_plan *plan, struct load *load,
    uint32_t number, uint64_t start, struct run_row *row, struct error *err)
{
	const struct batch *batch;

	if (load->filler && row->epoch == 1 && fill(plan, load, err))
		return -1;
	loader_begin(load->loader, number, false);
	while ((batch = loader_next(load->loader))) {
		if (row->samples == 0)
			row->first_batch_ns =
			    clock_now(&clock_monotonic) - start;
		row->samples += batch->count;
		if (stopped(plan))
			break;
	}
	row->wall_ns = clock_now(&clock_monotonic) - start;
	return loader_end(load->loader, err);
}

/* One timed epoch: the row has its epoch; all the rest but residency. */
static int timed_epoch(const struct trial_plan *plan, struct load *load,
    uint32_t number, struct run_row *row, struct error *err)
{
	struct usage before, after;
	const uint64_t fetched = medium_bytes_read(plan->medium);

	usage_reset_peak();
	usage_read(&before);
	if (deliver(plan, load, number, clock_now(&clock_monotonic), row, err))
		return -1;
	usage_read(&after);
	row->skipped = count_skipped(load);
	row->user_ns = after.user_ns - before.user_ns;
	row->system_ns = after.system_ns - before.system_ns;
	row->bytes_fetched = medium_bytes_read(plan->medium) - fetched;
	row->bytes_from_storage = -1;
	if (before.storage_bytes_read >= 0)
		row->bytes_from_storage =
		    after.storage_bytes_read - before.storage_bytes_read;
	row->peak_rss_bytes = after.peak_rss_bytes;
	return stopped(plan) ? interrupted(err) : 0;
}

static int one_run(const struct trial_plan *plan, struct load *load,
    unsigned run, struct trial_result *result, struct error *err)
{
	const unsigned epochs = epochs_of_run(plan->plan, plan->cache);
	double resident = -1;

	if (load->cache)
		cache_clear(load->cache);
	if (residency_drop(plan->reader, &resident, err))
		return -1;
	for (unsigned e = 1; e <= epochs; e++) {
		struct run_row *row = &result->runs[result->run_count];

		*row = (struct run_row){ .run = run,
			.epoch = e,
			.resident_percent = e == 1 ? resident : -1 };
		medium_set_warm(plan->medium, e > 1);
		if (timed_epoch(
		        plan, load, (uint32_t)result->run_count + 1, row, err))
			return -1;
		result->run_count++;
		if (plan->progress)
			plan->progress(plan->arg);
	}
	return 0;
}

/* A plan of the loader that delivers without an application cache. */
static struct loader_plan plain_plan(const struct trial_plan *plan)
{
	return (struct loader_plan){
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
		.unfused = !plan->plan->fuse,
	};
}

/* Small batches: they are copied while they are in the CPU's cache. */
static unsigned fill_batch(const struct schema *schema)
{
	const int64_t bytes = schema_bytes(schema);

	if (bytes < 0)
		return FILL_BATCH;
	return bytes < FILL_BATCH_BYTES
	           ? (unsigned)(FILL_BATCH_BYTES / (bytes + 256)) + 1
	           : 1;
}

/* A filler for the steps in front of the cache, a loader for those behind. */
static int open_cached(
    const struct trial_plan *plan, struct load *load, struct error *err)
{
	const unsigned at = trial_from(plan);
	const struct schema *schema = &plan->pipeline->schemas[at];
	const struct cache_plan how = { .schema = schema,
		.samples = pipeline_makes_many(plan->pipeline, plan->from, at)
		               ? 0 /* not known */
		               : plan->reader->samples,
		.budget = plan->cache_budget };
	struct loader_plan before = plain_plan(plan), behind = before;

	load->cache = cache_new(&how, err);
	if (!load->cache)
		return -1;
	before.to = at;
	before.batch = fill_batch(schema);
	before.shuffle = 0;
	load->filler = loader_new(&before, err);
	if (!load->filler)
		return -1;
	behind.reader = cache_reader(load->cache);
	behind.from = at;
	/* There is nothing to wait for: one goes ahead to the end. */
	behind.fetchers = 1;
	behind.read_ahead = CACHE_CHUNKS;
	load->loader = loader_new(&behind, err);
	return load->loader ? 0 : -1;
}

static int open_load(
    const struct trial_plan *plan, struct load *load, struct error *err)
{
	const struct loader_plan how = plain_plan(plan);

	if (plan->cache == CACHE_APPLICATION)
		return open_cached(plan, load, err);
	load->loader = loader_new(&how, err);
	return load->loader ? 0 : -1;
}

static void close_load(struct load *load)
{
	loader_free(load->loader);
	loader_free(load->filler);
	cache_free(load->cache);
}

int trial_measure(const struct trial_plan *plan, struct trial_result *result,
    struct error *err)
{
	const size_t rows =
	    plan->plan->runs * epochs_of_run(plan->plan, plan->cache);
	struct load load = { .loader = NULL };
	int rc = -1;

	if (open_load(plan, &load, err))
		goto done;
	result->runs = calloc(rows, sizeof(*result->runs));
	if (!result->runs) {
		error_memory(err, rows * sizeof(*result->runs));
		goto done;
	}
	if (traced_epoch(plan, &load, result, err))
		goto done;
	if (plan->progress)
		plan->progress(plan->arg);
	for (unsigned run = 1; run <= plan->plan->runs; run++)
		if (one_run(plan, &load, run, result, err))
			goto done;
	result->cache_bytes = load.cache ? cache_bytes(load.cache) : 0;
	rc = 0;
done:
	medium_set_warm(plan->medium, false);
	close_load(&load);
	return rc;
}

void trial_result_release(struct trial_result *result)
{
	outputs_release(&result->outputs);
	free(result->runs);
	*result = (struct trial_result)TRIAL_RESULT_INIT;
}
