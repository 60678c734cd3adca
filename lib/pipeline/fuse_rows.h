/*
 * fuse_rows.h - steps that change pixel by pixel, or only where pixels lie, in
 * one walk over the rows of an image.
 */
#ifndef LIB_PIPELINE_FUSE_ROWS_H
#define LIB_PIPELINE_FUSE_ROWS_H

#include "lib/base/bytes.h"
#include "lib/image/window.h"

enum { ROWS_OPS = 64 };

struct rows_op {
	const struct window_ops *ops;
	const void *priv;
	enum dtype in, out;
	size_t in_channels, out_channels;
};

/* What one walk does. */
struct rows_plan {
	struct rows_op ops[ROWS_OPS];
	unsigned count;
	bool splits;    /* HWC to CHW, in front of ops[split] */
	unsigned split; /* `count`: behind the last */
};

/*
 * The split moves to the front as far as it can: the narrower the elements
 * the faster, and what follows then writes whole planes.
 */
void rows_plan_settle(struct rows_plan *plan);

/* Bytes that operation i (`count`: the split) reads and writes of a pixel. */
size_t rows_plan_bytes(const struct rows_plan *plan, unsigned i);

/*
 * All rows of `in` into `out`, whose shape is made already.  `scratch` grows
 * as needed.
 */
int rows_run(const struct rows_plan *plan, const struct window *in,
    struct tensor *out, struct buf *scratch, struct error *err);

#endif
