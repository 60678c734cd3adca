/* fft.c - see fft.h. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/fft_any.h"
#include "lib/audio/fft_tables.h"
#include "lib/audio/kernels.h"
#include "lib/audio/mel_tables.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"

static const double pi = 3.14159265358979323846;

struct fft {
	struct fft_tables tables;
	const struct audio_kernels *kernels;
	struct buf work;     /* work memory of the kernel */
	struct fft_any *any; /* if set, the members above are unused */
};

double fft_window_weight(enum fft_window window, size_t i, size_t count)
{
	const double turn = 2 * pi * (double)i / (double)count;

	switch (window) {
	case FFT_HANN:
		return 0.5 - 0.5 * cos(turn);
	case FFT_HAMMING:
		return 0.54 - 0.46 * cos(turn);
	default:
		return 1;
	}
}

size_t fft_bins(const struct fft_plan *plan)
{
	return plan->size / 2 + 1;
}

const struct fft_plan *fft_plan(const struct fft *fft)
{
	return &fft->tables.plan;
}

static bool is_power_of_two(size_t size)
{
	return (size & (size - 1)) == 0;
}

int fft_check_size(size_t size, struct error *err)
{
#ifndef WITH_KISSFFT
	if (!is_power_of_two(size))
		return error_set(err, ERROR_USAGE,
		    "n_fft must be a power of two, got %zu: this presto was "
		    "built without kissfft",
		    size);
#else
	UNUSED(size);
	UNUSED(err);
#endif
	return 0;
}

/* ---- tables ---- */

static void set_turn(float turn[2], size_t k, size_t count)
{
	const double angle = -2 * pi * (double)k / (double)count;

	turn[0] = (float)cos(angle);
	turn[1] = (float)sin(angle);
}

/* Half of the scale, for untwisting; a power of two, so that this is exact. */
static void fill_window(struct fft_tables *tables)
{
	const struct fft_plan *plan = &tables->plan;
	const double scale = plan->dtype == DTYPE_I16 ? 0x1p-16 : 0x1p-1;

	for (size_t i = 0; i < plan->frame; i++)
		tables->window[i] =
		    (float)(scale *
		            fft_window_weight(plan->window, i, plan->frame));
}

static void fill_turns(struct fft_tables *tables)
{
	size_t block = tables->half;
	float *turns = tables->turns;

	if (tables->folds) {
		for (size_t k = 0; k < block / 2; k++, turns += 2)
			set_turn(turns, k, block);
		block /= 2;
	}
	for (; block >= 4; block /= 4)
		for (size_t k = 0; k < block / 4; k++, turns += 6)
			for (size_t power = 1; power <= 3; power++)
				set_turn(
				    turns + 2 * (power - 1), k * power, block);
}

/* The second half mirrors the first exactly. */
static void fill_untwist(struct fft_tables *tables)
{
	const size_t n = tables->half;

	for (size_t k = 0; k <= n / 2; k++) {
		float *one = tables->untwist + 2 * k;
		float *other = tables->untwist + 2 * (n - k);

		set_turn(one, k, 2 * n);
		if (k < n / 2) {
			other[0] = -one[0];
			other[1] = one[1];
		}
	}
}

/* Reverses the digits of k, each in the base of its pass. */
static uint32_t place_of(const struct fft_tables *tables, size_t k)
{
	size_t base = tables->folds ? 2 : 4;
	size_t place = 0;

	for (size_t rest = tables->half; rest > 1; base = 4) {
		rest /= base;
		place += k % base * rest;
		k /= base;
	}
	return (uint32_t)place;
}

static bool is_power_of_four(size_t size)
{
	while (size % 4 == 0)
		size /= 4;
	return size == 1;
}

static int make_tables(struct fft_tables *tables, struct error *err)
{
	const size_t half = tables->half;

	/* They are loaded four at a time. */
	tables->window = calloc(tables->plan.frame + 3, sizeof(float));
	tables->turns = calloc(half, 2 * sizeof(float));
	tables->untwist = calloc(half + 1, 2 * sizeof(float));
	tables->place = calloc(half + 1, sizeof(uint32_t));
	if (!tables->window || !tables->turns || !tables->untwist ||
	    !tables->place)
		return error_memory(err, half * 8 * sizeof(float));
	fill_window(tables);
	fill_turns(tables);
	fill_untwist(tables);
	for (size_t k = 0; k < half; k++)
		tables->place[k] = place_of(tables, k);
	return 0;
}

/* Cells, and the frames as floats. */
size_t fft_tables_work(const struct fft_tables *tables)
{
	return KERNEL_LANES_MAX *
	       (2 * tables->half + tables->plan.frame + KERNEL_LANES_MAX);
}

/* ---- a transform ---- */

static int set_up(struct fft *fft, struct error *err)
{
	const size_t size = fft->tables.plan.size;
	size_t bytes;

	if (fft_check_size(size, err))
		return -1;
#ifdef WITH_KISSFFT
	if (!is_power_of_two(size)) {
		fft->any = fft_any_new(&fft->tables.plan, err);
		return fft->any ? 0 : -1;
	}
#endif
	fft->kernels = audio_kernels();
	fft->tables.half = size / 2;
	fft->tables.folds = !is_power_of_four(size / 2);
	bytes = fft_tables_work(&fft->tables) * sizeof(float);
	if (buf_reserve(&fft->work, bytes, err))
		return -1;
	memset(fft->work.data, 0, bytes);
	return make_tables(&fft->tables, err);
}

struct fft *fft_new(const struct fft_plan *plan, struct error *err)
{
	struct fft *fft = memory_zeroed(sizeof(*fft), err);

	if (!fft)
		return NULL;
	fft->tables.plan = *plan;
	if (set_up(fft, err)) {
		fft_free(fft);
		return NULL;
	}
	return fft;
}

void fft_free(struct fft *fft)
{
	if (!fft)
		return;
#ifdef WITH_KISSFFT
	fft_any_free(fft->any);
#endif
	free(fft->tables.window);
	free(fft->tables.turns);
	free(fft->tables.untwist);
	free(fft->tables.place);
	buf_release(&fft->work);
	free(fft);
}

void fft_use(struct fft *fft, const struct audio_kernels *kernels)
{
	fft->kernels = kernels;
}

struct recorded {
	const void *samples;
	size_t samples_count, frames;
};

/* Groups frame `at` and those after it, at most `most`. */
static struct fft_group group_at(
    const struct fft *fft, const struct recorded *all, size_t at, size_t most)
{
	const struct fft_plan *plan = &fft->tables.plan;
	const size_t from = at * plan->hop < all->samples_count
	                        ? at * plan->hop
	                        : all->samples_count;

	return (struct fft_group){
		.samples = (const unsigned char *)all->samples +
		           from * dtype_bytes(plan->dtype),
		.samples_left = all->samples_count - from,
		.count = all->frames - at < most ? all->frames - at : most,
	};
}

static float *work_of(const struct fft *fft)
{
	return (float *)(void *)fft->work.data;
}

void fft_run(struct fft *fft, const void *samples, size_t samples_count,
    size_t count, float *out)
{
	const struct recorded all = { samples, samples_count, count };

#ifdef WITH_KISSFFT
	if (fft->any) {
		fft_any_run(fft->any, samples, samples_count, count, out);
		return;
	}
#endif
	for (size_t i = 0; i < count;) {
		struct fft_group group =
		    group_at(fft, &all, i, fft->kernels->lanes);

		group.out = out + i * fft_bins(&fft->tables.plan);
		fft->kernels->fft(&fft->tables, &group, work_of(fft));
		i += group.count;
	}
}

/* ---- with bands ---- */

int fft_reserve_bands(struct fft *fft, const struct mel *mel, struct error *err)
{
	const size_t bins = fft_bins(&fft->tables.plan);
	size_t floats = KERNEL_LANES_MAX * bins;

	if (!fft->any)
		floats = fft_tables_work(&fft->tables) +
		         mel_tables_work(mel_tables(mel));
	if (fft->work.cap >= floats * sizeof(float))
		return 0;
	if (buf_reserve(&fft->work, floats * sizeof(float), err))
		return -1;
	memset(fft->work.data, 0, floats * sizeof(float));
	return 0;
}

void fft_run_bands(struct fft *fft, struct mel *mel, const void *samples,
    size_t samples_count, size_t count, float *out)
{
	const struct recorded all = { samples, samples_count, count };
	const size_t most = fft->any ? KERNEL_LANES_MAX : fft->kernels->lanes;

	for (size_t i = 0; i < count;) {
		struct fft_group group = group_at(fft, &all, i, most);

		group.out = out + i * mel_plan(mel)->bands;
		if (fft->any) {
			fft_run(fft, group.samples, group.samples_left,
			    group.count, work_of(fft));
			mel_run(mel, work_of(fft), group.count, group.out);
		} else {
			fft->kernels->bands(&fft->tables, &group,
			    mel_tables(mel), work_of(fft));
		}
		i += group.count;
	}
}
