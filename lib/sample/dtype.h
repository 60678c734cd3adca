/* dtype.h - element types of tensors, with NumPy's names. */
#ifndef LIB_SAMPLE_DTYPE_H
#define LIB_SAMPLE_DTYPE_H

#include <stddef.h>

struct error;

enum dtype {
	DTYPE_U8,
	DTYPE_I8,
	DTYPE_U16,
	DTYPE_I16,
	DTYPE_U32,
	DTYPE_I32,
	DTYPE_U64,
	DTYPE_I64,
	DTYPE_F16,
	DTYPE_F32,
	DTYPE_F64,
	DTYPE_COUNT,
};

size_t dtype_bytes(enum dtype dtype);
const char *dtype_name(enum dtype dtype);  /* such as "uint8", "float32" */
const char *dtype_descr(enum dtype dtype); /* "|u1", "<f4": little endian */

/* Parses a name, or a descr of a .npy header: 0 and *dtype set, or -1. */
int dtype_parse(const char *name, enum dtype *dtype);
/* The same for an option; ERROR_USAGE suggests the nearest or lists all. */
int dtype_option(const char *name, enum dtype *dtype, struct error *err);
int dtype_parse_descr(const char *descr, enum dtype *dtype);

#endif
