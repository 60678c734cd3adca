/* taps.c - see taps.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/resample/taps.h"

enum {
	SHIFT_COARSE = 15, /* upper limit */
	SHIFT_EXACT = 22,
	WEIGHT_MAX = INT16_MAX,
	SHARES = 1 << 16,
};

static double box(double x)
{
	return x > -0.5 && x <= 0.5 ? 1 : 0;
}

static double triangle(double x)
{
	x = fabs(x);
	return x < 1 ? 1 - x : 0;
}

/* Keys 1981, a = -0.5. */
static double cubic(double x)
{
	x = fabs(x);
	if (x < 1)
		return (1.5 * x - 2.5) * x * x + 1;
	if (x < 2)
		return ((-0.5 * x + 2.5) * x - 4) * x + 2;
	return 0;
}

static double sinc(double x)
{
	const double pi = 3.14159265358979323846;

	return x == 0 ? 1 : sin(pi * x) / (pi * x);
}

static double lanczos(double x)
{
	return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

static const struct {
	double (*at)(double x);
	double support; /* it is zero beyond */
	bool overshoots;
} filters[] = {
	[FILTER_NEAREST] = { .at = NULL },
	[FILTER_BILINEAR] = { .at = triangle, .support = 1 },
	[FILTER_BICUBIC] = { .at = cubic, .support = 2, .overshoots = true },
	[FILTER_LANCZOS] = { .at = lanczos, .support = 3, .overshoots = true },
	[FILTER_BOX] = { .at = box, .support = 0.5 },
};

bool filter_overshoots(enum filter filter)
{
	return filters[filter].overshoots;
}

static size_t round_up(size_t count)
{
	return (count + TAPS_ROUND - 1) / TAPS_ROUND * TAPS_ROUND;
}

/* Allocates all arrays in one block, large elements first. */
static int make_room(struct taps *taps, struct error *err)
{
	const size_t weight = sizeof(*taps->exact) + 2 * sizeof(*taps->weights);
	size_t row, bytes;

	if (size_mul(taps->stride, weight, &row) ||
	    size_add(row, 3 * sizeof(*taps->first), &row) ||
	    size_mul(row, taps->out, &bytes))
		return error_memory(err, SIZE_MAX);
	if (bytes > taps->capacity) {
		free(taps->exact);
		taps->capacity = 0;
		taps->exact = malloc(bytes);
		if (!taps->exact)
			return error_memory(err, bytes);
		taps->capacity = bytes;
	}
	memset(taps->exact, 0, bytes);
	taps->first =
	    (int32_t *)(void *)(taps->exact + taps->out * taps->stride);
	taps->count = taps->first + taps->out;
	taps->skip = taps->count + taps->out;
	return 0;
}

/* Places the weights of this kind behind the indexes. */
static void place_weights(struct taps *taps)
{
	const size_t count = taps->out * taps->stride;
	void *const behind = taps->skip + taps->out;

	taps->floats = NULL;
	taps->shares = NULL;
	taps->weights = NULL;
	taps->low = NULL;
	if (taps->kind == TAPS_FLOATS)
		taps->floats = behind;
	else if (taps->kind == TAPS_SHARES)
		taps->shares = behind;
	else
		taps->weights = behind;
	if (taps->kind == TAPS_EXACT)
		taps->low = taps->weights + count;
}

/* Computed by addition like Pillow, so that it picks the same pixels. */
static void fill_nearest(struct taps *taps)
{
	const double ratio = (double)taps->in / (double)taps->out;
	const int32_t last = (int32_t)taps->in - 1;
	double at = ratio / 2;

	for (size_t i = 0; i < taps->out; i++) {
		taps->first[i] = (int32_t)at < last ? (int32_t)at : last;
		taps->count[i] = 1;
		at += ratio;
	}
}

/* The filter as it is placed over the input. */
struct window {
	double (*at)(double x);
	double ratio;
	double shrink; /* 1 / stretch factor */
	double support;
};

static struct window window_of(const struct taps_wish *wish)
{
	const double ratio = (double)wish->in / (double)wish->out;
	const double stretch = wish->antialias && ratio > 1 ? ratio : 1;

	return (struct window){
		.at = filters[wish->filter].at,
		.ratio = ratio,
		.shrink = 1 / stretch,
		.support = filters[wish->filter].support * stretch,
	};
}

static double middle_of(const struct window *window, size_t i)
{
	return ((double)i + 0.5) * window->ratio;
}

/* Sets first and count; returns the largest count. */
static size_t find_ends(const struct window *window, struct taps *taps)
{
	const int64_t in = (int64_t)taps->in;
	int64_t most = 0;

	for (size_t i = 0; i < taps->out; i++) {
		const double middle = middle_of(window, i);
		int64_t low = (int64_t)(middle - window->support + 0.5);
		int64_t high = (int64_t)(middle + window->support + 0.5);

		low = low < 0 ? 0 : low;
		high = high > in ? in : high;
		most = high - low > most ? high - low : most;
		taps->first[i] = (int32_t)low;
		taps->count[i] = (int32_t)(high - low);
	}
	return (size_t)most;
}

/* Moves whole strides to the left if they would end outside. */
static void find_skips(struct taps *taps)
{
	const int64_t last = (int64_t)taps->in - (int64_t)taps->stride;

	for (size_t i = 0; i < taps->out; i++) {
		const int32_t most = last < 0 ? 0 : (int32_t)last;
		const int32_t over = taps->first[i] - most;

		taps->skip[i] = over > 0 ? over : 0;
	}
	if (last < 0)
		taps->reach = taps->stride;
}

/* Computes the weights of output i; their sum is one. */
static void weigh(
    const struct window *window, const struct taps *taps, size_t i)
{
	const size_t count = (size_t)taps->count[i];
	const double begin = taps->first[i] + 0.5 - middle_of(window, i);
	double *weights = taps->exact + i * taps->stride + taps->skip[i];
	double sum = 0;

	for (size_t k = 0; k < count; k++) {
		weights[k] = window->at((begin + (double)k) * window->shrink);
		sum += weights[k];
	}
	for (size_t k = 0; k < count && sum != 0; k++)
		weights[k] /= sum;
}

/* Returns the most fraction bits that fit, with round_row's correction. */
static unsigned choose_shift(const struct taps *taps)
{
	double largest = 0;

	for (size_t i = 0; i < taps->out * taps->stride; i++)
		if (taps->exact[i] > largest)
			largest = taps->exact[i];
	return largest * (1 << SHIFT_COARSE) < WEIGHT_MAX - TAPS_FEW
	           ? SHIFT_COARSE
	           : SHIFT_COARSE - 1;
}

/* Rounds weights times `one`; the largest one takes the rounding error. */
static void round_row(
    const double *exact, size_t count, int32_t one, int32_t *whole)
{
	int32_t rest = one;
	size_t largest = 0;

	for (size_t k = 0; k < count; k++) {
		whole[k] = (int32_t)(exact[k] * one + 0.5);
		rest -= whole[k];
		if (exact[k] > exact[largest])
			largest = k;
	}
	whole[largest] += rest;
}

static void round_coarse(struct taps *taps)
{
	int32_t whole[TAPS_FEW];

	taps->shift = choose_shift(taps);
	for (size_t i = 0; i < taps->out; i++) {
		const size_t at = i * taps->stride;

		round_row(
		    taps->exact + at, taps->stride, 1 << taps->shift, whole);
		for (size_t k = 0; k < taps->stride; k++)
			taps->weights[at + k] = (int16_t)whole[k];
	}
}

/* A weight of one does not fit; the nearest share gives the same bytes. */
static uint32_t share_of(int32_t whole)
{
	const uint32_t share =
	    whole < SHARES ? (uint32_t)whole : (uint32_t)SHARES - 1;

	return share << 16 | share;
}

static void round_shares(struct taps *taps)
{
	int32_t whole[TAPS_FEW];

	for (size_t i = 0; i < taps->out; i++) {
		const size_t at = i * taps->stride;

		round_row(taps->exact + at, taps->stride, SHARES, whole);
		for (size_t k = 0; k < taps->stride; k++)
			taps->shares[at + k] = share_of(whole[k]);
	}
}

/* Rounds half away from zero, like Pillow. */
static void round_exact(struct taps *taps)
{
	taps->shift = SHIFT_EXACT;
	for (size_t i = 0; i < taps->out * taps->stride; i++) {
		const long whole = lround(taps->exact[i] * (1 << SHIFT_EXACT));

		taps->weights[i] = (int16_t)(whole >> TAPS_LOW);
		taps->low[i] = (int16_t)(whole & ((1 << TAPS_LOW) - 1));
	}
}

static void round_floats(struct taps *taps)
{
	for (size_t i = 0; i < taps->out * taps->stride; i++)
		taps->floats[i] = (float)taps->exact[i];
}

static void fill_weighted(struct taps *taps, const struct taps_wish *wish)
{
	const struct window window = window_of(wish);

	taps->stride = round_up(find_ends(&window, taps));
	place_weights(taps);
	find_skips(taps);
	for (size_t i = 0; i < taps->out; i++)
		weigh(&window, taps, i);
	if (taps->kind == TAPS_FLOATS)
		round_floats(taps);
	else if (taps->kind == TAPS_COARSE)
		round_coarse(taps);
	else if (taps->kind == TAPS_SHARES)
		round_shares(taps);
	else
		round_exact(taps);
}

size_t taps_most(const struct taps_wish *wish)
{
	return (size_t)ceil(window_of(wish).support) * 2 + 1;
}

int taps_fill(
    struct taps *taps, const struct taps_wish *wish, struct error *err)
{
	taps->in = wish->in;
	taps->out = wish->out;
	taps->reach = wish->in;
	taps->shift = 0;
	taps->kind = wish->kind;
	taps->stride = round_up(taps_most(wish)); /* or less */
	if (make_room(taps, err))
		return -1;
	if (wish->filter == FILTER_NEAREST)
		fill_nearest(taps);
	else
		fill_weighted(taps, wish);
	return 0;
}

void taps_release(struct taps *taps)
{
	free(taps->exact);
	*taps = (struct taps)TAPS_INIT;
}
