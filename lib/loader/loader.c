/* loader.c - see loader.h: threads, epochs, and the consumer's side. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/stop.h"
#include "lib/loader/batches.h"
#include "lib/loader/fetcher.h"
#include "lib/loader/read_late.h"
#include "lib/loader/state.h"
#include "lib/loader/streams.h"
#include "lib/loader/worker.h"
#include "lib/sample/pool.h"
#include "lib/sample/skipped.h"

enum {
	READ_AHEAD = 4,        /* chunks for each worker, by default */
	BATCH_SMALL = 1 << 20, /* bytes */
	BATCHES_LEAST = 4,     /* waiting, if they are small */
	BATCHES_MOST = 16,
	SLOT_BYTES = 256, /* memory of a slot that is in use */
};

void loader_fail(struct loader *loader, const struct error *err)
{
	struct error first = *err;

	/* Steps that were waited for when the epoch was ended early. */
	if (first.code == ERROR_INTERRUPTED && atomic_load(&loader->stop))
		return;
	/* A truncated file reads as zeros: blames the file for the damage. */
	if (first.code == ERROR_DATA)
		reader_judge(loader->plan.reader, loader->losses, -1, &first);
	pthread_mutex_lock(&loader->lock);
	if (loader->err.code == ERROR_NONE)
		loader->err = first;
	atomic_store(&loader->stop, true);
	pthread_cond_broadcast(&loader->offered);
	pthread_mutex_unlock(&loader->lock);
	queue_close(&loader->chunks_free);
	queue_close(&loader->chunks_ready);
	queue_close(&loader->batches_free);
	queue_close(&loader->batches_ready);
}

void loader_note_skipped(
    struct loader *loader, const char *where, const char *why)
{
	skipped_add(loader->plan.skipped, where, why);
	pthread_mutex_lock(&loader->lock);
	loader->skipped++;
	pthread_mutex_unlock(&loader->lock);
}

static void work_done(struct loader *loader)
{
	pthread_mutex_lock(&loader->lock);
	loader->running--;
	if (loader->running == 0)
		pthread_cond_broadcast(&loader->ended);
	pthread_mutex_unlock(&loader->lock);
}

static void *fetcher_main(void *arg)
{
	struct fetcher *fetcher = arg;
	uint64_t seen = 0;

	while (gate_pass(&fetcher->loader->gate, &seen)) {
		fetcher_epoch(fetcher);
		work_done(fetcher->loader);
	}
	return NULL;
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	uint64_t seen = 0;

	stop_watch(&worker->loader->stop);
	while (gate_pass(&worker->loader->gate, &seen)) {
		worker_epoch(worker);
		work_done(worker->loader);
	}
	return NULL;
}

static int start_threads(struct loader *loader, struct error *err)
{
	const struct loader_plan *plan = &loader->plan;

	for (unsigned i = 0; i < plan->fetchers; i++) {
		struct fetcher *fetcher = &loader->fetchers[i];

		fetcher->loader = loader;
		if (pthread_create(
		        &fetcher->thread, NULL, fetcher_main, fetcher))
			return error_set(err, ERROR_SYSTEM,
			    "cannot start fetcher thread %u", i + 1);
		loader->fetchers_started++;
	}
	for (unsigned i = 0; i < plan->threads; i++) {
		struct worker *worker = &loader->workers[i];

		if (worker_init(worker, loader, err))
			return -1;
		if (pthread_create(&worker->thread, NULL, worker_main, worker))
			return error_set(err, ERROR_SYSTEM,
			    "cannot start worker thread %u", i + 1);
		loader->workers_started++;
	}
	/* All had one at the same time, so there are enough of each. */
	for (unsigned i = 0; i < plan->threads; i++)
		chain_rest(loader->workers[i].chain);
	return 0;
}

static int make_queues(struct loader *loader, struct error *err)
{
	/*
	 * When the workers are idle, all chunks come back except those in other
	 * fetchers' hands: more than the read-ahead.
	 */
	const size_t some = 1 + loader->plan.read_ahead / 2;

	if (queue_init(&loader->chunks_free, loader->chunk_count, some, err) ||
	    queue_init(&loader->chunks_ready, loader->chunk_count, 1, err) ||
	    queue_init(&loader->batches_free, loader->batch_count, 1, err) ||
	    queue_init(&loader->batches_ready, loader->batch_count, 1, err))
		return -1;
	/* The batch that was returned last is most likely in the CPU caches. */
	loader->batches_free.last_first = true;
	return 0;
}

static int make_buffers(struct loader *loader, struct error *err)
{
	const struct loader_plan *plan = &loader->plan;

	loader->fetchers = calloc(plan->fetchers, sizeof(*loader->fetchers));
	loader->workers = calloc(plan->threads, sizeof(*loader->workers));
	loader->chunks = calloc(loader->chunk_count, sizeof(*loader->chunks));
	loader->batches = calloc(loader->batch_count, sizeof(*loader->batches));
	loader->order =
	    calloc(plan->reader->streams + 1, sizeof(*loader->order));
	if (!loader->fetchers || !loader->workers || !loader->chunks ||
	    !loader->batches || !loader->order)
		return error_memory(err, plan->reader->streams);
	if (make_queues(loader, err))
		return -1;
	return batches_make(loader, err);
}

/*
 * Several small batches may wait, so that one wake-up serves all: the smaller
 * they are, the more, as long as they stay in the caches.
 */
static unsigned batches_waiting(const struct loader_plan *plan, unsigned batch)
{
	const int64_t bytes = schema_bytes(&plan->pipeline->schemas[plan->to]);
	int64_t fit;

	if (bytes < 0 || bytes > BATCH_SMALL / batch)
		return 1;
	fit = BATCH_SMALL / (batch * (bytes + SLOT_BYTES));
	if (fit < BATCHES_LEAST)
		return BATCHES_LEAST;
	return fit < BATCHES_MOST ? (unsigned)fit : BATCHES_MOST;
}

/* Makes no more buffers than the samples can fill. */
void loader_find_sizes(const struct loader_plan *plan, uint64_t samples,
    struct loader_sizes *sizes)
{
	uint64_t most;

	/* The number of delivered samples is unknown. */
	if (pipeline_makes_many(plan->pipeline, plan->from, plan->to))
		samples = 0;
	*sizes = (struct loader_sizes){
		.fetchers = plan->fetchers ? plan->fetchers : plan->threads,
		.read_ahead = plan->read_ahead ? plan->read_ahead
		                               : READ_AHEAD * plan->threads,
		.batch = plan->batch,
		.shuffle = plan->shuffle,
	};
	if (samples > 0 && samples < sizes->batch)
		sizes->batch = (unsigned)samples;
	if (samples > 0 && samples < sizes->shuffle)
		sizes->shuffle = (unsigned)samples;
	sizes->window = sizes->shuffle / sizes->batch / plan->threads;
	if (sizes->window == 0)
		sizes->window = 1;
	sizes->chunks = sizes->fetchers + plan->threads + sizes->read_ahead;
	sizes->waiting = batches_waiting(plan, sizes->batch);
	/* Open batches, some waiting for each worker, and the consumer's. */
	sizes->batches = plan->threads * (sizes->window + sizes->waiting) + 1;
	most = samples / sizes->batch + plan->threads * sizes->window + 1;
	if (samples > 0 && sizes->batches > most)
		sizes->batches = (unsigned)most;
}

static void set_sizes(struct loader *loader)
{
	struct loader_plan *plan = &loader->plan;
	struct loader_sizes sizes;

	loader_find_sizes(plan, plan->reader->samples, &sizes);
	plan->fetchers = sizes.fetchers;
	plan->read_ahead = sizes.read_ahead;
	plan->batch = sizes.batch;
	plan->shuffle = sizes.shuffle;
	loader->window = sizes.window;
	loader->quiet_most = sizes.waiting / 2;
	loader->chunk_count = sizes.chunks;
	loader->batch_count = sizes.batches;
	loader->part = plan->reader->streams;
	loader->splits_work =
	    plan->threads > 1 &&
	    pipeline_makes_many(plan->pipeline, plan->from, plan->to);
}

struct loader *loader_new(const struct loader_plan *plan, struct error *err)
{
	struct loader *loader = memory_zeroed(sizeof(*loader), err);

	if (!loader)
		return NULL;
	pthread_mutex_init(&loader->lock, NULL);
	gate_init(&loader->gate, &loader->lock);
	pthread_cond_init(&loader->ended, NULL);
	pthread_cond_init(&loader->opened, NULL);
	pthread_cond_init(&loader->offered, NULL);
	loader->plan = *plan;
	set_sizes(loader);
	if (make_buffers(loader, err) || start_threads(loader, err)) {
		loader_free(loader);
		return NULL;
	}
	return loader;
}

static void stop_threads(struct loader *loader)
{
	gate_close(&loader->gate);
	for (unsigned i = 0; i < loader->fetchers_started; i++)
		pthread_join(loader->fetchers[i].thread, NULL);
	for (unsigned i = 0; i < loader->workers_started; i++)
		pthread_join(loader->workers[i].thread, NULL);
}

static void free_buffers(struct loader *loader)
{
	for (unsigned i = 0; loader->workers && i < loader->plan.threads; i++)
		worker_release(&loader->workers[i]);
	for (unsigned i = 0; loader->chunks && i < loader->chunk_count; i++)
		chunk_release(&loader->chunks[i]);
	for (unsigned i = 0; loader->batches && i < loader->batch_count; i++)
		batch_free(loader->batches[i]);
	pool_free(loader->pool);
	queue_release(&loader->batches_ready);
	queue_release(&loader->batches_free);
	queue_release(&loader->chunks_ready);
	queue_release(&loader->chunks_free);
	free(loader->chosen);
	free(loader->order);
	free(loader->batches);
	free(loader->chunks);
	free(loader->workers);
	free(loader->fetchers);
}

void loader_free(struct loader *loader)
{
	struct error ignored = ERROR_INIT;

	if (!loader)
		return;
	loader_end(loader, &ignored);
	stop_threads(loader);
	recording_release(loader);
	free_buffers(loader);
	pthread_cond_destroy(&loader->offered);
	pthread_cond_destroy(&loader->opened);
	pthread_cond_destroy(&loader->ended);
	gate_release(&loader->gate);
	pthread_mutex_destroy(&loader->lock);
	free(loader);
}

/* Empties a batch for any worker to fill. */
static void free_batch(struct loader *loader, struct batch *batch)
{
	batch_reset(batch);
	queue_push(&loader->batches_free, batch);
}

/* Makes all buffers free again, however the last epoch ended. */
static void refill_queues(struct loader *loader)
{
	struct queue *queues[] = { &loader->chunks_free, &loader->chunks_ready,
		&loader->batches_free, &loader->batches_ready };

	for (size_t i = 0; i < 4; i++) {
		queue_reopen(queues[i]);
		while (queue_try_pop(queues[i]))
			continue;
	}
	for (unsigned i = 0; i < loader->chunk_count; i++)
		queue_push(&loader->chunks_free, &loader->chunks[i]);
	for (unsigned i = 0; i < loader->batch_count; i++)
		if (loader->batches[i])
			free_batch(loader, loader->batches[i]);
}

/*
 * A traced epoch counts reading where it belongs, and partial ones have no
 * workers for it.
 */
static bool must_read_late(const struct loader *loader)
{
	const struct loader_plan *plan = &loader->plan;

	return loader->extent == EXTENT_ALL && !loader->tracing &&
	       read_late_pays(
	           plan->reader, plan->pipeline, plan->from, plan->to);
}

static void begin(struct loader *loader, uint32_t epoch)
{
	struct error none_left = ERROR_INIT;
	const int rc = batches_take(loader, &none_left);

	loader->epoch = epoch;
	loader->losses = mapping_losses();
	loader->reads_late = must_read_late(loader);
	loader->lent = NULL;
	loader->skipped = 0;
	loader->filtered = 0;
	loader->err = (struct error)ERROR_INIT;
	streams_order(loader);
	refill_queues(loader);
	atomic_store(&loader->stop, false);
	loader->next_stream = 0;
	atomic_store(&loader->fetchers_left, loader->plan.fetchers);
	atomic_store(&loader->workers_left, loader->plan.threads);
	loader->busy = loader->plan.threads;
	pthread_mutex_lock(&loader->lock);
	loader->running = loader->fetchers_started + loader->workers_started;
	gate_open(&loader->gate);
	pthread_mutex_unlock(&loader->lock);
	if (rc)
		loader_fail(loader, &none_left);
}

void loader_begin(struct loader *loader, uint32_t epoch, bool trace)
{
	loader->tracing = TRACES && trace;
	loader->extent = EXTENT_ALL;
	loader->checks = false;
	loader->waits = (struct waits){ .ns = 0 };
	loader->times = (struct medium_times){ .opened = 0 };
	if (trace && loader->plan.medium)
		medium_set_timed(loader->plan.medium, true);
	if (trace)
		loader->wall_ns = clock_now(&clock_monotonic);
	if (loader->tracing)
		recording_begin(loader);
	begin(loader, epoch);
}

void loader_begin_partial(
    struct loader *loader, uint32_t epoch, enum epoch_extent extent)
{
	loader->tracing = false;
	loader->extent = extent;
	loader->checks = false;
	begin(loader, epoch);
}

void loader_begin_check(struct loader *loader)
{
	loader->tracing = false;
	loader->extent = EXTENT_READ;
	loader->checks = true;
	begin(loader, 0);
}

struct batch *loader_next(struct loader *loader)
{
	const bool traces = TRACES && loader->tracing;

	if (traces)
		recording_ask(loader);
	if (loader->lent)
		free_batch(loader, loader->lent);
	loader->lent =
	    queue_pop(&loader->batches_ready, traces ? &loader->waits : NULL);
	if (loader->lent && atomic_load(&loader->stop))
		loader->lent = NULL;
	if (traces && loader->lent)
		recording_get(loader);
	return loader->lent;
}

static void end_trace(struct loader *loader)
{
	struct medium *medium = loader->plan.medium;

	loader->wall_ns = clock_now(&clock_monotonic) - loader->wall_ns;
	if (medium) {
		medium_set_timed(medium, false);
		loader->times = medium_get_times(medium);
	}
	loader->tracing = false;
}

int loader_end(struct loader *loader, struct error *err)
{
	const struct error none = ERROR_INIT;
	bool early, failed;

	pthread_mutex_lock(&loader->lock);
	early = loader->running > 0 && atomic_load(&loader->workers_left) > 0;
	pthread_mutex_unlock(&loader->lock);
	if (early)
		loader_fail(loader, &none); /* makes all threads leave */
	pthread_mutex_lock(&loader->lock);
	while (loader->running > 0)
		pthread_cond_wait(&loader->ended, &loader->lock);
	if (loader->tracing)
		end_trace(loader);
	/* Mapped data cannot be dropped from the page cache: unmaps it. */
	for (unsigned i = 0; loader->chunks && i < loader->chunk_count; i++)
		chunk_reset(&loader->chunks[i]);
	if (loader->batches)
		batches_give(loader);
	failed = loader->err.code != ERROR_NONE;
	if (failed)
		*err = loader->err;
	pthread_mutex_unlock(&loader->lock);
	return failed ? -1 : 0;
}

uint64_t loader_skipped(const struct loader *loader)
{
	return loader->skipped;
}

uint64_t loader_filtered(const struct loader *loader)
{
	return loader->filtered;
}
