/* open_streams.c - see open_streams.h. */
#include "lib/loader/open_streams.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"

enum { KEPT = 64 }; /* streams that stay open, at most */

struct open_stream {
	size_t stream;
	uint64_t pass;
	void *handle;
	unsigned users; /* under the lock, like all below */
	uint64_t used;  /* when it was used last */
	struct open_stream *next;
};

struct open_streams {
	const struct reader *reader;
	pthread_mutex_t lock;
	struct open_stream *first;
	size_t count;
	uint64_t uses, last_pass;
};

struct open_streams *open_streams_new(
    const struct reader *reader, struct error *err)
{
	struct open_streams *streams = memory_zeroed(sizeof(*streams), err);

	if (!streams)
		return NULL;
	streams->reader = reader;
	pthread_mutex_init(&streams->lock, NULL);
	return streams;
}

static void close_stream(
    const struct open_streams *streams, struct open_stream *open)
{
	streams->reader->ops->stream_close(open->handle);
	free(open);
}

void open_streams_free(struct open_streams *streams)
{
	if (!streams)
		return;
	while (streams->first) {
		struct open_stream *open = streams->first;

		streams->first = open->next;
		close_stream(streams, open);
	}
	pthread_mutex_destroy(&streams->lock);
	free(streams);
}

/* Called with the lock held; NULL: it is not open, or not to be shared. */
static struct open_stream *find(
    struct open_streams *streams, uint64_t pass, size_t stream)
{
	const bool is_shared = streams->reader->ops->shared_streams;
	struct open_stream *open = streams->first;

	while (open && (open->stream != stream || open->pass != pass ||
	                   (open->users && !is_shared)))
		open = open->next;
	return open;
}

/*
 * Unlinks the stream that was not used for the longest time, if it is one too
 * many or was for an earlier pass; NULL: none.
 */
static struct open_stream *take_oldest(struct open_streams *streams)
{
	struct open_stream **oldest = NULL, *open;

	for (struct open_stream **at = &streams->first; *at; at = &(*at)->next)
		if ((*at)->users == 0 &&
		    (!oldest || (*at)->used < (*oldest)->used))
			oldest = at;
	if (!oldest ||
	    (streams->count <= KEPT && (*oldest)->pass == streams->last_pass))
		return NULL;
	open = *oldest;
	*oldest = open->next;
	streams->count--;
	return open;
}

/* Two threads that miss the same stream both open it: that is rare. */
struct open_stream *open_streams_get(struct open_streams *streams,
    uint64_t pass, size_t stream, struct error *err)
{
	struct open_stream *open;

	pthread_mutex_lock(&streams->lock);
	if (pass > streams->last_pass)
		streams->last_pass = pass;
	open = find(streams, pass, stream);
	if (open)
		open->users++;
	pthread_mutex_unlock(&streams->lock);
	if (open)
		return open;
	open = memory_zeroed(sizeof(*open), err);
	if (!open)
		return NULL;
	open->stream = stream;
	open->pass = pass;
	open->users = 1;
	open->handle =
	    streams->reader->ops->stream_open(streams->reader, stream, err);
	if (!open->handle) {
		free(open);
		return NULL;
	}
	pthread_mutex_lock(&streams->lock);
	open->next = streams->first;
	streams->first = open;
	streams->count++;
	pthread_mutex_unlock(&streams->lock);
	return open;
}

void *open_stream_handle(const struct open_stream *open)
{
	return open->handle;
}

void open_streams_put(struct open_streams *streams, struct open_stream *open)
{
	struct open_stream *oldest;

	pthread_mutex_lock(&streams->lock);
	open->users--;
	open->used = ++streams->uses;
	oldest = take_oldest(streams);
	pthread_mutex_unlock(&streams->lock);
	if (oldest)
		close_stream(streams, oldest);
}
