/* test_erasing.c - vflip, random erasing, and padding before a crop. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/half.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* ---- vflip ---- */

static void check_turned(const struct tensor *in, const struct tensor *out,
    size_t planes, size_t height)
{
	const size_t row = in->bytes / planes / height;

	for (size_t i = 0; i < planes * height; i++) {
		const size_t plane = i / height, y = i % height;

		assert_memory_equal((const char *)out->data + i * row,
		    (const char *)in->data +
		        (plane * height + height - 1 - y) * row,
		    row);
	}
}

static void test_vflip_turns_the_rows_round(void **state)
{
	static const enum dtype dtypes[] = { DTYPE_U8, DTYPE_U16, DTYPE_F64 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t d = 0; d < ARRAY_LEN(dtypes); d++)
		for (int64_t height = 1; height < 7; height++) {
			struct type type = stepper_image_type(dtypes[d], 3);

			stepper_noise(&in, dtypes[d], height, 5, 3);
			stepper_once("vflip chance=1", &type, &in, &out);
			check_turned(&in, &out, 1, (size_t)height);
			stepper_once("vflip chance=0", &type, &in, &out);
			assert_memory_equal(in.data, out.data, in.bytes);
			type = stepper_planes_type(dtypes[d], 3);
			stepper_noise(&in, dtypes[d], 3, height, 5);
			stepper_once("vflip chance=1", &type, &in, &out);
			check_turned(&in, &out, 3, (size_t)height);
		}
	tensor_release(&in);
	tensor_release(&out);
}

/* ---- random_erasing ---- */

enum { HEIGHT = 40, WIDTH = 30, CHANNELS = 3, DRAWS = 400 };

/* The rectangle of pixels that differ; returns how many do. */
static size_t find_erased(
    const struct tensor *in, const struct tensor *out, size_t box[4])
{
	const unsigned char *a = in->data, *b = out->data;
	size_t count = 0;

	box[0] = HEIGHT;
	box[1] = WIDTH;
	box[2] = box[3] = 0;
	for (size_t i = 0; i < HEIGHT * WIDTH; i++) {
		const size_t y = i / WIDTH, x = i % WIDTH;

		if (memcmp(a + i * CHANNELS, b + i * CHANNELS, CHANNELS) == 0)
			continue;
		count++;
		box[0] = y < box[0] ? y : box[0];
		box[1] = x < box[1] ? x : box[1];
		box[2] = y + 1 > box[2] ? y + 1 : box[2];
		box[3] = x + 1 > box[3] ? x + 1 : box[3];
	}
	return count;
}

/* No pixel is black, so that what is erased can be seen. */
static void make_light(struct tensor *image)
{
	stepper_noise(image, DTYPE_U8, HEIGHT, WIDTH, CHANNELS);
	for (size_t i = 0; i < image->bytes; i++)
		((unsigned char *)image->data)[i] |= 1;
}

static void test_random_erasing_writes_over_a_rectangle(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U8, CHANNELS);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct stepper stepper;
	struct error err = ERROR_INIT;
	unsigned erased = 0, tall = 0;

	UNUSED(state);
	make_light(&in);
	test_ok(stepper_open(&stepper, "random_erasing", &type, &err), &err);
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		size_t box[4], count, height, width;

		test_ok(stepper_run(&stepper, seed, &in, &out, &err), &err);
		count = find_erased(&in, &out, box);
		if (!count)
			continue;
		height = box[2] - box[0];
		width = box[3] - box[1];
		erased++;
		tall += height > width;
		assert_int_equal(count, height * width);
		/* Shares of the area and shapes, up to rounding. */
		assert_true((double)count > HEIGHT * WIDTH * 0.02 * 0.6);
		assert_true((double)count < HEIGHT * WIDTH * 0.33 * 1.1);
		assert_true((double)height / (double)width < 3.3 * 1.4);
		assert_true((double)width / (double)height < 3.3 * 1.4);
		assert_true(height < HEIGHT && width < WIDTH);
	}
	/* Half of them, and every shape: five deviations off is no chance. */
	assert_true(erased > DRAWS / 2 - 50 && erased < DRAWS / 2 + 50);
	assert_true(tall > erased / 4 && tall < erased - erased / 4);
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_random_erasing_writes_what_it_is_told(void **state)
{
	static const unsigned char colours[3] = { 2, 4, 6 };
	const struct type pixels = stepper_image_type(DTYPE_U8, CHANNELS);
	const struct type planes = stepper_planes_type(DTYPE_U8, CHANNELS);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	size_t erased = 0;

	UNUSED(state);
	make_light(&in);
	stepper_once("random_erasing chance=1 value=2,4,6", &pixels, &in, &out);
	for (size_t i = 0; i < out.bytes; i++) {
		const unsigned char got = ((unsigned char *)out.data)[i];

		if (got % 2 == 0) {
			assert_int_equal(got, colours[i % 3]);
			erased++;
		}
	}
	assert_true(erased > 0);
	/* The same draw on planes writes as much, each its own. */
	in.shape = (struct shape){ 3, { CHANNELS, HEIGHT, WIDTH } };
	stepper_once("random_erasing chance=1 value=2,4,6", &planes, &in, &out);
	for (size_t i = 0; i < out.bytes; i++) {
		const unsigned char got = ((unsigned char *)out.data)[i];

		if (got % 2 == 0) {
			assert_int_equal(got, colours[i / (HEIGHT * WIDTH)]);
			erased--;
		}
	}
	assert_int_equal(erased, 0);
	tensor_release(&in);
	tensor_release(&out);
}

/* Of floats the mean is 0, and they differ. */
static void test_random_erasing_makes_noise(void **state)
{
	static const enum dtype dtypes[] = { DTYPE_F32, DTYPE_F16, DTYPE_U16 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t d = 0; d < ARRAY_LEN(dtypes); d++) {
		const struct type type = stepper_image_type(dtypes[d], 1);
		const size_t bytes = dtype_bytes(dtypes[d]);
		size_t changed = 0, same = 0;

		stepper_noise(&in, dtypes[d], 64, 64, 1);
		memset(in.data, 0, in.bytes);
		stepper_once(
		    "random_erasing chance=1 value=random", &type, &in, &out);
		for (size_t i = 1; i < out.bytes / bytes; i++) {
			const char *at = (const char *)out.data + i * bytes;

			changed += memcmp(at, in.data, bytes) != 0;
			same += memcmp(at, in.data, bytes) != 0 &&
			        memcmp(at, at - bytes, bytes) == 0;
		}
		assert_true((double)changed > 64 * 64 * 0.02 * 0.6);
		assert_true(same < changed / 16);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_random_erasing_refuses_in_words(void **state)
{
	static const struct {
		const char *words, *error;
	} cases[] = {
		{ "random_erasing scale=0.5", "scale must be two numbers" },
		{ "random_erasing scale=0.5,2",
		    "scale must be two increasing" },
		{ "random_erasing ratio=3,1", "ratio must be two increasing" },
		{ "random_erasing value=red",
		    "value must be a number, one for each channel, or random, "
		    "got 'red'" },
		{ "random_erasing value=1,2",
		    "value has 2 numbers, but the image 3 channels" },
		{ "random_erasing value=0.5",
		    "value 0.5 cannot be stored as uint8" },
		{ "random_erasing value=256",
		    "value 256 cannot be stored as uint8" },
		{ "random_erasing chance=2", "chance must be 0 to 1, got 2" },
	};
	const struct type type = stepper_image_type(DTYPE_U8, CHANNELS);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct stepper stepper;
		struct error err = ERROR_INIT;

		assert_int_equal(
		    stepper_open(&stepper, cases[i].words, &type, &err), -1);
		test_contains(err.text, cases[i].error);
		stepper_close(&stepper);
	}
}

/* ---- random_crop padding ---- */

/* Element `at` of a row of `side` that is padded, or -1. */
static int place(int at, int padding, int side, const char *mode)
{
	at -= padding;
	if (at >= 0 && at < side)
		return at;
	if (mode[0] == 'c')
		return -1;
	if (mode[0] == 'e')
		return at < 0 ? 0 : side - 1;
	return at < 0 ? -at : 2 * (side - 1) - at;
}

/* Is `out` the window at this corner of the image padded? */
static bool is_window(const struct tensor *in, const struct tensor *out,
    const int corner[2], int padding, const char *mode)
{
	const int64_t *a = in->shape.dims, *b = out->shape.dims;
	const uint16_t *from = in->data, *to = out->data;

	for (int64_t y = 0; y < b[0]; y++)
		for (int64_t x = 0; x < b[1]; x++) {
			const int row =
			    place(corner[0] + (int)y, padding, (int)a[0], mode);
			const int column =
			    place(corner[1] + (int)x, padding, (int)a[1], mode);
			const uint16_t want = row < 0 || column < 0
			                          ? 0
			                          : from[row * a[1] + column];

			if (to[y * b[1] + x] != want)
				return false;
		}
	return true;
}

/* Every corner, each of which comes. */
static void check_padded(const char *mode, int padding, int size)
{
	const struct type type = stepper_image_type(DTYPE_U16, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct stepper stepper;
	struct error err = ERROR_INIT;
	const int places[2] = { 6 + 2 * padding - size + 1,
		5 + 2 * padding - size + 1 };
	bool came[32][32] = { { false } };
	char words[96];

	snprintf(words, sizeof(words),
	    "random_crop size=%d padding=%d padding_mode=%s", size, padding,
	    mode);
	stepper_noise(&in, DTYPE_U16, 6, 5, 1);
	test_ok(stepper_open(&stepper, words, &type, &err), &err);
	for (uint64_t seed = 0; seed < 600; seed++) {
		unsigned found = 0;

		test_ok(stepper_run(&stepper, seed, &in, &out, &err), &err);
		for (int y = 0; y < places[0]; y++)
			for (int x = 0; x < places[1]; x++) {
				const int corner[2] = { y, x };

				if (!is_window(
				        &in, &out, corner, padding, mode))
					continue;
				came[y][x] = true;
				found++;
			}
		if (!found)
			fail_msg("%s: another window", words);
	}
	for (int y = 0; y < places[0]; y++)
		for (int x = 0; x < places[1]; x++)
			assert_true(came[y][x]);
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_random_crop_pads_before(void **state)
{
	static const char *const modes[] = { "constant", "reflect", "edge" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		check_padded(modes[i], 2, 5);
		check_padded(modes[i], 4, 9);
		check_padded(modes[i], 4, 13);
		check_padded(modes[i], 1, 3);
	}
}

static void test_random_crop_pads_planes_apart(void **state)
{
	const struct type type = stepper_planes_type(DTYPE_U8, 2);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 2, 3, 3);
	stepper_once("random_crop size=5 padding=1", &type, &in, &out);
	for (size_t plane = 0; plane < 2; plane++)
		for (size_t i = 0; i < 25; i++) {
			const size_t y = i / 5, x = i % 5;
			const bool is_edge =
			    y == 0 || x == 0 || y == 4 || x == 4;

			assert_int_equal(
			    ((unsigned char *)out.data)[plane * 25 + i],
			    is_edge ? 0
			            : ((unsigned char *)
			                      in.data)[plane * 9 + (y - 1) * 3 +
			                               x - 1]);
		}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_random_crop_refuses_what_is_too_small(void **state)
{
	struct type type = stepper_image_type(DTYPE_U8, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct stepper stepper;
	struct error err = ERROR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 4, 4, 3);
	test_ok(stepper_open(&stepper,
	            "random_crop size=8 padding=4 padding_mode=reflect", &type,
	            &err),
	    &err);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "image is 4x4, too small for padding=4 padding_mode=reflect");
	stepper_close(&stepper);
	test_ok(
	    stepper_open(&stepper, "random_crop size=9 padding=2", &type, &err),
	    &err);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "image is 8x8 with its padding, smaller than the crop of 9x9");
	stepper_close(&stepper);
	type.shape.dims[0] = type.shape.dims[1] = 4;
	assert_int_equal(
	    stepper_open(&stepper, "random_crop size=9 padding=2", &type, &err),
	    -1);
	test_contains(err.text, "larger than the images (uint8 4x4x3) with "
	                        "their padding");
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vflip_turns_the_rows_round),
		cmocka_unit_test(test_random_erasing_writes_over_a_rectangle),
		cmocka_unit_test(test_random_erasing_writes_what_it_is_told),
		cmocka_unit_test(test_random_erasing_makes_noise),
		cmocka_unit_test(test_random_erasing_refuses_in_words),
		cmocka_unit_test(test_random_crop_pads_before),
		cmocka_unit_test(test_random_crop_pads_planes_apart),
		cmocka_unit_test(test_random_crop_refuses_what_is_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
