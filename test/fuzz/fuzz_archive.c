/*
 * fuzz_archive.c - any bytes as an archive of the tar source: an error that
 * begins with its path, or just the samples that it said there were.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/source.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static char path[] = "/tmp/presto-fuzz-XXXXXX";

static void remove_file(void)
{
	unlink(path);
}

/* The bytes as the one file that all inputs use. */
static void write_input(const uint8_t *data, size_t len)
{
	static int fd = -1;

	if (fd < 0) {
		fd = mkstemp(path);
		require(fd >= 0);
		atexit(remove_file);
	}
	require(ftruncate(fd, 0) == 0);
	require(pwrite(fd, data, len, 0) == (ssize_t)len);
}

/* A message begins with the archive's path, but for those of memory. */
static void check_error(const struct error *err)
{
	require(err->code == ERROR_DATA || err->code == ERROR_LIMIT ||
	        err->code == ERROR_MEMORY);
	require(err->code == ERROR_MEMORY ||
	        strncmp(err->text, path, strlen(path)) == 0);
}

static uint64_t read_chunk(
    const struct reader *reader, struct chunk *chunk, struct error *err)
{
	struct sample sample = SAMPLE_INIT;
	uint64_t samples = 0;
	char where[512];
	int got;

	chunk->bytes = buf_span(&chunk->stored);
	while ((got = reader->ops->next(reader, chunk, &sample, err)) > 0) {
		require(sample.key.len > 0 && sample.key.len < KEY_MAX);
		require(sample.count == reader->schema.count);
		for (unsigned f = 0; f < sample.count; f++)
			require(tensor_check(&sample.fields[f],
			            &reader->schema.fields[f].type, err) == 0);
		reader->ops->locate(reader, chunk, where, sizeof(where));
		samples++;
	}
	if (got < 0)
		check_error(err);
	else
		require(samples == chunk->samples);
	return samples;
}

static void read_stream(
    const struct reader *reader, size_t number, struct error *err)
{
	struct chunk chunk = CHUNK_INIT;
	void *stream = reader->ops->stream_open(reader, number, err);
	uint64_t samples = 0;
	int got = -1;

	while (stream &&
	       (got = reader->ops->stream_fetch(stream, &chunk, err)) > 0) {
		chunk.stream = number;
		samples += read_chunk(reader, &chunk, err);
		chunk_reset(&chunk);
	}
	if (got < 0)
		check_error(err);
	require(samples <= reader->ops->stream_samples(reader, number));
	reader->ops->stream_close(stream);
	chunk_release(&chunk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	const struct source_plan plan = {
		.path = path,
		.options = source_tar.defaults,
		.medium = medium,
	};
	struct reader *reader;

	require(medium != NULL);
	write_input(data, len);
	reader = source_open(&source_tar, &plan, &err);
	if (!reader && strncmp(err.text, "holds no samples", 16) != 0)
		check_error(&err);
	for (size_t i = 0; reader && i < reader->streams; i++)
		read_stream(reader, i, &err);
	reader_free(reader);
	medium_free(medium);
	return 0;
}
