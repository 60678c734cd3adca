/*
 * fetcher.c - brings the chunks of streams, one stream after the other, until
 * no stream is left.
 */
#include "lib/loader/parts.h"

/* 1: fetched and handed on, 0: the stream's end, -1: stop. */
static int fetch_one(struct loader *loader, void *stream, size_t index,
    uint64_t number, struct error *err)
{
	struct chunk *chunk = queue_pop(&loader->chunks_free);
	int got;

	if (!chunk || atomic_load(&loader->stop))
		return -1;
	chunk_reset(chunk);
	got = loader->plan.reader->ops->stream_fetch(stream, chunk, err);
	if (got <= 0) {
		queue_push(&loader->chunks_free, chunk);
		if (got < 0)
			loader_fail(loader, err);
		return got;
	}
	chunk->stream = index;
	chunk->number = number;
	return queue_push(&loader->chunks_ready, chunk) ? 1 : -1;
}

static int fetch_stream(struct loader *loader, size_t index, struct error *err)
{
	const struct reader *reader = loader->plan.reader;
	void *stream = reader->ops->stream_open(reader, index, err);
	uint64_t number = 0;
	int got;

	if (!stream) {
		loader_fail(loader, err);
		return -1;
	}
	while ((got = fetch_one(loader, stream, index, number++, err)) > 0)
		continue;
	reader->ops->stream_close(stream);
	return got;
}

void fetcher_epoch(struct fetcher *fetcher)
{
	struct loader *loader = fetcher->loader;
	const size_t streams = loader->plan.reader->streams;
	size_t i;

	while ((i = atomic_fetch_add(&loader->next_stream, 1)) < streams)
		if (fetch_stream(loader, loader->order[i], &fetcher->err))
			break;
	if (atomic_fetch_sub(&loader->fetchers_left, 1) == 1)
		queue_close(&loader->chunks_ready);
}
