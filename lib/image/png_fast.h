/*
 * png_fast.h - the plain PNG files, twice as fast as libpng reads them: all of
 * their data is inflated in one go, by libdeflate, and the filters undone in
 * vectors.
 *
 * Plain are 8 bits of grey, red, green and blue, with or without alpha, or of
 * a palette whose colours are not wanted (IMAGE_INDEX), not interlaced, whose
 * chunks are whole, in order and known.  Every checksum is looked at.  Whatever
 * is otherwise, or broken, is left to libpng, which has the words for it: so
 * what is refused is the same.  (But for streams that are right by their
 * checksums although zlib would not take their Huffman codes: nothing writes
 * these.)
 */
#ifndef LIB_IMAGE_PNG_FAST_H
#define LIB_IMAGE_PNG_FAST_H

#include <stdbool.h>

#include "lib/image/png.h"

struct error;
struct png_fast; /* one a worker */

struct png_fast *png_fast_new(struct error *err);
void png_fast_free(struct png_fast *fast); /* NULL is fine */

/* False: it is not such a file, or there is no room; `out` holds anything. */
bool png_fast_run(struct png_fast *fast, struct span file,
    const struct png_form *form, struct tensor *out);

#endif
