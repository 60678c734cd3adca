/* schema.c - see schema.h. */
#include "lib/formats/parquet/schema.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum { DEPTH_MAX = 32 };

/* Members of the union LogicalType. */
enum {
	LOGICAL_STRING = 1,
	LOGICAL_ENUM = 4,
	LOGICAL_DECIMAL = 5,
	LOGICAL_INTEGER = 10,
	LOGICAL_JSON = 12,
	LOGICAL_FLOAT16 = 15,
};

/* A column of the list: a leaf, or the parent of those that follow. */
struct node {
	int64_t type, width, repetition, children, annotation;
	int logical; /* member of LogicalType; 0: none */
	bool has_annotation, is_unsigned;
	struct span name;
};

/* The parents of a column. */
struct level {
	int64_t left; /* children that are still to come */
	size_t name;  /* length of the path of the parent */
	unsigned def, rep, list_def;
	bool in_list; /* names of its children are not those of the user */
};

struct walk {
	struct parquet_metadata *metadata;
	struct level levels[DEPTH_MAX];
	unsigned depth; /* 0: behind the last column */
	char path[PARQUET_NAME];
};

/* The member of LogicalType, and for integers whether they are unsigned. */
static void read_logical(struct thrift_reader *reader, struct node *node)
{
	struct thrift_field field = { .id = 0 };

	while (thrift_next(reader, &field)) {
		struct thrift_field inner = { .id = 0 };

		node->logical = field.id;
		if (!thrift_begin(reader, &field))
			continue;
		while (thrift_next(reader, &inner)) {
			if (field.id == LOGICAL_INTEGER && inner.id == 2)
				node->is_unsigned = !thrift_flag(&inner);
			thrift_skip(reader, inner.type);
		}
	}
}

static void read_node(struct thrift_reader *reader, struct node *node)
{
	struct thrift_field field = { .id = 0 };

	*node = (struct node){ .type = -1 };
	while (thrift_next(reader, &field)) {
		switch (field.id) {
		case 1:
			node->type = thrift_integer(reader, &field);
			break;
		case 2:
			node->width = thrift_integer(reader, &field);
			break;
		case 3:
			node->repetition = thrift_integer(reader, &field);
			break;
		case 4:
			node->name = thrift_binary(reader, &field);
			break;
		case 5:
			node->children = thrift_integer(reader, &field);
			break;
		case 6:
			node->annotation = thrift_integer(reader, &field);
			node->has_annotation = true;
			break;
		case 10:
			if (thrift_begin(reader, &field))
				read_logical(reader, node);
			break;
		default:
			thrift_skip(reader, field.type);
		}
	}
}

/* ---- leaves ---- */

static bool is_annotated(const struct node *node, int annotation)
{
	return node->has_annotation && node->annotation == annotation;
}

static bool is_text(const struct node *node)
{
	return is_annotated(node, PARQUET_UTF8) ||
	       is_annotated(node, PARQUET_ENUM) ||
	       is_annotated(node, PARQUET_JSON) ||
	       node->logical == LOGICAL_STRING ||
	       node->logical == LOGICAL_ENUM || node->logical == LOGICAL_JSON;
}

static bool is_unsigned(const struct node *node)
{
	return node->is_unsigned ||
	       (node->has_annotation && node->annotation >= 11 &&
	           node->annotation <= 14);
}

static void set_number(
    struct parquet_leaf *leaf, enum dtype dtype, uint32_t width)
{
	leaf->kind = PARQUET_NUMBER;
	leaf->dtype = dtype;
	leaf->width = width;
}

/* Sets what the values are; annotations make texts of bytes. */
static void set_kind(struct parquet_leaf *leaf, const struct node *node)
{
	leaf->kind = PARQUET_OTHER;
	switch (leaf->type) {
	case PARQUET_BOOLEAN:
		set_number(leaf, DTYPE_U8, 1);
		break;
	case PARQUET_INT32:
		set_number(leaf, is_unsigned(node) ? DTYPE_U32 : DTYPE_I32, 4);
		break;
	case PARQUET_INT64:
		set_number(leaf, is_unsigned(node) ? DTYPE_U64 : DTYPE_I64, 8);
		break;
	case PARQUET_FLOAT:
		set_number(leaf, DTYPE_F32, 4);
		break;
	case PARQUET_DOUBLE:
		set_number(leaf, DTYPE_F64, 8);
		break;
	case PARQUET_INT96:
		leaf->width = 12;
		break;
	case PARQUET_BYTE_ARRAY:
		leaf->kind = is_text(node) ? PARQUET_TEXT : PARQUET_BYTES;
		break;
	case PARQUET_FIXED:
		leaf->kind = PARQUET_BYTES;
		leaf->width = (uint32_t)node->width;
		if (node->logical == LOGICAL_FLOAT16 && node->width == 2)
			set_number(leaf, DTYPE_F16, 2);
		break;
	}
	if (is_annotated(node, PARQUET_DECIMAL) ||
	    node->logical == LOGICAL_DECIMAL)
		leaf->kind = PARQUET_OTHER;
	if (leaf->max_rep > 1 ||
	    (leaf->max_rep == 1 && leaf->kind != PARQUET_NUMBER))
		leaf->kind = PARQUET_OTHER;
}

static void describe(struct parquet_leaf *leaf)
{
	static const char *const names[] = { "boolean", "int32", "int64",
		"int96", "float", "double", "binary", "fixed binary" };
	const bool is_text = leaf->kind == PARQUET_TEXT;

	snprintf(leaf->what, sizeof(leaf->what), "%s%s",
	    leaf->max_rep > 1    ? "list of lists of "
	    : leaf->max_rep == 1 ? "list of "
	                         : "",
	    is_text                    ? "string"
	    : leaf->dtype == DTYPE_F16 ? "float16"
	    : leaf->kind == PARQUET_OTHER && leaf->max_rep == 0 &&
	            leaf->type != PARQUET_INT96
	        ? "decimal"
	        : names[leaf->type]);
}

static int bad_schema(struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "its schema is damaged, or deeper than %d levels", DEPTH_MAX);
}

static int add_leaf(struct walk *walk, const struct node *node,
    const struct level *level, struct error *err)
{
	struct parquet_metadata *metadata = walk->metadata;
	struct parquet_leaf *leaves =
	    array_grow(metadata->leaves, &metadata->leaf_capacity,
	        metadata->leaf_count + 1, sizeof(*leaves), err);
	struct parquet_leaf *leaf;

	if (!leaves)
		return -1;
	metadata->leaves = leaves;
	if (node->type < PARQUET_BOOLEAN || node->type > PARQUET_FIXED ||
	    (node->type == PARQUET_FIXED &&
	        (node->width < 1 || node->width > INT32_MAX)))
		return bad_schema(err);
	if (metadata->leaf_count == PARQUET_LEAVES)
		return error_set(err, ERROR_LIMIT, "has more than %d columns",
		    PARQUET_LEAVES);
	leaf = &leaves[metadata->leaf_count++];
	*leaf = (struct parquet_leaf){
		.type = (enum parquet_type)node->type,
		.max_def = level->def,
		.max_rep = level->rep,
		.list_def = level->list_def,
	};
	memcpy(leaf->name, walk->path, sizeof(leaf->name));
	set_kind(leaf, node);
	describe(leaf);
	return 0;
}

/* ---- the tree ---- */

/* Adds ".NAME" to the path, cut if it is too long. */
static void add_name(struct walk *walk, struct span name, size_t at)
{
	size_t len = at;

	if (len > 0 && len + 1 < PARQUET_NAME)
		walk->path[len++] = '.';
	for (size_t i = 0; i < name.len && len + 1 < PARQUET_NAME; i++) {
		const unsigned char c = name.data[i];

		walk->path[len++] = c ? (char)c : '?';
	}
	walk->path[len] = '\0';
}

/* Takes a column at its place in the tree. */
static int visit(struct walk *walk, const struct node *node, struct error *err)
{
	struct level *parent = &walk->levels[walk->depth - 1], here = *parent;
	const bool is_list = node->repetition == PARQUET_REPEATED;

	parent->left--;
	memset(walk->path + parent->name, 0, sizeof(walk->path) - parent->name);
	/* A repeated column, and its only child, belong to the list's form. */
	if (!parent->in_list && !(is_list && parent->name && node->children))
		add_name(walk, node->name, parent->name);
	here.in_list = is_list && node->children == 1;
	here.name = strlen(walk->path);
	if (node->repetition != PARQUET_REQUIRED)
		here.def++;
	if (is_list) {
		here.rep++;
		here.list_def = here.def;
	}
	if (node->children == 0)
		return add_leaf(walk, node, &here, err);
	if (walk->depth == DEPTH_MAX || node->children < 0)
		return bad_schema(err);
	here.left = node->children;
	walk->levels[walk->depth++] = here;
	return 0;
}

int parquet_read_schema(struct thrift_reader *reader,
    const struct thrift_field *field, struct parquet_metadata *metadata,
    struct error *err)
{
	const uint32_t count = thrift_list(reader, field, THRIFT_STRUCT);
	struct walk walk = { .metadata = metadata };

	for (uint32_t i = 0; i < count && !reader->failed; i++) {
		struct node node;

		read_node(reader, &node);
		if (i == 0) { /* the root has no name and no value */
			walk.levels[0].left = node.children;
			walk.depth = 1;
			continue;
		}
		while (walk.depth && walk.levels[walk.depth - 1].left <= 0)
			walk.depth--;
		if (walk.depth == 0 || reader->failed)
			return bad_schema(err);
		if (visit(&walk, &node, err))
			return -1;
	}
	return 0;
}
