/* exif.h - the orientation tag of JPEG files. */
#ifndef LIB_IMAGE_EXIF_H
#define LIB_IMAGE_EXIF_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

/* Returns 1 to 8; 1 (upright) if the tag is missing or invalid. */
unsigned exif_orientation(struct span jpeg);

/* Does the orientation swap height and width? */
bool exif_is_turned(unsigned orientation);

/*
 * Copies an image of HxWx3 or HxWx1 bytes upright into `out`, whose shape is
 * set: WxHx3 or WxHx1 if the orientation turns it.
 */
void exif_upright(
    const struct tensor *in, unsigned orientation, struct tensor *out);

#endif
