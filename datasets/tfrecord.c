/*
 * tfrecord.c - files of tf.train.Example records.
 *
 * Opening a dataset reads the lengths of all records of plain files. A stream
 * is one run, which is one chunk of about 1 MiB. A compressed file is one run
 * (its `bytes` are 0), which the fetcher decompresses into several chunks. A
 * chunk's `left` counts its remaining samples; the item of its only part is
 * the number of its first record.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/numbered.h"
#include "datasets/files/runs.h"
#include "datasets/records/features.h"
#include "datasets/records/record_file.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/formats/record.h"
#include "lib/media/medium.h"
#include "lib/syntax/option.h"

enum { RUN_BYTES = 1 << 20 };

struct options {
	const char *fields, *key, *label, *match;
};

static const struct option options[] = {
	OPTION(TEXT, "fields", 0, struct options, fields, "LIST",
	    "features of a sample, by field: "
	    "data:image/encoded,mask:image/mask"),
	OPTION(TEXT, "key", 0, struct options, key, "FEATURE",
	    "feature with the key (default: name of the file and number)"),
	OPTION(TEXT, "label", 0, struct options, label, "FEATURE|none",
	    "feature with the label"),
	OPTION(TEXT, "match", 0, struct options, match, "GLOB",
	    "pattern of the files to take from a folder"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.match = "*tfrecord*",
};

struct tfrecord {
	struct medium *medium;
	struct listing listing;
	struct runs runs;
	struct examples examples;
	size_t stem_max;
};

/* Returns the name of a file without its endings. */
static struct span stem_of(const struct tfrecord *t, size_t file)
{
	const char *name = listing_name(&t->listing, file);
	const char *base = path_base(name);
	const size_t folder = (size_t)(base - name);
	const size_t len = strcspn(base, ".");

	return (struct span){ (const unsigned char *)name,
		folder + (len ? len : strlen(base)) };
}

/* Prefixes an error with "PATH: record 17: ". */
static int blame(const struct tfrecord *t, const struct run *run,
    uint64_t record, struct error *err)
{
	struct error ignored;
	char *path = listing_path(&t->listing, run->file, &ignored);

	error_prefix(
	    err, "%s: record %" PRIu64, path ? path : "a file", record);
	free(path);
	return -1;
}

/* ---- streams ---- */

struct stream {
	const struct tfrecord *t;
	const struct run *run;
	uint64_t left;
	char *path;
	struct record_file *file; /* compressed files only; else NULL */
};

static void stream_close(void *stream)
{
	struct stream *s = stream;

	if (!s)
		return;
	record_file_close(s->file);
	free(s->path);
	free(s);
}

static void *stream_open(
    const struct reader *reader, size_t number, struct error *err)
{
	const struct tfrecord *t = reader->priv;
	struct stream *s = memory_zeroed(sizeof(*s), err);

	if (!s)
		return NULL;
	s->t = t;
	s->run = &t->runs.at[number];
	s->left = s->run->samples;
	s->path = listing_path(&t->listing, s->run->file, err);
	if (s->path && !s->run->bytes)
		s->file = record_file_open(t->medium, s->path, err);
	if (s->path && (s->file || s->run->bytes))
		return s;
	stream_close(s);
	return NULL;
}

/* Reads all bytes of a run. */
static int fetch_run(struct stream *s, struct chunk *chunk, struct error *err)
{
	const size_t bytes = (size_t)s->run->bytes;
	struct medium_file *file = medium_open(s->t->medium, s->path, err);
	int rc = -1;

	if (!file)
		return -1;
	if (buf_reserve(&chunk->stored, bytes, err) == 0)
		rc = medium_read_full(
		    file, s->run->start, chunk->stored.data, bytes, err);
	medium_close(file);
	chunk->stored.len = bytes;
	chunk->left = s->left;
	s->left = 0;
	return rc;
}

/* Reads records until there are enough bytes. */
static int fetch_records(
    struct stream *s, struct chunk *chunk, struct error *err)
{
	while (s->left && chunk->stored.len < RUN_BYTES) {
		const int got = record_file_next(s->file, &chunk->stored, err);

		if (got < 0)
			return -1;
		if (got == 0)
			return error_set(err, ERROR_DATA,
			    "%s: has %" PRIu64
			    " records fewer than when it was opened",
			    s->path, s->left);
		chunk->left++;
		s->left--;
	}
	return 0;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct stream *s = stream;
	const struct tfrecord *t = s->t;
	const uint64_t first = s->run->first + s->run->samples - s->left;
	size_t room;

	if (s->left == 0)
		return 0;
	if (chunk_add_part(chunk, 0, 0, first, err) ||
	    (s->file ? fetch_records(s, chunk, err) : fetch_run(s, chunk, err)))
		return -1;
	chunk->stream = (size_t)(s->run - t->runs.at);
	chunk->samples = chunk->left;
	/* Room for keys and numbers, so that they never move. */
	room = examples_room(&t->examples, chunk->left, chunk->stored.len);
	if (size_add(room, chunk->left * (t->stem_max + NUMBERED_MORE), &room))
		return error_memory(err, SIZE_MAX);
	return buf_reserve(&chunk->unpacked, room, err) ? -1 : 1;
}

/* Returns the number of the next record. */
static uint64_t record_number(const struct chunk *chunk)
{
	return chunk->parts[0].item + chunk->samples - chunk->left;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct tfrecord *t = reader->priv;
	const struct run *run = &t->runs.at[chunk->stream];
	const uint64_t number = record_number(chunk);
	struct span payload;
	size_t behind;
	int got;

	if (chunk->left == 0)
		return 0;
	got = record_view(
	    buf_span(&chunk->stored), chunk->at, true, &payload, &behind, err);
	if (got == 0)
		got = error_set(
		    err, ERROR_DATA, "has gone since the dataset was opened");
	if (got < 0)
		return blame(t, run, number, err);
	if (!*t->examples.key)
		sample->key = numbered_key(
		    &chunk->unpacked, stem_of(t, run->file), number);
	if (examples_view(&t->examples, &reader->schema, payload,
	        &chunk->unpacked, sample, err))
		return blame(t, run, number, err);
	chunk->at = behind;
	chunk->left--;
	return 1;
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct tfrecord *t = reader->priv;

	snprintf(text, size, "%s/%s: record %" PRIu64, t->listing.root,
	    listing_name(&t->listing, t->runs.at[chunk->stream].file),
	    record_number(chunk) - 1);
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct tfrecord *t = reader->priv;

	return t->runs.at[stream].samples;
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct tfrecord *t = reader->priv;

	return runs_each_file(&t->runs, &t->listing,
	    reader->samples == reader->total_samples, visit, arg, err);
}

static void tfrecord_free(struct reader *reader)
{
	struct tfrecord *t = reader->priv;

	listing_release(&t->listing);
	runs_release(&t->runs);
	reader_dispose(reader);
}

static const struct reader_ops ops = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = stream_close,
	.next = next,
	.locate = locate,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = tfrecord_free,
};

/* ---- opening ---- */

/* Learns the types from the first record of the dataset: 1, 0: none, -1. */
static int learn(struct reader *reader, struct record_file *file,
    const char *path, struct error *err)
{
	struct tfrecord *t = reader->priv;
	struct buf record = BUF_INIT;
	struct span payload;
	size_t behind;
	int got = record_file_next(file, &record, err);

	if (got > 0) {
		got = record_view(
		    buf_span(&record), 0, true, &payload, &behind, err);
		if (got > 0 && features_choose(
		                   &t->examples, &reader->schema, payload, err))
			got = -1;
		if (got < 0)
			error_prefix(err, "%s: record 0", path);
	}
	buf_release(&record);
	return got;
}

/* Adds runs for the records of a file that were not read yet. */
static int count_records(struct tfrecord *t, struct record_file *file,
    struct run *run, struct error *err)
{
	const bool is_plain = !record_file_is_compressed(file);
	int got;

	for (;;) {
		const uint64_t at = record_file_offset(file);

		if (is_plain && run->samples > 0 &&
		    at - run->start >= RUN_BYTES) {
			run->bytes = at - run->start;
			if (runs_add(&t->runs, run, err))
				return -1;
			run->first += run->samples;
			run->samples = 0;
			run->start = at;
		}
		got = record_file_next(file, NULL, err);
		if (got <= 0)
			break;
		run->samples++;
	}
	if (got < 0)
		return -1;
	run->bytes = is_plain ? record_file_offset(file) - run->start : 0;
	return run->samples > 0 ? runs_add(&t->runs, run, err) : 0;
}

static int scan_file(struct reader *reader, size_t number, struct error *err)
{
	struct tfrecord *t = reader->priv;
	struct run run = { .file = number };
	char *path = listing_path(&t->listing, number, err);
	struct record_file *file =
	    path ? record_file_open(t->medium, path, err) : NULL;
	const size_t stem = stem_of(t, number).len;
	int rc = file ? 0 : -1;

	if (stem > t->stem_max)
		t->stem_max = stem;
	if (rc == 0 && t->runs.count == 0) {
		const int got = learn(reader, file, path, err);

		rc = got < 0 ? -1 : 0;
		run.samples = got > 0 ? 1 : 0;
	}
	if (rc == 0)
		rc = count_records(t, file, &run, err);
	record_file_close(file);
	free(path);
	return rc;
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	const struct options *wanted = plan->options;
	struct tfrecord *t = reader->priv;

	t->medium = plan->medium;
	if (features_parse(&t->examples, &reader->schema, wanted->fields,
	        wanted->label, wanted->key, err) ||
	    listing_find(
	        &t->listing, t->medium, plan->path, wanted->match, err) ||
	    passed_by_tell(&t->listing.passed, reader, err))
		return -1;
	for (size_t i = 0; i < t->listing.count; i++)
		if (scan_file(reader, i, err))
			return -1;
	if (t->runs.count == 0)
		return error_set(err, ERROR_DATA, "holds no records");
	runs_select(&t->runs, &t->listing, plan->limit, reader);
	reader->streams = t->runs.count;
	return 0;
}

const struct source_ops source_tfrecord = {
	.name = "tfrecord",
	.summary = "files of tf.train.Example records",
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.reader = &ops,
	.state_size = sizeof(struct tfrecord),
	.fill = fill,
	.needs_path = true,
};
