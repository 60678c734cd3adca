/*
 * png.h - PNG files to pixels and back (wraps libpng; png_fast.h).
 *
 * All that the format knows is read: 1 to 16 bits, grey, palettes, colours,
 * transparency, interlaced or not.  Values are taken as they are in the file:
 * neither gamma nor colour profiles are applied.  A file that is cut short or
 * damaged is an error.
 */
#ifndef LIB_IMAGE_PNG_H
#define LIB_IMAGE_PNG_H

#include "lib/base/bytes.h"
#include "lib/image/image.h"

struct error;
struct png_reader; /* one a worker; nothing is kept from file to file */

enum { PNG_SIDE_MOST = 1000000 };

struct png_reader *png_reader_new(struct error *err);
void png_reader_free(struct png_reader *reader); /* NULL is fine */

/* What is made of a file. */
struct png_form {
	/*
	 * Transparency is left out, but with IMAGE_UNCHANGED an own channel.
	 * IMAGE_INDEX: only files with a palette, the dtype DTYPE_U8.
	 */
	enum image_mode mode;
	/*
	 * DTYPE_U8: 16 bits become 8, rounded (x * 255 / 65535).
	 * DTYPE_U16: 8 bits become 16 (x * 257).
	 * Fewer bits become 8 likewise, and palettes the colours in them.
	 */
	enum dtype dtype;
	bool exact; /* no file that loses or gains anything by this */
	bool plain; /* by libpng also where it can be done faster */
};

/* Makes `out` HxWx1 to HxWx4.  ERROR_DATA. */
int png_reader_run(struct png_reader *reader, struct span file,
    const struct png_form *form, struct tensor *out, struct error *err);

/* The shape that png_reader_run would give it; the pixels are not looked at. */
int png_reader_look(struct png_reader *reader, struct span file,
    const struct png_form *form, struct shape *shape, struct error *err);

/*
 * Appends the file of an image HxWx1 or HxWx3 of DTYPE_U8 or DTYPE_U16, not
 * empty.
 */
int png_encode(const struct tensor *image, struct buf *out, struct error *err);

#endif
