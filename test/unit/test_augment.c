/*
 * test_augment.c - colour changes and blurs, compared with their definitions in
 * double precision.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/image/blur.h"
#include "lib/image/colours.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* ---- colours ---- */

enum { PIXELS = 64 * 3 + 17 }; /* vectors, and a rest */

struct reference {
	double pixels[PIXELS][3];
	bool is_bytes;
	size_t channels;
};

static double luma(const double rgb[3])
{
	return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

/* As in every textbook: hue in turns. */
static void to_hsv(const double rgb[3], double hsv[3])
{
	const double most = fmax(rgb[0], fmax(rgb[1], rgb[2]));
	const double spread = most - fmin(rgb[0], fmin(rgb[1], rgb[2]));

	hsv[0] = 0;
	if (spread > 0 && most == rgb[0])
		hsv[0] = (rgb[1] - rgb[2]) / spread;
	else if (spread > 0 && most == rgb[1])
		hsv[0] = 2 + (rgb[2] - rgb[0]) / spread;
	else if (spread > 0)
		hsv[0] = 4 + (rgb[0] - rgb[1]) / spread;
	hsv[0] = fmod(hsv[0] / 6 + 1, 1);
	hsv[1] = most > 0 ? spread / most : 0;
	hsv[2] = most;
}

static void to_rgb(const double hsv[3], double rgb[3])
{
	const double sixth = floor(hsv[0] * 6), f = hsv[0] * 6 - sixth;
	const double v = hsv[2], p = v * (1 - hsv[1]);
	const double q = v * (1 - hsv[1] * f);
	const double t = v * (1 - hsv[1] * (1 - f));
	const double ways[6][3] = { { v, t, p }, { q, v, p }, { p, v, t },
		{ p, q, v }, { t, p, v }, { v, p, q } };

	memcpy(rgb, ways[(int)sixth % 6], sizeof(ways[0]));
}

static double mean_luma(const struct reference *image)
{
	double sum = 0;

	for (size_t i = 0; i < PIXELS; i++)
		sum += luma(image->pixels[i]);
	return sum / PIXELS;
}

static void change_pixel(
    const struct colours_step *step, double mean, double rgb[3])
{
	const double amount = (double)step->amount;
	double other = 0, hsv[3];

	if (step->change == COLOURS_HUE) {
		to_hsv(rgb, hsv);
		hsv[0] = fmod(hsv[0] + amount + 1, 1);
		to_rgb(hsv, rgb);
		return;
	}
	if (step->change == COLOURS_CONTRAST)
		other = mean;
	if (step->change == COLOURS_SATURATION)
		other = luma(rgb);
	for (int c = 0; c < 3; c++)
		rgb[c] = amount * rgb[c] + (1 - amount) * other;
}

static void change(struct reference *image, const struct colours_step *step)
{
	const double most = image->is_bytes ? 255 : 1;
	const double mean = mean_luma(image);

	for (size_t i = 0; i < PIXELS; i++) {
		double *rgb = image->pixels[i];

		change_pixel(step, mean, rgb);
		for (int c = 0; c < 3; c++) {
			rgb[c] = fmin(fmax(rgb[c], 0), most);
			if (image->is_bytes)
				rgb[c] = floor(rgb[c] + 0.5);
		}
	}
}

static void load(struct reference *image, const void *data)
{
	for (size_t i = 0; i < PIXELS; i++)
		for (size_t c = 0; c < 3; c++) {
			const size_t at = i * image->channels +
			                  (image->channels == 3 ? c : 0);

			image->pixels[i][c] =
			    image->is_bytes ? ((const unsigned char *)data)[at]
			                    : (double)((const float *)data)[at];
		}
}

/* Bytes may round the other way once, and change what follows a little. */
static void check_plan(const struct colours_plan *plan, const void *in)
{
	struct reference want = {
		.is_bytes = plan->dtype == DTYPE_U8,
		.channels = plan->channels,
	};
	struct reference got = want;
	float out[PIXELS * 3];
	unsigned off = 0;

	load(&want, in);
	for (unsigned i = 0; i < plan->count; i++)
		change(&want, &plan->steps[i]);
	colours_run(plan, in, out, PIXELS);
	load(&got, out);
	for (size_t i = 0; i < PIXELS; i++)
		for (size_t c = 0; c < 3; c++) {
			const double by =
			    fabs(got.pixels[i][c] - want.pixels[i][c]);

			off += by > 0.5;
			if (by > (want.is_bytes ? 6 : 2e-5))
				fail_msg("pixel %zu, channel %zu: %g, not %g",
				    i, c, got.pixels[i][c], want.pixels[i][c]);
		}
	assert_true(off < PIXELS / 8);
}

static void fill(struct random *random, struct colours_plan *plan, void *in)
{
	const size_t count = PIXELS * plan->channels;
	float *floats = in;

	random_fill(random, in, count);
	if (plan->dtype == DTYPE_U8) {
		memset(in, 7, 9 * plan->channels); /* some are grey */
		return;
	}
	for (size_t i = 0; i < count; i++)
		floats[i] = (float)random_unit(random);
}

/* Some of the changes in some order. */
static void draw_plan(struct random *random, struct colours_plan *plan)
{
	unsigned left = plan->channels == 3 ? 15 : 3; /* bits: not yet used */

	plan->count = 0;
	while (left) {
		const unsigned i = random_below(random, COLOURS_CHANGES);

		if (!(left & 1u << i))
			continue;
		left &= ~(1u << i);
		if (random_below(random, 4) == 0)
			continue;
		plan->steps[plan->count++] = (struct colours_step){
			.change = (enum colours_change)i,
			.amount = (float)(random_unit(random) *
			                  (i == COLOURS_HUE ? 1 : 2)),
		};
		if (i == COLOURS_HUE)
			plan->steps[plan->count - 1].amount -= 0.5f;
	}
}

static void test_colours_are_changed_as_defined(void **state)
{
	struct random random = random_stream(31, 0, 0, 0);
	float in[PIXELS * 3];

	UNUSED(state);
	for (unsigned i = 0; i < 4000; i++) {
		struct colours_plan plan = {
			.dtype = i & 1 ? DTYPE_F32 : DTYPE_U8,
			.channels = i % 5 ? 3 : 1,
		};

		draw_plan(&random, &plan);
		fill(&random, &plan, in);
		check_plan(&plan, in);
	}
}

static void test_colours_of_a_turn_of_nothing_stay(void **state)
{
	const struct colours_plan plan = {
		.steps = { { COLOURS_HUE, 0 }, { COLOURS_SATURATION, 1 },
		    { COLOURS_CONTRAST, 1 }, { COLOURS_BRIGHTNESS, 1 } },
		.count = 4,
		.dtype = DTYPE_U8,
		.channels = 3,
	};
	struct random random = random_stream(32, 0, 0, 0);
	unsigned char in[PIXELS * 3], out[PIXELS * 3];

	UNUSED(state);
	random_fill(&random, in, sizeof(in));
	colours_run(&plan, in, out, PIXELS);
	assert_memory_equal(in, out, sizeof(in));
}

/* What comes out of an image of one level, with this draw. */
static unsigned level_of(struct stepper *stepper, uint64_t seed)
{
	static const struct shape shape = { 3, { 1, 2, 3 } };
	static const unsigned char pixels[6] = { 80, 80, 80, 120, 120, 120 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	unsigned level;

	tensor_view(&in, DTYPE_U8, &shape, pixels);
	test_ok(stepper_run(stepper, seed, &in, &out, &err), &err);
	level = ((unsigned char *)out.data)[0];
	tensor_release(&out);
	return level;
}

static void test_jitter_draws_factor_and_order(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	struct error err = ERROR_INIT;
	unsigned low = 255, high = 0, first = 0;
	struct stepper stepper;
	double sum = 0;

	UNUSED(state);
	test_ok(
	    stepper_open(&stepper, "color_jitter brightness=0.5", &type, &err),
	    &err);
	for (uint64_t seed = 0; seed < 2000; seed++) {
		const unsigned level = level_of(&stepper, seed);

		low = level < low ? level : low;
		high = level > high ? level : high;
		sum += level;
	}
	stepper_close(&stepper);
	assert_in_range(low, 40, 41);
	assert_in_range(high, 119, 120);
	assert_true(fabs(sum / 2000 - 80) < 2);
	/*
	 * Contrast first: 80 and 120 become 40 and 160, then 40 becomes 100.
	 * Else they become 200 and 255, and 200 becomes 145.
	 */
	test_ok(
	    stepper_open(&stepper,
	        "color_jitter brightness=2.5,2.5 contrast=3,3", &type, &err),
	    &err);
	for (uint64_t seed = 0; seed < 2000; seed++) {
		const unsigned level = level_of(&stepper, seed);

		assert_true(level == 100 || level == 145);
		first += level == 100;
	}
	stepper_close(&stepper);
	assert_in_range(first, 900, 1100);
}

/* The i-th order of four changes. */
static void order_of(unsigned i, enum colours_change order[COLOURS_CHANGES])
{
	unsigned left[COLOURS_CHANGES] = { COLOURS_BRIGHTNESS, COLOURS_CONTRAST,
		COLOURS_SATURATION, COLOURS_HUE };

	for (unsigned n = COLOURS_CHANGES; n > 0; i /= n--) {
		const unsigned k = i % n;

		order[n - 1] = (enum colours_change)left[k];
		left[k] = left[n - 1];
	}
}

enum { ORDERS = 24, ORDER_DRAWS = ORDERS * 400, FEW_PIXELS = 8 };

/* What comes out of these pixels in each order. */
static void changed_in_each_order(
    const unsigned char *pixels, unsigned char out[ORDERS][3 * FEW_PIXELS])
{
	static const float amounts[COLOURS_CHANGES] = {
		[COLOURS_BRIGHTNESS] = 1.5F,
		[COLOURS_CONTRAST] = 1.75F,
		[COLOURS_SATURATION] = 2,
		[COLOURS_HUE] = 0.25F,
	};

	for (unsigned i = 0; i < ORDERS; i++) {
		struct colours_plan plan = {
			.count = COLOURS_CHANGES,
			.dtype = DTYPE_U8,
			.channels = 3,
		};
		enum colours_change order[COLOURS_CHANGES];

		order_of(i, order);
		for (unsigned k = 0; k < COLOURS_CHANGES; k++)
			plan.steps[k] = (struct colours_step){ order[k],
				amounts[order[k]] };
		colours_run(&plan, pixels, out[i], FEW_PIXELS);
		for (unsigned k = 0; k < i; k++)
			assert_memory_not_equal(out[k], out[i], sizeof(out[i]));
	}
}

/* All 24 orders: chi-squared, of 23 degrees of freedom, is 70 by 1e-6. */
static void test_jitter_draws_each_order_as_often(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	const struct shape shape = { 3, { 1, FEW_PIXELS, 3 } };
	unsigned char pixels[3 * FEW_PIXELS], each[ORDERS][3 * FEW_PIXELS];
	struct random random = random_stream(33, 0, 0, 0);
	struct error err = ERROR_INIT;
	unsigned count[ORDERS] = { 0 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct stepper stepper;
	double squares = 0;

	UNUSED(state);
	random_fill(&random, pixels, sizeof(pixels));
	changed_in_each_order(pixels, each);
	tensor_view(&in, DTYPE_U8, &shape, pixels);
	test_ok(stepper_open(&stepper,
	            "color_jitter brightness=1.5,1.5 contrast=1.75,1.75 "
	            "saturation=2,2 hue=0.25,0.25",
	            &type, &err),
	    &err);
	for (uint64_t seed = 0; seed < ORDER_DRAWS; seed++) {
		unsigned i = 0;

		test_ok(stepper_run(&stepper, seed, &in, &out, &err), &err);
		while (i < ORDERS && memcmp(out.data, each[i], out.bytes) != 0)
			i++;
		assert_true(i < ORDERS);
		count[i]++;
	}
	stepper_close(&stepper);
	tensor_release(&out);
	for (unsigned i = 0; i < ORDERS; i++)
		squares += pow((double)count[i] - ORDER_DRAWS / ORDERS, 2) /
		           (ORDER_DRAWS / ORDERS);
	assert_true(squares < 70);
}

/* ---- blur ---- */

static double value_of(const struct tensor *image, size_t y, size_t x, size_t c)
{
	const size_t at = (y * (size_t)image->shape.dims[1] + x) *
	                      (size_t)image->shape.dims[2] +
	                  c;

	if (image->dtype == DTYPE_U8)
		return ((const unsigned char *)image->data)[at];
	return (double)((const float *)image->data)[at];
}

/* Step by step, turning round at each end. */
static size_t walk(size_t side, size_t from, int steps)
{
	size_t at = from;
	bool is_up = steps > 0;

	for (int i = 0; i < abs(steps) && side > 1; i++) {
		if (at == 0)
			is_up = true;
		else if (at == side - 1)
			is_up = false;
		at = is_up ? at + 1 : at - 1;
	}
	return at;
}

static double blurred(
    const struct tensor *image, const size_t at[3], int reach, double sigma)
{
	const size_t height = (size_t)image->shape.dims[0];
	const size_t width = (size_t)image->shape.dims[1];
	double sum = 0, all = 0;

	for (int dy = -reach; dy <= reach; dy++)
		for (int dx = -reach; dx <= reach; dx++) {
			const double weight =
			    exp(-(dy * dy + dx * dx) / (2 * sigma * sigma));

			all += weight;
			sum += weight * value_of(image, walk(height, at[0], dy),
			                    walk(width, at[1], dx), at[2]);
		}
	return sum / all;
}

static void check_blur(
    struct random *random, enum dtype dtype, unsigned side, unsigned channels)
{
	const int reach = (int)random_below(random, 7);
	const double sigma = 0.1 + random_unit(random) * 4;
	const struct type type = stepper_image_type(dtype, channels);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	char words[64];

	stepper_noise(&in, dtype, 1 + random_below(random, side),
	    1 + random_below(random, side), channels);
	snprintf(words, sizeof(words), "gaussian_blur kernel=%d sigma=%.17g",
	    2 * reach + 1, sigma);
	stepper_once(words, &type, &in, &out);
	for (size_t i = 0; i < shape_elements(&in.shape); i++) {
		const size_t x = i / channels, wide = (size_t)in.shape.dims[1];
		const size_t at[3] = { x / wide, x % wide, i % channels };
		const double want = blurred(&in, at, reach, sigma);
		const double got = value_of(&out, at[0], at[1], at[2]);

		if (fabs(got - want) > (dtype == DTYPE_U8 ? 0.5001 : 1e-4))
			fail_msg("%s, %zu,%zu,%zu: %g, not %g", words, at[0],
			    at[1], at[2], got, want);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_blur_is_as_defined(void **state)
{
	struct random random = random_stream(41, 0, 0, 0);

	UNUSED(state);
	for (unsigned i = 0; i < 120; i++)
		check_blur(&random, i & 1 ? DTYPE_F32 : DTYPE_U8,
		    i % 3 ? 40 : 6, 1 + i % 4);
}

static void test_blur_draws_its_width(void **state)
{
	const struct type type = stepper_image_type(DTYPE_F32, 1);
	static const struct shape shape = { 3, { 1, 5, 1 } };
	static const float point[5] = { 0, 0, 1, 0, 0 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;
	float low = 1, high = 0;

	UNUSED(state);
	tensor_view(&in, DTYPE_F32, &shape, point);
	test_ok(stepper_open(&stepper, "gaussian_blur kernel=3 sigma=0.5,1",
	            &type, &err),
	    &err);
	for (uint64_t seed = 0; seed < 1000; seed++) {
		float middle;

		test_ok(stepper_run(&stepper, seed, &in, &out, &err), &err);
		middle = ((const float *)out.data)[2];
		low = middle < low ? middle : low;
		high = middle > high ? middle : high;
	}
	/* 1 / (1 + 2 exp(-1 / (2 sigma^2))) at both ends */
	assert_true(fabs((double)low - 0.4519) < 0.002);
	assert_true(fabs((double)high - 0.7870) < 0.002);
	stepper_close(&stepper);
	tensor_release(&out);
}

/* ---- words ---- */

static void test_augment_says_what_is_wrong(void **state)
{
	static const struct {
		const char *words, *error;
	} cases[] = {
		{ "color_jitter",
		    "brightness, contrast, saturation or hue must be given" },
		{ "color_jitter hue=0.6", "hue must be 0 to 0.5, got 0.6" },
		{ "color_jitter hue=-0.6,0",
		    "hue must be two increasing numbers from -0.5 to 0.5, got "
		    "-0.6,0" },
		{ "color_jitter contrast=-1",
		    "contrast must be 0 to 1000, got -1" },
		{ "color_jitter brightness=x",
		    "brightness must be a number, or two as LOW,HIGH, got "
		    "'x'" },
		{ "gaussian_blur", "kernel must be given" },
		{ "gaussian_blur kernel=4", "kernel must be odd, got 4" },
		{ "gaussian_blur kernel=257",
		    "kernel must be 1 to 255, got 257" },
		{ "gaussian_blur kernel=3 sigma=0",
		    "sigma must be 0.001 to 1000, got 0" },
		{ "gaussian_blur kernel=3 sigma=2,1",
		    "sigma must be two increasing numbers from 0.001 to 1000, "
		    "got 2,1" },
	};
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	const struct type many = stepper_image_type(DTYPE_U8, 4);
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		test_error_is(
		    stepper_open(&stepper, cases[i].words, &type, &err), &err,
		    cases[i].error);
		stepper_close(&stepper);
	}
	test_error_is(
	    stepper_open(&stepper, "color_jitter hue=0.1", &many, &err), &err,
	    "takes 1 or 3 channels, not 4");
	stepper_close(&stepper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_colours_are_changed_as_defined),
		cmocka_unit_test(test_colours_of_a_turn_of_nothing_stay),
		cmocka_unit_test(test_jitter_draws_factor_and_order),
		cmocka_unit_test(test_jitter_draws_each_order_as_often),
		cmocka_unit_test(test_blur_is_as_defined),
		cmocka_unit_test(test_blur_draws_its_width),
		cmocka_unit_test(test_augment_says_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
