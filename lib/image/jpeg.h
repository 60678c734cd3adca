/*
 * jpeg.h - JPEG files to RGB pixels (wraps libjpeg).
 *
 * Exact: the accurate integer transform and smooth upsampling, as Pillow has
 * them.  Grey and CMYK files become RGB.  A file that is cut short or has
 * broken image data is an error, not a picture that is grey below; oddities
 * that lose no pixel are accepted.
 */
#ifndef LIB_IMAGE_JPEG_H
#define LIB_IMAGE_JPEG_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/image/window.h"

struct error;
struct jpeg_decoder; /* one a worker; nothing is kept from file to file */

struct jpeg_decoder *jpeg_decoder_new(struct error *err);
void jpeg_decoder_free(struct jpeg_decoder *decoder); /* NULL is fine */

/*
 * What is made of colours: of grey, the luma that the file holds.  IMAGE_RGB
 * unless it is set.  `exact`: files with other channels are refused.
 */
void jpeg_decoder_set_mode(
    struct jpeg_decoder *decoder, enum image_mode mode, bool exact);

/* Makes `out` uint8 HxWx3 or HxWx1.  ERROR_DATA with libjpeg's message. */
int jpeg_decoder_run(struct jpeg_decoder *decoder, struct span file,
    struct tensor *out, struct error *err);

/* The shape of the image that jpeg_decoder_run would make. */
int jpeg_decoder_look(struct jpeg_decoder *decoder, struct span file,
    struct shape *shape, struct error *err);

/*
 * Makes in `memory` a part of that image which holds `box`, and sets *window
 * to it; window->frame.size is the image's, which stays.  All of the file is
 * read, and what is broken anywhere in it is an error, as if all pixels were
 * made.
 */
int jpeg_decoder_run_box(struct jpeg_decoder *decoder, struct span file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err);

#endif
