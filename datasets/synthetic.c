/*
 * synthetic.c - makes up samples from a seed: the baseline that reads nothing.
 *
 * A stream makes its samples when it is fetched, and nothing is kept, so memory
 * does not depend on the number of samples.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/align.h"
#include "datasets/files/content.h"
#include "datasets/files/spread.h"
#include "datasets/fill.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/option.h"

enum {
	STREAM_BYTES = 1 << 20, /* approximate, or one sample */
	STREAM_SAMPLES = 4096,  /* most samples of a stream */
	STREAMS_WANTED = 64,    /* at least, so that all threads find work */
	KEY_DIGITS = 8,         /* at least */
	KEY_SIZE = 24,          /* large enough for 2^64 */
};

struct synthetic_options {
	uint64_t classes, count, seed;
	const char *dtype, *shape;
	unsigned fill;
};

struct synthetic {
	struct synthetic_options options;
	enum dtype dtype;
	struct shape shape;
	size_t bytes;       /* bytes of a sample */
	uint64_t samples;   /* selected samples */
	uint64_t in_stream; /* samples in a stream; the last has fewer */
};

struct synthetic_stream {
	const struct synthetic *synthetic;
	uint64_t at, end; /* selected samples */
};

static const struct option options[] = {
	OPTION(UINT, "classes", 0, struct synthetic_options, classes, "N",
	    "number of labels: sample i has label i modulo N; 0: none"),
	OPTION_RANGE(UINT, "count", struct synthetic_options, count, 1, 1e15,
	    "number of samples"),
	OPTION(TEXT, "dtype", 0, struct synthetic_options, dtype, "TYPE",
	    "element type: uint8, float32 ..."),
	OPTION_WORDS("fill", struct synthetic_options, fill, FILL_WORDS,
	    "content of the elements"),
	OPTION(UINT, "seed", 0, struct synthetic_options, seed, "N",
	    "seed of random elements"),
	OPTION(TEXT, "shape", 0, struct synthetic_options, shape, "SHAPE",
	    "dimensions: 224x224x3, 65536"),
	OPTION_TABLE_END,
};

static const struct synthetic_options defaults = {
	.count = 1000,
	.dtype = "uint8",
	.shape = "224x224x3",
};

/* Writes a number like "%08" PRIu64, but faster; returns the length. */
static size_t make_key(uint64_t number, unsigned char key[KEY_SIZE])
{
	size_t len = 1;

	for (uint64_t n = number; n >= 10; n /= 10)
		len++;
	if (len < KEY_DIGITS)
		len = KEY_DIGITS;
	for (size_t i = len; i-- > 0; number /= 10)
		key[i] = (unsigned char)('0' + number % 10);
	return len;
}

static void *stream_open(
    const struct reader *reader, size_t stream, struct error *err)
{
	const struct synthetic *synthetic = reader->priv;
	struct synthetic_stream *s = malloc(sizeof(*s));

	if (!s) {
		error_memory(err, sizeof(*s));
		return NULL;
	}
	s->synthetic = synthetic;
	s->at = stream * synthetic->in_stream;
	s->end = s->at + reader->ops->stream_samples(reader, stream);
	return s;
}

static void *picker_open(const struct reader *reader, struct error *err)
{
	struct synthetic_stream *s = stream_open(reader, 0, err);

	if (s)
		s->end = s->at;
	return s;
}

/* Makes one part for each sample: its data, padded, then its key. */
static int make_room(const struct synthetic *synthetic, struct chunk *chunk,
    uint64_t count, struct error *err)
{
	const size_t stride = align_up(synthetic->bytes + KEY_SIZE);
	size_t bytes;

	if (size_mul((size_t)count, stride, &bytes))
		return error_memory(err, stride);
	chunk->samples = count;
	return chunk_set_parts(chunk, (size_t)count, err) ||
	               buf_reserve(&chunk->stored, bytes, err)
	           ? -1
	           : 0;
}

static void make_sample(const struct synthetic *synthetic, struct chunk *chunk,
    uint64_t selected, size_t place)
{
	const uint64_t number =
	    spread(selected, synthetic->samples, synthetic->options.count);
	const struct fill fill = {
		.kind = synthetic->options.fill,
		.seed = synthetic->options.seed,
	};
	struct buf *out = &chunk->stored;

	fill_elements(&fill, synthetic->dtype, number, out->data + out->len,
	    synthetic->bytes);
	chunk->parts[place] = (struct chunk_part){
		.offset = out->len,
		.len = synthetic->bytes,
		.item = number,
	};
	out->len += align_up(synthetic->bytes + KEY_SIZE);
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct synthetic_stream *s = stream;
	const uint64_t first = s->at;

	if (s->at == s->end)
		return 0;
	if (make_room(s->synthetic, chunk, s->end - first, err))
		return -1;
	for (; s->at < s->end; s->at++)
		make_sample(
		    s->synthetic, chunk, s->at, (size_t)(s->at - first));
	return 1;
}

static int picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	const struct synthetic_stream *s = picker;

	if (make_room(s->synthetic, chunk, count, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		make_sample(
		    s->synthetic, chunk, picks[i].number, picks[i].place);
	return 0;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct synthetic *synthetic = reader->priv;
	const uint64_t classes = synthetic->options.classes;
	const struct chunk_part *part = &chunk->parts[chunk->at];
	unsigned char *data;

	UNUSED(err);
	if (chunk->at >= chunk->part_count)
		return 0;
	data = chunk->stored.data + part->offset;
	sample->key.data = data + part->len;
	sample->key.len = make_key(part->item, data + part->len);
	sample->label = classes ? (int64_t)(part->item % classes) : -1;
	sample->count = 1;
	tensor_view(
	    &sample->fields[0], synthetic->dtype, &synthetic->shape, data);
	chunk->at++;
	return 1;
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct synthetic *synthetic = reader->priv;
	const uint64_t left =
	    synthetic->samples - stream * synthetic->in_stream;

	return left < synthetic->in_stream ? left : synthetic->in_stream;
}

static const struct reader_ops ops = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = free,
	.picker_open = picker_open,
	.picker_fetch = picker_fetch,
	.picker_close = free,
	.next = next,
	.stream_samples = stream_samples,
	.each_file = reader_no_files,
	.free = reader_dispose,
};

static int read_type(struct synthetic *synthetic, struct error *err)
{
	const struct synthetic_options *wanted = &synthetic->options;

	if (dtype_option(wanted->dtype, &synthetic->dtype, err))
		return -1;
	if (shape_parse(wanted->shape, &synthetic->shape) ||
	    !shape_known(&synthetic->shape))
		return error_set(err, ERROR_USAGE,
		    "shape must be 1 to %d lengths such as 224x224x3, got "
		    "'%s'",
		    SHAPE_MAX, wanted->shape);
	if (size_mul(shape_elements(&synthetic->shape),
	        dtype_bytes(synthetic->dtype), &synthetic->bytes) ||
	    synthetic->bytes > INT32_MAX)
		return error_set(err, ERROR_LIMIT,
		    "a sample of %s %s has more than 2147483647 bytes",
		    wanted->dtype, wanted->shape);
	return 0;
}

/* Streams have about STREAM_BYTES, but there are enough of them. */
static uint64_t samples_in_stream(const struct synthetic *synthetic)
{
	uint64_t n = STREAM_BYTES / align_up(synthetic->bytes + KEY_SIZE);

	if (n > STREAM_SAMPLES)
		n = STREAM_SAMPLES;
	if (n > synthetic->samples / STREAMS_WANTED)
		n = synthetic->samples / STREAMS_WANTED;
	return n ? n : 1;
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	const struct synthetic_options *wanted = plan->options;
	const uint64_t count = wanted->count, limit = plan->limit;
	struct synthetic *synthetic = reader->priv;
	struct type type = { .layout = LAYOUT_PLAIN };

	synthetic->options = *wanted;
	if (read_type(synthetic, err))
		return -1;
	if (shape_is_image(&synthetic->shape))
		type.layout = LAYOUT_HWC;
	type.dtype = synthetic->dtype;
	type.shape = synthetic->shape;
	synthetic->samples = limit && limit < count ? limit : count;
	synthetic->in_stream = samples_in_stream(synthetic);
	reader->samples = synthetic->samples;
	reader->total_samples = count;
	reader->picked_bytes = synthetic->bytes + KEY_SIZE;
	reader->streams =
	    (size_t)((synthetic->samples - 1) / synthetic->in_stream + 1);
	return schema_add(&reader->schema, "data", &type, err);
}

const struct source_ops source_synthetic = {
	.name = "synthetic",
	.summary = "samples made from a seed, without reading",
	.options = options,
	.options_size = sizeof(struct synthetic_options),
	.defaults = &defaults,
	.reader = &ops,
	.state_size = sizeof(struct synthetic),
	.fill = fill,
};
