/* schema.c - see arrow.h: the schema of a stream. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/arrow/arrow.h"
#include "lib/formats/arrow/flat.h"

enum { DEPTH_MAX = 32 };

enum { /* fields of tables */
	MESSAGE_HEADER = 2,
	SCHEMA_ENDIANNESS = 0,
	SCHEMA_FIELDS = 1,
	SCHEMA_METADATA = 2,
	FIELD_NAME_ID = 0,
	FIELD_TYPE = 2,
	FIELD_TYPE_TABLE = 3,
	FIELD_DICTIONARY = 4,
	FIELD_CHILDREN = 5,
};

enum arrow_type { /* members of the union Type */
	TYPE_NULL = 1,
	TYPE_INT = 2,
	TYPE_FLOAT = 3,
	TYPE_BINARY = 4,
	TYPE_UTF8 = 5,
	TYPE_BOOL = 6,
	TYPE_LIST = 12,
	TYPE_STRUCT = 13,
	TYPE_UNION = 14,
	TYPE_FIXED_BINARY = 15,
	TYPE_FIXED_LIST = 16,
	TYPE_MAP = 17,
	TYPE_LARGE_BINARY = 19,
	TYPE_LARGE_UTF8 = 20,
	TYPE_LARGE_LIST = 21,
	TYPE_RUN_END = 22,
	TYPE_BINARY_VIEW = 23,
	TYPE_UTF8_VIEW = 24,
	TYPE_LIST_VIEW = 25,
	TYPE_LARGE_LIST_VIEW = 26,
	TYPE_COUNT,
};

static const char *const type_words[TYPE_COUNT] = { "nothing", "null",
	"integers", "floats", "binary", "string", "bool", "decimal", "date",
	"time", "timestamp", "interval", "list", "struct", "union",
	"fixed binary", "fixed list", "map", "duration", "large binary",
	"large string", "large list", "runs", "binary view", "string view",
	"list view", "large list view" };

/* Where the walk through the tree of columns is. */
struct walk {
	struct arrow_schema *schema;
	struct arrow_column column; /* path, and structs around, so far */
	unsigned depth;
	bool in_other; /* within a column that is not read */
	struct error *err;
};

static int64_t type_of(const struct flat_table *field)
{
	const int64_t type = flat_integer(field, FIELD_TYPE, 1, 0);

	return type > 0 && type < TYPE_COUNT ? type : 0;
}

/* Buffers of a type itself, without those of its children. */
static unsigned buffers_of(const struct flat_table *field)
{
	const struct flat_table type = flat_child(field, FIELD_TYPE_TABLE);

	if (flat_child(field, FIELD_DICTIONARY).all.data)
		return 2;
	switch (type_of(field)) {
	case TYPE_NULL:
	case TYPE_RUN_END:
		return 0;
	case TYPE_STRUCT:
	case TYPE_FIXED_LIST:
		return 1;
	case TYPE_UNION: /* a dense one has offsets, too */
		return flat_integer(&type, 0, 2, 0) ? 2 : 1;
	case TYPE_BINARY:
	case TYPE_UTF8:
	case TYPE_LARGE_BINARY:
	case TYPE_LARGE_UTF8:
	case TYPE_LIST_VIEW:
	case TYPE_LARGE_LIST_VIEW:
		return 3;
	default:
		return 2;
	}
}

/* Sets the element type of a column of numbers: 0, or -1 for others. */
static int set_number(
    struct arrow_column *column, const struct flat_table *field)
{
	static const enum dtype ints[2][4] = {
		{ DTYPE_U8, DTYPE_U16, DTYPE_U32, DTYPE_U64 },
		{ DTYPE_I8, DTYPE_I16, DTYPE_I32, DTYPE_I64 },
	};
	static const enum dtype floats[] = { DTYPE_F16, DTYPE_F32, DTYPE_F64 };
	const struct flat_table type = flat_child(field, FIELD_TYPE_TABLE);
	const int64_t bits = flat_integer(&type, 0, 4, 0);
	const int64_t precision = flat_integer(&type, 0, 2, 0);
	unsigned size = 0;

	if (flat_child(field, FIELD_DICTIONARY).all.data)
		return -1;
	if (type_of(field) == TYPE_BOOL) {
		column->dtype = DTYPE_U8;
		column->is_flag = true;
	} else if (type_of(field) == TYPE_INT) {
		while (size < 4 && bits != 8 << size)
			size++;
		if (size == 4)
			return -1;
		column->dtype = ints[flat_integer(&type, 1, 1, 0) != 0][size];
	} else if (type_of(field) == TYPE_FLOAT) {
		if (precision < 0 || precision > 2)
			return -1;
		column->dtype = floats[precision];
	} else {
		return -1;
	}
	column->width = dtype_bytes(column->dtype);
	return 0;
}

/* Sets a list of numbers, or of lists of a fixed length of them. */
static int set_list(struct arrow_column *column, const struct flat_table *field)
{
	const struct flat_vector children = flat_list(field, FIELD_CHILDREN, 4);
	const struct flat_table child = flat_item(&children, 0);

	if (children.count != 1 || set_number(column, &child) ||
	    column->is_flag)
		return -1;
	column->kind = ARROW_LIST;
	column->offset_bytes = type_of(field) == TYPE_LIST ? 4 : 8;
	column->elements_node = column->node + 1;
	return 0;
}

static int set_array(
    struct arrow_column *column, const struct flat_table *field)
{
	const struct flat_vector children = flat_list(field, FIELD_CHILDREN, 4);
	const struct flat_table child = flat_item(&children, 0);
	const struct flat_table type = flat_child(field, FIELD_TYPE_TABLE);
	const int64_t size = flat_integer(&type, 0, 4, 0);

	if (children.count != 1 || size < 1 || set_number(column, &child) ||
	    column->is_flag)
		return -1;
	column->kind = ARROW_ARRAY;
	column->shape = (struct shape){ .count = 1, .dims = { size } };
	column->width *= (uint64_t)size;
	column->elements_node = column->node + 1;
	return 0;
}

/* Sets what a leaf is; lists of numbers count as leaves. */
static void set_kind(
    struct arrow_column *column, const struct flat_table *field)
{
	const struct flat_table type = flat_child(field, FIELD_TYPE_TABLE);
	int64_t width;

	column->kind = ARROW_OTHER;
	if (flat_child(field, FIELD_DICTIONARY).all.data)
		return;
	switch (type_of(field)) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_BOOL:
		if (set_number(column, field) == 0)
			column->kind = ARROW_NUMBER;
		break;
	case TYPE_BINARY:
	case TYPE_LARGE_BINARY:
		column->kind = ARROW_BYTES;
		column->width = 1;
		column->offset_bytes = type_of(field) == TYPE_BINARY ? 4 : 8;
		break;
	case TYPE_UTF8:
	case TYPE_LARGE_UTF8:
		column->kind = ARROW_TEXT;
		column->width = 1;
		column->offset_bytes = type_of(field) == TYPE_UTF8 ? 4 : 8;
		break;
	case TYPE_FIXED_BINARY:
		width = flat_integer(&type, 0, 4, 0);
		if (width < 1)
			break;
		column->kind = ARROW_BYTES;
		column->width = (uint64_t)width;
		break;
	case TYPE_LIST:
	case TYPE_LARGE_LIST:
		if (set_list(column, field))
			column->kind = ARROW_OTHER;
		break;
	case TYPE_FIXED_LIST:
		if (set_array(column, field))
			column->kind = ARROW_OTHER;
		break;
	default:
		break;
	}
}

static void describe(
    struct arrow_column *column, const struct flat_table *field)
{
	if (flat_child(field, FIELD_DICTIONARY).all.data)
		snprintf(column->what, sizeof(column->what),
		    "numbers of a dictionary");
	else if (column->kind == ARROW_NUMBER && !column->is_flag)
		snprintf(column->what, sizeof(column->what), "%s",
		    dtype_name(column->dtype));
	else if (column->kind == ARROW_LIST)
		snprintf(column->what, sizeof(column->what), "list of %s",
		    dtype_name(column->dtype));
	else if (column->kind == ARROW_ARRAY)
		snprintf(column->what, sizeof(column->what), "list of %lld %s",
		    (long long)column->shape.dims[0],
		    dtype_name(column->dtype));
	else
		snprintf(column->what, sizeof(column->what), "%s",
		    type_words[type_of(field)]);
}

static int add_column(struct walk *walk, const struct flat_table *field)
{
	struct arrow_schema *schema = walk->schema;
	struct arrow_column *columns;
	struct arrow_column *column;

	if (schema->count == ARROW_COLUMNS)
		return error_set(walk->err, ERROR_LIMIT,
		    "has more than %d columns", ARROW_COLUMNS);
	columns = array_grow(schema->columns, &schema->capacity,
	    schema->count + 1, sizeof(*columns), walk->err);
	if (!columns)
		return -1;
	schema->columns = columns;
	column = &columns[schema->count++];
	*column = walk->column;
	column->node = schema->nodes;
	column->buffer = schema->buffers;
	set_kind(column, field);
	if (walk->column.parents > ARROW_PARENTS)
		column->kind = ARROW_OTHER;
	describe(column, field);
	return 0;
}

/* ---- the tree ---- */

static void add_name(struct walk *walk, struct span name)
{
	char *path = walk->column.name;
	size_t len = strlen(path);

	if (len > 0 && len + 1 < ARROW_NAME)
		path[len++] = '.';
	for (size_t i = 0; i < name.len && len + 1 < ARROW_NAME; i++)
		path[len++] = name.data[i] ? (char)name.data[i] : '?';
	path[len] = '\0';
}

static int visit(struct walk *walk, const struct flat_table *field);

static int visit_children(struct walk *walk, const struct flat_table *field)
{
	const struct flat_vector children = flat_list(field, FIELD_CHILDREN, 4);
	int rc = 0;

	if (flat_child(field, FIELD_DICTIONARY).all.data)
		return 0; /* they are those of the dictionary */
	if (walk->depth == DEPTH_MAX)
		return error_set(walk->err, ERROR_LIMIT,
		    "its columns are nested more than %d deep", DEPTH_MAX);
	walk->depth++;
	for (uint32_t i = 0; rc == 0 && i < children.count; i++) {
		const struct flat_table child = flat_item(&children, i);

		rc = visit(walk, &child);
	}
	walk->depth--;
	return rc;
}

/* Notes a struct as parent of its members. */
static void add_parent(struct walk *walk)
{
	struct arrow_column *column = &walk->column;

	if (column->parents < ARROW_PARENTS) {
		column->parent[column->parents].node = walk->schema->nodes;
		column->parent[column->parents].buffer = walk->schema->buffers;
	}
	column->parents++;
}

/* Visits a column and all below it, in the order of nodes and buffers. */
static int visit(struct walk *walk, const struct flat_table *field)
{
	const struct arrow_column before = walk->column;
	const bool was_in_other = walk->in_other;
	const int64_t type = type_of(field);
	int rc = 0;

	if (!flat_is_there(field) || type == 0 ||
	    walk->schema->nodes > 16 * ARROW_COLUMNS)
		return error_set(walk->err, ERROR_DATA,
		    "its schema is damaged, or has types that are not known");
	walk->schema->has_views |=
	    type == TYPE_BINARY_VIEW || type == TYPE_UTF8_VIEW;
	add_name(walk, flat_text(field, FIELD_NAME_ID));
	if (type == TYPE_STRUCT)
		add_parent(walk);
	else if (!walk->in_other)
		rc = add_column(walk, field);
	walk->in_other |= type != TYPE_STRUCT;
	walk->schema->nodes++;
	walk->schema->buffers += buffers_of(field);
	if (rc == 0)
		rc = visit_children(walk, field);
	walk->column = before;
	walk->in_other = was_in_other;
	return rc;
}

/* ---- all of it ---- */

static int keep_metadata(const struct flat_table *table,
    struct arrow_schema *schema, struct error *err)
{
	const struct flat_vector pairs = flat_list(table, SCHEMA_METADATA, 4);

	for (uint32_t i = 0; i < pairs.count; i++) {
		const struct flat_table pair = flat_item(&pairs, i);
		const struct span value = flat_text(&pair, 1);

		if (!span_equal(flat_text(&pair, 0), span_text("huggingface")))
			continue;
		schema->huggingface.len = 0;
		return value.len ? buf_append(&schema->huggingface, value.data,
		                       value.len, err)
		                 : 0;
	}
	return 0;
}

int arrow_read_schema(
    struct span metadata, struct arrow_schema *schema, struct error *err)
{
	const struct flat_table message = flat_root(metadata);
	const struct flat_table table = flat_child(&message, MESSAGE_HEADER);
	const struct flat_vector fields = flat_list(&table, SCHEMA_FIELDS, 4);
	struct walk walk = { .schema = schema, .err = err };

	if (flat_integer(&table, SCHEMA_ENDIANNESS, 2, 0) != 0)
		return error_set(err, ERROR_DATA,
		    "its numbers are big endian, which is not read");
	for (uint32_t i = 0; i < fields.count; i++) {
		const struct flat_table field = flat_item(&fields, i);

		if (visit(&walk, &field))
			return -1;
	}
	if (schema->count == 0)
		return error_set(err, ERROR_DATA, "its schema has no columns");
	if (schema->has_views)
		return error_set(err, ERROR_DATA,
		    "has columns of string views, which are not read: save it "
		    "with plain strings");
	return keep_metadata(&table, schema, err);
}

void arrow_schema_release(struct arrow_schema *schema)
{
	free(schema->columns);
	buf_release(&schema->huggingface);
	*schema = (struct arrow_schema)ARROW_SCHEMA_INIT;
}
