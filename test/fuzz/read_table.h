/*
 * read_table.h - reads all rows of a dataset in memory, and some by number:
 * errors have the codes of bad data, and samples fulfil the schema.
 */
#ifndef TEST_FUZZ_READ_TABLE_H
#define TEST_FUZZ_READ_TABLE_H

#include <stdlib.h>

#include "datasets/source.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"

static void require(int truth)
{
	if (!truth)
		abort();
}

static inline void check_error(const struct error *err)
{
	require(err->code == ERROR_DATA || err->code == ERROR_LIMIT ||
	        err->code == ERROR_MEMORY || err->code == ERROR_USAGE ||
	        err->code == ERROR_SYSTEM);
	require(err->text[0] != '\0');
}

static inline void put_file(struct medium *medium, const char *path,
    const void *data, size_t len, struct error *err)
{
	struct medium_file *file = medium_begin(medium, path, err);

	require(file != NULL);
	require(medium_write(file, data, len, err) == 0);
	require(medium_publish(file, err) == 0);
	medium_close(file);
}

static inline void read_chunk(
    const struct reader *reader, struct chunk *chunk, struct error *err)
{
	struct sample sample = SAMPLE_INIT;
	uint64_t samples = 0;
	char where[512];
	void *unpacker;
	int got;

	require(reader_unpacker_new(reader, &unpacker, err) == 0);
	got = reader_unpack(reader, unpacker, chunk, err);
	while (got == 0 &&
	       (got = reader->ops->next(reader, chunk, &sample, err)) > 0) {
		require(sample.key.len > 0 && sample.key.len <= KEY_MAX);
		require(sample.count == reader->schema.count);
		for (unsigned f = 0; f < sample.count; f++)
			require(sample.fields[f].absent ||
			        tensor_check(&sample.fields[f],
			            &reader->schema.fields[f].type, err) == 0);
		sample_hash(&sample, &reader->schema);
		reader->ops->locate(reader, chunk, where, sizeof(where));
		samples++;
		got = 0;
	}
	if (got < 0)
		check_error(err);
	else
		require(samples == chunk->samples);
	reader_unpacker_free(reader, unpacker);
}

static inline void read_stream(
    const struct reader *reader, size_t number, struct error *err)
{
	struct chunk chunk = CHUNK_INIT;
	void *stream = reader->ops->stream_open(reader, number, err);
	int got = -1;

	require(stream != NULL);
	while ((got = reader->ops->stream_fetch(stream, &chunk, err)) > 0) {
		read_chunk(reader, &chunk, err);
		chunk_reset(&chunk);
	}
	if (got < 0)
		check_error(err);
	reader->ops->stream_close(stream);
	chunk_release(&chunk);
}

/* Picks the last samples and the first one, in one chunk. */
static inline void pick_samples(const struct reader *reader, struct error *err)
{
	enum { PICKS = 4 };
	struct pick picks[PICKS];
	struct chunk chunk = CHUNK_INIT;
	size_t count = 0;
	void *picker = reader->ops->picker_open(reader, err);

	require(picker != NULL);
	for (; count < PICKS && count < reader->samples; count++)
		picks[count] = (struct pick){
			.number = count ? reader->samples - count : 0,
			.place = count,
		};
	if (reader->ops->picker_fetch(picker, picks, count, &chunk, err))
		check_error(err);
	else
		read_chunk(reader, &chunk, err);
	reader->ops->picker_close(picker);
	chunk_release(&chunk);
}

static inline void read_table(const struct source_ops *source,
    struct medium *medium, const char *path, const void *options)
{
	struct error err = ERROR_INIT;
	const struct source_plan plan = {
		.path = path,
		.options = options,
		.medium = medium,
	};
	struct reader *reader = source_open(source, &plan, &err);

	if (!reader)
		check_error(&err);
	for (size_t i = 0; reader && i < reader->streams; i++)
		read_stream(reader, i, &err);
	if (reader && reader->ops->picker_open && !reader->in_order_only)
		pick_samples(reader, &err);
	reader_free(reader);
}

#endif
