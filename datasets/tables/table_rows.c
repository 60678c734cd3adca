/* table_rows.c - see table.h: rows as samples, and the types of fields. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/files/numbered.h"
#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/packed.h"
#include "lib/sample/labels.h"

enum {
	EXTENSION = 32,
	LEARN_ROWS = 4096, /* most rows that a type is learned from */
};

/* ---- values ---- */

static int blame_column(const struct table_column *column, struct error *err)
{
	return error_prefix(err, "column '%s'", column->name);
}

/* Writes the extension of the field's path; "" if there is none. */
static const char *extension_of(const struct table *table, unsigned field,
    const struct span *cells, char text[EXTENSION])
{
	const int path = table->paths[field];
	struct span name;
	size_t dot;

	text[0] = '\0';
	if (path < 0)
		return table->chosen[table->fields[field]].suffix;
	name = cells[path];
	dot = name.len;
	while (
	    dot > 0 && name.data[dot - 1] != '.' && name.data[dot - 1] != '/')
		dot--;
	if (dot > 0 && name.data[dot - 1] == '.' &&
	    name.len - dot < EXTENSION &&
	    !memchr(name.data + dot, '\0', name.len - dot))
		snprintf(text, EXTENSION, "%.*s", (int)(name.len - dot),
		    (const char *)name.data + dot);
	return text;
}

/* Columns of all files have the type of the first one's. */
int table_view_array(const struct table *table, unsigned id, struct span value,
    struct tensor *tensor, struct error *err)
{
	for (unsigned i = 0; i < table->count; i++) {
		const struct table_column *column = &table->chosen[i];

		if (column->id != id)
			continue;
		if (type_bytes(&column->type) != (int64_t)value.len)
			break;
		tensor_view(tensor, column->type.dtype, &column->type.shape,
		    value.data);
		return 0;
	}
	return error_set(
	    err, ERROR_DATA, "%zu bytes do not make its shape", value.len);
}

static int view_list(const struct table_column *column, struct span value,
    struct tensor *tensor, struct error *err)
{
	const size_t size = dtype_bytes(column->type.dtype);
	struct shape shape = { .count = 1 };

	if (value.len % size)
		return error_set(err, ERROR_DATA,
		    "%zu bytes are no whole elements", value.len);
	shape.dims[0] = (int64_t)(value.len / size);
	tensor_view(tensor, column->type.dtype, &shape, value.data);
	return 0;
}

static int view_value(const struct reader *reader, unsigned field,
    const struct span *cells, struct tensor *tensor, struct error *err)
{
	const struct table *table = reader->priv;
	const struct table_column *column =
	    &table->chosen[table->fields[field]];
	const struct type *type = &reader->schema.fields[field].type;
	const struct span value = cells[table->fields[field]];
	char extension[EXTENSION];
	int rc = 0;

	if (!value.data) {
		tensor_view_absent(tensor, "is null");
		return 0;
	}
	switch (column->kind) {
	case TABLE_BYTES:
		return content_view(value,
		    extension_of(table, field, cells, extension), type, tensor,
		    err);
	case TABLE_TEXT:
		tensor_view_encoded(
		    tensor, value.data, value.len, column->suffix);
		return 0;
	case TABLE_NUMBER:
		tensor_view(tensor, column->type.dtype, &column->type.shape,
		    value.data);
		break;
	case TABLE_LIST:
		rc = view_list(column, value, tensor, err);
		break;
	case TABLE_ARRAY:
		rc = table->format->view(table, column->id, value, tensor, err);
		break;
	case TABLE_OTHER:
		rc = -1;
		break;
	}
	return rc ? rc : tensor_check(tensor, type, err);
}

static int64_t signed_number(enum dtype dtype, const unsigned char *data)
{
	int64_t i64;
	int32_t i32;
	int16_t i16;

	switch (dtype) {
	case DTYPE_I8:
		return (signed char)*data;
	case DTYPE_I16:
		memcpy(&i16, data, sizeof(i16));
		return i16;
	case DTYPE_I32:
		memcpy(&i32, data, sizeof(i32));
		return i32;
	default:
		memcpy(&i64, data, sizeof(i64));
		return i64;
	}
}

/* Returns an integer; those above INT64_MAX count as negative. */
static int64_t number_of(enum dtype dtype, const unsigned char *data)
{
	uint64_t u64 = 0;

	switch (dtype) {
	case DTYPE_U8:
	case DTYPE_U16:
	case DTYPE_U32:
		memcpy(&u64, data, dtype_bytes(dtype));
		return (int64_t)u64;
	default:
		return signed_number(dtype, data);
	}
}

static int take_label(const struct table *table, const struct span *cells,
    int64_t *label, struct error *err)
{
	const struct table_column *column;
	struct span value;

	*label = -1;
	if (table->label < 0)
		return 0;
	column = &table->chosen[table->label];
	value = cells[table->label];
	if (!value.data)
		return 0;
	if (column->kind == TABLE_NUMBER)
		*label = number_of(column->type.dtype, value.data);
	else if (label_parse(value, label))
		return error_set(err, ERROR_DATA,
		    "column '%s' is not a whole number: give 'label = COLUMN', "
		    "or 'label = none'",
		    column->name);
	if (*label < 0)
		*label = -1;
	return 0;
}

/*
 * Returns why the row has no key, NULL if it has one.  It gets that of a table
 * without keys then.
 */
static const char *take_key(const struct table *table, struct chunk *chunk,
    const struct span *cells, struct span *key)
{
	const struct chunk_part *slice = table_slice_of(chunk, chunk->at);
	const struct run *run = &table->runs.at[slice->file];
	const char *why = NULL;

	if (table->key >= 0) {
		*key = cells[table->key];
		if (key->len > 0 && key->len <= KEY_MAX)
			return NULL;
		why = !key->data      ? "is in a row whose key is null"
		      : key->len == 0 ? "is in a row whose key is empty"
		                      : "is in a row whose key is too long";
	}
	*key = numbered_key(&chunk->unpacked, table_stem(table, run->file),
	    slice->item + (chunk->picked ? 0 : chunk->at));
	return why;
}

static int view_row(const struct reader *reader, struct chunk *chunk,
    const struct span *cells, struct sample *sample, struct error *err)
{
	const struct table *table = reader->priv;
	const char *why = take_key(table, chunk, cells, &sample->key);

	sample->count = reader->schema.count;
	if (why) {
		for (unsigned f = 0; f < sample->count; f++)
			tensor_view_absent(&sample->fields[f], why);
		sample->label = -1;
		return 0;
	}
	if (take_label(table, cells, &sample->label, err))
		return -1;
	for (unsigned f = 0; f < sample->count; f++)
		if (view_value(reader, f, cells, &sample->fields[f], err))
			return blame_column(
			    &table->chosen[table->fields[f]], err);
	return 0;
}

int table_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct table *table = reader->priv;

	if (chunk->at == chunk->samples)
		return 0;
	if (view_row(reader, chunk, table_cells(table, chunk, chunk->at),
	        sample, err))
		return table_blame(table, chunk, chunk->at, err);
	chunk->at++;
	return 1;
}

/* ---- types ---- */

/* The types of fields that rows have shown so far. */
struct learning {
	struct reader *reader;
	void *unpacker;
	struct chunk chunk;
	uint64_t rows; /* looked at */
	bool is_known[FIELDS_MAX];
	unsigned unknown; /* fields */
};

/* Sets the type of arrays like this one; their shapes may differ. */
static int learn_array(const struct table *table,
    const struct table_column *column, struct span value, struct type *type,
    struct error *err)
{
	struct tensor tensor = TENSOR_INIT;

	if (table->format->view(table, column->id, value, &tensor, err))
		return -1;
	type->dtype = tensor.dtype;
	type->shape = tensor.shape;
	type->layout = shape_is_image(&type->shape) ? LAYOUT_HWC : LAYOUT_PLAIN;
	for (unsigned i = 0; i < type->shape.count; i++)
		type->shape.dims[i] = -1;
	return 1;
}

/* 1: the type is known; 0: it needs a value, and the row has none; -1. */
static int learn_field(struct reader *reader, unsigned field,
    const struct span *cells, struct error *err)
{
	const struct table *table = reader->priv;
	const struct table_column *column =
	    &table->chosen[table->fields[field]];
	const struct span value = cells[table->fields[field]];
	struct type *type = &reader->schema.fields[field].type;
	char extension[EXTENSION];

	*type = column->type;
	switch (column->kind) {
	case TABLE_BYTES:
		if (!value.data)
			return 0;
		return content_type(value,
		           extension_of(table, field, cells, extension), type,
		           err)
		           ? -1
		           : 1;
	case TABLE_TEXT:
		*type = (struct type){
			.layout = LAYOUT_ENCODED,
			.shape = { .count = 1, .dims = { -1 } },
		};
		snprintf(type->suffix, SUFFIX_MAX, "%s", column->suffix);
		return 1;
	case TABLE_LIST:
		type->shape = (struct shape){ .count = 1, .dims = { -1 } };
		return 1;
	case TABLE_ARRAY:
		if (shape_known(&type->shape))
			return 1;
		return value.data ? learn_array(table, column, value, type, err)
		                  : 0;
	default:
		return 1;
	}
}

static int learn_row(
    struct learning *learning, const struct span *cells, struct error *err)
{
	struct reader *reader = learning->reader;
	const struct table *table = reader->priv;

	for (unsigned f = 0; f < reader->schema.count; f++) {
		int got;

		if (learning->is_known[f])
			continue;
		got = learn_field(reader, f, cells, err);
		if (got < 0)
			return blame_column(
			    &table->chosen[table->fields[f]], err);
		learning->is_known[f] = got > 0;
		learning->unknown -= got > 0;
	}
	return 0;
}

static bool wants_rows(const struct learning *learning)
{
	return learning->unknown > 0 && learning->rows < LEARN_ROWS;
}

static int learn_chunk(struct learning *learning, struct error *err)
{
	const struct table *table = learning->reader->priv;
	struct chunk *chunk = &learning->chunk;

	if (table_reader.unpack(
	        learning->reader, learning->unpacker, chunk, err))
		return -1;
	for (size_t row = 0; row < chunk->samples && wants_rows(learning);
	     row++, learning->rows++)
		if (learn_row(learning, table_cells(table, chunk, row), err))
			return table_blame(table, chunk, row, err);
	return 0;
}

static int learn_stream(
    struct learning *learning, size_t number, struct error *err)
{
	const struct reader_ops *ops = &table_reader;
	void *stream = ops->stream_open(learning->reader, number, err);
	int got = stream ? 1 : -1;

	while (got > 0 && wants_rows(learning)) {
		chunk_reset(&learning->chunk);
		got = ops->stream_fetch(stream, &learning->chunk, err);
		if (got > 0 && learn_chunk(learning, err))
			got = -1;
	}
	ops->stream_close(stream);
	return got < 0 ? -1 : 0;
}

/* No row that was looked at has a value of some field. */
static int error_unknown(const struct learning *learning, struct error *err)
{
	const struct table *table = learning->reader->priv;
	unsigned f = 0;

	while (learning->is_known[f])
		f++;
	return error_set(err, ERROR_DATA,
	    "column '%s' is null in all of the first %" PRIu64 " rows%s",
	    table->chosen[table->fields[f]].name, learning->rows,
	    table->paths[f] < 0 ? ""
	                        : ": if its path names files, read these with "
	                          "'source = folder'");
}

int table_learn(struct reader *reader, struct error *err)
{
	const struct table *table = reader->priv;
	struct learning learning = {
		.reader = reader,
		.unpacker = table_reader.unpacker_new(reader, err),
		.chunk = CHUNK_INIT,
		.unknown = reader->schema.count,
	};
	int rc = learning.unpacker ? 0 : -1;

	for (size_t i = 0;
	     rc == 0 && i < table->runs.count && wants_rows(&learning); i++)
		rc = learn_stream(&learning, i, err);
	if (rc == 0 && learning.unknown)
		rc = error_unknown(&learning, err);
	table_reader.unpacker_free(learning.unpacker);
	chunk_release(&learning.chunk);
	return rc;
}
