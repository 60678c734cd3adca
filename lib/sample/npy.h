/*
 * npy.h - the .npy form of a tensor (numpy.lib.format version 1.0): the magic
 * "\x93NUMPY", a header in words padded so that data begins at a multiple of
 * 64 bytes, then the elements, little endian, row-major.
 */
#ifndef LIB_SAMPLE_NPY_H
#define LIB_SAMPLE_NPY_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

enum { NPY_HEADER_MAX = 512 };

/* Writes the header for dtype and shape; returns its length (64 times n). */
size_t npy_header(enum dtype dtype, const struct shape *shape,
    unsigned char header[NPY_HEADER_MAX]);

/*
 * Views the elements of a .npy file in `bytes` as `tensor`.  ERROR_DATA for
 * what is not one, is cut short, is in Fortran order or of another dtype.
 * Versions 1.0, 2.0 and 3.0 are read.
 */
int npy_view(struct span bytes, struct tensor *tensor, struct error *err);

#endif
