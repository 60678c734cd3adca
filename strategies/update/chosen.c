/* chosen.c - see chosen.h. */
#include "strategies/update/chosen.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/names.h"
#include "lib/sample/classes.h"
#include "lib/sample/picks.h"
#include "lib/sample/reader.h"

enum { STREAM_SAMPLES = 64 };

struct chosen {
	const struct reader *of;
	const uint64_t *samples;
	struct reader_ops ops;
	struct classes classes;
	int64_t *labels; /* [classes of `of`]: their numbers here; or NULL */
};

struct chosen_stream {
	const struct reader *reader;
	void *picker; /* one of chosen->of */
	size_t at, end;
	struct pick *picks;
	size_t room;
};

static void stream_close(void *arg)
{
	struct chosen_stream *stream = arg;

	if (!stream)
		return;
	if (stream->picker) {
		const struct chosen *chosen = stream->reader->priv;

		chosen->of->ops->picker_close(stream->picker);
	}
	free(stream->picks);
	free(stream);
}

static void *picker_open(const struct reader *reader, struct error *err)
{
	const struct chosen *chosen = reader->priv;
	struct chosen_stream *stream = memory_zeroed(sizeof(*stream), err);

	if (!stream)
		return NULL;
	stream->reader = reader;
	stream->picker = chosen->of->ops->picker_open(chosen->of, err);
	if (stream->picker)
		return stream;
	stream_close(stream);
	return NULL;
}

static void *stream_open(
    const struct reader *reader, size_t number, struct error *err)
{
	struct chosen_stream *stream = picker_open(reader, err);

	if (!stream)
		return NULL;
	stream->at = number * STREAM_SAMPLES;
	stream->end = stream->at + reader->ops->stream_samples(reader, number);
	return stream;
}

static int make_room(
    struct chosen_stream *stream, size_t count, struct error *err)
{
	struct pick *picks = array_grow(
	    stream->picks, &stream->room, count, sizeof(*picks), err);

	if (picks)
		stream->picks = picks;
	return picks ? 0 : -1;
}

/* The chosen samples ascend, so picks stay sorted. */
static int picker_fetch(void *arg, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct chosen_stream *stream = arg;
	const struct chosen *chosen = stream->reader->priv;

	if (make_room(stream, count, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		stream->picks[i] = (struct pick){
			.number = chosen->samples[picks[i].number],
			.place = picks[i].place,
		};
	return chosen->of->ops->picker_fetch(
	    stream->picker, stream->picks, count, chunk, err);
}

static int stream_fetch(void *arg, struct chunk *chunk, struct error *err)
{
	struct chosen_stream *stream = arg;
	const struct chosen *chosen = stream->reader->priv;
	const size_t count = stream->end - stream->at;

	if (count == 0)
		return 0;
	if (make_room(stream, count, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		stream->picks[i] = (struct pick){
			.number = chosen->samples[stream->at + i],
			.place = i,
		};
	stream->at = stream->end;
	return picks_fetch(
	           chosen->of, stream->picker, stream->picks, count, chunk, err)
	           ? -1
	           : 1;
}

static void *unpacker_new(const struct reader *reader, struct error *err)
{
	const struct chosen *chosen = reader->priv;

	return chosen->of->ops->unpacker_new(chosen->of, err);
}

static int unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	const struct chosen *chosen = reader->priv;

	return chosen->of->ops->unpack(chosen->of, unpacker, chunk, err);
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct chosen *chosen = reader->priv;
	const int got = chosen->of->ops->next(chosen->of, chunk, sample, err);

	if (got > 0 && chosen->labels && sample->label >= 0 &&
	    (uint64_t)sample->label < chosen->of->classes->count)
		sample->label = chosen->labels[sample->label];
	return got;
}

static int judge(const struct reader *reader, struct error *err)
{
	const struct chosen *chosen = reader->priv;

	return chosen->of->ops->judge(chosen->of, err);
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct chosen *chosen = reader->priv;

	chosen->of->ops->locate(chosen->of, chunk, text, size);
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const uint64_t left = reader->samples - stream * STREAM_SAMPLES;

	return left < STREAM_SAMPLES ? left : STREAM_SAMPLES;
}

static void chosen_free(struct reader *reader)
{
	struct chosen *chosen = reader->priv;

	free(chosen->labels);
	classes_release(&chosen->classes);
	reader_dispose(reader);
}

static struct reader_ops ops_like(const struct reader_ops *of)
{
	return (struct reader_ops){
		.stream_open = stream_open,
		.stream_fetch = stream_fetch,
		.stream_close = stream_close,
		.picker_open = picker_open,
		.picker_fetch = picker_fetch,
		.picker_close = stream_close,
		.unpacker_new = of->unpacker_new ? unpacker_new : NULL,
		.unpacker_free = of->unpacker_free,
		.unpack = of->unpack ? unpack : NULL,
		.next = next,
		.judge = of->judge ? judge : NULL,
		.locate = of->locate ? locate : NULL,
		.stream_samples = stream_samples,
		.each_file = reader_no_files,
		.free = chosen_free,
	};
}

/* Numbers the classes: those of the stored dataset, then the new ones. */
static int number_classes(struct chosen *chosen, struct names *names,
    const struct classes *stored, struct error *err)
{
	const struct classes *now = chosen->of->classes;

	chosen->labels = calloc(now->count + 1, sizeof(*chosen->labels));
	if (!chosen->labels)
		return error_memory(err, now->count);
	for (size_t i = 0; i < stored->count; i++)
		if (names_number(names, span_text(stored->names[i]), err) < 0)
			return -1;
	for (size_t i = 0; i < now->count; i++) {
		const int32_t number =
		    names_number(names, span_text(now->names[i]), err);

		if (number < 0)
			return -1;
		chosen->labels[i] = number;
	}
	return classes_set(&chosen->classes, names->list, names->count, err);
}

static int find_classes(
    struct reader *reader, const struct classes *stored, struct error *err)
{
	struct chosen *chosen = reader->priv;
	const struct classes *now = chosen->of->classes;
	struct names names = NAMES_INIT;
	int rc;

	reader->classes = &chosen->classes;
	if (!now || now->count == 0)
		return classes_copy(&chosen->classes, stored, err);
	rc = number_classes(chosen, &names, stored, err);
	names_release(&names);
	return rc;
}

static void describe(
    struct reader *reader, const struct reader *of, size_t count)
{
	reader->schema = of->schema;
	reader->decode = of->decode;
	reader->decoded = of->decoded;
	reader->sample_most = of->sample_most;
	reader->bytes_are_fields = of->bytes_are_fields;
	reader->picked_bytes = of->picked_bytes;
	memcpy(reader->codec, of->codec, sizeof(reader->codec));
	reader->samples = reader->total_samples = count;
	reader->streams = (count + STREAM_SAMPLES - 1) / STREAM_SAMPLES;
	reader->bytes = of->samples
	                    ? (uint64_t)((double)of->bytes * (double)count /
	                                 (double)of->samples)
	                    : 0;
}

struct reader *chosen_open(const struct chosen_plan *plan, struct error *err)
{
	static const struct reader_ops unset = { .free = chosen_free };
	struct reader *reader = reader_new(&unset, sizeof(struct chosen), err);
	struct chosen *chosen;

	if (!reader)
		return NULL;
	chosen = reader->priv;
	chosen->of = plan->of;
	chosen->samples = plan->samples;
	chosen->ops = ops_like(plan->of->ops);
	reader->ops = &chosen->ops;
	describe(reader, plan->of, plan->count);
	if (find_classes(reader, plan->classes, err) == 0)
		return reader;
	reader_free(reader);
	return NULL;
}
