/*
 * resample.c - see resample.h.
 *
 * Filters over few pixels, such as bilinear, first go down the columns: this is
 * the faster pass and leaves less for the other.  They round only at the end,
 * so that the result differs by at most 1 from Pillow, which rounds twice.
 *
 * Filters that overshoot, or use many pixels, first go across the rows, with
 * Pillow's weights and roundings: values outside 0..255 are cut off between the
 * passes, so the order matters.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/cpu.h"
#include "lib/base/error.h"
#include "lib/image/resample/axis.h"
#include "lib/image/resample/resample.h"

enum {
	LINE = 64,  /* bytes of a cache line */
	AHEAD = 20, /* rows of the result */
};

struct resampler {
	enum filter filter;
	bool antialias;
	const struct resample_kernels *kernels;
	struct taps_cache cache;
	struct buf starts; /* taps->first of the wanted columns */
	struct buf rows;   /* RESAMPLE_ROWS rows between the passes */
	struct buf middle; /* the image between the passes */
};

/* Rows at a distance of `stride` bytes. */
struct rows {
	const unsigned char *data;
	size_t stride, len;
};

/* The state of resizing one image. */
struct job {
	struct resampler *resampler;
	const struct resample_kernels *kernels;
	const struct resample_source *source;
	struct axis down, across;
	struct taps part; /* the wanted part of `across` */
	struct rows in;   /* from the first needed row and column on */
	size_t element;   /* bytes */
	size_t pixel;
};

struct resampler *resampler_new(enum filter filter, bool antialias,
    const struct resample_kernels *kernels, struct error *err)
{
	struct resampler *resampler = memory_zeroed(sizeof(*resampler), err);

	if (!resampler)
		return NULL;
	if (!kernels)
		kernels = resample_avx2();
	resampler->filter = filter;
	resampler->antialias = antialias;
	resampler->kernels = kernels ? kernels : &resample_plain;
	return resampler;
}

void resampler_free(struct resampler *resampler)
{
	if (!resampler)
		return;
	taps_cache_release(&resampler->cache);
	buf_release(&resampler->starts);
	buf_release(&resampler->rows);
	buf_release(&resampler->middle);
	free(resampler);
}

bool resample_takes(enum filter filter, enum dtype dtype)
{
	return filter == FILTER_NEAREST || dtype == DTYPE_U8 ||
	       dtype == DTYPE_U16 || dtype == DTYPE_F32;
}

/*
 * Returns how many bytes of a row the pass across may read.  Words have twice
 * the size of bytes, and floats twice that of uint16.
 */
static size_t reach_bytes(const struct job *job)
{
	return 2 * job->part.reach * job->pixel + RESAMPLE_SLACK;
}

/* Zeroes new memory: what a kernel reads too far is multiplied by zero. */
static int reserve_zeroed(struct buf *buf, size_t bytes, struct error *err)
{
	if (bytes <= buf->cap)
		return 0;
	if (buf_reserve(buf, bytes, err))
		return -1;
	memset(buf->data, 0, buf->cap);
	return 0;
}

static unsigned char *scratch_row(const struct job *job, size_t r)
{
	return job->resampler->rows.data + r * reach_bytes(job);
}

/* Returns the row, or a copy with room behind it for the kernel to read. */
static const unsigned char *readable_row(
    const struct job *job, size_t y, size_t r)
{
	const unsigned char *row = job->in.data + y * job->in.stride;

	if ((size_t)(job->source->end - row) >= reach_bytes(job))
		return row;
	return memcpy(scratch_row(job, r), row, job->in.len);
}

/* Returns the bytes of an output row. */
static size_t row_bytes(const struct job *job)
{
	return job->across.count * job->pixel;
}

/* Gets row `y` of a pass across, in scratch row `r` if it has to be made. */
typedef const unsigned char *row_getter(
    const struct job *job, size_t y, size_t r);

/* Resizes rows across into `out`, RESAMPLE_ROWS at a time. */
static void rows_across(const struct job *job, size_t height, row_getter *get,
    resample_across *across, unsigned char *out)
{
	const size_t row = row_bytes(job);
	const unsigned char *from[RESAMPLE_ROWS] = { NULL };
	unsigned char *to[RESAMPLE_ROWS] = { NULL };

	for (size_t y = 0; y < height; y += RESAMPLE_ROWS) {
		for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
			if (y + r < height) {
				from[r] = get(job, y + r, r);
				to[r] = out + (y + r) * row;
			} else {
				from[r] = from[r - 1];
				to[r] = to[r - 1];
			}
		}
		across(&job->part, from, to, job->source->channels);
	}
}

/* Resizes all needed rows across into `out`. */
static void go_across(const struct job *job, unsigned char *out)
{
	rows_across(job, job->down.high - job->down.low, readable_row,
	    job->kernels->across, out);
}

/* Returns the first input row of row y of the result. */
static const unsigned char *first_row(
    const struct axis *down, const struct rows *in, size_t y)
{
	return in->data +
	       ((size_t)down->taps->first[y] - down->low) * in->stride;
}

static void go_down(
    const struct job *job, const struct rows *in, unsigned char *out)
{
	const struct axis *down = &job->down;

	for (size_t i = 0; i < down->count; i++)
		job->kernels->down(down->taps, down->first + i,
		    first_row(down, in, down->first + i), in->stride,
		    out + i * in->len, in->len / job->element);
}

/*
 * Asks for the input rows of a result that comes some rows later: where the
 * image is a mapped file, the processor's own prefetching ends at each page.
 */
static void fetch_ahead(const struct job *job, size_t y)
{
	const struct axis *down = &job->down;
	const size_t last = down->first + down->count - 1;
	const unsigned char *from, *end;

	if (y >= last)
		return;
	from = first_row(down, &job->in, y);
	end = first_row(down, &job->in, y + 1);
	for (; from < end; from += job->in.stride)
		for (size_t at = 0; at < job->in.len; at += LINE)
			__builtin_prefetch(from + at);
}

/* Computes row y of the wanted rows, with the width of the source. */
static const unsigned char *row_of_words(
    const struct job *job, size_t y, size_t r)
{
	unsigned char *words = scratch_row(job, r);

	y += job->down.first;
	fetch_ahead(job, y + AHEAD);
	job->kernels->down_to_words(job->down.taps, y,
	    first_row(&job->down, &job->in, y), job->in.stride, words,
	    job->in.len / job->element);
	return words;
}

/* Processes four rows at a time, which stay in the L1 cache in between. */
static void go_down_then_across(const struct job *job, unsigned char *out)
{
	for (size_t y = 0; y < AHEAD; y++)
		fetch_ahead(job, job->down.first + y);
	rows_across(job, job->down.count, row_of_words,
	    job->kernels->across_from_words, out);
}

static int go_across_then_down(
    const struct job *job, unsigned char *out, struct error *err)
{
	struct buf *middle = &job->resampler->middle;
	const size_t row = row_bytes(job);
	struct rows between = { .stride = row, .len = row };
	size_t bytes;

	if (size_mul(row, job->down.high - job->down.low, &bytes))
		return error_memory(err, SIZE_MAX);
	if (buf_reserve(middle, bytes, err))
		return -1;
	between.data = middle->data;
	go_across(job, middle->data);
	go_down(job, &between, out);
	return 0;
}

static void copy_rows(const struct job *job, unsigned char *out)
{
	const struct rows *in = &job->in;

	for (size_t y = 0; y < job->down.count; y++)
		memcpy(out + y * in->len, in->data + y * in->stride, in->len);
}

/* Does it need Pillow's order?  For uint16, if the filter overshoots. */
static bool is_cut_between(const struct job *job)
{
	return job->down.taps->kind == TAPS_EXACT ||
	       (job->source->dtype == DTYPE_U16 &&
	           filter_overshoots(job->resampler->filter));
}

static int go(const struct job *job, unsigned char *out, struct error *err)
{
	const bool across = job->across.taps, down = job->down.taps;

	if (across && reserve_zeroed(&job->resampler->rows,
	                  RESAMPLE_ROWS * reach_bytes(job), err))
		return -1;
	if (!across && !down)
		copy_rows(job, out);
	else if (!across)
		go_down(job, &job->in, out);
	else if (!down)
		go_across(job, out);
	else if (is_cut_between(job))
		return go_across_then_down(job, out, err);
	else
		go_down_then_across(job, out);
	return 0;
}

/* `bytes` is a constant where it matters, so that memcpy becomes a move. */
CPU_BODY void pick_pixels(const struct taps *taps, const unsigned char *in,
    unsigned char *out, size_t bytes)
{
	for (size_t x = 0; x < taps->out; x++)
		memcpy(out + x * bytes, in + (size_t)taps->first[x] * bytes,
		    bytes);
}

static void pick_row(const struct taps *taps, const unsigned char *in,
    unsigned char *out, size_t bytes)
{
	if (bytes == 1)
		pick_pixels(taps, in, out, 1);
	else if (bytes == 3)
		pick_pixels(taps, in, out, 3);
	else if (bytes == 4)
		pick_pixels(taps, in, out, 4);
	else
		pick_pixels(taps, in, out, bytes);
}

/* Nearest pixel: equal rows are copied. */
static void go_nearest(const struct job *job, unsigned char *out)
{
	const struct axis *down = &job->down;
	const int32_t *first = down->taps->first + down->first;
	const size_t row = row_bytes(job);

	for (size_t y = 0; y < down->count; y++, out += row) {
		if (y > 0 && first[y] == first[y - 1])
			memcpy(out, out - row, row);
		else
			pick_row(&job->part,
			    first_row(down, &job->in, down->first + y), out,
			    job->pixel);
	}
}

static enum taps_kind choose_kind(const struct resampler *resampler,
    enum dtype dtype, const struct taps_wish *y, const struct taps_wish *x)
{
	if (dtype == DTYPE_F32 || dtype == DTYPE_U16)
		return TAPS_FLOATS;
	if (filter_overshoots(resampler->filter) || taps_most(y) > TAPS_FEW ||
	    taps_most(x) > TAPS_FEW)
		return TAPS_EXACT;
	return TAPS_COARSE;
}

/* The nearest filter always needs taps, the others only if sizes differ. */
static int find_both_taps(struct resampler *resampler,
    const struct resample_sizes *sizes, struct axis *down, struct axis *across,
    struct error *err)
{
	const bool is_nearest = resampler->filter == FILTER_NEAREST;
	struct taps_wish y = {
		.filter = resampler->filter,
		.antialias = resampler->antialias,
		.in = sizes->in.height,
		.out = sizes->out.height,
	};
	struct taps_wish x = y;

	x.in = sizes->in.width;
	x.out = sizes->out.width;
	x.kind = choose_kind(resampler, sizes->dtype, &y, &x);
	y.kind = x.kind;
	if (x.kind == TAPS_COARSE && x.in != x.out)
		y.kind = TAPS_SHARES; /* to words, for the pass across */
	down->taps = NULL;
	across->taps = NULL;
	if ((is_nearest || y.in != y.out) &&
	    taps_cache_find(&resampler->cache, &y, &down->taps, err))
		return -1;
	if ((is_nearest || x.in != x.out) &&
	    taps_cache_find(&resampler->cache, &x, &across->taps, err))
		return -1;
	axis_span(down);
	if (is_nearest)
		axis_span(across);
	else
		axis_span_strides(across);
	return 0;
}

/* Sets the source to the first needed row and column. */
static void find_rows(struct job *job)
{
	const struct resample_source *source = job->source;
	const struct axis *across = &job->across;
	const size_t high = across->high < source->size.width
	                        ? across->high
	                        : source->size.width;

	job->in = (struct rows){
		.data = source->data +
		        (job->down.low - source->top) * source->stride +
		        (across->low - source->left) * job->pixel,
		.stride = source->stride,
		.len = (high - across->low) * job->pixel,
	};
}

static int check_size(
    const char *name, struct image_size size, struct error *err)
{
	size_t pixels;

	if (!size.height || !size.width)
		return error_set(err, ERROR_DATA, "%s of %zux%zu is empty",
		    name, size.height, size.width);
	if (size_mul(size.height, size.width, &pixels) ||
	    pixels > IMAGE_PIXELS_MAX)
		return error_set(err, ERROR_DATA,
		    "%s of %zux%zu is larger than %d pixels", name, size.height,
		    size.width, IMAGE_PIXELS_MAX);
	return 0;
}

int resampler_need(struct resampler *resampler,
    const struct resample_sizes *sizes, struct box *box, struct error *err)
{
	struct axis down = { .first = box->top, .count = box->height };
	struct axis across = { .first = box->left, .count = box->width };

	if (check_size("image", sizes->in, err) ||
	    check_size("result", sizes->out, err) ||
	    find_both_taps(resampler, sizes, &down, &across, err))
		return -1;
	if (across.high > sizes->in.width)
		across.high = sizes->in.width;
	*box = (struct box){
		.top = down.low,
		.left = across.low,
		.height = down.high - down.low,
		.width = across.high - across.low,
	};
	return 0;
}

static const struct resample_kernels *kernels_for(
    const struct resampler *resampler, enum dtype dtype)
{
	if (dtype == DTYPE_F32)
		return &resample_floats;
	return dtype == DTYPE_U16 ? &resample_words : resampler->kernels;
}

struct resample_source resample_source_of(
    const struct window *window, const struct box *box)
{
	return (struct resample_source){
		.dtype = window->frame.dtype,
		.size = { box->height, box->width },
		.channels = window->frame.channels,
		.stride = window->stride,
		.data = window->data,
		.end = window->end,
		.top = window->box.top - box->top,
		.left = window->box.left - box->left,
	};
}

int resampler_run_box(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    const struct box *box, struct tensor *out, struct error *err)
{
	const struct resample_sizes sizes = {
		.dtype = source->dtype,
		.in = source->size,
		.out = size,
	};
	const struct shape shape = {
		.count = 3,
		.dims = { (int64_t)box->height, (int64_t)box->width,
		    (int64_t)source->channels },
	};
	struct job job = {
		.resampler = resampler,
		.kernels = kernels_for(resampler, source->dtype),
		.source = source,
		.down = { .first = box->top, .count = box->height },
		.across = { .first = box->left, .count = box->width },
		.element = dtype_bytes(source->dtype),
		.pixel = dtype_bytes(source->dtype) * source->channels,
	};

	if (check_size("image", source->size, err) ||
	    check_size("result", size, err))
		return -1;
	if (tensor_reshape(out, source->dtype, &shape, err) ||
	    find_both_taps(resampler, &sizes, &job.down, &job.across, err) ||
	    axis_take(&job.across, &resampler->starts, &job.part, err))
		return -1;
	find_rows(&job);
	if (resampler->filter != FILTER_NEAREST)
		return go(&job, out->data, err);
	go_nearest(&job, out->data);
	return 0;
}

int resampler_run(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    struct tensor *out, struct error *err)
{
	const struct box all = { .height = size.height, .width = size.width };

	return resampler_run_box(resampler, source, size, &all, out, err);
}
