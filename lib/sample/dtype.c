/* dtype.c - see dtype.h. */
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/dtype.h"
#include "lib/syntax/nearest.h"

static const struct {
	const char *name;
	const char *descr;
	size_t bytes;
} dtypes[DTYPE_COUNT] = {
	[DTYPE_U8] = { "uint8", "|u1", 1 },
	[DTYPE_I8] = { "int8", "|i1", 1 },
	[DTYPE_U16] = { "uint16", "<u2", 2 },
	[DTYPE_I16] = { "int16", "<i2", 2 },
	[DTYPE_U32] = { "uint32", "<u4", 4 },
	[DTYPE_I32] = { "int32", "<i4", 4 },
	[DTYPE_U64] = { "uint64", "<u8", 8 },
	[DTYPE_I64] = { "int64", "<i8", 8 },
	[DTYPE_F16] = { "float16", "<f2", 2 },
	[DTYPE_F32] = { "float32", "<f4", 4 },
	[DTYPE_F64] = { "float64", "<f8", 8 },
};

size_t dtype_bytes(enum dtype dtype)
{
	return dtypes[dtype].bytes;
}

const char *dtype_name(enum dtype dtype)
{
	return dtypes[dtype].name;
}

const char *dtype_descr(enum dtype dtype)
{
	return dtypes[dtype].descr;
}

int dtype_parse(const char *name, enum dtype *dtype)
{
	for (unsigned i = 0; i < DTYPE_COUNT; i++)
		if (strcmp(dtypes[i].name, name) == 0) {
			*dtype = (enum dtype)i;
			return 0;
		}
	return -1;
}

int dtype_option(const char *name, enum dtype *dtype, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char known[DTYPE_COUNT * 10] = "", hint[NEAREST_HINT];

	if (dtype_parse(name, dtype) == 0)
		return 0;
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		const size_t used = strlen(known);

		nearest_try(&nearest, dtypes[i].name);
		snprintf(known + used, sizeof(known) - used, "%s%s",
		    i ? ", " : "", dtypes[i].name);
	}
	return error_set(err, ERROR_USAGE,
	    "dtype must be one of %s, got '%s'%s", known, name,
	    nearest_question(&nearest, hint));
}

int dtype_parse_descr(const char *descr, enum dtype *dtype)
{
	for (unsigned i = 0; i < DTYPE_COUNT; i++)
		if (strcmp(dtypes[i].descr, descr) == 0) {
			*dtype = (enum dtype)i;
			return 0;
		}
	return -1;
}
