/*
 * parquet.c - rows of Parquet files, as the hub of Hugging Face and others keep
 * them (lib/formats/parquet).
 *
 * A row group is a chunk: of it, only the columns that are wanted are read, and
 * workers unpack them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/align.h"
#include "datasets/source.h"
#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/parquet/metadata.h"
#include "lib/formats/parquet/pages.h"
#include "lib/media/medium.h"
#include "lib/syntax/json.h"

enum { METADATA_MAX = 256 << 20 };

static const struct table_options defaults = {
	.match = "*.parquet",
};

/* The wanted columns of a file: in others, a column may be another leaf. */
struct file_leaves {
	struct parquet_leaf leaves[TABLE_CHOSEN];
};

struct parquet {                    /* table->own */
	struct file_leaves **files; /* [file_count]; owned */
	size_t file_count, file_capacity;
	/* [table->count] for each row group that has rows */
	struct parquet_chunk *chunks;
	size_t chunk_count, chunk_capacity;
};

/* ---- columns ---- */

/* Takes the shape of a tensor from the notes of presto's own store. */
static int set_tensor(struct table_column *column,
    const struct parquet_leaf *leaf, const struct json_t *tensors)
{
	struct error ignored = ERROR_INIT;
	struct type type = { .layout = LAYOUT_PLAIN };
	struct json_t *about, *shape;
	const char *dtype;

	if (json_get_object(tensors, leaf->name, &about, &ignored) ||
	    json_get_text(about, "dtype", &dtype, &ignored) ||
	    json_get_array(about, "shape", &shape, &ignored) ||
	    dtype_parse(dtype, &type.dtype) || json_count(shape) > SHAPE_MAX)
		return -1;
	type.shape.count = (unsigned)json_count(shape);
	for (unsigned i = 0; i < type.shape.count; i++)
		if (json_item_size(shape, i, &type.shape.dims[i]) ||
		    type.shape.dims[i] < 0)
			return -1;
	if (type_bytes(&type) != (int64_t)leaf->width)
		return -1;
	if (shape_is_image(&type.shape))
		type.layout = LAYOUT_HWC;
	column->kind = TABLE_ARRAY;
	column->type = type;
	return 0;
}

static void set_column(const struct parquet_leaf *leaf, unsigned id,
    const struct json_t *tensors, struct table_column *column)
{
	static const enum table_kind kinds[] = {
		[PARQUET_BYTES] = TABLE_BYTES,
		[PARQUET_TEXT] = TABLE_TEXT,
		[PARQUET_NUMBER] = TABLE_NUMBER,
		[PARQUET_OTHER] = TABLE_OTHER,
	};

	*column = (struct table_column){
		.kind = kinds[leaf->kind],
		.type = { .dtype = leaf->dtype },
		.what = leaf->what,
		.id = id,
	};
	memcpy(column->name, leaf->name, sizeof(column->name));
	if (leaf->kind == PARQUET_TEXT)
		memcpy(column->suffix, "txt", sizeof("txt"));
	if (leaf->kind == PARQUET_NUMBER && leaf->max_rep > 0)
		column->kind = TABLE_LIST;
	if (leaf->type == PARQUET_FIXED && leaf->kind == PARQUET_BYTES &&
	    tensors)
		set_tensor(column, leaf, tensors);
}

_Static_assert((int)PARQUET_NAME <= (int)TABLE_NAME, "names of columns fit");

static int choose_columns(struct reader *reader,
    const struct parquet_metadata *metadata, const struct json_t *tensors,
    unsigned ids[TABLE_CHOSEN], struct error *err)
{
	const size_t count = metadata->leaf_count;
	struct table_column *columns = calloc(count + 1, sizeof(*columns));
	int rc;

	if (!columns)
		return error_memory(err, count * sizeof(*columns));
	for (size_t i = 0; i < count; i++)
		set_column(
		    &metadata->leaves[i], (unsigned)i, tensors, &columns[i]);
	rc = table_choose(reader, columns, count, ids, err);
	free(columns);
	return rc;
}

/* Words of columns live in the metadata, which does not stay. */
static void forget_words(struct table *table)
{
	static const char *const words[] = {
		[TABLE_BYTES] = "bytes",
		[TABLE_TEXT] = "text",
		[TABLE_NUMBER] = "a number",
		[TABLE_LIST] = "a list of numbers",
		[TABLE_ARRAY] = "a tensor",
		[TABLE_OTHER] = "another type",
	};

	for (unsigned i = 0; i < table->count; i++)
		table->chosen[i].what = words[table->chosen[i].kind];
}

static int match_columns(struct reader *reader,
    const struct parquet_metadata *metadata, unsigned ids[TABLE_CHOSEN],
    struct error *err)
{
	struct json_doc doc = { .root = NULL };
	struct error ignored = ERROR_INIT;
	int rc;

	if (metadata->tensors.len &&
	    json_doc_parse(&doc, "", metadata->tensors, &ignored))
		doc.root = NULL;
	rc = choose_columns(reader, metadata, doc.root, ids, err);
	if (doc.root)
		json_doc_release(&doc);
	forget_words(reader->priv);
	return rc;
}

/* ---- row groups ---- */

static int add_file(struct table *table,
    const struct parquet_metadata *metadata, const unsigned ids[TABLE_CHOSEN],
    struct error *err)
{
	struct parquet *parquet = table->own;
	struct file_leaves **files =
	    array_grow(parquet->files, &parquet->file_capacity,
	        parquet->file_count + 1, sizeof(*files), err);

	if (!files)
		return -1;
	parquet->files = files;
	files[parquet->file_count] = memory_zeroed(sizeof(**files), err);
	if (!files[parquet->file_count])
		return -1;
	for (unsigned i = 0; i < table->count; i++)
		files[parquet->file_count]->leaves[i] =
		    metadata->leaves[ids[i]];
	parquet->file_count++;
	return 0;
}

static int add_group(struct reader *reader, size_t file,
    const struct parquet_metadata *metadata, const struct parquet_group *group,
    const unsigned ids[TABLE_CHOSEN], struct error *err)
{
	struct table *table = reader->priv;
	struct parquet *parquet = table->own;
	const size_t first = parquet->chunk_count;
	struct parquet_chunk *chunks =
	    array_grow(parquet->chunks, &parquet->chunk_capacity,
	        first + table->count, sizeof(*chunks), err);

	if (!chunks)
		return -1;
	parquet->chunks = chunks;
	for (unsigned i = 0; i < table->count; i++) {
		const struct parquet_leaf *leaf = &metadata->leaves[ids[i]];
		const struct parquet_chunk *chunk = &group->chunks[ids[i]];

		if (leaf->max_rep == 0 && chunk->values != group->rows)
			return error_set(err, ERROR_DATA,
			    "its metadata is damaged: %" PRIu64
			    " values of '%s' in a row group of %" PRIu64
			    " rows",
			    chunk->values, leaf->name, group->rows);
		chunks[first + i] = *chunk;
	}
	parquet->chunk_count += table->count;
	return table_add_group(reader, file, first, group->rows, err);
}

static int add_groups(struct reader *reader, size_t file,
    const struct parquet_metadata *metadata, struct error *err)
{
	unsigned ids[TABLE_CHOSEN];

	if (match_columns(reader, metadata, ids, err) ||
	    add_file(reader->priv, metadata, ids, err))
		return -1;
	for (size_t i = 0; i < metadata->group_count; i++)
		if (add_group(
		        reader, file, metadata, &metadata->groups[i], ids, err))
			return error_prefix(err, "row group %zu", i);
	table_learn_classes(reader, metadata->huggingface);
	return 0;
}

/* Reads the end of the file, then the metadata in front of it. */
static int read_metadata(struct medium_file *opened,
    struct parquet_metadata *metadata, struct error *err)
{
	const uint64_t size = medium_size(opened);
	unsigned char tail[PARQUET_TAIL];
	uint64_t bytes;

	if (size < sizeof(tail))
		return error_set(err, ERROR_DATA, "is no Parquet file");
	if (medium_read_full(
	        opened, size - sizeof(tail), tail, sizeof(tail), err) ||
	    parquet_tail(
	        (struct span){ tail, sizeof(tail) }, size, &bytes, err))
		return -1;
	if (bytes > METADATA_MAX)
		return error_set(err, ERROR_LIMIT,
		    "its metadata has %" PRIu64 " bytes, more than %d", bytes,
		    METADATA_MAX);
	if (buf_reserve(&metadata->text, (size_t)bytes + 1, err) ||
	    medium_read_full(opened, size - sizeof(tail) - bytes,
	        metadata->text.data, (size_t)bytes, err))
		return -1;
	metadata->text.len = (size_t)bytes;
	return parquet_parse(metadata, size, err);
}

static int scan(struct reader *reader, struct medium_file *opened, size_t file,
    struct error *err)
{
	struct table *table = reader->priv;
	struct parquet_metadata metadata = PARQUET_METADATA_INIT;
	int rc = -1;

	if (!table->own)
		table->own = memory_zeroed(sizeof(struct parquet), err);
	if (table->own && read_metadata(opened, &metadata, err) == 0)
		rc = add_groups(reader, file, &metadata, err);
	parquet_metadata_release(&metadata);
	return rc;
}

static void release(struct table *table)
{
	struct parquet *parquet = table->own;

	if (!parquet)
		return;
	for (size_t i = 0; i < parquet->file_count; i++)
		free(parquet->files[i]);
	free(parquet->files);
	free(parquet->chunks);
	free(parquet);
}

/* ---- rows ---- */

static int fetch(const struct table *table, struct table_file *file,
    struct table_slice *slice, struct chunk *chunk, struct error *err)
{
	const struct parquet *parquet = table->own;
	const struct parquet_chunk *chunks =
	    &parquet->chunks[slice->run->start];

	for (unsigned i = 0; i < table->count; i++)
		if (table_read(
		        file, chunks[i].offset, chunks[i].bytes, chunk, err))
			return -1;
	return 0;
}

static struct parquet_column column_of(const struct table *table,
    const struct run *run, unsigned i, const struct chunk *chunk, size_t part)
{
	const struct parquet *parquet = table->own;
	const struct parquet_chunk *from = &parquet->chunks[run->start + i];
	const struct chunk_part *bytes = &chunk->parts[part + i];

	return (struct parquet_column){
		.leaf = &parquet->files[run->file]->leaves[i],
		.codec = from->codec,
		.values = from->values,
		.bytes = { chunk->stored.data + bytes->offset, bytes->len },
	};
}

static int blame(const struct table *table, unsigned i, struct error *err)
{
	return error_prefix(err, "column '%s'", table->chosen[i].name);
}

static int measure(const struct table *table, struct packed *packed,
    const struct chunk *chunk, size_t *bytes, struct error *err)
{
	const struct chunk_part *slice = &chunk->parts[0];
	const struct run *run = &table->runs.at[slice->file];

	for (unsigned i = 0; i < table->count; i++) {
		const struct parquet_column column =
		    column_of(table, run, i, chunk, slice->offset);

		if (parquet_measure(&column, packed, bytes, err))
			return blame(table, i, err);
	}
	return 0;
}

static int unpack(
    const struct table *table, struct table_unpack *at, struct error *err)
{
	for (unsigned i = 0; i < table->count; i++) {
		const struct parquet_column column =
		    column_of(table, at->run, i, at->chunk, at->part);
		const struct parquet_cells cells = { at->cells + i,
			table->count, at->rows };

		if (parquet_unpack(&column, at->packed, &at->room, &cells, err))
			return blame(table, i, err);
	}
	return 0;
}

static const struct table_format format = {
	.scan = scan,
	.fetch = fetch,
	.measure = measure,
	.unpack = unpack,
	.view = table_view_array,
	.release = release,
};

const struct source_ops source_parquet = {
	.name = "parquet",
	.summary = "rows of Parquet files",
	.options = table_options,
	.format = &format,
	.defaults = &defaults,
	.options_size = sizeof(struct table_options),
	TABLE_SOURCE,
};
