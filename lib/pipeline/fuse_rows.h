/*
 * fuse_rows.h - runs steps that change each pixel by itself, or only move
 * pixels, in one pass over the rows of an image.
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

/* The operations of one pass. */
struct rows_plan {
	struct rows_op ops[ROWS_OPS];
	unsigned count;
	bool splits;    /* converts HWC to CHW before ops[split] */
	unsigned split; /* `count`: after the last operation */
};

/*
 * Moves the split to the front as far as possible: small elements are split
 * faster, and what follows then writes whole planes.
 */
void rows_plan_settle(struct rows_plan *plan);

/* Returns the bytes of a pixel that operation i (`count`: split) touches. */
size_t rows_plan_bytes(const struct rows_plan *plan, unsigned i);

/* Runs all rows of `in` into `out`, whose shape is set; `scratch` grows. */
int rows_run(const struct rows_plan *plan, const struct window *in,
    struct tensor *out, struct buf *scratch, struct error *err);

#endif
