/*
 * worker.c - takes chunks, runs the steps, fills batches.
 *
 * A worker fills `window` batches at the same time, and draws one of them for
 * each sample: this shuffles samples within a window, without a copy.
 */
#include <stdlib.h>

#include "lib/base/copy.h"
#include "lib/loader/partial_epoch.h"
#include "lib/loader/split_work.h"
#include "lib/loader/state.h"
#include "lib/loader/worker.h"
#include "lib/sample/key.h"

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
		.pool = loader->pool,
	};

	*worker = (struct worker){ .loader = loader };
	worker->open = calloc(loader->window, sizeof(struct batch *));
	worker->ahead = calloc(1, sizeof(*worker->ahead));
	if (!worker->open || !worker->ahead)
		return error_memory(err, sizeof(*worker->ahead));
	worker->chain = chain_new(&steps, err);
	if (!worker->chain)
		return -1;
	if (chain_hold(worker->chain, err))
		return -1;
	worker->only_copies = chain_only_copies(worker->chain);
	worker->joins = loader->window == 1 &&
	                schema_bytes(&plan->pipeline->schemas[plan->to]) >= 0;
	return reader_unpacker_new(reader, &worker->unpacker, err);
}

void worker_release(struct worker *worker)
{
	if (!worker->loader)
		return;
	reader_unpacker_free(worker->loader->plan.reader, worker->unpacker);
	chain_free(worker->chain);
	buf_release(&worker->unpacked);
	free(worker->ahead);
	free(worker->open);
}

/* Wakes the consumer for batches that were put without waking it. */
static void announce(struct worker *worker)
{
	if (worker->quiet > 0)
		queue_wake(&worker->loader->batches_ready);
	worker->quiet = 0;
}

/* Returns a batch with room for the next sample; NULL: stop. */
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
			worker->open[i] =
			    queue_pop(batches, meter_waits(&worker->meter,
			                           &worker->meter.for_room));
		}
	}
	return worker->open[i];
}

/* Did all mapped files stay unchanged while samples were made from them? */
static bool is_sound(struct worker *worker)
{
	struct loader *loader = worker->loader;

	if (reader_judge(
	        loader->plan.reader, loader->losses, 0, &worker->err) == 0)
		return true;
	loader_fail(loader, &worker->err);
	return false;
}

/*
 * Waking a thread takes as long as copying 50 kB. So where samples are only
 * copied, the consumer is woken once a chunk, for all batches filled from it;
 * or once half of the batches that may wait do so, so that it returns some
 * before the others are full.
 */
static bool hand_over(struct worker *worker, struct batch *batch)
{
	struct queue *ready = &worker->loader->batches_ready;

	copy_run_flush(&worker->run);
	for (unsigned i = 0; i < worker->loader->window; i++)
		if (worker->open[i] == batch)
			worker->open[i] = NULL;
	if (!is_sound(worker))
		return false;
	copy_fence();
	if (!(worker->only_copies ? queue_push_quietly(ready, batch)
	                          : queue_push(ready, batch)))
		return false;
	meter_queue(&worker->meter, ready);
	if (worker->only_copies &&
	    ++worker->quiet == worker->loader->quiet_most)
		announce(worker);
	return true;
}

const char *worker_where(
    const struct worker *worker, const struct chunk *chunk, char text[KEY_TEXT])
{
	const char *where = ahead_where(worker->ahead);

	if (where)
		return where;
	reader_where(worker->loader->plan.reader, chunk, &worker->sample, text);
	return text;
}

/* A step refused a sample: records it, or ends the epoch. */
static int refuse(
    struct worker *worker, const struct chunk *chunk, const char *where)
{
	struct loader *loader = worker->loader;
	char own[KEY_TEXT];

	if (!where)
		where = worker_where(worker, chunk, own);
	if (!loader->plan.skip_errors || worker->err.code != ERROR_DATA) {
		error_prefix(&worker->err, "sample %s", where);
		loader_fail(loader, &worker->err);
		return -1;
	}
	loader_note_skipped(loader, where, worker->err.text);
	return 0;
}

static int deliver(struct worker *worker, struct batch *batch)
{
	const struct span key = batch_slot(batch)->key;

	if (meter_is_on(&worker->meter))
		worker->meter.delivered += sample_bytes(batch_slot(batch));
	if (batch_add(batch, key, &worker->err)) {
		loader_fail(worker->loader, &worker->err);
		return -1;
	}
	if (batch->count < batch->capacity)
		return 0;
	return hand_over(worker, batch) ? 0 : -1;
}

/* Delivers one sample of the current input sample. */
static int deliver_one(
    struct worker *worker, const struct chunk *chunk, const char *where)
{
	struct batch *batch = choose_batch(worker);
	int got;

	if (!batch)
		return -1;
	meter_hand(&worker->meter);
	got = chain_next(worker->chain, batch_slot(batch), &worker->err);
	if (got > 0 && deliver(worker, batch))
		return -1;
	if (got < 0 && refuse(worker, chunk, where))
		return -1;
	meter_hand(&worker->meter);
	return 0;
}

int worker_deliver(
    struct worker *worker, const struct chunk *chunk, const char *where)
{
	struct meter *meter = &worker->meter;
	int rc = 0;

	while (rc == 0 && chain_more(worker->chain)) {
		meter_start(meter, &meter->make);
		rc = deliver_one(worker, chunk, where);
		meter_stop(meter);
	}
	return rc;
}

/* Copies the current input sample to its slot, now or later. */
static int copy_sample(struct worker *worker, struct sample *slot)
{
	const struct sample *in = &worker->sample;
	struct meter *meter = &worker->meter;

	if (chain_admit(worker->chain, in, &worker->err) ||
	    copy_run_add(&worker->run, in, slot, &worker->err))
		return -1;
	slot->key = in->key;
	slot->label = in->label;
	slot->count = in->count;
	if (!worker->joins || meter_is_on(meter))
		copy_run_flush(&worker->run);
	if (meter_is_on(meter)) {
		meter->chain.samples++;
		meter->chain.copy.bytes_in += sample_bytes(in);
		meter->chain.copy.bytes_out += sample_bytes(in);
		meter_lap(meter, &meter->chain.copy);
	}
	return 0;
}

/* Delivers the current input sample as it is. */
static int pass_sample(struct worker *worker, const struct chunk *chunk)
{
	struct batch *batch = choose_batch(worker);
	int rc;

	if (!batch)
		return -1;
	meter_hand(&worker->meter);
	if (copy_sample(worker, batch_slot(batch)))
		rc = refuse(worker, chunk, NULL);
	else
		rc = deliver(worker, batch);
	meter_hand(&worker->meter);
	return rc;
}

/* Returns 0, or -1 when the epoch is over for this worker. */
static int do_sample(struct worker *worker, const struct chunk *chunk)
{
	struct meter *meter = &worker->meter;
	int rc;

	if (worker->only_copies) {
		meter_stop(meter);
		meter_start(meter, &meter->make);
		rc = pass_sample(worker, chunk);
		meter_stop(meter);
		return rc;
	}
	rc = chain_begin(worker->chain, &worker->sample, &worker->err);
	meter_stop(meter);
	if (rc)
		return refuse(worker, chunk, NULL);
	if (worker->loader->splits_work && chain_count(worker->chain) > 1)
		return split_work_offer(worker, chunk);
	return worker_deliver(worker, chunk, NULL);
}

static int unpack(struct worker *worker, struct chunk *chunk)
{
	const struct reader *reader = worker->loader->plan.reader;
	struct meter *meter = &worker->meter;

	if (reader_unpack(reader, worker->unpacker, chunk, &worker->err)) {
		loader_fail(worker->loader, &worker->err);
		return -1;
	}
	if (meter_is_on(meter) && reader->ops->unpack) {
		meter->unpack.bytes_in += chunk_fetched(chunk);
		meter->unpack.bytes_out += chunk->bytes.len;
		meter_lap(meter, &meter->unpack);
	}
	meter_stop(meter);
	return 0;
}

/* Parses the next sample of the chunk; like reader_ops.next. */
static int parse(struct worker *worker, struct chunk *chunk)
{
	const struct reader *reader = worker->loader->plan.reader;
	struct meter *meter = &worker->meter;
	int got;

	meter_start(meter, &meter->begin);
	got = reader->ops->next(reader, chunk, &worker->sample, &worker->err);
	if (got < 0)
		loader_fail(worker->loader, &worker->err);
	if (got > 0 && meter_is_on(meter)) {
		meter->parse.bytes_out += sample_bytes(&worker->sample);
		meter_lap(meter, &meter->parse);
	}
	return got;
}

/* Parses samples ahead, and runs their first steps together. */
static int prepare(struct worker *worker, struct chunk *chunk, unsigned wanted)
{
	const struct reader *reader = worker->loader->plan.reader;
	struct ahead *ahead = worker->ahead;
	int got = 1, rc;

	while (ahead->count < wanted && (got = parse(worker, chunk)) > 0) {
		meter_stop(&worker->meter);
		ahead_add(ahead, reader, chunk, &worker->sample);
	}
	if (got < 0 || !ahead->count)
		return got;
	meter_start(&worker->meter, &worker->meter.prepare);
	rc = chain_prepare(
	    worker->chain, ahead->samples, ahead->count, &worker->err);
	meter_stop(&worker->meter);
	if (rc)
		loader_fail(worker->loader, &worker->err);
	return rc ? -1 : 1;
}

/* Takes the next sample of the chunk: like parse. */
static int next_sample(struct worker *worker, struct chunk *chunk)
{
	struct ahead *ahead = worker->ahead;
	unsigned wanted;
	int got;

	if (ahead_take(ahead, &worker->sample))
		return 1;
	ahead_clear(ahead);
	wanted = chain_several(worker->chain);
	if (wanted <= 1)
		return parse(worker, chunk);
	got = prepare(worker, chunk, wanted);
	if (got > 0)
		ahead_take(ahead, &worker->sample);
	return got;
}

static int do_chunk(struct worker *worker, struct chunk *chunk)
{
	struct loader *loader = worker->loader;
	int got;

	if (unpack(worker, chunk))
		return -1;
	while (!atomic_load_explicit(&loader->stop, memory_order_relaxed)) {
		got = next_sample(worker, chunk);
		if (got <= 0) {
			meter_stop(&worker->meter);
			return got;
		}
		if (do_sample(worker, chunk))
			return -1;
	}
	return -1;
}

/* Returns the next fetched chunk; NULL: there is none. */
static struct chunk *get_chunk(struct worker *worker)
{
	struct meter *meter = &worker->meter;
	struct chunk *chunk;

	meter_start(meter, &meter->get);
	chunk = queue_pop(&worker->loader->chunks_ready,
	    meter_waits(meter, &meter->for_data));
	if (chunk)
		meter_hand(meter);
	else
		meter_stop(meter);
	meter_queue(meter, &worker->loader->chunks_ready);
	return chunk;
}

/* Gives the chunk back to the fetchers. */
static void put_chunk(struct worker *worker, struct chunk *chunk)
{
	struct meter *meter = &worker->meter;

	meter_start(meter, &meter->put);
	announce(worker);
	queue_push(&worker->loader->chunks_free, chunk);
	meter_hand(meter);
	meter_stop(meter);
}

/* Delivers the batches that have samples, and returns empty ones. */
static void flush_open(struct worker *worker)
{
	announce(worker);
	is_sound(worker); /* otherwise nothing below is delivered */
	copy_fence();
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

/*
 * The buffer for unpacked data stays with the worker: there are fewer workers
 * than chunks, so less memory grows, and it stays in the CPU caches. Where the
 * worker unpacks nothing, the reader may have filled the chunk's own buffer.
 */
static void exchange_unpacked(struct worker *worker, struct chunk *chunk)
{
	const struct buf kept = chunk->unpacked;

	if (!worker->loader->plan.reader->ops->unpack)
		return;
	chunk->unpacked = worker->unpacked;
	worker->unpacked = kept;
}

static int run_chunk(struct worker *worker, struct chunk *chunk)
{
	int rc;

	exchange_unpacked(worker, chunk);
	rc = worker->loader->extent == EXTENT_ALL
	         ? do_chunk(worker, chunk)
	         : partial_epoch_chunk(worker, chunk);
	copy_run_flush(&worker->run);
	exchange_unpacked(worker, chunk);
	return rc;
}

static void count_filtered(struct worker *worker)
{
	struct loader *loader = worker->loader;

	pthread_mutex_lock(&loader->lock);
	loader->filtered += chain_take_filtered(worker->chain);
	pthread_mutex_unlock(&loader->lock);
}

void worker_epoch(struct worker *worker)
{
	struct loader *loader = worker->loader;
	const struct loader_plan *plan = &loader->plan;
	const uint64_t number = (uint64_t)(worker - loader->workers);
	struct chunk *chunk;

	meter_begin(&worker->meter, loader, plan->fetchers + (uint32_t)number);
	worker->random =
	    random_stream(plan->seed, loader->epoch, number, UINT32_MAX - 1);
	ahead_clear(worker->ahead);
	chain_set_draw(worker->chain, plan->seed, loader->epoch);
	chain_set_trace(
	    worker->chain, loader->tracing ? &worker->meter.chain : NULL);
	while ((chunk = get_chunk(worker))) {
		if (run_chunk(worker, chunk))
			break;
		put_chunk(worker, chunk);
	}
	if (loader->splits_work)
		split_work_help(worker);
	chain_rest(worker->chain);
	flush_open(worker);
	count_filtered(worker);
	meter_end(&worker->meter);
	if (atomic_fetch_sub(&loader->workers_left, 1) == 1)
		queue_close(&loader->batches_ready);
}
