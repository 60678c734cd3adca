/*
 * fetcher.c - fetches the chunks of one stream after the other until no stream
 * is left. Then it helps other fetchers with their streams, if the reader
 * allows it. So all of them end together, and one large shard keeps all busy.
 */
#include "lib/loader/fetcher.h"
#include "lib/loader/state.h"

/* Returns an empty chunk; NULL: stop. */
static struct chunk *get_chunk(struct fetcher *fetcher)
{
	struct meter *meter = &fetcher->meter;
	struct chunk *chunk = queue_pop(&fetcher->loader->chunks_free,
	    meter_waits(meter, &meter->for_room));

	if (chunk && atomic_load(&fetcher->loader->stop))
		return NULL;
	meter_hand(meter);
	return chunk;
}

/* 1: fetched and handed on, 0: end of the stream, -1: stop. */
static int fetch_one(struct fetcher *fetcher, const struct fetcher *host)
{
	struct loader *loader = fetcher->loader;
	struct meter *meter = &fetcher->meter;
	struct chunk *chunk = get_chunk(fetcher);
	int got;

	if (!chunk)
		return -1;
	chunk_reset(chunk);
	chunk->reads_late = loader->reads_late;
	chunk->is_judged = loader->workers[0].only_copies;
	got = loader->plan.reader->ops->stream_fetch(
	    host->stream, chunk, &fetcher->err);
	if (got > 0 && meter_is_on(meter))
		meter->read.bytes_out += chunk_fetched(chunk);
	meter_lap(meter, &meter->read);
	if (got <= 0) {
		queue_push(&loader->chunks_free, chunk);
		if (got < 0)
			loader_fail(loader, &fetcher->err);
		return got;
	}
	chunk->stream = host->index;
	got = queue_push(&loader->chunks_ready, chunk) ? 1 : -1;
	meter_hand(meter);
	meter_queue(meter, &loader->chunks_ready);
	return got;
}

/* The last fetcher that leaves a stream closes it. */
static void leave(struct fetcher *fetcher, struct fetcher *host)
{
	struct loader *loader = fetcher->loader;

	pthread_mutex_lock(&loader->lock);
	host->at_end = true;
	if (--host->users == 0) {
		loader->plan.reader->ops->stream_close(host->stream);
		host->stream = NULL;
	}
	pthread_mutex_unlock(&loader->lock);
}

/* Fetches from the host's stream; false: stop. */
static bool fetch_stream(struct fetcher *fetcher, struct fetcher *host)
{
	int got;

	do {
		meter_start(&fetcher->meter, &fetcher->meter.get);
		got = fetch_one(fetcher, host);
		meter_stop(&fetcher->meter);
	} while (got > 0);
	leave(fetcher, host);
	return got == 0;
}

/* Opens the next stream: 1, 0 when there is none, or -1. */
static int open_stream(struct fetcher *fetcher)
{
	struct loader *loader = fetcher->loader;
	const struct reader *reader = loader->plan.reader;
	size_t index = SIZE_MAX;
	void *stream;

	pthread_mutex_lock(&loader->lock);
	if (loader->next_stream < loader->part) {
		index = loader->order[loader->next_stream++];
		loader->opening++;
	}
	pthread_mutex_unlock(&loader->lock);
	if (index == SIZE_MAX)
		return 0;
	meter_start(&fetcher->meter, &fetcher->meter.begin);
	stream = reader->ops->stream_open(reader, index, &fetcher->err);
	meter_lap(&fetcher->meter, &fetcher->meter.open);
	meter_stop(&fetcher->meter);
	pthread_mutex_lock(&loader->lock);
	loader->opening--;
	fetcher->stream = stream;
	fetcher->index = index;
	fetcher->users = 1;
	fetcher->at_end = false;
	pthread_cond_broadcast(&loader->opened);
	pthread_mutex_unlock(&loader->lock);
	if (!stream)
		loader_fail(loader, &fetcher->err);
	return stream ? 1 : -1;
}

static struct fetcher *find_host(const struct loader *loader)
{
	for (unsigned i = 0; i < loader->plan.fetchers; i++)
		if (loader->fetchers[i].stream && !loader->fetchers[i].at_end)
			return &loader->fetchers[i];
	return NULL;
}

/* Returns a fetcher whose stream has more data; NULL: all streams are done. */
static struct fetcher *join_other(struct fetcher *fetcher)
{
	struct loader *loader = fetcher->loader;
	struct meter *meter = &fetcher->meter;
	struct fetcher *host;

	pthread_mutex_lock(&loader->lock);
	while (!(host = find_host(loader)) && loader->opening > 0)
		wait_for(&loader->opened, &loader->lock,
		    meter_waits(meter, &meter->for_room));
	if (host)
		host->users++;
	pthread_mutex_unlock(&loader->lock);
	return host;
}

void fetcher_epoch(struct fetcher *fetcher)
{
	struct loader *loader = fetcher->loader;
	struct fetcher *host;
	bool going = true;
	int opened = 1;

	meter_begin(
	    &fetcher->meter, loader, (uint32_t)(fetcher - loader->fetchers));
	while (going && (opened = open_stream(fetcher)) > 0)
		going = fetch_stream(fetcher, fetcher);
	going = going && opened == 0;
	while (going && loader->plan.reader->ops->shared_streams &&
	       (host = join_other(fetcher)))
		going = fetch_stream(fetcher, host);
	meter_end(&fetcher->meter);
	if (atomic_fetch_sub(&loader->fetchers_left, 1) == 1)
		queue_close(&loader->chunks_ready);
}
