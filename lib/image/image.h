/* image.h - types, memory layout and sizes of images, for steps. */
#ifndef LIB_IMAGE_IMAGE_H
#define LIB_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/sample/tensor.h"

struct error;

enum { IMAGE_SIDE_MAX = 65535, IMAGE_PIXELS_MAX = 1 << 28 };

struct image_size {
	size_t height, width;
};

/* The channels that decoders produce. */
enum image_mode {
	IMAGE_RGB,       /* HxWx3 */
	IMAGE_GREY,      /* HxWx1 */
	IMAGE_UNCHANGED, /* the channels of the file */
	IMAGE_INDEX,     /* HxWx1: indexes into the palette, not colours */
};

#define IMAGE_MODE_WORDS "rgb|grey|unchanged"

/*
 * Describes how an image lies in memory, as planes of rows of pixels: HWC has
 * one plane with `channels` elements per pixel, CHW has one plane per channel.
 */
struct image {
	size_t height, width, channels;
	size_t planes;
	size_t pixel_bytes;
};

/*
 * ERROR_USAGE unless the type is an image: "takes an image, not jpg bytes".
 * The second function accepts HxWxC only.
 */
int image_check(const struct type *in, struct error *err);
int image_check_hwc(const struct type *in, struct error *err);
/* Accepts any numeric tensor: "takes uint8 or float32, not int16 16000". */
int image_check_bytes_or_floats(const struct type *in, struct error *err);
/* The same, and uint16. */
int image_check_levels(const struct type *in, struct error *err);

struct image image_of(const struct tensor *tensor, enum layout layout);

/* Returns the type of a decoded image before the file is known. */
struct type image_type_decoded(enum image_mode mode, enum dtype dtype);
/* ERROR_DATA for more pixels than IMAGE_PIXELS_MAX. */
int image_check_pixels(uint64_t height, uint64_t width, struct error *err);

/* Returns the type with another image size. */
struct type image_type_sized(const struct type *in, struct image_size size);

/* Parses "224" or "224x192", height first; `name` is the option's. */
int image_parse_size(const char *text, const char *name,
    struct image_size *size, struct error *err);

#endif
