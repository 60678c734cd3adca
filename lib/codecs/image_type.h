/* image_type.h - checks and types that the image codecs (jpeg, png) share. */
#ifndef LIB_CODECS_IMAGE_TYPE_H
#define LIB_CODECS_IMAGE_TYPE_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

/*
 * Sets *stored to an encoded file with this suffix if `type` is an image HxWx3
 * or HxWx1 of bytes; else "NAME is for images ..., not ..." (ERROR_USAGE).
 */
int image_stored(const char *name, const char *suffix, const struct type *type,
    struct type *stored, struct error *err);

/* ERROR_DATA unless height and width are 1 to `most`. */
int image_check_side(
    const struct tensor *image, int64_t most, struct error *err);
/* Copies the bytes of an image file into `out`. */
int image_give(const struct buf *file, const char *suffix, struct tensor *out,
    struct error *err);

/* Does the image have one channel, not three? */
bool image_is_grey(const struct type *type);

#endif
