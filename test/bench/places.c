/* places.c - see places.h. */
#define _GNU_SOURCE /* memmem */
#include "test/bench/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/sample/reader.h"
#include "test/bench/bench.h"

/* The file that is searched, and where the next sample may begin. */
struct search {
	struct places *places;
	size_t file;
	struct buf bytes;
	size_t at;
};

static int add_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct places *places = arg;
	struct place_file *files =
	    array_grow(places->files, &places->file_capacity,
	        places->file_count + 1, sizeof(*files), err);

	if (!files)
		return -1;
	places->files = files;
	files += places->file_count;
	*files = (struct place_file){ strdup(path), bytes };
	if (!files->path)
		return error_memory(err, strlen(path));
	places->file_count++;
	return 0;
}

static void open_file(struct search *search, size_t file)
{
	const struct place_file *is = &search->places->files[file];
	struct error err = ERROR_INIT;

	search->file = file;
	search->at = 0;
	search->bytes.len = 0;
	if (path_read(is->path, is->bytes, &search->bytes, &err))
		bench_die(&err);
}

/* Finds the bytes in this file, or in one behind it, from the first again. */
static void find(struct search *search, struct span wanted)
{
	const struct places *places = search->places;

	for (size_t i = 0; i <= places->file_count; i++) {
		const struct buf *in = &search->bytes;
		const unsigned char *found = NULL;

		if (in->len - search->at >= wanted.len)
			found = memmem(in->data + search->at,
			    in->len - search->at, wanted.data, wanted.len);
		if (found) {
			search->at = (size_t)(found - in->data);
			return;
		}
		open_file(search, (search->file + 1) % places->file_count);
	}
	fprintf(stderr, "bench: a sample is in none of its files\n");
	exit(1);
}

static void add_item(struct search *search, const struct sample *sample)
{
	struct places *places = search->places;
	const struct tensor *field = &sample->fields[0];
	unsigned char *key = bench_alloc(sample->key.len);
	struct error err = ERROR_INIT;

	places->items = array_grow(places->items, &places->capacity,
	    places->count + 1, sizeof(*places->items), &err);
	if (!places->items)
		bench_die(&err);
	find(search, (struct span){ field->data, field->bytes });
	memcpy(key, sample->key.data, sample->key.len);
	places->items[places->count] = (struct place){
		.file = search->file,
		.offset = search->at,
		.what = *field,
		.key = { key, sample->key.len },
	};
	places->items[places->count++].what.data = NULL;
	search->at += field->bytes;
}

/* The reader, as one worker has it. */
struct reading {
	const struct reader *reader;
	void *unpacker;
	struct chunk chunk;
	struct search *search;
};

static int find_chunk(struct reading *reading, struct error *err)
{
	const struct reader *reader = reading->reader;
	struct sample sample = SAMPLE_INIT;
	int got;

	if (reader_unpack(reader, reading->unpacker, &reading->chunk, err))
		return -1;
	while ((got = reader->ops->next(
	            reader, &reading->chunk, &sample, err)) > 0)
		add_item(reading->search, &sample);
	return got;
}

static int find_stream(
    struct reading *reading, size_t number, struct error *err)
{
	const struct reader *reader = reading->reader;
	void *stream = reader->ops->stream_open(reader, number, err);
	int rc = stream ? 0 : -1;

	while (rc == 0) {
		chunk_reset(&reading->chunk);
		rc = reader->ops->stream_fetch(stream, &reading->chunk, err);
		if (rc <= 0)
			break;
		reading->chunk.stream = number;
		rc = find_chunk(reading, err);
	}
	reader->ops->stream_close(stream);
	return rc;
}

static void find_all(struct search *search, const struct reader *reader)
{
	struct reading reading = {
		.reader = reader,
		.chunk = CHUNK_INIT,
		.search = search,
	};
	struct error err = ERROR_INIT;

	if (reader_unpacker_new(reader, &reading.unpacker, &err))
		bench_die(&err);
	for (size_t i = 0; i < reader->streams; i++)
		if (find_stream(&reading, i, &err))
			bench_die(&err);
	chunk_release(&reading.chunk);
	reader_unpacker_free(reader, reading.unpacker);
}

void places_find(struct places *places, const struct reader *reader)
{
	struct search search = { .places = places, .bytes = BUF_INIT };
	struct error err = ERROR_INIT;

	*places = (struct places){ .count = 0 };
	if (reader->ops->each_file(reader, add_file, places, &err))
		bench_die(&err);
	open_file(&search, 0);
	find_all(&search, reader);
	buf_release(&search.bytes);
}

void places_release(struct places *places)
{
	for (size_t i = 0; i < places->file_count; i++)
		free(places->files[i].path);
	for (size_t i = 0; i < places->count; i++)
		free((void *)(uintptr_t)places->items[i].key.data);
	free(places->files);
	free(places->items);
	*places = (struct places){ .count = 0 };
}
