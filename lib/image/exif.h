/*
 * exif.h - how a camera was held: the orientation tag of a JPEG file.
 */
#ifndef LIB_IMAGE_EXIF_H
#define LIB_IMAGE_EXIF_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

/* 1 to 8; 1, as it is, when there is no tag or it cannot be understood. */
unsigned exif_orientation(struct span jpeg);

/* Does the orientation swap height and width? */
bool exif_is_turned(unsigned orientation);

/*
 * Copies an image of HxWx3 or HxWx1 bytes upright into `out`, which has the
 * shape: WxHx3 when the orientation turns it.
 */
void exif_upright(
    const struct tensor *in, unsigned orientation, struct tensor *out);

#endif
