/*
 * dtype.h - element types of tensors, by the names that NumPy uses.
 */
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
const char *dtype_name(enum dtype dtype);  /* "uint8", "float32" */
const char *dtype_descr(enum dtype dtype); /* "|u1", "<f4": little endian */

/* 0 and *dtype set, or -1: by name, or by descr as .npy headers have it. */
int dtype_parse(const char *name, enum dtype *dtype);
/* Of an option: ERROR_USAGE names the nearest, or those that there are. */
int dtype_option(const char *name, enum dtype *dtype, struct error *err);
int dtype_parse_descr(const char *descr, enum dtype *dtype);

#endif
