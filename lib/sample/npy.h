/*
 * npy.h - a tensor as a .npy file (numpy.lib.format version 1.0): the magic
 * "\x93NUMPY", a text header padded so that data begins at a multiple of 64
 * bytes, then the elements, little endian, row-major.
 *
 * A filtered tensor has the same form but begins with "\x93PRSTO", so that no
 * other program reads it as an array.
 */
#ifndef LIB_SAMPLE_NPY_H
#define LIB_SAMPLE_NPY_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

enum { NPY_HEADER_MAX = 512 };

/* Writes the header; returns its length, a multiple of 64. */
size_t npy_header(enum dtype dtype, const struct shape *shape,
    unsigned char header[NPY_HEADER_MAX]);

/*
 * Writes the header of an array of `count` such rows.  Its length is the same
 * for any count.  A row has at most SHAPE_MAX - 1 dimensions.
 */
size_t npy_header_of_rows(enum dtype dtype, uint64_t count,
    const struct shape *row, unsigned char header[NPY_HEADER_MAX]);

/* Turns the header, or the file that it begins, into a filtered tensor's. */
void npy_set_filtered(unsigned char *header);
/* Do the bytes begin like a filtered tensor? */
bool npy_is_filtered(struct span bytes);

/* Reads the header and the offset of the elements.  Errors as npy_view. */
int npy_read_header(struct span bytes, bool filtered, enum dtype *dtype,
    struct shape *shape, size_t *data, struct error *err);

/*
 * Makes `tensor` a view of the elements of a .npy file (version 1.0, 2.0 or
 * 3.0).  ERROR_DATA if the file is invalid, truncated, in Fortran order or of
 * an unsupported dtype.
 */
int npy_view(struct span bytes, struct tensor *tensor, struct error *err);
/* The same for a filtered tensor, and for nothing else. */
int npy_view_filtered(
    struct span bytes, struct tensor *tensor, struct error *err);

#endif
