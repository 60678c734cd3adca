/*
 * window.h - parts of images: what a step tells of itself so that neighbours
 * run as one, and make only those pixels that are wanted in the end.
 *
 * A group of steps runs in three walks.  Forward, each plans: how large its
 * output will be, and what is drawn.  Backward, each says which part of its
 * input it needs for the wanted part of its output.  Forward again, parts are
 * made.  The law that all keep: a part holds just the bytes that the whole
 * image would have there.
 *
 * Where anything fails, the sample runs step by step instead, which says what
 * is wrong: so a group must fail wherever one of its steps would, and messages
 * from here are never seen.
 */
#ifndef LIB_IMAGE_WINDOW_H
#define LIB_IMAGE_WINDOW_H

#include "lib/base/random.h"
#include "lib/image/image.h"

struct error;

struct box { /* of pixels; within the image, and not empty */
	size_t top, left, height, width;
};

/* An image, before any of it is made. */
struct frame {
	enum dtype dtype;
	enum layout layout;
	struct image_size size;
	size_t channels;
};

/* A part of an image, in memory. */
struct window {
	struct frame frame;        /* of the whole image */
	struct box box;            /* the part */
	const unsigned char *data; /* its first pixel, of the first plane */
	const unsigned char *end;  /* of what may be read */
	size_t stride;             /* bytes from row to row */
	size_t plane;              /* CHW: bytes from plane to plane */
};

/* Pixels that lie in a row, as a step runs over them. */
struct row {
	size_t pixels;
	size_t channels; /* elements of a pixel */
	size_t plane;    /* CHW: the channel, and `channels` is 1 */
	enum layout layout;
	enum dtype dtype; /* of the input */
	bool away;        /* nobody reads the output soon, see copy.h */
};

/* What an output depends on. */
enum window_reach {
	REACH_AREA,    /* pixels around: has `make` */
	REACH_ROW,     /* the row: has `run`, as those below */
	REACH_PIXEL,   /* one pixel */
	REACH_ELEMENT, /* one element, and which channel it is */
	REACH_PLACE,   /* nothing, the same elements: cuts, moves to planes */
};

struct window_ops {
	enum window_reach reach;
	bool crops;        /* less comes out than goes in */
	bool makes_planes; /* HWC to CHW */

	/* Does it as it is bound take part?  NULL: always. */
	bool (*fits)(const void *priv);
	/*
	 * Only of steps that decode a file: what image is in it, and a window
	 * that holds at least the box, in `memory` or what it keeps itself.
	 */
	int (*look)(void *priv, const struct tensor *file, struct frame *frame,
	    struct error *err);
	int (*load)(void *priv, const struct tensor *file,
	    const struct box *box, struct tensor *memory, struct window *window,
	    struct error *err);

	/*
	 * Makes the input's frame the output's (dtype and layout are set from
	 * the types bound) and draws, as step_ops.run would, and keeps what it
	 * needs in priv until the next.  NULL: size and channels stay.
	 */
	int (*plan)(void *priv, struct random *random, struct frame *frame,
	    struct error *err);
	/* Does nothing to this sample's pixels; NULL: it does.  After plan. */
	bool (*is_idle)(const void *priv);
	/* Makes the box wanted of the output that needed of the input. */
	int (*need)(void *priv, struct box *box, struct error *err);
	/* Makes `out` the box wanted, of a window that holds what it needs. */
	int (*make)(void *priv, const struct window *in, const struct box *box,
	    struct tensor *out, struct error *err);
	/* Pixels in memory aligned to their elements; no byte more is written.
	 */
	void (*run)(
	    const void *priv, const struct row *row, const void *in, void *out);
};

/* The frame of an image of this shape HxWxC. */
struct frame frame_of(enum dtype dtype, const struct shape *shape);
/* All of an image that is in a tensor. */
struct window window_of(const struct tensor *tensor, enum layout layout);
/* The pixels of `box`, which is within the window. */
void window_narrow(struct window *window, const struct box *box);
struct box frame_box(const struct frame *frame);
/* HxWxC or CxHxW of `size` */
struct shape frame_shape(const struct frame *frame, const struct box *box);

#endif
