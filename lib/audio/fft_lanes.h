/*
 * fft_lanes.h - transforms LANES frames at once, see fft_tables.h.
 *
 * A template, see lanes.h; defines `fft_lanes`.
 */
#include <stdbool.h>

#include "lib/audio/fft_tables.h"
#include "lib/audio/lanes.h"

struct cell {
	lanes re, im;
};

/* ---- loading frames into cells ---- */

/* Converts `count` samples to floats; only `left` exist, then come zeros. */
TARGET static void widen(enum dtype dtype, const unsigned char *in, size_t left,
    float *out, size_t count)
{
	const size_t there = left < count ? left : count;
	size_t i = 0;

	memset(out + there, 0, (count - there) * sizeof(float));
	if (dtype != DTYPE_I16) {
		memcpy(out, in, there * sizeof(float));
		return;
	}
	for (; i + LANES <= there; i += LANES)
		lanes_store(out + i, lanes_load_shorts(in + 2 * i));
	for (; i < there; i++) {
		int16_t sample;

		memcpy(&sample, in + 2 * i, sizeof(sample));
		out[i] = sample;
	}
}

/* Converts all frames of the group to floats; returns their distance. */
BODY size_t widen_group(
    const struct fft_plan *plan, const struct fft_group *group, float *floats)
{
	const unsigned char *samples = group->samples;
	const size_t frame = plan->frame, hop = plan->hop;
	const size_t bytes = dtype_bytes(plan->dtype);

	if (hop <= frame) {
		widen(plan->dtype, samples, group->samples_left, floats,
		    (group->count - 1) * hop + frame);
		return hop;
	}
	for (size_t i = 0; i < group->count; i++) {
		const size_t at = i * hop < group->samples_left
		                      ? i * hop
		                      : group->samples_left;

		widen(plan->dtype, samples + at * bytes,
		    group->samples_left - at, floats + i * frame, frame);
	}
	return frame;
}

/*
 * Loads samples i .. i + 3 of each frame, weighted, as one cell per sample.
 * Lanes without a frame get whatever is in the work memory.
 */
BODY void load_fours(const float *frames, size_t step, const float *weights,
    struct cell cells[2])
{
	lanes rows[4];

#pragma GCC unroll 4
	for (size_t i = 0; i < 4; i++)
		rows[i] = lanes_load_fours(frames + i * step, 4 * step);
	lanes_mix_fours(rows);
	cells[0].re = rows[0] * weights[0];
	cells[0].im = rows[1] * weights[1];
	cells[1].re = rows[2] * weights[2];
	cells[1].im = rows[3] * weights[3];
}

BODY void load(const struct fft_tables *tables, const struct fft_group *group,
    struct cell *cells, float *floats)
{
	const size_t frame = tables->plan.frame;
	const size_t step = widen_group(&tables->plan, group, floats);

	for (size_t i = 0; i < frame; i += 4)
		load_fours(floats + i, step, tables->window + i, cells + i / 2);
	if (frame % 2)
		cells[frame / 2].im = (lanes){ 0 };
}

/* ---- passes ---- */

BODY void store_turned(struct cell *to, lanes re, lanes im, const float *turn)
{
	to->re = re * turn[0] - im * turn[1];
	to->im = re * turn[1] + im * turn[0];
}

/*
 * Transforms four numbers, `quarter` cells apart; only the first `present` are
 * not 0.  `turns` are w, w^2, w^3; NULL: all are 1.
 */
BODY void butterfly(
    struct cell *at, size_t quarter, const float *turns, unsigned present)
{
	struct cell *a = at, *b = at + quarter, *c = b + quarter,
	            *d = c + quarter;
	const lanes even_re = present > 2 ? a->re + c->re : a->re;
	const lanes even_im = present > 2 ? a->im + c->im : a->im;
	const lanes even_re2 = present > 2 ? a->re - c->re : a->re;
	const lanes even_im2 = present > 2 ? a->im - c->im : a->im;
	const lanes none = { 0 };
	const lanes b_re = present > 1 ? b->re : none;
	const lanes b_im = present > 1 ? b->im : none;
	const lanes odd_re = present > 3 ? b_re + d->re : b_re;
	const lanes odd_im = present > 3 ? b_im + d->im : b_im;
	const lanes odd_re2 = present > 3 ? b_re - d->re : b_re;
	const lanes odd_im2 = present > 3 ? b_im - d->im : b_im;

	a->re = even_re + odd_re;
	a->im = even_im + odd_im;
	if (turns) {
		store_turned(b, even_re2 + odd_im2, even_im2 - odd_re2, turns);
		store_turned(c, even_re - odd_re, even_im - odd_im, turns + 2);
		store_turned(
		    d, even_re2 - odd_im2, even_im2 + odd_re2, turns + 4);
		return;
	}
	b->re = even_re2 + odd_im2;
	b->im = even_im2 - odd_re2;
	c->re = even_re - odd_re;
	c->im = even_im - odd_im;
	d->re = even_re2 - odd_im2;
	d->im = even_im2 + odd_re2;
}

/* Returns how many of the cells k, k + quarter, ... are before `filled`. */
BODY size_t end_of(size_t filled, size_t before, size_t quarter)
{
	const size_t end = filled > before ? filled - before : 0;

	return end < quarter ? end : quarter;
}

/*
 * Combines cell k and the cell half way on into one of the even and one of the
 * odd frequencies.  Only the first `filled` cells are not 0.
 */
TARGET static void fold(
    struct cell *cells, size_t half, const float *turns, size_t filled)
{
	struct cell *odd = cells + half;
	const size_t both = end_of(filled, half, half);

	for (size_t k = 0; k < both; k++) {
		const struct cell a = cells[k], b = odd[k];

		cells[k].re = a.re + b.re;
		cells[k].im = a.im + b.im;
		store_turned(&odd[k], a.re - b.re, a.im - b.im, turns + 2 * k);
	}
	for (size_t k = both; k < end_of(filled, 0, half); k++)
		store_turned(&odd[k], cells[k].re, cells[k].im, turns + 2 * k);
}

/* A pass over 4 quarters, of which only the first `filled` cells are not 0. */
TARGET static void first_pass(
    struct cell *cells, size_t quarter, const float *turns, size_t filled)
{
	size_t k = 0;

	for (; k < end_of(filled, 3 * quarter, quarter); k++)
		butterfly(cells + k, quarter, turns + 6 * k, 4);
	for (; k < end_of(filled, 2 * quarter, quarter); k++)
		butterfly(cells + k, quarter, turns + 6 * k, 3);
	for (; k < end_of(filled, quarter, quarter); k++)
		butterfly(cells + k, quarter, turns + 6 * k, 2);
	for (; k < quarter; k++)
		butterfly(cells + k, quarter, turns + 6 * k, 1);
}

/* A pass over blocks of 4 quarters, `count` cells in total. */
TARGET static void pass(
    struct cell *cells, size_t count, size_t quarter, const float *turns)
{
	for (size_t from = 0; from < count; from += 4 * quarter) {
		butterfly(cells + from, quarter, NULL, 4);
		for (size_t k = 1; k < quarter; k++)
			butterfly(cells + from + k, quarter, turns + 6 * k, 4);
	}
}

/* Finishes a quarter before the next begins: it fits into the L1 cache. */
BODY void passes_by_fours(
    struct cell *cells, size_t count, const float *turns, size_t filled)
{
	const size_t part = count / 4;

	first_pass(cells, part, turns, filled);
	turns += 6 * part;
	for (size_t from = 0; from < count; from += part) {
		const float *next = turns;

		for (size_t block = part; block >= 4; block /= 4) {
			pass(cells + from, part, block / 4, next);
			next += 6 * (block / 4);
		}
	}
}

BODY void passes(const struct fft_tables *tables, struct cell *cells)
{
	const size_t filled = (tables->plan.frame + 1) / 2;
	const size_t half = tables->half / 2;
	const float *turns = tables->turns;

	if (!tables->folds) {
		passes_by_fours(cells, tables->half, turns, filled);
		return;
	}
	fold(cells, half, turns, filled);
	for (size_t from = 0; from < tables->half; from += half)
		passes_by_fours(cells + from, half, turns + 2 * half,
		    end_of(filled, 0, half));
}

/* ---- frequencies ---- */

BODY lanes squared(lanes re, lanes im)
{
	return re * re + im * im;
}

BODY lanes finished(lanes square, bool is_magnitude)
{
	return is_magnitude ? lanes_sqrt(square) : square;
}

/* Frequency k of the even samples, and that of the odd ones, rotated. */
struct twisted {
	lanes even_re, even_im, odd_re, odd_im;
};

BODY struct twisted untwist(
    const struct fft_tables *tables, const struct cell *cells, size_t k)
{
	const struct cell *a = &cells[tables->place[k]];
	const struct cell *b = &cells[tables->place[tables->half - k]];
	const float re = tables->untwist[2 * k];
	const float im = tables->untwist[2 * k + 1];
	const lanes odd_re = a->im + b->im, odd_im = b->re - a->re;

	return (struct twisted){
		.even_re = a->re + b->re,
		.even_im = a->im - b->im,
		.odd_re = odd_re * re - odd_im * im,
		.odd_im = odd_re * im + odd_im * re,
	};
}

BODY lanes frequency(const struct twisted *x, bool is_magnitude)
{
	return finished(squared(x->even_re + x->odd_re, x->even_im + x->odd_im),
	    is_magnitude);
}

/* Computes frequency n - k. */
BODY lanes mirrored(const struct twisted *x, bool is_magnitude)
{
	return finished(squared(x->even_re - x->odd_re, x->odd_im - x->even_im),
	    is_magnitude);
}

/* ---- output ---- */

/* Works from both ends towards the middle. */
BODY void untwist_all(const struct fft_tables *tables,
    const struct fft_group *group, const struct cell *cells, bool is_magnitude)
{
	const size_t n = tables->half;
	const size_t width = n / 2 < LANES ? n / 2 : LANES;
	lanes low[LANES] = { 0 }, high[LANES] = { 0 };
	struct twisted middle;

	for (size_t k = 0; k < n / 2; k += width) {
		for (size_t i = 0; i < width; i++) {
			const struct twisted x = untwist(tables, cells, k + i);

			low[i] = frequency(&x, is_magnitude);
			high[width - 1 - i] = mirrored(&x, is_magnitude);
		}
		lanes_store_block(
		    low, group->out + k, n + 1, group->count, width);
		lanes_store_block(high, group->out + n - k - width + 1, n + 1,
		    group->count, width);
	}
	middle = untwist(tables, cells, n / 2);
	low[0] = frequency(&middle, is_magnitude);
	for (size_t i = 0; i < group->count; i++)
		group->out[i * (n + 1) + n / 2] = low[0][i];
}

TARGET static void fft_lanes(
    const struct fft_tables *tables, const struct fft_group *group, float *work)
{
	struct cell *cells = (void *)work;

	load(tables, group, cells, work + 2 * tables->half * LANES);
	passes(tables, cells);
	if (tables->plan.power == 1)
		untwist_all(tables, group, cells, true);
	else
		untwist_all(tables, group, cells, false);
}
