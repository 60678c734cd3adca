/* loading.c - see loading.h. */
#include "strategies/plan/loading.h"

#include "lib/loader/cache.h"
#include "lib/loader/loader.h"

enum { FILL_BATCH_BYTES = 1 << 20, FILL_BATCH = 16 };

bool loading_is_partial(const struct loading *loading)
{
	return loading->mode.cache == CACHE_APPLICATION && loading->share < 1;
}

unsigned loading_from(const struct loading *loading)
{
	return loading->mode.cache == CACHE_APPLICATION &&
	               !loading_is_partial(loading)
	           ? loading->cached
	           : loading->from;
}

/* Batches of a megabyte: they are copied while they are in the CPU's cache. */
static unsigned fill_batch(const struct schema *schema)
{
	const int64_t bytes = schema_bytes(schema);

	if (bytes < 0)
		return FILL_BATCH;
	return bytes < FILL_BATCH_BYTES
	           ? (unsigned)(FILL_BATCH_BYTES / (bytes + 256)) + 1
	           : 1;
}

void loading_plan(const struct loading *loading, struct loader_plan *filler,
    struct loader_plan *loader)
{
	const struct trial_mode mode =
	    plan_complete_mode(loading->plan, loading->mode);
	const unsigned at = loading->cached;

	*loader = (struct loader_plan){
		.pipeline = loading->pipeline,
		.from = loading->from,
		.to = loading->pipeline->count,
		.threads = mode.threads,
		.fetchers = mode.fetchers,
		.read_ahead = mode.read_ahead,
		.batch = mode.batch,
		.shuffle = mode.shuffle,
		.seed = loading->plan->measure.seed,
		.unfused = !loading->plan->load.fuse,
	};
	*filler = *loader;
	if (loading->mode.cache != CACHE_APPLICATION) {
		filler->threads = 0;
		return;
	}
	filler->to = at;
	filler->batch = fill_batch(&loading->pipeline->schemas[at]);
	filler->shuffle = 0;
	loader->from = at;
	/* The cache makes nobody wait: one fetcher goes ahead to the end. */
	loader->fetchers = 1;
	loader->read_ahead = CACHE_CHUNKS;
}

void loading_plan_rest(const struct loading *loading, struct loader_plan *rest)
{
	struct loading missed = *loading;
	struct loader_plan none;

	missed.mode.cache = CACHE_NONE;
	loading_plan(&missed, &none, rest);
}
