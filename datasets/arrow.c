/*
 * arrow.c - rows of Arrow streams and files, as the library `datasets` of
 * Hugging Face keeps them (lib/formats/arrow).
 *
 * Opening a dataset reads the heads of all messages. A stream is a record
 * batch; of one that is not compressed, a chunk is some rows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/source.h"
#include "datasets/tables/arrow_cells.h"
#include "datasets/tables/arrow_files.h"
#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"

enum {
	WINDOW = 64 << 10, /* bytes that are read of a message at first */
	METADATA_MAX = 256 << 20, /* most bytes of its metadata */
};

static const struct table_options defaults = {
	.match = ARROW_MATCH,
};

/* The file that is being scanned. */
struct scan {
	struct reader *reader;
	struct medium_file *opened;
	size_t file;
	uint64_t at, size; /* places of the next message, and of the end */
	struct buf window; /* the message's head and metadata */
	struct arrow_schema schema;
	unsigned ids[TABLE_CHOSEN];
	struct error *err;
};

/* ---- columns ---- */

static void set_column(
    const struct arrow_column *from, unsigned id, struct table_column *column)
{
	static const enum table_kind kinds[] = {
		[ARROW_BYTES] = TABLE_BYTES,
		[ARROW_TEXT] = TABLE_TEXT,
		[ARROW_NUMBER] = TABLE_NUMBER,
		[ARROW_LIST] = TABLE_LIST,
		[ARROW_ARRAY] = TABLE_ARRAY,
		[ARROW_OTHER] = TABLE_OTHER,
	};

	*column = (struct table_column){
		.kind = kinds[from->kind],
		.type = { .dtype = from->dtype, .shape = from->shape },
		.what = from->what,
		.id = id,
	};
	memcpy(column->name, from->name, sizeof(column->name));
	if (from->kind == ARROW_TEXT)
		memcpy(column->suffix, "txt", sizeof("txt"));
}

_Static_assert((int)ARROW_NAME <= (int)TABLE_NAME, "names of columns fit");

static int choose_columns(struct scan *scan)
{
	const size_t count = scan->schema.count;
	struct table_column *columns = calloc(count + 1, sizeof(*columns));
	struct table *table = scan->reader->priv;
	int rc;

	if (!columns)
		return error_memory(scan->err, count * sizeof(*columns));
	for (size_t i = 0; i < count; i++)
		set_column(&scan->schema.columns[i], (unsigned)i, &columns[i]);
	rc = table_choose(scan->reader, columns, count, scan->ids, scan->err);
	for (unsigned i = 0; i < table->count; i++)
		table->chosen[i].what = "another type";
	free(columns);
	return rc;
}

static int add_file(struct scan *scan)
{
	struct table *table = scan->reader->priv;
	struct arrow *arrow = table->own;
	struct arrow_file **files =
	    array_grow(arrow->files, &arrow->file_capacity,
	        arrow->file_count + 1, sizeof(*files), scan->err);
	struct arrow_file *file;

	if (!files)
		return -1;
	arrow->files = files;
	file = memory_zeroed(sizeof(*file), scan->err);
	if (!file)
		return -1;
	files[arrow->file_count++] = file;
	for (unsigned i = 0; i < table->count; i++)
		file->columns[i] = scan->schema.columns[scan->ids[i]];
	return 0;
}

/* ---- messages ---- */

/* Makes sure that so many bytes of the message are in the window. */
static int read_window(struct scan *scan, uint64_t bytes)
{
	const uint64_t left = scan->size - scan->at;
	uint64_t len = bytes > WINDOW ? bytes : WINDOW;

	if (bytes > left)
		return error_set(scan->err, ERROR_DATA,
		    "ends within a message, at byte %" PRIu64, scan->size);
	if (scan->window.len >= bytes)
		return 0;
	if (len > left)
		len = left;
	scan->window.len = 0;
	if (buf_reserve(&scan->window, (size_t)len + 1, scan->err) ||
	    medium_read_full(scan->opened, scan->at, scan->window.data,
	        (size_t)len, scan->err))
		return -1;
	scan->window.len = (size_t)len;
	return 0;
}

/* Takes the next message: 1, 0 at the end of the stream, -1. */
static int next_message(
    struct scan *scan, struct span *metadata, struct arrow_head *message)
{
	const uint64_t left = scan->size - scan->at;
	uint64_t bytes;
	size_t head;

	scan->window.len = 0;
	/* Streams may end without a mark. */
	if (left < sizeof(uint32_t))
		return 0;
	if (read_window(scan, left < ARROW_HEAD ? left : ARROW_HEAD))
		return -1;
	if (!arrow_take_head(buf_span(&scan->window), &head, &bytes))
		return 0;
	if (bytes > METADATA_MAX)
		return error_set(scan->err, ERROR_DATA,
		    "is no Arrow stream: a message has %" PRIu64
		    " bytes of metadata",
		    bytes);
	if (read_window(scan, head + bytes))
		return -1;
	*metadata = (struct span){ scan->window.data + head, (size_t)bytes };
	scan->at += head + bytes;
	if (arrow_read_head(*metadata, message, scan->err))
		return -1;
	if (message->body > scan->size - scan->at)
		return error_set(scan->err, ERROR_DATA,
		    "ends within a message, at byte %" PRIu64, scan->size);
	return 1;
}

static struct arrow_group *new_group(struct scan *scan)
{
	struct table *table = scan->reader->priv;
	struct arrow *arrow = table->own;
	struct arrow_group *groups =
	    array_grow(arrow->groups, &arrow->group_capacity,
	        arrow->group_count + 1, sizeof(*groups), scan->err);
	struct arrow_group *group;

	if (!groups)
		return NULL;
	arrow->groups = groups;
	group = &groups[arrow->group_count];
	*group = (struct arrow_group){ .body = scan->at };
	group->places =
	    memory_zeroed(table->count * sizeof(*group->places), scan->err);
	if (!group->places)
		return NULL;
	arrow->group_count++;
	return group;
}

static int add_batch(struct scan *scan, struct span metadata, uint64_t body)
{
	struct table *table = scan->reader->priv;
	const struct arrow *arrow = table->own;
	struct arrow_group *group = new_group(scan);

	if (!group || arrow_read_batch(metadata, &scan->schema, body,
	                  &group->batch, scan->err))
		return -1;
	for (unsigned i = 0; i < table->count; i++)
		if (arrow_find(metadata, &arrow->files[scan->file]->columns[i],
		        body, &group->batch, &group->places[i], scan->err))
			return -1;
	if (group->batch.packed != PACKED_NONE)
		scan->reader->in_order_only = true;
	return table_add_group(scan->reader, scan->file, arrow->group_count - 1,
	    group->batch.rows, scan->err);
}

static int take_schema(struct scan *scan, struct span metadata)
{
	if (scan->schema.count)
		return error_set(
		    scan->err, ERROR_DATA, "has more than one schema");
	if (arrow_read_schema(metadata, &scan->schema, scan->err) ||
	    choose_columns(scan) || add_file(scan))
		return -1;
	table_learn_classes(scan->reader, buf_span(&scan->schema.huggingface));
	return 0;
}

static int scan_messages(struct scan *scan)
{
	struct arrow_head message;
	struct span metadata;
	int got;

	while ((got = next_message(scan, &metadata, &message)) > 0) {
		if (message.kind == ARROW_IS_SCHEMA) {
			if (take_schema(scan, metadata))
				return -1;
		} else if (!scan->schema.count) {
			return error_set(scan->err, ERROR_DATA,
			    "is no Arrow stream: it does not begin with a "
			    "schema");
		} else if (message.kind == ARROW_IS_BATCH &&
		           add_batch(scan, metadata, message.body)) {
			return -1;
		}
		scan->at += message.body;
	}
	if (got == 0 && !scan->schema.count)
		return error_set(scan->err, ERROR_DATA, "is no Arrow stream");
	return got;
}

/* A file begins with a mark in front of its stream. */
static int skip_mark(struct scan *scan)
{
	if (scan->size < ARROW_FILE_HEAD)
		return 0;
	if (read_window(scan, ARROW_FILE_HEAD))
		return -1;
	if (memcmp(scan->window.data, ARROW_MAGIC, strlen(ARROW_MAGIC)) == 0)
		scan->at = ARROW_FILE_HEAD;
	return 0;
}

static int scan_file(struct reader *reader, struct medium_file *opened,
    size_t file, struct error *err)
{
	struct table *table = reader->priv;
	struct scan scan = {
		.reader = reader,
		.opened = opened,
		.file = file,
		.size = medium_size(opened),
		.schema = ARROW_SCHEMA_INIT,
		.err = err,
	};
	int rc = -1;

	if (!table->own)
		table->own = memory_zeroed(sizeof(struct arrow), err);
	if (table->own && skip_mark(&scan) == 0)
		rc = scan_messages(&scan);
	arrow_schema_release(&scan.schema);
	buf_release(&scan.window);
	return rc;
}

static void release(struct table *table)
{
	struct arrow *arrow = table->own;

	if (!arrow)
		return;
	for (size_t i = 0; i < arrow->file_count; i++)
		free(arrow->files[i]);
	for (size_t i = 0; i < arrow->group_count; i++)
		free(arrow->groups[i].places);
	free(arrow->files);
	free(arrow->groups);
	free(arrow);
}

static const struct table_format format = {
	.find = arrow_find_files,
	.scan = scan_file,
	.fetch = arrow_fetch,
	.measure = arrow_measure,
	.unpack = arrow_unpack,
	.view = table_view_array,
	.release = release,
	.can_pick = true,
};

const struct source_ops source_arrow = {
	.name = "arrow",
	.summary =
	    "rows of Arrow streams and files, as Hugging Face keeps them",
	.options = table_options,
	.format = &format,
	.defaults = &defaults,
	.options_size = sizeof(struct table_options),
	TABLE_SOURCE,
};
