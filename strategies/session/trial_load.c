/* trial_load.c - see trial_load.h. */
#include "strategies/session/trial_load.h"

#include "lib/loader/cache.h"
#include "strategies/plan/plan.h"
#include "strategies/session/trial.h"

enum { FILL_BATCH_BYTES = 1 << 20, FILL_BATCH = 16 };

/* A plan of the loader that delivers without an application cache. */
static struct loader_plan plain_plan(const struct trial_plan *plan)
{
	return (struct loader_plan){
		.reader = plan->reader,
		.pipeline = plan->pipeline,
		.medium = plan->medium,
		.from = plan->from,
		.to = plan->pipeline->count,
		.threads = plan->threads,
		.fetchers = (unsigned)plan->plan->load.fetchers,
		.read_ahead = (unsigned)plan->plan->load.read_ahead,
		.batch = (unsigned)plan->plan->load.batch,
		.shuffle = (unsigned)plan->plan->load.shuffle,
		.seed = plan->plan->measure.seed,
		.skip_errors = plan->skip_errors,
		.skipped = plan->skipped,
		.unfused = !plan->plan->load.fuse,
		.stop = plan->stop,
		.spare = plan->spare,
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

void trial_load_plan(const struct trial_plan *plan, struct loader_plan *filler,
    struct loader_plan *loader)
{
	const unsigned at = trial_from(plan);

	*filler = *loader = plain_plan(plan);
	if (plan->cache != CACHE_APPLICATION) {
		filler->threads = 0;
		return;
	}
	filler->to = at;
	filler->batch = fill_batch(&plan->pipeline->schemas[at]);
	filler->shuffle = 0;
	loader->reader = NULL;
	loader->medium = NULL;
	loader->from = at;
	/* There is nothing to wait for: one goes ahead to the end. */
	loader->fetchers = 1;
	loader->read_ahead = CACHE_CHUNKS;
}

/* A filler for the steps in front of the cache, a loader for those behind. */
static int open_cached(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	const unsigned at = trial_from(plan);
	const struct cache_plan how = { .schema = &plan->pipeline->schemas[at],
		.samples = pipeline_makes_many(plan->pipeline, plan->from, at)
		               ? 0 /* not known */
		               : plan->reader->samples,
		.budget = plan->cache_budget };
	struct loader_plan before, behind;

	load->cache = cache_new(&how, err);
	if (!load->cache)
		return -1;
	trial_load_plan(plan, &before, &behind);
	load->filler = loader_new(&before, err);
	if (!load->filler)
		return -1;
	behind.reader = cache_reader(load->cache);
	load->loader = loader_new(&behind, err);
	return load->loader ? 0 : -1;
}

int trial_load_open(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	const struct loader_plan how = plain_plan(plan);

	if (plan->cache == CACHE_APPLICATION)
		return open_cached(plan, load, err);
	load->loader = loader_new(&how, err);
	return load->loader ? 0 : -1;
}

void trial_load_close(struct trial_load *load)
{
	loader_free(load->loader);
	loader_free(load->filler);
	cache_free(load->cache);
}
