/* footprint.c - see footprint.h. */
#include "strategies/forecast/footprint.h"

#include <math.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/loader/loader.h"
#include "lib/measure/memory.h"
#include "lib/measure/storage/residency.h"
#include "lib/sample/sample.h"
#include "lib/stores/store.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/loading.h"

enum {
	STACK = 512 << 10, /* bytes of a thread: its stack and free lists */
	SENT = 16 << 20,   /* bytes of a shard on the way to the disk */
	/* blocks of a shard: records, compressed, being written */
	WRITER_BLOCKS = 4,
	/* one in so many bytes is left to the kernel, for pages it reads */
	RESERVE = 8,
	OUTPUT = 64, /* bytes of the hashes of one output sample */
};

/* Heaps have holes, and buffers grow in steps: a factor, and least bytes. */
static const double holes = 1.15, least = 8 << 20;

/*
 * Bytes that one sample takes in a batch. Among samples of different sizes, a
 * buffer that held a large one is kept for smaller ones.
 */
static double sample_bytes_at(const struct model *model, unsigned rep)
{
	const double many = model->many[rep];
	const double mean = many > 0 ? model->field_bytes[rep] / many : 0;

	if (schema_bytes(&model->pipeline->schemas[rep]) >= 0)
		return mean;
	return 2 * mean;
}

/* Bytes that a thread's steps keep: the largest of each representation. */
static double steps_bytes(const struct model *model, unsigned from, unsigned to)
{
	double bytes = 0;

	for (unsigned r = from; r <= to; r++)
		bytes += model->largest.sample[r];
	return bytes;
}

/* Bytes of a store's block, which holds at least one whole sample. */
static double block_bytes(
    const struct model *model, const struct strategy *strategy)
{
	return fmax((double)store_block(&strategy->codec),
	    model->largest.sample[strategy->split]);
}

static bool is_packed(const struct strategy *strategy)
{
	return !strategy->unprocessed && strategy->codec.ops->decode;
}

/* Adds a loader.  `strategy` is the data it reads; NULL: application cache. */
static void add_loader(struct footprint *footprint, const struct model *model,
    const struct loader_plan *plan, const struct strategy *strategy,
    uint64_t samples)
{
	struct loader_sizes sizes;
	double chunk = 0;

	loader_find_sizes(plan, samples, &sizes);
	footprint->batches +=
	    (double)sizes.batches * sizes.batch *
	    (sample_bytes_at(model, plan->to) + (double)sizeof(struct sample));
	footprint->threads +=
	    (double)(plan->threads + sizes.fetchers) * STACK +
	    plan->threads * steps_bytes(model, plan->from, plan->to);
	if (strategy)
		chunk = strategy->unprocessed ? model->largest.chunk
		                              : block_bytes(model, strategy);
	footprint->blocks += sizes.chunks * chunk;
	if (strategy && is_packed(strategy))
		footprint->blocks += plan->threads * chunk;
}

struct footprint footprint_of_load(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const struct model *of = model_of(model, strategy);
	const bool cached = load->cache == CACHE_APPLICATION;
	const struct cache_place place =
	    cached ? cache_place_of(model, strategy, load)
	           : (struct cache_place){ .share = 0 };
	const struct loading loading = {
		.plan = model->plan,
		.pipeline = of->pipeline,
		.from = strategy->unprocessed ? 0 : strategy->split,
		.mode = { .threads = load->threads,
		    .cache = load->cache,
		    .place = load->place,
		    .fetchers = load->fetchers,
		    .read_ahead = load->read_ahead,
		    .shuffle = load->shuffle,
		    .batch = load->batch },
		.cached = place.at,
		.share = place.share,
	};
	struct footprint footprint = { .batches = 0 };
	struct loader_plan filler, loader, rest;

	loading_plan(&loading, &filler, &loader);
	if (cached) {
		add_loader(&footprint, of, &filler, strategy, load->samples);
		footprint.cache = place.share * place.bytes;
	}
	if (loading_is_partial(&loading)) {
		loading_plan_rest(&loading, &rest);
		add_loader(&footprint, of, &rest, strategy, load->samples);
	}
	add_loader(
	    &footprint, of, &loader, cached ? NULL : strategy, load->samples);
	footprint.batches +=
	    (double)load->samples * OUTPUT * of->many[of->pipeline->count];
	return footprint;
}

/* Bytes that a thread reads before it stores any of them. */
static double mixed_bytes(const struct model *model, const struct load *load)
{
	const struct reader *source = model->source;
	const double all = model->source_bytes * (double)load->samples;

	switch (stored_order_way(&model->plan->strategies.order, source)) {
	case ORDER_WHOLE:
		return fmax(all < ORDER_BLOCK ? all : ORDER_BLOCK,
		    model->largest.sample[0]);
	case ORDER_WINDOWS:
		return (all < ORDER_WINDOW ? all : ORDER_WINDOW) +
		       model->largest.chunk;
	default:
		return model->largest.chunk;
	}
}

struct footprint footprint_of_preparation(const struct model *model,
    const struct strategy *strategy, const struct load *load,
    const char *work_dir)
{
	const struct model *of = model_of(model, strategy);
	const double threads = load->threads;
	struct footprint footprint = { .batches = 0 };

	if (strategy->unprocessed)
		return footprint;
	footprint.blocks = threads * mixed_bytes(model, load);
	footprint.threads =
	    threads * (STACK + SENT + steps_bytes(of, 0, strategy->split) +
	                  WRITER_BLOCKS * block_bytes(of, strategy));
	if (work_dir && residency_is_memory(work_dir))
		footprint.files =
		    model_storage_bytes(model, strategy, load->samples);
	return footprint;
}

double footprint_bytes(const struct footprint *footprint)
{
	const double held = footprint->batches + footprint->blocks +
	                    footprint->threads + footprint->cache;

	if (held + footprint->files <= 0)
		return 0;
	return held * holes + least + footprint->files;
}

double footprint_room(uint64_t room)
{
	return (double)room * (RESERVE - 1) / RESERVE;
}

bool footprint_fits(const struct footprint *footprint, uint64_t room)
{
	return footprint_bytes(footprint) <= footprint_room(room);
}

int footprint_check(const struct footprint *footprint, uint64_t room,
    bool is_load, struct error *err)
{
	const double need = footprint_bytes(footprint);
	char a[UNITS_TEXT], b[UNITS_TEXT];

	if (footprint_fits(footprint, room))
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "needs about %s of memory, %s are free%s: allow more, or fewer "
	    "threads%s",
	    units_bytes(need, a), units_bytes(footprint_room(room), b),
	    memory_limit("") ? " within the limit of its cgroup" : "",
	    !is_load ? " (--threads)"
	    : footprint->cache > footprint->batches
	        ? " (--threads), or less samples (--samples)"
	        : " (--threads), or a smaller batch (--set load.batch=N)");
}
