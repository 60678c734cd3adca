/*
 * npy.h - the .npy form of a tensor (numpy.lib.format version 1.0): the magic
 * "\x93NUMPY", a header in words padded so that data begins at a multiple of
 * 64 bytes, then the elements, little endian, row-major.
 *
 * What a filter made of elements has the same form, but begins with
 * "\x93PRSTO": nobody else may take it for an array.
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
 * The header of an array of `count` rows of this shape, with room for any
 * count: its length does not depend on it.  A row has SHAPE_MAX - 1 dimensions
 * at most.
 */
size_t npy_header_of_rows(enum dtype dtype, uint64_t count,
    const struct shape *row, unsigned char header[NPY_HEADER_MAX]);

/* Makes a header, or the file that begins with it, one behind a filter. */
void npy_set_filtered(unsigned char *header);
/* Do the bytes begin as one behind a filter does? */
bool npy_is_filtered(struct span bytes);

/*
 * Reads the header in front of `bytes`: dtype, shape, and where the elements
 * begin.  ERROR_DATA as of npy_view.
 */
int npy_read_header(struct span bytes, bool filtered, enum dtype *dtype,
    struct shape *shape, size_t *data, struct error *err);

/*
 * Views the elements of a .npy file in `bytes` as `tensor`.  ERROR_DATA for
 * what is not one, is cut short, is in Fortran order or of another dtype.
 * Versions 1.0, 2.0 and 3.0 are read.
 */
int npy_view(struct span bytes, struct tensor *tensor, struct error *err);
/* The same of a file behind a filter, and of no other. */
int npy_view_filtered(
    struct span bytes, struct tensor *tensor, struct error *err);

#endif
