/*
 * worker.c - takes chunks, runs the steps, fills batches.
 *
 * A worker has `window` batches open and puts each sample into one of them by
 * chance: a shuffle window without a copy.  With one there is nothing to
 * choose.
 */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/copy.h"
#include "lib/loader/parts.h"

int worker_init(struct worker *worker, struct loader *loader, struct error *err)
{
	const struct loader_plan *plan = &loader->plan;
	const struct reader *reader = plan->reader;
	const struct chain_plan steps = {
		.pipeline = plan->pipeline,
		.from = plan->from,
		.to = plan->to,
		.decode = reader->decode,
		.unfused = plan->unfused,
	};

	*worker = (struct worker){ .loader = loader };
	worker->open = calloc(loader->window, sizeof(struct batch *));
	if (!worker->open)
		return error_memory(err, sizeof(struct batch *));
	worker->chain = chain_new(&steps, err);
	if (!worker->chain)
		return -1;
	worker->only_copies = chain_only_copies(worker->chain);
	return reader_unpacker_new(reader, &worker->unpacker, err);
}

void worker_release(struct worker *worker)
{
	if (!worker->loader)
		return;
	reader_unpacker_free(worker->loader->plan.reader, worker->unpacker);
	chain_free(worker->chain);
	free(worker->open);
}

/* The thread's CPU time; only in the traced pass. */
static uint64_t trace_now(const struct worker *worker)
{
	return worker->loader->tracing ? clock_now(&clock_thread_cpu) : 0;
}

/* Tells the consumer of the batches that it has not been woken for. */
static void announce(struct worker *worker)
{
	if (worker->has_quiet)
		queue_wake(&worker->loader->batches_ready);
	worker->has_quiet = false;
}

/* A batch with room, for the next sample; NULL: stop. */
static struct batch *choose_batch(struct worker *worker)
{
	const unsigned window = worker->loader->window;
	const unsigned i =
	    window > 1 ? random_below(&worker->random, window) : 0;

	if (!worker->open[i]) {
		struct queue *batches = &worker->loader->batches_free;

		worker->open[i] = queue_try_pop(batches);
		if (!worker->open[i]) {
			announce(worker);
			worker->open[i] = queue_pop(batches);
		}
		if (worker->open[i])
			batch_reset(worker->open[i]);
	}
	return worker->open[i];
}

/*
 * To wake a thread costs as much as to copy 50 kB: where samples are only
 * copied, the consumer is woken once a chunk, for all batches that it filled.
 */
static bool hand_over(struct worker *worker, struct batch *batch)
{
	struct queue *ready = &worker->loader->batches_ready;

	for (unsigned i = 0; i < worker->loader->window; i++)
		if (worker->open[i] == batch)
			worker->open[i] = NULL;
	copy_settle();
	if (!worker->only_copies)
		return queue_push(ready, batch);
	worker->has_quiet = true;
	return queue_push_quietly(ready, batch);
}

/* A sample that a step refused: noted, or the end. */
static int refuse(
    struct worker *worker, const struct chunk *chunk, const char *where)
{
	struct loader *loader = worker->loader;

	if (where)
		error_prefix(&worker->err, "sample %s", where);
	else
		reader_blame(
		    loader->plan.reader, chunk, &worker->sample, &worker->err);
	if (!loader->plan.skip_errors || worker->err.code != ERROR_DATA) {
		loader_fail(loader, &worker->err);
		return -1;
	}
	loader_note_skipped(loader, &worker->err);
	return 0;
}

static int deliver(struct worker *worker, struct batch *batch)
{
	const struct span key = batch_slot(batch)->key;

	if (batch_add(batch, key, &worker->err)) {
		loader_fail(worker->loader, &worker->err);
		return -1;
	}
	if (batch->count < batch->capacity)
		return 0;
	return hand_over(worker, batch) ? 0 : -1;
}

int worker_deliver(
    struct worker *worker, const struct chunk *chunk, const char *where)
{
	while (chain_more(worker->chain)) {
		struct batch *batch = choose_batch(worker);
		int got;

		if (!batch)
			return -1;
		got =
		    chain_next(worker->chain, batch_slot(batch), &worker->err);
		if (got > 0 && deliver(worker, batch))
			return -1;
		if (got < 0 && refuse(worker, chunk, where))
			return -1;
	}
	return 0;
}

/* 0, or -1 when the epoch is over for this worker. */
static int do_sample(struct worker *worker, const struct chunk *chunk)
{
	if (chain_begin(worker->chain, &worker->sample, &worker->err))
		return refuse(worker, chunk, NULL);
	if (worker->loader->shares && chain_count(worker->chain) > 1)
		return share_sample(worker, chunk);
	return worker_deliver(worker, chunk, NULL);
}

static int unpack(struct worker *worker, struct chunk *chunk)
{
	const struct reader *reader = worker->loader->plan.reader;
	const uint64_t start = trace_now(worker);
	const int rc =
	    reader_unpack(reader, worker->unpacker, chunk, &worker->err);

	worker->trace.unpack_ns += trace_now(worker) - start;
	return rc;
}

static int do_chunk(struct worker *worker, struct chunk *chunk)
{
	struct loader *loader = worker->loader;
	const struct reader *reader = loader->plan.reader;
	int got = -1;

	if (unpack(worker, chunk)) {
		loader_fail(loader, &worker->err);
		return -1;
	}
	while (!atomic_load_explicit(&loader->stop, memory_order_relaxed)) {
		const uint64_t start = trace_now(worker);

		got = reader->ops->next(
		    reader, chunk, &worker->sample, &worker->err);
		worker->trace.parse_ns += trace_now(worker) - start;
		if (got < 0)
			loader_fail(loader, &worker->err);
		if (got <= 0)
			return got;
		if (do_sample(worker, chunk))
			return -1;
	}
	return -1;
}

/* What is begun is delivered; what is empty goes back. */
static void flush_open(struct worker *worker)
{
	announce(worker);
	copy_settle();
	for (unsigned i = 0; i < worker->loader->window; i++) {
		struct batch *batch = worker->open[i];

		worker->open[i] = NULL;
		if (!batch)
			continue;
		if (batch->count > 0)
			queue_push(&worker->loader->batches_ready, batch);
		else
			queue_push(&worker->loader->batches_free, batch);
	}
}

void worker_epoch(struct worker *worker)
{
	struct loader *loader = worker->loader;
	const struct loader_plan *plan = &loader->plan;
	const uint64_t number = (uint64_t)(worker - loader->workers);
	struct chunk *chunk;

	worker->trace = (struct loader_trace){ .unpack_ns = 0 };
	worker->random =
	    random_stream(plan->seed, loader->epoch, number, UINT32_MAX - 1);
	chain_set_draw(worker->chain, plan->seed, loader->epoch);
	chain_set_trace(
	    worker->chain, loader->tracing ? &worker->trace.chain : NULL);
	while ((chunk = queue_pop(&loader->chunks_ready))) {
		if (do_chunk(worker, chunk))
			break;
		announce(worker);
		queue_push(&loader->chunks_free, chunk);
	}
	if (loader->shares)
		share_help(worker);
	flush_open(worker);
	if (atomic_fetch_sub(&loader->workers_left, 1) == 1)
		queue_close(&loader->batches_ready);
}
