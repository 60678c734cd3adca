/*
 * window.h - parts of images.  Steps on images implement window_ops, so that
 * neighbouring steps can be fused and compute only the pixels needed.
 *
 * A group of fused steps runs in three passes.  Forward: each step plans its
 * output size and draws its random numbers.  Backward: each says which part of
 * its input it needs for the wanted part of its output.  Forward: the parts are
 * computed.  All steps keep one rule: a part has exactly the bytes that the
 * whole image would have there.
 *
 * If anything fails, the sample is run step by step, and that reports the
 * error.  So a group must fail wherever one of its steps would; its own
 * messages are never shown.
 */
#ifndef LIB_IMAGE_WINDOW_H
#define LIB_IMAGE_WINDOW_H

#include "lib/base/random.h"
#include "lib/image/image.h"

struct error;

struct box { /* in pixels; nonempty and within the image */
	size_t top, left, height, width;
};

/* Describes an image before any part of it exists. */
struct frame {
	enum dtype dtype;
	enum layout layout;
	struct image_size size;
	size_t channels;
};

/* A part of an image in memory. */
struct window {
	struct frame frame;        /* frame of the whole image */
	struct box box;            /* this part */
	const unsigned char *data; /* first pixel of the first plane */
	const unsigned char *end;  /* end of readable memory */
	size_t stride;             /* distance of rows in bytes */
	size_t plane;              /* CHW: distance of planes in bytes */
};

/* Adjacent pixels for `run`. */
struct row {
	size_t pixels;
	size_t channels; /* elements per pixel */
	size_t plane;    /* CHW: index of the channel; `channels` is 1 */
	enum layout layout;
	enum dtype dtype; /* dtype of the input */
	bool is_large;    /* the output lies in large memory, see copy.h */
};

/* How much of the input determines an output element. */
enum window_reach {
	REACH_AREA,    /* pixels around it: has `make` */
	REACH_ROW,     /* its row: has `run`, like those below */
	REACH_PIXEL,   /* its pixel */
	REACH_ELEMENT, /* one element and its channel */
	REACH_PLACE,   /* one element, which is moved: crops, moves to planes */
};

struct window_ops {
	enum window_reach reach;
	bool crops;        /* the output is smaller than the input */
	bool makes_planes; /* HWC to CHW */

	/* Can the step take part as it is bound?  NULL: always. */
	bool (*fits)(const void *priv);
	/*
	 * For decoders only: `look` gets the frame of the file's image, `load`
	 * a window that contains at least the box, in `memory` or in its own.
	 */
	int (*look)(void *priv, const struct tensor *file, struct frame *frame,
	    struct error *err);
	int (*load)(void *priv, const struct tensor *file,
	    const struct box *box, struct tensor *memory, struct window *window,
	    struct error *err);

	/*
	 * Changes the input's frame to the output's (dtype and layout are set
	 * from the types bound), and draws as step_ops.run would.  Keeps its
	 * results in priv until the next call.  NULL: no change.
	 */
	int (*plan)(void *priv, struct random *random, struct frame *frame,
	    struct error *err);
	/* After plan: are this sample's pixels left as they are?  NULL: no. */
	bool (*is_idle)(const void *priv);
	/* Changes a box of the output to the box of the input that it needs. */
	int (*need)(void *priv, struct box *box, struct error *err);
	/* Computes the box of the output from a window with what it needs. */
	int (*make)(void *priv, const struct window *in, const struct box *box,
	    struct tensor *out, struct error *err);
	/* Processes pixels aligned to their elements, and writes no more. */
	void (*run)(
	    const void *priv, const struct row *row, const void *in, void *out);
};

/* Returns the frame of an image of shape HxWxC. */
struct frame frame_of(enum dtype dtype, const struct shape *shape);
/* Returns the whole image of a tensor. */
struct window window_of(const struct tensor *tensor, enum layout layout);
/* Narrows the window to `box`, which lies within it. */
void window_narrow(struct window *window, const struct box *box);
struct box frame_box(const struct frame *frame);
/* Returns HxWxC or CxHxW, with the size of the box. */
struct shape frame_shape(const struct frame *frame, const struct box *box);

#endif
