/* fuse_rows.c - see fuse_rows.h. */
#include <string.h>

#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/image/planes.h"
#include "lib/pipeline/fuse_rows.h"

enum {
	AREAS = 4, /* scratch areas: two in turn, rows, planes */
	AREA_ROWS = 2,
	AREA_PLANES = 3,
	AREA_BYTES = 8192, /* all areas fit into the first-level cache */
};

/* One pass. */
struct walk {
	const struct rows_plan *plan;
	const struct window *in;
	unsigned char *out;
	bool is_large; /* the last operation writes as copy.h has it */
	unsigned char *area[AREAS];
	size_t width, block; /* pixels of a row; rows at a time */
	size_t channels;     /* channels of the output */
	size_t out_row;      /* bytes; of one plane */
	size_t out_plane;
};

/* A few rows being processed. */
struct rows {
	const unsigned char *data;
	size_t stride, count;
	size_t plane;
	enum layout layout;
};

void rows_plan_settle(struct rows_plan *plan)
{
	if (!plan->splits)
		return;
	while (plan->split > 0 &&
	       plan->ops[plan->split - 1].ops->reach == REACH_ELEMENT)
		plan->split--;
}

/* Returns the size of the elements that are split. */
static size_t split_bytes(const struct walk *walk)
{
	const struct rows_plan *plan = walk->plan;

	if (plan->split < plan->count)
		return dtype_bytes(plan->ops[plan->split].in);
	if (plan->count > 0)
		return dtype_bytes(plan->ops[plan->count - 1].out);
	return dtype_bytes(walk->in->frame.dtype);
}

static size_t op_in_bytes(const struct rows_op *op)
{
	return dtype_bytes(op->in) * op->in_channels;
}

static size_t op_out_bytes(const struct rows_op *op)
{
	return dtype_bytes(op->out) * op->out_channels;
}

size_t rows_plan_bytes(const struct rows_plan *plan, unsigned i)
{
	const struct rows_op *op;

	if (i < plan->count)
		return op_in_bytes(&plan->ops[i]) + op_out_bytes(&plan->ops[i]);
	if (!plan->splits || plan->count == 0)
		return 1;
	op = &plan->ops[plan->split ? plan->split - 1 : 0];
	return 2 * (plan->split ? op_out_bytes(op) : op_in_bytes(op));
}

/* Runs an operation on `rows`: row by row, or contiguous ones at once. */
static void run_op(const struct walk *walk, unsigned i, const struct rows *rows,
    unsigned char *out)
{
	const struct rows_op *op = &walk->plan->ops[i];
	const bool in_planes = rows->layout == LAYOUT_CHW;
	const size_t in_pixel =
	    in_planes ? dtype_bytes(op->in) : op_in_bytes(op);
	const size_t out_pixel =
	    in_planes ? dtype_bytes(op->out) : op_out_bytes(op);
	struct row row = {
		.pixels = walk->width,
		.channels = in_planes ? 1 : op->in_channels,
		.plane = rows->plane,
		.layout = rows->layout,
		.dtype = op->in,
		.is_large = walk->is_large && i + 1 == walk->plan->count,
	};

	if (op->ops->reach != REACH_ROW &&
	    rows->stride == walk->width * in_pixel) {
		row.pixels *= rows->count;
		op->ops->run(op->priv, &row, rows->data, out);
		return;
	}
	for (size_t y = 0; y < rows->count; y++)
		op->ops->run(op->priv, &row, rows->data + y * rows->stride,
		    out + y * walk->width * out_pixel);
}

/* Runs operations from .. to-1, at least one; the last writes to `out`. */
static void run_ops(const struct walk *walk, unsigned from, unsigned to,
    struct rows rows, unsigned char *out)
{
	for (unsigned i = from; i < to; i++) {
		const struct rows_op *op = &walk->plan->ops[i];
		unsigned char *target = i + 1 < to ? walk->area[i & 1] : out;

		run_op(walk, i, &rows, target);
		rows.data = target;
		rows.stride = walk->width * (rows.layout == LAYOUT_CHW
		                                    ? dtype_bytes(op->out)
		                                    : op_out_bytes(op));
	}
}

static void copy_rows(
    const struct walk *walk, const struct rows *rows, unsigned char *out)
{
	if (walk->is_large) {
		copy_rows_large(
		    out, rows->data, walk->out_row, rows->count, rows->stride);
		return;
	}
	for (size_t y = 0; y < rows->count; y++)
		memcpy(out + y * walk->out_row, rows->data + y * rows->stride,
		    walk->out_row);
}

/* Splits interleaved rows into planes, `plane` bytes apart. */
static void split(const struct walk *walk, const struct rows *rows,
    unsigned char *out, size_t plane)
{
	const size_t bytes = split_bytes(walk);
	const size_t row = walk->width * bytes;
	const struct planes planes = {
		.channels = walk->channels,
		.bytes = bytes,
		.apart = plane / bytes,
	};

	if (rows->stride == row * walk->channels) {
		planes_split_apart(
		    &planes, rows->data, out, walk->width * rows->count);
		return;
	}
	for (size_t y = 0; y < rows->count; y++)
		planes_split_apart(&planes, rows->data + y * rows->stride,
		    out + y * row, walk->width);
}

/* Runs the rows from `y` on, with a split. */
static void run_split(const struct walk *walk, struct rows rows, size_t y)
{
	const struct rows_plan *plan = walk->plan;
	const size_t bytes = split_bytes(walk);
	const size_t row = walk->width * bytes;
	unsigned char *out = walk->out + y * walk->out_row;

	if (plan->split > 0) {
		run_ops(walk, 0, plan->split, rows, walk->area[AREA_ROWS]);
		rows.data = walk->area[AREA_ROWS];
		rows.stride = row * walk->channels;
	}
	if (plan->split == plan->count) {
		split(walk, &rows, out, walk->out_plane);
		return;
	}
	split(walk, &rows, walk->area[AREA_PLANES], row * rows.count);
	rows.layout = LAYOUT_CHW;
	rows.stride = row;
	for (size_t c = 0; c < walk->channels; c++) {
		rows.data = walk->area[AREA_PLANES] + c * row * rows.count;
		rows.plane = c;
		run_ops(walk, plan->split, plan->count, rows,
		    out + c * walk->out_plane);
	}
}

static void run_block(
    const struct walk *walk, const struct rows *rows, size_t y)
{
	const struct rows_plan *plan = walk->plan;
	unsigned char *out =
	    walk->out + rows->plane * walk->out_plane + y * walk->out_row;

	if (plan->splits)
		run_split(walk, *rows, y);
	else if (plan->count)
		run_ops(walk, 0, plan->count, *rows, out);
	else
		copy_rows(walk, rows, out);
}

/* Returns the largest size of a pixel in this pass. */
static size_t most_bytes(const struct walk *walk)
{
	const struct rows_plan *plan = walk->plan;
	size_t most =
	    dtype_bytes(walk->in->frame.dtype) * walk->in->frame.channels;

	for (unsigned i = 0; i < plan->count; i++)
		if (op_out_bytes(&plan->ops[i]) > most)
			most = op_out_bytes(&plan->ops[i]);
	return most;
}

static int make_areas(struct walk *walk, struct buf *scratch, struct error *err)
{
	const size_t row = walk->width * most_bytes(walk);
	const size_t height = walk->in->box.height;
	size_t area;

	walk->block = height;
	if (walk->plan->count < 2 && !walk->plan->splits)
		return 0; /* writes directly to the output */
	walk->block = row < AREA_BYTES ? AREA_BYTES / row : 1;
	walk->block = walk->block < height ? walk->block : height;
	area = walk->block * row;
	area = (area + TENSOR_ALIGN - 1) / TENSOR_ALIGN * TENSOR_ALIGN;
	if (buf_reserve(scratch, AREAS * area, err))
		return -1;
	for (size_t i = 0; i < AREAS; i++)
		walk->area[i] = scratch->data + i * area;
	return 0;
}

/* Computes sizes of the output. */
static void measure_output(struct walk *walk)
{
	const struct rows_plan *plan = walk->plan;
	const struct frame *frame = &walk->in->frame;
	size_t element = dtype_bytes(frame->dtype);
	bool is_planar = frame->layout == LAYOUT_CHW || plan->splits;

	walk->channels = frame->channels;
	if (plan->count > 0) {
		element = dtype_bytes(plan->ops[plan->count - 1].out);
		walk->channels = plan->ops[plan->count - 1].out_channels;
	}
	walk->out_row =
	    walk->width * element * (is_planar ? 1 : walk->channels);
	walk->out_plane = walk->in->box.height * walk->out_row;
}

int rows_run(const struct rows_plan *plan, const struct window *in,
    struct tensor *out, struct buf *scratch, struct error *err)
{
	const bool is_planar = in->frame.layout == LAYOUT_CHW;
	const size_t planes = is_planar ? in->frame.channels : 1;
	const size_t height = in->box.height;
	struct walk walk = {
		.plan = plan,
		.in = in,
		.out = out->data,
		.is_large = out->is_large &&
		            !(plan->splits && plan->split == plan->count),
		.width = in->box.width,
	};

	measure_output(&walk);
	if (make_areas(&walk, scratch, err))
		return -1;
	for (size_t p = 0; p < planes; p++)
		for (size_t y = 0; y < height; y += walk.block) {
			const size_t left = height - y;
			const struct rows rows = {
				.data =
				    in->data + p * in->plane + y * in->stride,
				.stride = in->stride,
				.count = left < walk.block ? left : walk.block,
				.plane = p,
				.layout = in->frame.layout,
			};

			run_block(&walk, &rows, y);
		}
	return 0;
}
