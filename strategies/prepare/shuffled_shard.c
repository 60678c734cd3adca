/* shuffled_shard.c - see shuffled_shard.h. */
#include "strategies/prepare/shuffled_shard.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/sample/picks.h"
#include "strategies/prepare/preparer.h"

/* ---- all samples permuted ---- */

static int fetch_block(
    struct preparer *worker, struct pick *picks, size_t first, size_t count)
{
	const struct preparation *job = worker->job;
	const struct preparer_moment began = preparer_moment();
	int rc = -1;

	picks_choose(picks, &job->permutation, first, count);
	if (!worker->picker)
		worker->picker =
		    job->source->ops->picker_open(job->source, &worker->err);
	if (worker->picker)
		rc = picks_fetch(job->source, worker->picker, picks, count,
		    &worker->chunk, &worker->err);
	preparer_has_read(worker, &began);
	return rc;
}

int shuffled_shard_whole(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct preparation *job = worker->job;
	const size_t block = stored_order_samples(job->source, ORDER_BLOCK);
	const size_t end = job->first[shard + 1];
	size_t at = job->first[shard], room = end - at;
	struct pick *picks;
	int rc = 0;

	if (room > block)
		room = block;
	picks = calloc(room + 1, sizeof(*picks));
	if (!picks)
		return error_memory(&worker->err, room * sizeof(*picks));
	while (rc == 0 && at < end) {
		const size_t count = end - at < room ? end - at : room;

		rc = fetch_block(worker, picks, at, count);
		if (rc == 0)
			rc = preparer_chunk(worker, writer);
		at += count;
	}
	free(picks);
	return rc;
}

/* ---- windows ---- */

/* A sample in the window, without its fields. */
struct member {
	struct span key;
	int64_t label;
	size_t chunk; /* number in the window */
	size_t at;    /* state of the chunk when it gave the sample */
	uint64_t left;
};

struct shuffled_window {
	struct chunk *chunks; /* [chunk_capacity]; `used` are filled */
	size_t used, chunk_capacity;
	struct member *members;
	size_t count, capacity;
	struct tensor *fields; /* fields of all members; views */
	size_t field_count, field_capacity;
	uint64_t bytes;
	unsigned shard;
	uint32_t number; /* counts windows in the shard */
	/* The stream that is read: */
	void *stream;
	size_t next, end; /* places in the order of streams */
	size_t index;     /* its number */
};

void shuffled_window_free(struct shuffled_window *window)
{
	if (!window)
		return;
	for (size_t i = 0; i < window->chunk_capacity; i++)
		chunk_release(&window->chunks[i]);
	free(window->chunks);
	free(window->members);
	free(window->fields);
	free(window);
}

/* Adds an empty chunk; chunks keep their memory from window to window. */
static struct chunk *add_chunk(
    struct shuffled_window *window, struct error *err)
{
	const size_t before = window->chunk_capacity;
	struct chunk *chunks = array_grow(window->chunks,
	    &window->chunk_capacity, window->used + 1, sizeof(*chunks), err);

	if (!chunks)
		return NULL;
	window->chunks = chunks;
	for (size_t i = before; i < window->chunk_capacity; i++)
		chunks[i] = (struct chunk)CHUNK_INIT;
	chunk_reset(&chunks[window->used]);
	return &chunks[window->used];
}

/* Fetches the next chunk of the shard's streams: 1, 0 at their end, or -1. */
static int fetch_next(struct preparer *worker, struct chunk *chunk)
{
	struct shuffled_window *window = worker->window;
	const struct reader *source = worker->job->source;
	int got = 0;

	while (got == 0) {
		if (!window->stream && window->next == window->end)
			return 0;
		if (!window->stream) {
			window->index =
			    preparation_stream(worker->job, window->next++);
			window->stream = source->ops->stream_open(
			    source, window->index, &worker->err);
		}
		if (!window->stream)
			return -1;
		chunk_reset(chunk);
		got = source->ops->stream_fetch(
		    window->stream, chunk, &worker->err);
		chunk->stream = window->index;
		if (got == 0) {
			source->ops->stream_close(window->stream);
			window->stream = NULL;
		}
	}
	return got;
}

static int add_member(struct shuffled_window *window,
    const struct sample *sample, const struct chunk *chunk, struct error *err)
{
	struct member *members = array_grow(window->members, &window->capacity,
	    window->count + 1, sizeof(*members), err);
	struct tensor *fields =
	    members
	        ? array_grow(window->fields, &window->field_capacity,
	              window->field_count + sample->count, sizeof(*fields), err)
	        : NULL;

	if (members)
		window->members = members;
	if (!fields)
		return -1;
	window->fields = fields;
	members[window->count++] = (struct member){
		.key = sample->key,
		.label = sample->label,
		.chunk = window->used,
		.at = chunk->at,
		.left = chunk->left,
	};
	for (unsigned f = 0; f < sample->count; f++)
		fields[window->field_count++] = sample->fields[f];
	window->bytes += sizeof(*members) + sample->count * sizeof(*fields);
	return 0;
}

static int add_members(struct preparer *worker, struct chunk *chunk)
{
	const struct reader *source = worker->job->source;
	struct sample sample = SAMPLE_INIT;
	int got;

	while (
	    (got = source->ops->next(source, chunk, &sample, &worker->err)) > 0)
		if (add_member(worker->window, &sample, chunk, &worker->err))
			return -1;
	return got;
}

/* Bytes in memory: fetched, unpacked, and made by next(). */
static uint64_t chunk_bytes(const struct chunk *chunk)
{
	uint64_t bytes = chunk->bytes.len;

	if (chunk->bytes.data != chunk->stored.data)
		bytes += chunk->stored.len;
	if (chunk->bytes.data != chunk->unpacked.data)
		bytes += chunk->unpacked.len;
	return bytes;
}

/* 1: it holds samples; 0: there are no more; -1. */
static int fill_window(struct preparer *worker)
{
	struct shuffled_window *window = worker->window;
	int got = 1;

	window->used = window->count = window->field_count = 0;
	window->bytes = 0;
	while (window->bytes < ORDER_WINDOW) {
		const struct preparer_moment began = preparer_moment();
		struct chunk *chunk = add_chunk(window, &worker->err);

		got = chunk ? fetch_next(worker, chunk) : -1;
		preparer_has_read(worker, &began);
		if (got <= 0)
			break;
		if (reader_unpack(worker->job->source, worker->unpacker, chunk,
		        &worker->err) ||
		    add_members(worker, chunk))
			return -1;
		window->bytes += chunk_bytes(chunk);
		window->used++;
	}
	if (got < 0)
		return -1;
	return window->count > 0 || got > 0;
}

static int give_member(
    struct preparer *worker, struct shard_writer *writer, uint32_t number)
{
	const struct shuffled_window *window = worker->window;
	const struct member *member = &window->members[number];
	struct chunk *chunk = &window->chunks[member->chunk];
	struct sample sample = {
		.key = member->key,
		.label = member->label,
		.count = worker->job->source->schema.count,
	};

	for (unsigned f = 0; f < sample.count; f++)
		sample.fields[f] =
		    window->fields[(size_t)number * sample.count + f];
	chunk->at = member->at;
	chunk->left = member->left;
	return preparer_sample(worker, writer, chunk, &sample);
}

static int give_window(struct preparer *worker, struct shard_writer *writer)
{
	struct shuffled_window *window = worker->window;
	const uint64_t use = ORDER_USE_WINDOWS +
	                     ((uint64_t)window->shard << 32) + window->number++;
	struct permutation order;
	int rc = 0;

	if (permutation_init(&order, window->count,
	        worker->job->plan->order.seed, use, &worker->err))
		return -1;
	for (uint64_t i = 0; rc == 0 && i < order.count; i++)
		rc = give_member(
		    worker, writer, (uint32_t)permutation_at(&order, i));
	permutation_release(&order);
	return rc;
}

int shuffled_shard_windows(
    struct preparer *worker, struct shard_writer *writer, unsigned shard)
{
	const struct preparation *job = worker->job;
	struct shuffled_window *window = worker->window;
	int got = -1;

	if (!window)
		window = calloc(1, sizeof(*window));
	if (!window)
		return error_memory(&worker->err, sizeof(*window));
	worker->window = window;
	window->shard = shard;
	window->number = 0;
	window->next = job->first[shard];
	window->end = job->first[shard + 1];
	while ((got = fill_window(worker)) > 0)
		if (give_window(worker, writer)) {
			got = -1;
			break;
		}
	job->source->ops->stream_close(window->stream);
	window->stream = NULL;
	return got;
}
