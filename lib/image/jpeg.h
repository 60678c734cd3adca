/*
 * jpeg.h - decodes JPEG files to RGB pixels (wraps libjpeg).
 *
 * It uses the accurate integer transform and smooth upsampling, like Pillow.
 * Grey and CMYK files become RGB.  A file that is truncated or has damaged
 * image data is an error, not a partly grey picture; faults that lose no pixel
 * are accepted.
 */
#ifndef LIB_IMAGE_JPEG_H
#define LIB_IMAGE_JPEG_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/image/window.h"

struct error;
struct jpeg_decoder; /* use one per worker; keeps nothing between files */

struct jpeg_decoder *jpeg_decoder_new(struct error *err);
void jpeg_decoder_free(struct jpeg_decoder *decoder); /* NULL is fine */

/*
 * Sets the channels of the result; the default is IMAGE_RGB, and IMAGE_GREY
 * takes the luma in the file.  `exact`: refuse files with other channels.
 */
void jpeg_decoder_set_mode(
    struct jpeg_decoder *decoder, enum image_mode mode, bool exact);

/* Decodes to uint8 HxWx3 or HxWx1.  ERROR_DATA with libjpeg's message. */
int jpeg_decoder_run(struct jpeg_decoder *decoder, struct span file,
    struct tensor *out, struct error *err);

/* Gets the shape that jpeg_decoder_run would produce. */
int jpeg_decoder_look(struct jpeg_decoder *decoder, struct span file,
    struct shape *shape, struct error *err);

/*
 * Decodes into `memory` a part of the image that contains `box`, and describes
 * it in *window; window->frame.size is the size of the whole image.  The whole
 * file is read, and damage anywhere is an error, as for jpeg_decoder_run.
 */
int jpeg_decoder_run_box(struct jpeg_decoder *decoder, struct span file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err);

#endif
