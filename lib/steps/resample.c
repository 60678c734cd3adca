/*
 * resample.c - see resample.h.
 *
 * Filters that mix a few pixels, as bilinear mostly does, go down first, which
 * is the faster pass and leaves less for the other, and round only in the end:
 * that cannot differ from Pillow, which rounds twice, by more than 1.
 *
 * Filters that overshoot, and those that mix many pixels, go across first,
 * with Pillow's own weights and roundings: what leaves 0..255 is cut off in
 * between, and the order shows.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/cpu.h"
#include "lib/base/error.h"
#include "lib/steps/resample.h"

enum { CACHE = 16, PIXELS_MAX = 1 << 28 };

struct cached {
	struct taps taps;
	uint64_t used; /* when; 0: never */
};

struct resampler {
	enum filter filter;
	bool antialias;
	const struct resample_kernels *kernels;
	struct cached cache[CACHE];
	uint64_t now;
	struct buf rows;   /* RESAMPLE_ROWS rows between the passes */
	struct buf middle; /* the image between the passes */
};

/* One image on its way; taps are NULL where nothing changes. */
struct job {
	struct resampler *resampler;
	const struct resample_kernels *kernels;
	const struct resample_source *source;
	const struct taps *down, *across;
	enum taps_kind kind;
	size_t element; /* bytes */
	size_t pixel;
};

struct resampler *resampler_new(enum filter filter, bool antialias,
    const struct resample_kernels *kernels, struct error *err)
{
	struct resampler *resampler = calloc(1, sizeof(*resampler));

	if (!resampler) {
		error_memory(err, sizeof(*resampler));
		return NULL;
	}
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
	for (size_t i = 0; i < CACHE; i++)
		taps_release(&resampler->cache[i].taps);
	buf_release(&resampler->rows);
	buf_release(&resampler->middle);
	free(resampler);
}

bool resample_takes(enum filter filter, enum dtype dtype)
{
	return filter == FILTER_NEAREST || dtype == DTYPE_U8 ||
	       dtype == DTYPE_F32;
}

/*
 * The weights from `in` to `out`, made or found; 0 and *taps, which lives
 * until CACHE others were asked for.
 */
static int find_taps(struct resampler *resampler, const struct taps_wish *wish,
    const struct taps **taps, struct error *err)
{
	struct cached *oldest = &resampler->cache[0];

	for (size_t i = 0; i < CACHE; i++) {
		struct cached *c = &resampler->cache[i];

		if (c->used && c->taps.in == wish->in &&
		    c->taps.out == wish->out && c->taps.kind == wish->kind) {
			c->used = ++resampler->now;
			*taps = &c->taps;
			return 0;
		}
		if (c->used < oldest->used)
			oldest = c;
	}
	oldest->used = 0;
	if (taps_fill(&oldest->taps, wish, err))
		return -1;
	oldest->used = ++resampler->now;
	*taps = &oldest->taps;
	return 0;
}

/* What a pass across may read of a row; words are twice as long as bytes. */
static size_t reach_bytes(const struct job *job)
{
	return 2 * job->across->reach * job->pixel + RESAMPLE_SLACK;
}

/* Zeros what is new: what a kernel reads too much, it multiplies by zero. */
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

/* The row itself, or a copy behind which a kernel may read. */
static const unsigned char *readable_row(
    const struct job *job, size_t y, size_t r)
{
	const unsigned char *row = job->source->data + y * job->source->stride;

	if ((size_t)(job->source->end - row) >= reach_bytes(job))
		return row;
	return memcpy(
	    scratch_row(job, r), row, job->source->size.width * job->pixel);
}

/* All rows of the source, across, into `out`. */
static void go_across(const struct job *job, unsigned char *out)
{
	const size_t height = job->source->size.height;
	const size_t row = job->across->out * job->pixel;
	const unsigned char *from[RESAMPLE_ROWS] = { NULL };
	unsigned char *to[RESAMPLE_ROWS] = { NULL };

	for (size_t y = 0; y < height; y += RESAMPLE_ROWS) {
		for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
			if (y + r < height) {
				from[r] = readable_row(job, y + r, r);
				to[r] = out + (y + r) * row;
			} else {
				from[r] = from[r - 1];
				to[r] = to[r - 1];
			}
		}
		job->kernels->across(
		    job->across, from, to, job->source->channels);
	}
}

/* Rows of so many bytes. */
struct rows {
	const unsigned char *data;
	size_t stride, len;
};

static void go_down(
    const struct job *job, const struct rows *in, unsigned char *out)
{
	for (size_t y = 0; y < job->down->out; y++)
		job->kernels->down(job->down, y,
		    in->data + (size_t)job->down->first[y] * in->stride,
		    in->stride, out + y * in->len, in->len / job->element);
}

static struct rows source_rows(const struct job *job)
{
	return (struct rows){
		.data = job->source->data,
		.stride = job->source->stride,
		.len = job->source->size.width * job->pixel,
	};
}

/* Row y of the result, as wide as the source. */
static const unsigned char *row_of_words(
    const struct job *job, const struct rows *in, size_t y, size_t r)
{
	unsigned char *words = scratch_row(job, r);

	job->kernels->down_to_words(job->down, y,
	    in->data + (size_t)job->down->first[y] * in->stride, in->stride,
	    words, in->len / job->element);
	return words;
}

/* Four rows at a time, which stay in the nearest cache in between. */
static void go_down_then_across(const struct job *job, unsigned char *out)
{
	const struct rows in = source_rows(job);
	const size_t height = job->down->out;
	const size_t row = job->across->out * job->pixel;
	const unsigned char *from[RESAMPLE_ROWS] = { NULL };
	unsigned char *to[RESAMPLE_ROWS] = { NULL };

	for (size_t y = 0; y < height; y += RESAMPLE_ROWS) {
		for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
			if (y + r < height) {
				from[r] = row_of_words(job, &in, y + r, r);
				to[r] = out + (y + r) * row;
			} else {
				from[r] = from[r - 1];
				to[r] = to[r - 1];
			}
		}
		job->kernels->across_from_words(
		    job->across, from, to, job->source->channels);
	}
}

static int go_across_then_down(
    const struct job *job, unsigned char *out, struct error *err)
{
	struct buf *middle = &job->resampler->middle;
	const size_t row = job->across->out * job->pixel;
	struct rows between = { .stride = row, .len = row };
	size_t bytes;

	if (size_mul(row, job->source->size.height, &bytes))
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
	const struct rows in = source_rows(job);

	for (size_t y = 0; y < job->source->size.height; y++)
		memcpy(out + y * in.len, in.data + y * in.stride, in.len);
}

static int go(const struct job *job, unsigned char *out, struct error *err)
{
	const struct rows in = source_rows(job);

	if (job->across && reserve_zeroed(&job->resampler->rows,
	                       RESAMPLE_ROWS * reach_bytes(job), err))
		return -1;
	if (!job->across && !job->down)
		copy_rows(job, out);
	else if (!job->across)
		go_down(job, &in, out);
	else if (!job->down)
		go_across(job, out);
	else if (job->kind != TAPS_EXACT)
		go_down_then_across(job, out);
	else
		return go_across_then_down(job, out, err);
	return 0;
}

/* `bytes` is a constant where it matters, so that memcpy is a move. */
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

/* The nearest pixel: rows that are the same are copied. */
static void go_nearest(const struct job *job, unsigned char *out)
{
	const size_t row = job->across->out * job->pixel;
	const int32_t *first = job->down->first;

	for (size_t y = 0; y < job->down->out; y++, out += row) {
		const unsigned char *in =
		    job->source->data + (size_t)first[y] * job->source->stride;

		if (y > 0 && first[y] == first[y - 1])
			memcpy(out, out - row, row);
		else
			pick_row(job->across, in, out, job->pixel);
	}
}

static enum taps_kind choose_kind(
    const struct job *job, const struct taps_wish *y, const struct taps_wish *x)
{
	if (job->source->dtype == DTYPE_F32)
		return TAPS_FLOATS;
	if (filter_overshoots(job->resampler->filter) ||
	    taps_most(y) > TAPS_FEW || taps_most(x) > TAPS_FEW)
		return TAPS_EXACT;
	return TAPS_COARSE;
}

/* The nearest filter wants taps always, the others where sizes differ. */
static int find_both_taps(
    struct job *job, struct image_size size, struct error *err)
{
	struct resampler *resampler = job->resampler;
	const bool is_nearest = resampler->filter == FILTER_NEAREST;
	struct taps_wish down = {
		.filter = resampler->filter,
		.antialias = resampler->antialias,
		.in = job->source->size.height,
		.out = size.height,
	};
	struct taps_wish across = down;

	across.in = job->source->size.width;
	across.out = size.width;
	job->kind = choose_kind(job, &down, &across);
	down.kind = job->kind;
	across.kind = job->kind;
	if (job->kind == TAPS_COARSE && across.in != across.out)
		down.kind = TAPS_SHARES; /* to words, for the pass across */
	if ((is_nearest || down.in != down.out) &&
	    find_taps(resampler, &down, &job->down, err))
		return -1;
	if ((is_nearest || across.in != across.out) &&
	    find_taps(resampler, &across, &job->across, err))
		return -1;
	return 0;
}

static int check_size(
    const char *what, struct image_size size, struct error *err)
{
	size_t pixels;

	if (!size.height || !size.width)
		return error_set(err, ERROR_DATA, "%s of %zux%zu is empty",
		    what, size.height, size.width);
	if (size_mul(size.height, size.width, &pixels) || pixels > PIXELS_MAX)
		return error_set(err, ERROR_DATA,
		    "%s of %zux%zu is larger than %d pixels", what, size.height,
		    size.width, PIXELS_MAX);
	return 0;
}

int resampler_run(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    struct tensor *out, struct error *err)
{
	const struct shape shape = {
		.count = 3,
		.dims = { (int64_t)size.height, (int64_t)size.width,
		    (int64_t)source->channels },
	};
	struct job job = {
		.resampler = resampler,
		.kernels = source->dtype == DTYPE_F32 ? &resample_floats
		                                      : resampler->kernels,
		.source = source,
		.element = dtype_bytes(source->dtype),
		.pixel = dtype_bytes(source->dtype) * source->channels,
	};

	if (check_size("image", source->size, err) ||
	    check_size("result", size, err))
		return -1;
	if (tensor_reshape(out, source->dtype, &shape, err) ||
	    find_both_taps(&job, size, err))
		return -1;
	if (resampler->filter != FILTER_NEAREST)
		return go(&job, out->data, err);
	go_nearest(&job, out->data);
	return 0;
}
