/*
 * crop.h - a window of an image, HxWxC or CxHxW of any elements: what
 * center_crop and random_crop share.
 */
#ifndef LIB_IMAGE_CROP_H
#define LIB_IMAGE_CROP_H

#include "lib/image/window.h"
#include "lib/syntax/option.h"

struct crop {
	enum layout layout;
	struct image_size size;
	size_t padding; /* pixels at each side of the image; set before bind */
	/* Where the window begins in the padded image: of this sample. */
	struct image_size corner;
};

struct crop_options {
	const char *size;
};

/* The option table of one that pads nothing, and its check. */
extern const struct option crop_option_table[];
int crop_check(const void *options, struct error *err);

/* As step_ops.bind; priv is a struct crop. */
int crop_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err);

/*
 * How far the window can move in an image of this size; ERROR_DATA when the
 * image is too small.
 */
int crop_room(const struct crop *crop, struct image_size image,
    struct image_size *room, struct error *err);

/* Copies the window that begins at crop->corner; nothing is padded. */
int crop_copy(const struct crop *crop, const struct tensor *in,
    struct tensor *out, struct error *err);

/* As window_ops.need. */
int crop_need(void *priv, struct box *box, struct error *err);

#endif
