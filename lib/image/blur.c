/*
 * blur.c - see blur.h.
 *
 * The input rows of an output row are kept as floats, in a ring indexed by row
 * number, so that each row is converted once.  Their weighted sum is extended
 * by mirrored ends, then summed with copies of itself, each shifted by a pixel.
 */
#include "lib/image/blur.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/cpu.h"
#include "lib/base/error.h"

enum {
	LANES = 8,   /* floats in a vector */
	VECTORS = 4, /* vectors processed at a time */
	STEP = LANES * VECTORS,
	ROWS_MAX = 2 * BLUR_REACH_MAX + 1,
};

#define LEAST_WEIGHT 1e-10

struct blur {
	struct buf rows; /* floats: the kept rows, and two work rows */
};

/* The state of one call. */
struct work {
	const struct blur_curve *curve;
	const struct window *in;
	const struct box *box;
	struct box need;
	size_t channels;
	size_t stride; /* floats per kept row, a multiple of STEP */
	size_t kept;   /* number of kept rows */
	float *rows;
	float *wide; /* a row extended by mirrored ends */
	float *line; /* a row of the result */
};

void blur_curve_fill(struct blur_curve *curve, size_t reach, double sigma)
{
	double weights[BLUR_REACH_MAX + 1];
	double sum = 0;

	for (size_t i = 0; i <= reach; i++) {
		const double x = (double)i / sigma;

		weights[i] = exp(-0.5 * x * x);
		sum += i ? 2 * weights[i] : weights[i];
	}
	curve->reach = 0;
	for (size_t i = 0; i <= reach; i++) {
		curve->weights[i] = (float)(weights[i] / sum);
		if (weights[i] >= LEAST_WEIGHT * sum)
			curve->reach = i;
	}
}

struct blur *blur_new(struct error *err)
{
	struct blur *blur = memory_zeroed(sizeof(*blur), err);

	return blur;
}

void blur_free(struct blur *blur)
{
	if (blur)
		buf_release(&blur->rows);
	free(blur);
}

/* Extends a range by the reach, within the image: enough when mirrored. */
static void widen(size_t reach, size_t side, size_t *first, size_t *count)
{
	const size_t low = *first > reach ? *first - reach : 0;
	const size_t end = *first + *count + reach;

	*first = low;
	*count = (end < side ? end : side) - low;
}

void blur_need(
    const struct blur_curve *curve, struct image_size image, struct box *box)
{
	widen(curve->reach, image.height, &box->top, &box->height);
	widen(curve->reach, image.width, &box->left, &box->width);
}

/* Mirrors the index `at` at both ends as often as needed. */
static size_t mirror(ptrdiff_t at, size_t side)
{
	const ptrdiff_t last = (ptrdiff_t)side - 1;

	if (last == 0)
		return 0;
	at = (at < 0 ? -at : at) % (2 * last);
	return (size_t)(at > last ? 2 * last - at : at);
}

/* rows[reach] is the middle row.  Rows at the same distance have one weight. */
CPU_BODY void weigh_body(const float *const *rows,
    const struct blur_curve *curve, float *out, size_t count)
{
	typedef float floats __attribute__((vector_size(LANES * 4)));
	const size_t reach = curve->reach;

	for (size_t x = 0; x < count; x += STEP) {
		floats sum[VECTORS];

		for (size_t v = 0; v < VECTORS; v++) {
			memcpy(&sum[v], rows[reach] + x + v * LANES,
			    sizeof(sum[v]));
			sum[v] *= curve->weights[0];
		}
		for (size_t k = 1; k <= reach; k++)
			for (size_t v = 0; v < VECTORS; v++) {
				const size_t at = x + v * LANES;
				floats a, b;

				memcpy(&a, rows[reach - k] + at, sizeof(a));
				memcpy(&b, rows[reach + k] + at, sizeof(b));
				sum[v] += (a + b) * curve->weights[k];
			}
		memcpy(out + x, sum, sizeof(sum));
	}
}

CPU_AVX2 static void weigh_avx2(const float *const *rows,
    const struct blur_curve *curve, float *out, size_t count)
{
	weigh_body(rows, curve, out, count);
}

static void weigh(const float *const *rows, const struct blur_curve *curve,
    float *out, size_t count)
{
	if (cpu_has_avx2())
		weigh_avx2(rows, curve, out, count);
	else
		weigh_body(rows, curve, out, count);
}

CPU_BODY void floats_body(
    const uint8_t *restrict in, float *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (float)in[i + k];
	for (; i < count; i++)
		out[i] = (float)in[i];
}

CPU_AVX2 static void floats_avx2(const uint8_t *in, float *out, size_t count)
{
	floats_body(in, out, count);
}

/* The weights may add up to slightly more than 1, but never round to 256. */
CPU_BODY void bytes_body(
    const float *restrict in, uint8_t *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (uint8_t)(int32_t)(in[i + k] + 0.5f);
	for (; i < count; i++)
		out[i] = (uint8_t)(int32_t)(in[i] + 0.5f);
}

CPU_AVX2 static void bytes_avx2(const float *in, uint8_t *out, size_t count)
{
	bytes_body(in, out, count);
}

/* Converts row `y` of the image to floats, followed by zeros. */
static void keep_row(const struct work *work, size_t y)
{
	const struct window *in = work->in;
	const size_t count = work->need.width * work->channels;
	const size_t pixel = dtype_bytes(in->frame.dtype) * work->channels;
	float *row = work->rows + y % work->kept * work->stride;
	const unsigned char *from = in->data + (y - in->box.top) * in->stride +
	                            (work->need.left - in->box.left) * pixel;

	if (in->frame.dtype == DTYPE_F32)
		memcpy(row, from, count * sizeof(*row));
	else if (cpu_has_avx2())
		floats_avx2(from, row, count);
	else
		floats_body(from, row, count);
	memset(row + count, 0, (work->stride - count) * sizeof(*row));
}

/* Copies mirrored pixels from .. to-1 of the wide row. */
static void mirror_pixels(
    const struct work *work, const float *middle, size_t from, size_t to)
{
	const size_t width = work->in->frame.size.width;
	const size_t channels = work->channels;
	const ptrdiff_t first =
	    (ptrdiff_t)work->box->left - (ptrdiff_t)work->curve->reach;

	for (size_t i = from; i < to; i++) {
		const size_t at = mirror(first + (ptrdiff_t)i, width);

		memcpy(work->wide + i * channels,
		    middle + (at - work->need.left) * channels,
		    channels * sizeof(*middle));
	}
}

/* Writes a row of the result to work->line. */
static void make_row(const struct work *work, size_t y)
{
	const size_t reach = work->curve->reach;
	const size_t height = work->in->frame.size.height;
	const size_t begin = reach + work->need.left - work->box->left;
	const size_t count = work->box->width * work->channels;
	float *middle = work->wide + begin * work->channels;
	const float *rows[ROWS_MAX];

	for (size_t k = 0; k <= 2 * reach; k++)
		rows[k] =
		    work->rows +
		    mirror((ptrdiff_t)(y + k) - (ptrdiff_t)reach, height) %
		        work->kept * work->stride;
	weigh(rows, work->curve, middle, work->stride);
	mirror_pixels(work, middle, 0, begin);
	mirror_pixels(work, middle, begin + work->need.width,
	    work->box->width + 2 * reach);
	for (size_t k = 0; k <= 2 * reach; k++)
		rows[k] = work->wide + k * work->channels;
	weigh(rows, work->curve, work->line, (count + STEP - 1) / STEP * STEP);
}

static void put_row(const struct work *work, void *out, size_t row)
{
	const size_t count = work->box->width * work->channels;
	uint8_t *bytes = (uint8_t *)out + row * count;

	if (work->in->frame.dtype == DTYPE_F32)
		memcpy((float *)out + row * count, work->line,
		    count * sizeof(float));
	else if (cpu_has_avx2())
		bytes_avx2(work->line, bytes, count);
	else
		bytes_body(work->line, bytes, count);
}

/* Allocates all rows; each may be overwritten up to the next STEP. */
static int make_room(struct blur *blur, struct work *work, struct error *err)
{
	const size_t reach = work->curve->reach;
	const size_t needed = work->need.width * work->channels;
	const size_t wide =
	    (work->box->width + 2 * reach) * work->channels + 2 * STEP;
	size_t floats;

	work->stride = (needed + STEP - 1) / STEP * STEP;
	work->kept = 2 * reach + 1;
	floats = work->kept * work->stride + 2 * wide;
	if (buf_reserve(&blur->rows, floats * sizeof(float), err))
		return -1;
	work->rows = (float *)(void *)blur->rows.data;
	work->wide = work->rows + work->kept * work->stride;
	work->line = work->wide + wide;
	memset(work->wide, 0, 2 * wide * sizeof(float));
	return 0;
}

int blur_run(struct blur *blur, const struct blur_curve *curve,
    const struct window *in, const struct box *box, struct tensor *out,
    struct error *err)
{
	const struct shape shape = frame_shape(&in->frame, box);
	struct work work = {
		.curve = curve,
		.in = in,
		.box = box,
		.need = *box,
		.channels = in->frame.channels,
	};
	size_t next, end;

	blur_need(curve, in->frame.size, &work.need);
	if (tensor_reshape(out, in->frame.dtype, &shape, err) ||
	    make_room(blur, &work, err))
		return -1;
	next = work.need.top;
	end = work.need.top + work.need.height;
	for (size_t y = box->top; y < box->top + box->height; y++) {
		while (next < end && next <= y + curve->reach)
			keep_row(&work, next++);
		make_row(&work, y);
		put_row(&work, out->data, y - box->top);
	}
	return 0;
}
