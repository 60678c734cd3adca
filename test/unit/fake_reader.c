/* fake_reader.c - see fake_reader.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "test/unit/fake_reader.h"

enum { CHUNK_SAMPLES = 5, SIDE = 8, SMALL_SIDE = 2, KEY_LEN = 8 };

struct stream {
	struct fake *fake;
	uint64_t next, end;
};

static void *fake_open(
    const struct reader *reader, size_t index, struct error *err)
{
	struct fake *fake = reader->priv;
	struct stream *stream = calloc(1, sizeof(*stream));

	(void)err;
	stream->fake = fake;
	stream->next = index * fake->per_stream;
	stream->end = stream->next + fake->per_stream;
	if (index == 1)
		stream->end += (uint64_t)(int64_t)fake->more;
	return stream;
}

static int add_sample(const struct fake *fake, uint64_t n, struct chunk *chunk,
    struct chunk_part *part, struct error *err)
{
	const bool bad = fake->bad && n % fake->bad == fake->bad - 1;
	const size_t side = bad ? SMALL_SIDE : SIDE;
	unsigned char bytes[KEY_LEN + 1 + SIDE * SIDE * 3];

	if (fake->fail_at && n == fake->fail_at)
		return error_set(
		    err, ERROR_SYSTEM, "sample %d cannot be fetched", (int)n);
	snprintf((char *)bytes, KEY_LEN + 1, "%08d", (int)n);
	memset(bytes + KEY_LEN, (int)(n & 255), side * side * 3);
	for (size_t b = 0; fake->varied && b < side * side * 3; b++)
		bytes[KEY_LEN + b] ^= (unsigned char)(b * 31);
	*part = (struct chunk_part){
		.offset = chunk->stored.len,
		.len = KEY_LEN + side * side * 3,
		.item = side,
	};
	return buf_append(&chunk->stored, bytes, part->len, err);
}

void fake_close_gate(struct fake *fake, bool is_closed)
{
	pthread_mutex_lock(&fake->gate);
	fake->is_closed = is_closed;
	pthread_cond_broadcast(&fake->opened);
	pthread_mutex_unlock(&fake->gate);
}

static void pass_gate(const struct stream *stream)
{
	struct fake *fake = stream->fake;

	pthread_mutex_lock(&fake->gate);
	while (fake->is_closed)
		pthread_cond_wait(&fake->opened, &fake->gate);
	pthread_mutex_unlock(&fake->gate);
}

static int fake_fetch(void *priv, struct chunk *chunk, struct error *err)
{
	struct stream *stream = priv;

	pass_gate(stream);
	for (int i = 0; i < CHUNK_SAMPLES && stream->next < stream->end; i++) {
		if (chunk_add_part(chunk, 0, 0, 0, err) ||
		    add_sample(stream->fake, stream->next++, chunk,
		        &chunk->parts[chunk->part_count - 1], err))
			return -1;
	}
	return chunk->part_count > 0;
}

static int fake_each_chunk(const struct reader *reader,
    reader_visit_chunk *visit, void *arg, struct error *err)
{
	const struct fake *fake = reader->priv;

	for (size_t s = 0; s < reader->streams; s++)
		for (uint64_t at = 0; at < fake->per_stream;
		     at += CHUNK_SAMPLES) {
			const uint64_t left = fake->per_stream - at;

			if (visit(arg, s, at / CHUNK_SAMPLES,
			        left < CHUNK_SAMPLES ? left : CHUNK_SAMPLES,
			        err))
				return -1;
		}
	return 0;
}

static int fake_fetch_chunk(
    void *priv, uint64_t number, struct chunk *chunk, struct error *err)
{
	struct stream stream = *(const struct stream *)priv;

	stream.next =
	    stream.end - stream.fake->per_stream + number * CHUNK_SAMPLES;
	return fake_fetch(&stream, chunk, err);
}

static void *fake_picker(const struct reader *reader, struct error *err)
{
	return fake_open(reader, 0, err);
}

static int fake_pick(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	const struct stream *stream = picker;

	pass_gate(stream);
	if (chunk_set_parts(chunk, count, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_sample(stream->fake, picks[i].number, chunk,
		        &chunk->parts[picks[i].place], err))
			return -1;
	if (stream->fake->more < 0)
		chunk->part_count--;
	return 0;
}

static void fake_close(void *stream)
{
	free(stream);
}

static int fake_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct chunk_part *part = &chunk->parts[chunk->at];
	const unsigned char *at;

	(void)reader;
	(void)err;
	if (chunk->at == chunk->part_count)
		return 0;
	chunk->at++;
	at = chunk->bytes.data + part->offset;
	sample->key = (struct span){ .data = at, .len = KEY_LEN };
	sample->label = at[KEY_LEN];
	sample->count = 1;
	tensor_view(&sample->fields[0], DTYPE_U8,
	    &(struct shape){ .count = 3,
	        .dims = { (int64_t)part->item, (int64_t)part->item, 3 } },
	    at + KEY_LEN);
	return 1;
}

static uint64_t fake_samples(const struct reader *reader, size_t stream)
{
	const struct fake *fake = reader->priv;

	(void)stream;
	return fake->per_stream;
}

static int fake_each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	(void)reader;
	(void)visit;
	(void)arg;
	(void)err;
	return 0;
}

static const struct reader_ops fake_ops = {
	.stream_open = fake_open,
	.stream_fetch = fake_fetch,
	.stream_close = fake_close,
	.next = fake_next,
	.stream_samples = fake_samples,
	.each_file = fake_each_file,
};

static const struct reader_ops fake_pick_ops = {
	.stream_open = fake_open,
	.stream_fetch = fake_fetch,
	.stream_close = fake_close,
	.picker_open = fake_picker,
	.picker_fetch = fake_pick,
	.picker_close = fake_close,
	.next = fake_next,
	.stream_samples = fake_samples,
	.each_file = fake_each_file,
};

static const struct reader_ops fake_chunk_ops = {
	.shared_streams = true,
	.stream_open = fake_open,
	.stream_fetch = fake_fetch,
	.stream_close = fake_close,
	.each_chunk = fake_each_chunk,
	.chunk_fetch = fake_fetch_chunk,
	.next = fake_next,
	.stream_samples = fake_samples,
	.each_file = fake_each_file,
};

void fake_offer_chunks(struct fake *fake)
{
	fake->reader.ops = &fake_chunk_ops;
}

void fake_offer_picks(struct fake *fake)
{
	fake->reader.ops = &fake_pick_ops;
}

void fake_init(struct fake *fake, size_t streams, uint64_t per_stream)
{
	struct schema *schema = &fake->reader.schema;

	memset(fake, 0, sizeof(*fake));
	pthread_mutex_init(&fake->gate, NULL);
	pthread_cond_init(&fake->opened, NULL);
	fake->per_stream = per_stream;
	fake->reader.ops = &fake_ops;
	fake->reader.priv = fake;
	fake->reader.streams = streams;
	fake->reader.samples = streams * per_stream;
	fake->reader.total_samples = fake->reader.samples;
	fake->reader.bytes = fake->reader.samples * SIDE * SIDE * 3;
	schema->count = 1;
	snprintf(schema->fields[0].name, FIELD_NAME, "data");
	schema->fields[0].type = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { .count = 3, .dims = { -1, -1, 3 } },
	};
}
