/*
 * npy.c - arrays that NumPy opens directly: a .npy file for each field of a
 * shard, keys and labels beside it (arrays.h).
 */
#include <string.h>

#include "lib/base/error.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"

static int check_field(
    const struct field *field, unsigned fields, struct error *err)
{
	const struct type *type = &field->type;
	char text[SHAPE_TEXT];

	if (type->layout == LAYOUT_ENCODED)
		return error_set(err, ERROR_USAGE,
		    "npy stores arrays, and field %s has %s: use tar, "
		    "tfrecord or files",
		    field->name, type_text(type, text));
	if (type->shape.count >= SHAPE_MAX)
		return error_set(err, ERROR_USAGE,
		    "npy takes %d dimensions, and field %s has %u",
		    SHAPE_MAX - 1, field->name, type->shape.count);
	if (fields > 1 && strcmp(field->name, "labels") == 0)
		return error_set(err, ERROR_USAGE,
		    "npy cannot keep a field that is called 'labels'");
	return 0;
}

/*
 * Refuses schemas whose samples cannot be rows. Shapes that the schema leaves
 * open are compared when samples are written.
 */
static int npy_check(const struct schema *schema, struct error *err)
{
	if (schema->count == 0)
		return error_set(err, ERROR_USAGE, "npy needs a field");
	for (unsigned i = 0; i < schema->count; i++)
		if (check_field(&schema->fields[i], schema->count, err))
			return -1;
	return 0;
}

const struct store_ops store_npy = {
	.name = "npy",
	.summary = "one array per field, which NumPy can map; for samples of "
	           "one shape",
	.suffix = ".npy",
	.layout = &layout_arrays,
	.check = npy_check,
	.one_shape = true,
};
