/* loading.c - see loading.h. */
#include "strategies/plan/loading.h"

#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "strategies/plan/plan.h"

enum { FILL_BATCH_BYTES = 1 << 20, FILL_BATCH = 16 };

unsigned loading_from(const struct loading *loading)
{
	return loading->cache == CACHE_APPLICATION
	           ? pipeline_last_split(loading->pipeline)
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
	const struct plan_load *load = &loading->plan->load;
	const unsigned at = loading_from(loading);

	*loader = (struct loader_plan){
		.pipeline = loading->pipeline,
		.from = loading->from,
		.to = loading->pipeline->count,
		.threads = loading->threads,
		.fetchers = (unsigned)load->fetchers,
		.read_ahead = (unsigned)load->read_ahead,
		.batch = (unsigned)load->batch,
		.shuffle = (unsigned)load->shuffle,
		.seed = loading->plan->measure.seed,
		.unfused = !load->fuse,
	};
	*filler = *loader;
	if (loading->cache != CACHE_APPLICATION) {
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
