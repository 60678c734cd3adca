/* array_set.c - see array_set.h. */
#include "datasets/arrays/array_set.h"

#include <string.h>

#include "datasets/files/numbered.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/sample/tensor.h"

struct span array_stem(const struct array_set *set, size_t file)
{
	const char *name = listing_name(&set->listing, file);
	const char *dot = strrchr(path_base(name), '.');
	struct span stem = span_text(name);

	if (dot && dot > path_base(name))
		stem.len = (size_t)(dot - name);
	return stem;
}

int array_column_of(const struct array_set *set, const char *member)
{
	const size_t len = strlen(member);

	for (unsigned i = 0; i < array_columns(set); i++) {
		const char *name = set->columns[i].name;
		const size_t name_len = strlen(name);

		if (len == name_len + 4 &&
		    memcmp(member, name, name_len) == 0 &&
		    strcmp(member + name_len, ".npy") == 0)
			return (int)i;
	}
	return -1;
}

int array_check_rows(const struct array_column *column, enum dtype dtype,
    const struct shape *shape, struct error *err)
{
	struct tensor row = { .dtype = dtype };

	if (shape->count == 0)
		return error_set(err, ERROR_DATA,
		    "holds one number and no rows: 'sample = file' takes it as "
		    "a sample");
	row.shape.count = shape->count - 1;
	memcpy(row.shape.dims, shape->dims + 1,
	    row.shape.count * sizeof(shape->dims[0]));
	if (tensor_check(&row, &column->type, err))
		return error_prefix(err, "a row");
	return 0;
}

int array_reserve_keys(
    const struct array_set *set, struct chunk *chunk, struct error *err)
{
	size_t keys;

	if (size_mul(chunk->samples, set->stem_max + NUMBERED_MORE, &keys))
		return error_memory(err, SIZE_MAX);
	return buf_reserve(&chunk->unpacked, keys, err);
}
