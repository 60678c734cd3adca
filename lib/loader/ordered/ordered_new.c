/* ordered_new.c - makes and frees ordered loaders. */
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/open_streams.h"
#include "lib/loader/ordered/ordered_fetcher.h"
#include "lib/loader/ordered/ordered_run.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/loader/ordered/ordered_view.h"
#include "lib/loader/ordered/ordered_worker.h"
#include "lib/loader/read_late.h"
#include "lib/media/medium.h"
#include "lib/sample/batch_home.h"

enum {
	READ_AHEAD = 4,        /* chunks for each worker */
	STREAM_DEPTH = 4,      /* chunks of a stream in advance */
	BATCH_SMALL = 1 << 20, /* bytes */
	BATCHES_WAITING = 4,   /* small ones, for each worker */
	BATCHES_MORE = 2,
	TAKE_BYTES = 64 << 10, /* samples that are taken at once */
};

/* ---- sizes ---- */

/* How many steps make several samples of one? */
static unsigned count_many(const struct ordered_plan *plan)
{
	unsigned count = 0;

	for (unsigned i = plan->from; i < plan->to; i++)
		count += pipeline_makes_many(plan->pipeline, i, i + 1);
	return count;
}

/* Several small batches may wait, so that one wake-up serves all. */
static unsigned batches_of_worker(const struct ordered_plan *plan)
{
	const int64_t bytes = schema_bytes(&plan->pipeline->schemas[plan->to]);

	return bytes < 0 || bytes > BATCH_SMALL / plan->batch ? 1
	                                                      : BATCHES_WAITING;
}

static void find_sizes(struct ordered_loader *loader)
{
	struct ordered_plan *plan = &loader->plan;
	const struct reader *reader = plan->reader;
	const struct order *order = &loader->order;
	const unsigned many = count_many(plan);
	const uint64_t bytes =
	    reader->samples ? reader->bytes / reader->samples + 1 : 1;
	unsigned in_window;

	if (plan->fetchers == 0)
		plan->fetchers = plan->threads;
	loader->is_nested = many > 1;
	loader->unpacks = reader->ops->unpack != NULL;
	loader->lends_bufs = loader->unpacks && order->way != ORDER_PICKS;
	loader->reads_late =
	    loader->lends_bufs &&
	    read_late_pays(reader, plan->pipeline, plan->from, plan->to);
	loader->depth = order->way == ORDER_STREAMS ? STREAM_DEPTH : 1;
	loader->lane_count =
	    plan->fetchers + plan->threads + READ_AHEAD * plan->threads;
	if (order->way == ORDER_STREAMS)
		loader->lane_count = plan->fetchers + 1;
	loader->wake_at = 1 + READ_AHEAD * plan->threads / 2;
	loader->take_most = bytes <= TAKE_BYTES / ORDERED_TAKE
	                        ? ORDERED_TAKE
	                        : (unsigned)(TAKE_BYTES / bytes + 1);
	if (loader->makes_many)
		loader->take_most = 1;
	/* Samples of two windows may be on their way. */
	in_window = (unsigned)(order->window / plan->batch + 2);
	loader->output_count =
	    BATCHES_MORE + batches_of_worker(plan) * plan->threads;
	if (order->window && loader->output_count < 2 * in_window)
		loader->output_count = 2 * in_window;
}

/* ---- parts ---- */

static int make_lanes(struct ordered_loader *loader, struct error *err)
{
	const size_t chunks = (size_t)loader->lane_count * loader->depth;

	loader->lanes = calloc(loader->lane_count, sizeof(*loader->lanes));
	loader->chunks = calloc(chunks, sizeof(*loader->chunks));
	loader->spare_bufs = calloc(chunks, sizeof(*loader->spare_bufs));
	loader->outputs =
	    calloc(loader->output_count, sizeof(*loader->outputs));
	if (!loader->lanes || !loader->chunks || !loader->spare_bufs ||
	    !loader->outputs)
		return error_memory(err, chunks * sizeof(*loader->chunks));
	for (unsigned i = 0; i < loader->lane_count; i++)
		loader->lanes[i].chunks = &loader->chunks[i * loader->depth];
	for (size_t i = 0; i < chunks; i++)
		loader->chunks[i].lane = &loader->lanes[i / loader->depth];
	return 0;
}

static int make_threads(struct ordered_loader *loader, struct error *err)
{
	const struct ordered_plan *plan = &loader->plan;

	loader->fetchers = calloc(plan->fetchers, sizeof(*loader->fetchers));
	loader->workers = calloc(plan->threads, sizeof(*loader->workers));
	if (!loader->fetchers || !loader->workers)
		return error_memory(
		    err, plan->threads * sizeof(*loader->workers));
	for (unsigned i = 0; i < plan->fetchers; i++) {
		struct ordered_fetcher *fetcher = &loader->fetchers[i];

		fetcher->loader = loader;
		fetcher->picks =
		    calloc(loader->order.piece, sizeof(*fetcher->picks));
		if (!fetcher->picks)
			return error_memory(err, loader->order.piece);
	}
	for (unsigned i = 0; i < plan->threads; i++)
		if (ordered_worker_init(&loader->workers[i], loader, err))
			return -1;
	return 0;
}

static int make_parts(struct ordered_loader *loader, struct error *err)
{
	const struct ordered_plan *plan = &loader->plan;
	const struct order_rule rule = {
		.reader = plan->reader,
		.batch = plan->batch,
		.shuffle = plan->shuffle,
		.drop_last = plan->drop_last,
		.seed = plan->seed,
		.rank = plan->rank,
		.world_size = plan->world_size,
		.window = plan->window,
		.makes_many = loader->makes_many,
	};

	if (order_init(&loader->order, &rule, err))
		return -1;
	find_sizes(loader);
	loader->home =
	    batch_home_new(plan->batch, &plan->pipeline->schemas[plan->to],
	        loader->output_count + BATCHES_MORE, err);
	loader->streams = open_streams_new(plan->reader, err);
	if (!loader->home || !loader->streams || make_lanes(loader, err))
		return -1;
	if (make_threads(loader, err))
		return -1;
	if (loader->workers[0].only_copies)
		ordered_view_init(loader);
	return 0;
}

struct ordered_loader *ordered_loader_new(
    const struct ordered_plan *plan, struct error *err)
{
	struct ordered_loader *loader = memory_zeroed(sizeof(*loader), err);

	if (!loader)
		return NULL;
	pthread_mutex_init(&loader->lock, NULL);
	pthread_mutex_init(&loader->take_lock, NULL);
	gate_init(&loader->gate, &loader->lock);
	pthread_cond_init(&loader->fetchable, NULL);
	pthread_cond_init(&loader->workable, NULL);
	pthread_cond_init(&loader->room, NULL);
	consumer_init(&loader->consumer);
	loader->plan = *plan;
	loader->makes_many = count_many(plan) > 0;
	loader->is_between = plan->by_spans;
	if (make_parts(loader, err)) {
		ordered_loader_free(loader);
		return NULL;
	}
	return loader;
}

int ordered_loader_share(struct ordered_loader *loader, unsigned kept,
    unsigned *places, struct error *err)
{
	int fd;

	*places = loader->output_count + BATCHES_MORE + kept;
	fd = batch_home_share(loader->home, *places, err);
	if (fd >= 0) /* a view is in memory of its own */
		loader->view_window = 0;
	return fd;
}

/* ---- freeing ---- */

static void stop_threads(struct ordered_loader *loader)
{
	struct medium *medium = loader->plan.medium;

	ordered_run_stop(loader);
	gate_close(&loader->gate);
	/* An emulated storage need not be waited for. */
	if (medium)
		medium_hurry(medium, true);
	for (unsigned i = 0; i < loader->fetchers_started; i++)
		pthread_join(loader->fetchers[i].thread, NULL);
	for (unsigned i = 0; i < loader->workers_started; i++)
		pthread_join(loader->workers[i].thread, NULL);
	if (medium)
		medium_hurry(medium, false);
}

static void free_parts(struct ordered_loader *loader)
{
	if (loader->lanes && loader->chunks && loader->outputs)
		ordered_run_clear(loader);
	for (unsigned i = 0; loader->workers && i < loader->plan.threads; i++)
		ordered_worker_release(&loader->workers[i]);
	for (unsigned i = 0; loader->fetchers && i < loader->plan.fetchers; i++)
		ordered_fetcher_release(&loader->fetchers[i]);
	for (unsigned i = 0;
	     loader->chunks && i < loader->lane_count * loader->depth; i++)
		chunk_release(&loader->chunks[i].chunk);
	for (unsigned i = 0; loader->spare_bufs && i < loader->spare_count; i++)
		buf_release(&loader->spare_bufs[i]);
	open_streams_free(loader->streams);
	batch_home_close(loader->home);
	order_release(&loader->order);
	free(loader->lost);
	free(loader->outputs);
	free(loader->spare_bufs);
	free(loader->chunks);
	free(loader->lanes);
	free(loader->workers);
	free(loader->fetchers);
}

void ordered_loader_free(struct ordered_loader *loader)
{
	if (!loader || (loader->process && loader->process != getpid()))
		return;
	stop_threads(loader);
	free_parts(loader);
	consumer_destroy(&loader->consumer);
	pthread_cond_destroy(&loader->room);
	pthread_cond_destroy(&loader->workable);
	pthread_cond_destroy(&loader->fetchable);
	gate_release(&loader->gate);
	pthread_mutex_destroy(&loader->take_lock);
	pthread_mutex_destroy(&loader->lock);
	free(loader);
}
