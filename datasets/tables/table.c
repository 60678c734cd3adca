/* table.c - see table.h: opening, streams, picks and unpacking. */
#include "datasets/tables/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/align.h"
#include "datasets/files/numbered.h"
#include "datasets/files/source_plan.h"
#include "datasets/tables/splits.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/packed.h"
#include "lib/files/braces.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"

#define FIELDS                                                          \
	OPTION(TEXT, "fields", 0, struct table_options, fields, "LIST", \
	    "columns of a sample, by field: data:image,mask:mask")
#define KEY                                                         \
	OPTION(TEXT, "key", 0, struct table_options, key, "COLUMN", \
	    "column with the key (default: name of the file and number)")
#define LABEL                                                                \
	OPTION(TEXT, "label", 0, struct table_options, label, "COLUMN|none", \
	    "column with the label")

const struct option table_options[] = {
	FIELDS,
	KEY,
	LABEL,
	OPTION(TEXT, "match", 0, struct table_options, match, "GLOB",
	    "pattern of the files to take from a folder"),
	OPTION_TABLE_END,
};

const struct option table_options_indexed[] = {
	FIELDS,
	KEY,
	LABEL,
	OPTION_TABLE_END,
};

/* ---- files ---- */

int table_open(const struct table *table, struct table_file *file,
    const struct run *run, struct error *err)
{
	char *path;

	if (file->opened && file->file == run->file)
		return 0;
	medium_close(file->opened);
	file->opened = NULL;
	file->file = run->file;
	path = listing_path(&table->listing, run->file, err);
	if (path)
		file->opened = medium_open(table->medium, path, err);
	free(path);
	return file->opened ? 0 : -1;
}

static void close_file(struct table_file *file)
{
	medium_close(file->opened);
	buf_release(&file->scratch);
}

int table_read(const struct table_file *file, uint64_t offset, uint64_t bytes,
    struct chunk *chunk, struct error *err)
{
	struct buf *out = &chunk->stored;
	const uint64_t size = medium_size(file->opened);
	const size_t at = align_up(out->len);

	if (offset > size || bytes > size - offset)
		return error_set(err, ERROR_DATA,
		    "bytes %" PRIu64 " to %" PRIu64 " are not in the file",
		    offset, offset + bytes);
	if (buf_grow(out, at + (size_t)bytes + PART_ALIGN, err) ||
	    chunk_add_part(chunk, at, (size_t)bytes, 0, err) ||
	    medium_read_full(
	        file->opened, offset, out->data + at, (size_t)bytes, err))
		return -1;
	out->len = at + (size_t)bytes;
	return 0;
}

/* Returns the length of a name without its last ending; `len` if it has none.
 */
static size_t without_ending(const char *base, size_t len)
{
	size_t at = len;

	while (at > 0 && base[at - 1] != '.')
		at--;
	return at > 1 ? at - 1 : len;
}

struct span table_stem(const struct table *table, size_t file)
{
	const char *name = listing_name(&table->listing, file);
	const char *base = path_base(name);
	size_t len = without_ending(base, strlen(base));

	/* "shard.00000.mds.zstd": its keys are those of shard.00000.mds. */
	if (strcmp(base + len, ".zstd") == 0 ||
	    strcmp(base + len, ".zst") == 0 || strcmp(base + len, ".gz") == 0)
		len = without_ending(base, len);
	return (struct span){ (const unsigned char *)name,
		(size_t)(base - name) + len };
}

const struct chunk_part *table_slice_of(const struct chunk *chunk, size_t row)
{
	return &chunk->parts[chunk->picked ? row : 0];
}

/* Returns the number of a row of the chunk in its file. */
static uint64_t row_number(const struct chunk *chunk, size_t row)
{
	const struct chunk_part *slice = table_slice_of(chunk, row);

	return slice->item + (chunk->picked ? 0 : row);
}

int table_blame(const struct table *table, const struct chunk *chunk,
    size_t row, struct error *err)
{
	const struct run *run =
	    &table->runs.at[table_slice_of(chunk, row)->file];
	struct error ignored;
	char *path = listing_path(&table->listing, run->file, &ignored);

	error_prefix(err, "%s: row %" PRIu64, path ? path : "a file",
	    row_number(chunk, row));
	free(path);
	return -1;
}

/* Puts the path of a group's file before a message. */
static int blame_file(
    const struct table *table, const struct run *run, struct error *err)
{
	struct error ignored;
	char *path = listing_path(&table->listing, run->file, &ignored);

	/* Messages of the medium begin with it. */
	if (path && strstr(err->text, path) == NULL)
		error_prefix(err, "%s", path);
	free(path);
	return -1;
}

/* ---- slices ---- */

/* Fetches a slice; its part is number `place` of the chunk. */
static int fetch_slice(const struct table *table, struct table_file *file,
    struct table_slice *slice, size_t place, struct chunk *chunk,
    struct error *err)
{
	const size_t first = chunk->part_count;

	if (table_open(table, file, slice->run, err) ||
	    table->format->fetch(table, file, slice, chunk, err))
		return blame_file(table, slice->run, err);
	chunk->parts[place] = (struct chunk_part){
		.offset = first,
		.len = (size_t)slice->rows,
		.item = slice->run->first + slice->row,
		.file = (size_t)(slice->run - table->runs.at),
	};
	return 0;
}

/* ---- streams ---- */

struct table_stream {
	const struct table *table;
	const struct run *run;
	uint64_t row; /* the next one */
	struct table_file file;
};

static void *stream_open(
    const struct reader *reader, size_t number, struct error *err)
{
	const struct table *table = reader->priv;
	struct table_stream *s = memory_zeroed(sizeof(*s), err);

	if (!s)
		return NULL;
	s->table = table;
	s->run = &table->runs.at[number];
	return s;
}

static int stream_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	struct table_stream *s = stream;
	struct table_slice slice = { s->run, s->row, s->run->samples - s->row };

	if (slice.rows == 0)
		return 0;
	if (chunk_add_part(chunk, 0, 0, 0, err) ||
	    fetch_slice(s->table, &s->file, &slice, 0, chunk, err))
		return -1;
	chunk->stream = (size_t)(s->run - s->table->runs.at);
	chunk->samples = slice.rows;
	s->row += slice.rows;
	return 1;
}

static void stream_close(void *stream)
{
	struct table_stream *s = stream;

	if (!s)
		return;
	close_file(&s->file);
	free(s);
}

/* ---- picks ---- */

struct table_picker {
	const struct table *table;
	struct table_file file;
};

static void *picker_open(const struct reader *reader, struct error *err)
{
	struct table_picker *picker = memory_zeroed(sizeof(*picker), err);

	if (picker)
		picker->table = reader->priv;
	return picker;
}

static int picker_fetch(void *priv, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err)
{
	struct table_picker *picker = priv;
	const struct table *table = picker->table;

	chunk->samples = count;
	if (chunk_set_parts(chunk, count, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct run *run =
		    &table->runs.at[runs_find(&table->runs, picks[i].number)];
		struct table_slice slice = { run, picks[i].number - run->before,
			1 };

		if (fetch_slice(table, &picker->file, &slice, picks[i].place,
		        chunk, err))
			return -1;
	}
	return 0;
}

static void picker_close(void *priv)
{
	struct table_picker *picker = priv;

	if (!picker)
		return;
	close_file(&picker->file);
	free(picker);
}

/* ---- unpacking ---- */

static void *unpacker_new(const struct reader *reader, struct error *err)
{
	UNUSED(reader);
	return packed_new(err);
}

static void unpacker_free(void *unpacker)
{
	packed_free(unpacker);
}

const struct span *table_cells(
    const struct table *table, const struct chunk *chunk, size_t row)
{
	return (const struct span *)(const void *)chunk->bytes.data +
	       row * table->count;
}

/* Makes room for values, then cells, then keys. Sets the place of the cells. */
static int make_room(const struct table *table, struct packed *packed,
    struct chunk *chunk, size_t *cells_at, struct error *err)
{
	const size_t rows = (size_t)chunk->samples;
	size_t bytes = 0, room;

	if (table->format->measure &&
	    table->format->measure(table, packed, chunk, &bytes, err))
		return -1;
	*cells_at = align_up(bytes);
	bytes = rows * table->count * sizeof(struct span);
	if (size_add(*cells_at, bytes, &room) ||
	    buf_reserve(&chunk->unpacked,
	        room + rows * (table->stem_max + NUMBERED_MORE), err))
		return error_memory(err, room);
	chunk->unpacked.len = room;
	memset(chunk->unpacked.data + *cells_at, 0, bytes);
	chunk->bytes = (struct span){ chunk->unpacked.data + *cells_at, bytes };
	return 0;
}

static int unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	const struct table *table = reader->priv;
	const size_t slices = chunk->picked ? (size_t)chunk->samples : 1;
	struct table_unpack at = { .packed = unpacker, .chunk = chunk };
	size_t cells_at;

	chunk->at = 0;
	if (make_room(table, unpacker, chunk, &cells_at, err))
		return blame_file(
		    table, &table->runs.at[chunk->parts[0].file], err);
	at.room = chunk->unpacked.data;
	at.cells = (struct span *)(void *)(chunk->unpacked.data + cells_at);
	for (size_t i = 0; i < slices; i++) {
		const struct chunk_part *slice = &chunk->parts[i];

		at.part = slice->offset;
		at.rows = slice->len;
		at.run = &table->runs.at[slice->file];
		at.row = slice->item - at.run->first;
		if (table->format->unpack(table, &at, err))
			return blame_file(table, at.run, err);
		at.cells += slice->len * table->count;
	}
	return 0;
}

/* ---- the reader ---- */

static int judge(const struct reader *reader, struct error *err)
{
	const struct table *table = reader->priv;

	if (!table->format->judge || table->format->judge(table, err) == 0)
		return 0;
	return blame_file(table, &table->runs.at[0], err);
}

static void locate(const struct reader *reader, const struct chunk *chunk,
    char *text, size_t size)
{
	const struct table *table = reader->priv;
	const size_t row = chunk->at ? chunk->at - 1 : 0;
	const struct run *run =
	    &table->runs.at[table_slice_of(chunk, row)->file];

	snprintf(text, size, "%s/%s: row %" PRIu64, table->listing.root,
	    listing_name(&table->listing, run->file), row_number(chunk, row));
}

static uint64_t stream_samples(const struct reader *reader, size_t stream)
{
	const struct table *table = reader->priv;

	return table->runs.at[stream].samples;
}

static int each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct table *table = reader->priv;

	return runs_each_file(&table->runs, &table->listing,
	    reader->samples == reader->total_samples, visit, arg, err);
}

static void table_free(struct reader *reader)
{
	struct table *table = reader->priv;

	if (table->format && table->format->release)
		table->format->release(table);
	listing_release(&table->listing);
	runs_release(&table->runs);
	classes_release(&table->classes);
	reader_dispose(reader);
}

const struct reader_ops table_reader = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = stream_close,
	.picker_open = picker_open,
	.picker_fetch = picker_fetch,
	.picker_close = picker_close,
	.unpacker_new = unpacker_new,
	.unpacker_free = unpacker_free,
	.unpack = unpack,
	.next = table_next,
	.judge = judge,
	.locate = locate,
	.stream_samples = stream_samples,
	.each_file = each_file,
	.free = table_free,
};

/* ---- opening ---- */

int table_add_group(struct reader *reader, size_t file, uint64_t start,
    uint64_t rows, struct error *err)
{
	struct table *table = reader->priv;
	const struct runs *runs = &table->runs;
	struct run run = { .file = file, .start = start, .samples = rows };

	if (rows == 0)
		return 0;
	if (rows > TABLE_ROWS)
		return error_set(err, ERROR_LIMIT,
		    "a group has %" PRIu64 " rows, and at most %d are read",
		    rows, TABLE_ROWS);
	if (runs->count && runs->at[runs->count - 1].file == file)
		run.first = runs->at[runs->count - 1].first +
		            runs->at[runs->count - 1].samples;
	return runs_add(&table->runs, &run, err);
}

static int scan_file(struct reader *reader, size_t file, struct error *err)
{
	struct table *table = reader->priv;
	char *path = listing_path(&table->listing, file, err);
	struct medium_file *opened =
	    path ? medium_open(table->medium, path, err) : NULL;
	int rc = -1;

	if (opened) {
		rc = table->format->scan(reader, opened, file, err);
		if (rc && !strstr(err->text, path))
			error_prefix(err, "%s", path);
	}
	medium_close(opened);
	free(path);
	return rc;
}

/* Keys that are made of names of files need so much room; any row may. */
static void find_longest_stem(struct table *table)
{
	for (size_t i = 0; i < table->listing.count; i++) {
		const size_t len = table_stem(table, i).len;

		if (len > table->stem_max)
			table->stem_max = len;
	}
}

int table_fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	const struct table_format *format = plan->format;
	struct table *table = reader->priv;

	table->format = format;
	table->options = plan->options;
	table->medium = plan->medium;
	table->key = table->label = -1;
	if (format->find ? format->find(reader, plan, err)
	                 : listing_find(&table->listing, plan->medium,
	                       plan->path, table->options->match, err))
		return -1;
	if (passed_by_tell(&table->listing.passed, reader, err) ||
	    (!braces_any(plan->path) &&
	        splits_tell(&table->listing, reader, err)))
		return -1;
	find_longest_stem(table);
	for (size_t i = 0; format->scan && i < table->listing.count; i++)
		if (scan_file(reader, i, err))
			return -1;
	if (table->runs.count == 0)
		return error_set(err, ERROR_DATA, "holds no rows");
	if (table_learn(reader, err))
		return -1;
	runs_select(&table->runs, &table->listing, plan->limit, reader);
	reader->streams = table->runs.count;
	reader->in_order_only |= !format->can_pick;
	reader->costly_picks = format->costly_picks;
	if (table->label >= 0 && table->classes.count)
		reader->classes = &table->classes;
	return 0;
}
