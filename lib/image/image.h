/*
 * image.h - what the steps on images have in common: what they take, how it
 * lies in memory, and sizes as users write them.
 */
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

/* What the steps that decode files make of their colours. */
enum image_mode {
	IMAGE_RGB,       /* HxWx3 */
	IMAGE_GREY,      /* HxWx1 */
	IMAGE_UNCHANGED, /* as many channels as the file has */
	IMAGE_INDEX,     /* HxWx1: places in the file's palette, no colours */
};

#define IMAGE_MODE_WORDS "rgb|grey|unchanged"

/*
 * An image as planes of rows of pixels: one plane of `channels` elements a
 * pixel (HWC), or a plane for each channel (CHW).
 */
struct image {
	size_t height, width, channels;
	size_t planes;
	size_t pixel_bytes;
};

/*
 * ERROR_USAGE unless the type is an image: "takes an image, not jpg bytes".
 * The second form takes HxWxC only.
 */
int image_check(const struct type *in, struct error *err);
int image_check_hwc(const struct type *in, struct error *err);
/* Any tensor of numbers: "takes uint8 or float32, not int16 16000". */
int image_check_bytes_or_floats(const struct type *in, struct error *err);
/* The same, or uint16. */
int image_check_levels(const struct type *in, struct error *err);

struct image image_of(const struct tensor *tensor, enum layout layout);

/* Of an image decoded so: what is known before there is a file. */
struct type image_type_decoded(enum image_mode mode, enum dtype dtype);
/* ERROR_DATA when there are more pixels than IMAGE_PIXELS_MAX. */
int image_check_pixels(uint64_t height, uint64_t width, struct error *err);

/* The type of such an image in another size. */
struct type image_type_sized(const struct type *in, struct image_size size);

/* Reads "224" or "224x192", height first; `name` is the option's. */
int image_parse_size(const char *text, const char *name,
    struct image_size *size, struct error *err);

#endif
