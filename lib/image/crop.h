/*
 * crop.h - cuts a window out of an image, HxWxC or CxHxW of any elements; for
 * center_crop and random_crop.
 */
#ifndef LIB_IMAGE_CROP_H
#define LIB_IMAGE_CROP_H

#include "lib/image/window.h"
#include "lib/syntax/option.h"

struct crop {
	enum layout layout;
	struct image_size size;
	size_t padding; /* pixels added to each side; set before bind */
	/* Origin of the window in the padded image, for the current sample. */
	struct image_size corner;
};

struct crop_options {
	const char *size;
};

/* The options of a step without padding, and their check. */
extern const struct option crop_option_table[];
int crop_check(const void *options, struct error *err);

/* A step_ops.bind whose priv is a struct crop. */
int crop_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err);

/* Gets how far the window can move; ERROR_DATA if the image is too small. */
int crop_room(const struct crop *crop, struct image_size image,
    struct image_size *room, struct error *err);

/* Copies the window at crop->corner, without padding. */
int crop_copy(const struct crop *crop, const struct tensor *in,
    struct tensor *out, struct error *err);

/* A window_ops.need. */
int crop_need(void *priv, struct box *box, struct error *err);

#endif
