/* stream_list.c - see stream_list.h. */
#include "lib/sample/stream_list.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"

struct listed {
	const struct reader *of;
	size_t *streams; /* owned */
	uint64_t chunk_most;
	struct reader_ops ops;
};

struct listed_stream {
	const struct reader *of;
	void *stream; /* stream of that reader */
	uint64_t most;
	atomic_uint_fast64_t taken; /* chunks */
};

static void *stream_open(
    const struct reader *reader, size_t stream, struct error *err)
{
	const struct listed *listed = reader->priv;
	struct listed_stream *s = memory_zeroed(sizeof(*s), err);

	if (!s)
		return NULL;
	s->of = listed->of;
	s->most = listed->chunk_most;
	atomic_init(&s->taken, 0);
	s->stream = listed->of->ops->stream_open(
	    listed->of, listed->streams[stream], err);
	if (s->stream)
		return s;
	free(s);
	return NULL;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct listed_stream *s = stream;

	if (s->most && atomic_fetch_add(&s->taken, 1) >= s->most)
		return 0;
	return s->of->ops->stream_fetch(s->stream, chunk, err);
}

static void stream_close(void *stream)
{
	struct listed_stream *s = stream;

	if (s)
		s->of->ops->stream_close(s->stream);
	free(s);
}

static void *unpacker_new(const struct reader *reader, struct error *err)
{
	const struct listed *listed = reader->priv;

	return listed->of->ops->unpacker_new(listed->of, err);
}

/*
 * Only where the reader in the list unpacks: otherwise it may use the memory
 * for unpacked data, which a worker exchanges.  From here on the chunk is one
 * of that reader.
 */
static int unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	const struct listed *listed = reader->priv;

	chunk->stream = listed->streams[chunk->stream];
	return reader_unpack(listed->of, unpacker, chunk, err);
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct listed *listed = reader->priv;
	const size_t number = chunk->stream;
	int got;

	if (!listed->of->ops->unpack)
		chunk->stream = listed->streams[number];
	got = listed->of->ops->next(listed->of, chunk, sample, err);
	chunk->stream = number;
	return got;
}

static int judge(const struct reader *reader, struct error *err)
{
	const struct listed *listed = reader->priv;

	return listed->of->ops->judge(listed->of, err);
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct listed *listed = reader->priv;
	struct chunk own = *chunk;

	if (!listed->of->ops->unpack)
		own.stream = listed->streams[chunk->stream];
	listed->of->ops->locate(listed->of, &own, text, size);
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct listed *listed = reader->priv;

	return listed->of->ops->stream_samples(
	    listed->of, listed->streams[stream]);
}

static void listed_free(struct reader *reader)
{
	struct listed *listed = reader->priv;

	free(listed->streams);
	reader_dispose(reader);
}

static struct reader_ops ops_like(const struct reader_ops *of)
{
	return (struct reader_ops){
		.shared_streams = of->shared_streams,
		.stream_open = stream_open,
		.stream_fetch = stream_fetch,
		.stream_close = stream_close,
		.unpacker_new = of->unpacker_new ? unpacker_new : NULL,
		.unpacker_free = of->unpacker_free,
		.unpack = of->unpack ? unpack : NULL,
		.next = next,
		.judge = of->judge ? judge : NULL,
		.locate = of->locate ? locate : NULL,
		.stream_samples = stream_samples,
		.each_file = reader_no_files,
		.free = listed_free,
	};
}

/* Samples look like those of the reader in the list. */
static void describe(struct reader *reader, const struct reader *of)
{
	reader->schema = of->schema;
	reader->decode = of->decode;
	reader->decoded = of->decoded;
	reader->classes = of->classes;
	reader->sample_most = of->sample_most;
	memcpy(reader->codec, of->codec, sizeof(reader->codec));
}

struct reader *stream_list_open(
    const struct stream_list *list, struct error *err)
{
	static const struct reader_ops unset = { .free = listed_free };
	struct reader *reader = reader_new(&unset, sizeof(struct listed), err);
	const size_t count = list->count * list->repeats;
	struct listed *listed;

	if (!reader)
		return NULL;
	listed = reader->priv;
	listed->of = list->reader;
	listed->chunk_most = list->chunk_most;
	listed->ops = ops_like(list->reader->ops);
	reader->ops = &listed->ops;
	listed->streams = calloc(count + 1, sizeof(size_t));
	if (!listed->streams) {
		error_memory(err, count * sizeof(size_t));
		reader_free(reader);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		listed->streams[i] = list->streams[i % list->count];
	describe(reader, list->reader);
	reader->streams = count;
	for (size_t i = 0; i < count; i++)
		reader->samples += stream_samples(reader, i);
	reader->total_samples = reader->samples;
	return reader;
}
