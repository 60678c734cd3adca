/* columns.c - see columns.h. */
#include "lib/formats/parquet/columns.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/formats/name.h"

static bool is_encoded(const struct type *type)
{
	return type->layout == LAYOUT_ENCODED;
}

static struct column_leaf leaf_of_tensor(
    const struct type *type, unsigned field)
{
	const int64_t bytes = type_bytes(type);
	struct column_leaf leaf = { COLUMN_NPY, field, PARQUET_BYTE_ARRAY, 0 };

	if (type_is_filtered(type) || bytes <= 0 || bytes > INT32_MAX)
		return leaf;
	leaf.role = COLUMN_TENSOR;
	leaf.width = (uint32_t)bytes;
	leaf.type = PARQUET_FIXED;
	if (type->shape.count > 0)
		return leaf;
	if (type->dtype == DTYPE_I32)
		leaf.type = PARQUET_INT32;
	else if (type->dtype == DTYPE_I64)
		leaf.type = PARQUET_INT64;
	else if (type->dtype == DTYPE_F32)
		leaf.type = PARQUET_FLOAT;
	else if (type->dtype == DTYPE_F64)
		leaf.type = PARQUET_DOUBLE;
	return leaf;
}

unsigned column_leaves(
    const struct schema *schema, struct column_leaf leaves[COLUMN_LEAVES])
{
	unsigned count = 2;

	leaves[0] =
	    (struct column_leaf){ COLUMN_KEY, 0, PARQUET_BYTE_ARRAY, 0 };
	leaves[1] = (struct column_leaf){ COLUMN_LABEL, 0, PARQUET_INT64,
		sizeof(int64_t) };
	for (unsigned f = 0; f < schema->count; f++) {
		const struct type *type = &schema->fields[f].type;

		if (!is_encoded(type)) {
			leaves[count++] = leaf_of_tensor(type, f);
			continue;
		}
		leaves[count++] = (struct column_leaf){ COLUMN_BYTES, f,
			PARQUET_BYTE_ARRAY, 0 };
		leaves[count++] = (struct column_leaf){ COLUMN_PATH, f,
			PARQUET_BYTE_ARRAY, 0 };
	}
	return count;
}

static void set_node(
    struct parquet_node *node, const char *name, const struct column_leaf *leaf)
{
	*node = (struct parquet_node){
		.type = leaf->type,
		.width = leaf->width,
		.is_text =
		    leaf->role == COLUMN_KEY || leaf->role == COLUMN_PATH,
	};
	snprintf(node->name, sizeof(node->name), "%s", name);
}

unsigned column_nodes(
    const struct schema *schema, struct parquet_node nodes[COLUMN_NODES])
{
	struct column_leaf leaves[COLUMN_LEAVES];
	const unsigned leaf_count = column_leaves(schema, leaves);
	unsigned count = 0;

	for (unsigned i = 0; i < leaf_count; i++) {
		const struct column_leaf *leaf = &leaves[i];
		const struct field *field = &schema->fields[leaf->field];
		char name[NAME_COLUMN];

		if (leaf->role == COLUMN_KEY) {
			set_node(&nodes[count++], "key", leaf);
		} else if (leaf->role == COLUMN_LABEL) {
			set_node(&nodes[count++], "label", leaf);
		} else if (leaf->role == COLUMN_PATH) {
			set_node(&nodes[count++], "path", leaf);
		} else if (leaf->role == COLUMN_BYTES) {
			set_node(&nodes[count], field->name, leaf);
			nodes[count++].children = 2;
			set_node(&nodes[count++], "bytes", leaf);
		} else {
			set_node(
			    &nodes[count++], name_column(field, name), leaf);
		}
	}
	return count;
}

static int put_shape(
    const struct shape *shape, struct buf *text, struct error *err)
{
	for (unsigned i = 0; i < shape->count; i++)
		if (buf_printf(
		        text, err, "%s%" PRId64, i ? ", " : "", shape->dims[i]))
			return -1;
	return 0;
}

int column_put_tensors(
    const struct schema *schema, struct buf *text, struct error *err)
{
	const char *comma = "";

	if (buf_printf(text, err, "{"))
		return -1;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct field *field = &schema->fields[f];

		if (is_encoded(&field->type) ||
		    leaf_of_tensor(&field->type, f).type != PARQUET_FIXED)
			continue;
		if (buf_printf(text, err,
		        "%s\"%s\": {\"dtype\": \"%s\", \"shape\": [", comma,
		        field->name, dtype_name(field->type.dtype)) ||
		    put_shape(&field->type.shape, text, err) ||
		    buf_printf(text, err, "]}"))
			return -1;
		comma = ", ";
	}
	return buf_printf(text, err, "}");
}
