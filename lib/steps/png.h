/*
 * png.h - PNG files to pixels and back (wraps libpng).
 *
 * Read are files of 8 bits a channel, grey or in colours, interlaced or not;
 * others are refused in words.  A file that is cut short or damaged is an
 * error.
 */
#ifndef LIB_STEPS_PNG_H
#define LIB_STEPS_PNG_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;
struct png_reader; /* one a worker; nothing is kept from file to file */

enum { PNG_SIDE_MOST = 1000000 };

struct png_reader *png_reader_new(struct error *err);
void png_reader_free(struct png_reader *reader); /* NULL is fine */

/* Makes `out` uint8 HxWx1 or HxWx3, as the file is.  ERROR_DATA. */
int png_reader_run(struct png_reader *reader, struct span file,
    struct tensor *out, struct error *err);

/* Appends the file of an image HxWx1 or HxWx3 of bytes, not empty. */
int png_encode(const struct tensor *image, struct buf *out, struct error *err);

#endif
