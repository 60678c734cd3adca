/*
 * lines.c - text files; each line is a sample.
 *
 * A stream is some runs of lines in one file (lines_scan.h), and one chunk.
 * Samples are views into it. If only some lines are wanted, a run is one line,
 * and lines that are close to each other are read together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/files/numbered.h"
#include "datasets/records/lines_pick.h"
#include "datasets/records/lines_scan.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/sample/labels.h"
#include "lib/syntax/option.h"

enum {
	GAP_MOST = 16 << 10, /* unwanted bytes that one read may include */
	STREAM_LINES = 64,   /* most runs of a stream */
};

enum label { LABEL_NONE, LABEL_COLUMN };

struct options {
	const char *match;
	unsigned label; /* enum label */
	bool skip_empty;
};

static const struct option options[] = {
	OPTION_WORDS("label", struct options, label, "none|column",
	    "label of a line; column: the whole number at its start, before a "
	    "tab"),
	OPTION(TEXT, "match", 0, struct options, match, "GLOB",
	    "pattern of the files to take from a folder"),
	OPTION(FLAG, "skip_empty", 0, struct options, skip_empty, "yes|no",
	    "leave out empty lines"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.match = "*",
};

struct lines {
	struct lines_set set;
	struct medium *medium;
	const struct options *options;
	size_t key_max; /* bytes of the longest key */
};

static void *stream_open(
    const struct reader *reader, size_t stream, struct error *err)
{
	const struct lines *lines = reader->priv;

	return run_stream_new(reader, &lines->set.runs, stream, err);
}

/* Returns the common beginning of the keys of a file's lines. */
static struct span key_stem(const struct lines *lines, size_t file)
{
	struct span name = span_text(listing_name(&lines->set.listing, file));

	if (lines->set.same_ending)
		name.len -=
		    strlen(content_extension((const char *)name.data)) + 1;
	return name;
}

/* Makes room for all keys, so that they never move. */
static int reserve_keys(
    const struct lines *lines, struct chunk *chunk, struct error *err)
{
	size_t bytes;

	if (size_mul(chunk->samples, lines->key_max, &bytes))
		return error_memory(err, SIZE_MAX);
	return buf_reserve(&chunk->unpacked, bytes, err);
}

static int read_runs(const struct run_stream *s, struct medium_file *file,
    struct chunk *chunk, struct error *err)
{
	const struct lines *lines = s->reader->priv;
	const struct run *runs = lines->set.runs.at;
	const uint64_t start = runs[s->at].start;
	const struct run *last = &runs[s->end - 1];
	const size_t bytes = (size_t)(last->start + last->bytes - start);

	if (chunk_set_parts(chunk, s->end - s->at, err))
		return -1;
	for (size_t i = s->at; i < s->end; i++) {
		chunk->samples += runs[i].samples;
		chunk->parts[i - s->at] = (struct chunk_part){
			.offset = (size_t)(runs[i].start - start),
			.len = (size_t)runs[i].bytes,
			.item = runs[i].first,
			.file = runs[i].file,
		};
	}
	if (reserve_keys(lines, chunk, err) ||
	    buf_reserve(&chunk->stored, bytes, err) ||
	    medium_read_full(file, start, chunk->stored.data, bytes, err))
		return -1;
	chunk->stored.len = bytes;
	return 0;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct run_stream *s = stream;
	const struct lines *lines = s->reader->priv;
	const struct lines_set *set = &lines->set;
	struct medium_file *file;
	char *path;
	int rc;

	if (s->at == s->end)
		return 0;
	path = listing_path(&set->listing, set->runs.at[s->at].file, err);
	file = path ? medium_open(lines->medium, path, err) : NULL;
	free(path);
	if (!file)
		return -1;
	rc = read_runs(s, file, chunk, err);
	medium_close(file);
	s->at = s->end;
	return rc ? -1 : 1;
}

static void *picker_open(const struct reader *reader, struct error *err)
{
	const struct lines *lines = reader->priv;

	return lines_picker_open(
	    &lines->set, lines->medium, lines->key_max, err);
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct lines *lines = reader->priv;

	snprintf(text, size, "%s/%s:%llu", lines->set.listing.root,
	    listing_name(&lines->set.listing, chunk->parts[chunk->at].file),
	    (unsigned long long)chunk->parts[chunk->at].item - 1);
}

/* Takes the number and the tab from the line. */
static int take_label(struct span *line, int64_t *label)
{
	const unsigned char *tab =
	    line->len ? memchr(line->data, '\t', line->len) : NULL;
	const struct span column = {
		.data = line->data,
		.len = tab ? (size_t)(tab - line->data) : 0,
	};

	if (!tab || label_parse(column, label))
		return -1;
	line->data += column.len + 1;
	line->len -= column.len + 1;
	return 0;
}

/* Takes the next sample's line from the chunk, whose parts become shorter. */
static bool take_line(
    const struct lines *lines, struct chunk *chunk, struct span *line)
{
	for (; chunk->at < chunk->part_count; chunk->at++) {
		struct chunk_part *part = &chunk->parts[chunk->at];
		struct span rest = { chunk->stored.data + part->offset,
			part->len };

		while (lines_next(&rest, line)) {
			part->offset += part->len - rest.len;
			part->len = rest.len;
			part->item++;
			if (line->len || !lines->set.skip_empty)
				return true;
		}
	}
	return false;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct lines *lines = reader->priv;
	const struct chunk_part *part;
	char where[512];
	struct span line;

	if (!take_line(lines, chunk, &line))
		return 0;
	part = &chunk->parts[chunk->at];
	sample->key = numbered_key(
	    &chunk->unpacked, key_stem(lines, part->file), part->item - 1);
	sample->label = -1;
	sample->count = 1;
	if (lines->options->label == LABEL_COLUMN &&
	    take_label(&line, &sample->label)) {
		locate(reader, chunk, where, sizeof(where));
		return error_set(err, ERROR_DATA,
		    "%s: label=column, but there is no whole number in front "
		    "of a tab",
		    where);
	}
	tensor_view_encoded(&sample->fields[0], line.data, line.len, "txt");
	return 1;
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct lines *lines = reader->priv;

	return runs_in_stream(&lines->set.runs, stream);
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct lines *lines = reader->priv;

	return runs_each_file(&lines->set.runs, &lines->set.listing,
	    reader->samples == reader->total_samples, visit, arg, err);
}

static void lines_free(struct reader *reader)
{
	struct lines *lines = reader->priv;

	listing_release(&lines->set.listing);
	runs_release(&lines->set.runs);
	reader_dispose(reader);
}

static const struct reader_ops ops = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = free,
	.picker_open = picker_open,
	.picker_fetch = lines_picker_fetch,
	.picker_close = lines_picker_close,
	.next = next,
	.locate = locate,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = lines_free,
};

/* Does a run belong to the stream that began with run `first`? */
static bool continues_stream(const struct run *runs, size_t first, size_t run)
{
	const struct run *from = &runs[first];
	const struct run *before = &runs[run - 1];
	const struct run *it = &runs[run];

	return it->file == from->file && run - first < STREAM_LINES &&
	       it->start + it->bytes - from->start <= LINES_READ &&
	       it->start - before->start - before->bytes <= GAP_MOST;
}

static int plan_streams(struct reader *reader, struct error *err)
{
	struct lines *lines = reader->priv;
	struct runs *runs = &lines->set.runs;
	size_t first = 0;

	for (size_t i = 0; i < runs->count; i++) {
		if (i == 0 || !continues_stream(runs->at, first, i)) {
			if (cuts_add(&runs->streams, i, err))
				return -1;
			reader->streams++;
			first = i;
		}
		reader->bytes += runs->at[i].bytes;
	}
	return cuts_add(&runs->streams, runs->count, err);
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	static const struct type type = {
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { .count = 1, .dims = { -1 } },
		.suffix = "txt",
	};
	struct lines *lines = reader->priv;

	lines->medium = plan->medium;
	lines->options = plan->options;
	lines->set.skip_empty = lines->options->skip_empty;
	if (lines_scan(&lines->set, plan->path, lines->options->match,
	        lines->medium, err) ||
	    passed_by_tell(&lines->set.listing.passed, reader, err))
		return -1;
	reader->total_samples = lines->set.runs.samples;
	for (size_t i = 0; i < lines->set.listing.count; i++) {
		const size_t len = key_stem(lines, i).len + NUMBERED_MORE;

		if (len > lines->key_max)
			lines->key_max = len;
	}
	if (lines_select(&lines->set, plan->limit, lines->medium, err))
		return -1;
	reader->samples = lines->set.runs.samples;
	if (schema_add(&reader->schema, "data", &type, err))
		return -1;
	if (plan_streams(reader, err))
		return -1;
	reader->total_bytes = listing_bytes(&lines->set.listing);
	/* The whole dataset includes files without samples. */
	if (reader->samples == reader->total_samples)
		reader->bytes = reader->total_bytes;
	return 0;
}

const struct source_ops source_lines = {
	.name = "lines",
	.summary = "text files; each line is a sample",
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.reader = &ops,
	.state_size = sizeof(struct lines),
	.fill = fill,
	.needs_path = true,
};
