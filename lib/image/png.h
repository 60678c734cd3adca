/*
 * png.h - decodes and encodes PNG files (wraps libpng; see png_fast.h).
 *
 * All variants of the format are read: 1 to 16 bits, grey, palettes, colours,
 * transparency, interlaced or not.  Values are those in the file; gamma and
 * colour profiles are not applied.  A truncated or damaged file is an error.
 */
#ifndef LIB_IMAGE_PNG_H
#define LIB_IMAGE_PNG_H

#include "lib/base/bytes.h"
#include "lib/image/image.h"

struct error;
struct png_reader; /* use one per worker; keeps nothing between files */

enum { PNG_SIDE_MOST = 1000000 };

struct png_reader *png_reader_new(struct error *err);
void png_reader_free(struct png_reader *reader); /* NULL is fine */

/* The wanted form of the pixels. */
struct png_form {
	/*
	 * Transparency is dropped, except with IMAGE_UNCHANGED, where it is a
	 * channel.  IMAGE_INDEX needs a palette and DTYPE_U8.
	 */
	enum image_mode mode;
	/*
	 * DTYPE_U8: 16 bits become 8, rounded (x * 255 / 65535).  DTYPE_U16: 8
	 * bits become 16 (x * 257).  Fewer bits are scaled to 8 likewise, and
	 * palettes become colours.
	 */
	enum dtype dtype;
	bool exact; /* refuse files that this conversion would change */
	bool plain; /* always use libpng, even where there is a faster way */
};

/* Decodes to HxWx1 ... HxWx4.  ERROR_DATA. */
int png_reader_run(struct png_reader *reader, struct span file,
    const struct png_form *form, struct tensor *out, struct error *err);

/* Gets the shape that png_reader_run would produce, without decoding pixels. */
int png_reader_look(struct png_reader *reader, struct span file,
    const struct png_form *form, struct shape *shape, struct error *err);

/* Appends the file of a nonempty image HxWx1 or HxWx3 of uint8 or uint16. */
int png_encode(const struct tensor *image, struct buf *out, struct error *err);

#endif
