/*
 * png_fast.h - decodes plain PNG files twice as fast as libpng: libdeflate
 * inflates all data in one call, and the filters are undone in vectors.
 *
 * Plain files have 8 bits of grey or RGB, with or without alpha, or a palette
 * whose colours are not wanted (IMAGE_INDEX).  They are not interlaced, and
 * their chunks are complete, in order and known.  All checksums are verified.
 *
 * All other files, and damaged ones, are left to libpng: so errors and messages
 * are the same.  (The only exception are streams with Huffman codes that zlib
 * would refuse although the checksums are right; no program writes them.)
 */
#ifndef LIB_IMAGE_PNG_FAST_H
#define LIB_IMAGE_PNG_FAST_H

#include <stdbool.h>

#include "lib/image/png.h"

struct error;
struct png_fast; /* use one per worker */

struct png_fast *png_fast_new(struct error *err);
void png_fast_free(struct png_fast *fast); /* NULL is fine */

/* False: not such a file, or out of memory; `out` is then undefined. */
bool png_fast_run(struct png_fast *fast, struct span file,
    const struct png_form *form, struct tensor *out);

#endif
