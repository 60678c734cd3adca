/* test_image_steps.c - exact results of the steps on pixels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/half.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const struct type plain_bytes = { DTYPE_U8, LAYOUT_PLAIN, { 1, { -1 } },
	"" };

/* All bytes, and some more, so that vector loops have a rest. */
static void all_bytes(struct tensor *tensor)
{
	static const struct shape shape = { 1, { 256 + 13 } };
	struct error err = ERROR_INIT;

	test_ok(tensor_reshape(tensor, DTYPE_U8, &shape, &err), &err);
	for (size_t i = 0; i < tensor->bytes; i++)
		((unsigned char *)tensor->data)[i] = (unsigned char)i;
}

/* Rounded as division rounds, to the bit. */
static void test_center_and_to_float_are_exact(void **state)
{
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	const float *got;

	UNUSED(state);
	all_bytes(&in);
	stepper_once("center", &plain_bytes, &in, &out);
	got = out.data;
	for (unsigned i = 0; i < 256 + 13; i++)
		assert_true(got[i] == (float)((i & 255) / 127.5 - 1));
	stepper_once("to_float", &plain_bytes, &in, &out);
	got = out.data;
	for (unsigned i = 0; i < 256 + 13; i++)
		assert_true(got[i] == (float)(i & 255) / 255.0f);
	stepper_once("to_float scale=no", &plain_bytes, &in, &out);
	got = out.data;
	for (unsigned i = 0; i < 256 + 13; i++)
		assert_true(got[i] == (float)(i & 255));
	tensor_release(&in);
	tensor_release(&out);
}

static void assert_near(float got, double want, double within)
{
	if (fabs((double)got - want) > within)
		fail_msg("%g, not %g", (double)got, want);
}

static void test_center_takes_floats(void **state)
{
	const struct type type = stepper_image_type(DTYPE_F32, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_F32, 5, 7, 3);
	stepper_once("center", &type, &in, &out);
	for (size_t i = 0; i < 105; i++)
		assert_near(((float *)out.data)[i],
		    (double)((float *)in.data)[i] / 127.5 - 1, 1e-6);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_to_half_rounds(void **state)
{
	const struct type type = stepper_image_type(DTYPE_F32, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_F32, 5, 7, 3);
	stepper_once("to_half", &type, &in, &out);
	assert_int_equal(out.dtype, DTYPE_F16);
	for (size_t i = 0; i < 105; i++)
		assert_int_equal(((uint16_t *)out.data)[i],
		    half_from_float(((float *)in.data)[i]));
	tensor_release(&in);
	tensor_release(&out);
}

static const double mean[] = { 0.485, 0.456, 0.406 };
static const double deviation[] = { 0.229, 0.224, 0.225 };

static double value_at(const struct tensor *tensor, size_t i)
{
	if (tensor->dtype == DTYPE_F32)
		return (double)((const float *)tensor->data)[i];
	return ((const unsigned char *)tensor->data)[i];
}

/* `plane`: elements of a channel that lie together; 1 in HWC. */
static void check_normalized(const struct tensor *in, const struct tensor *out,
    size_t plane, double unit)
{
	for (size_t i = 0; i < shape_elements(&in->shape); i++) {
		const size_t c = i / plane % 3;
		const double want =
		    (value_at(in, i) / unit - mean[c]) / deviation[c];
		const double got = value_at(out, i);

		if (fabs(got - want) > 2e-6 * fmax(1, fabs(want)))
			fail_msg("element %zu is %g, not %g", i, got, want);
	}
}

#define IMAGENET "mean=0.485,0.456,0.406 std=0.229,0.224,0.225"

static void test_normalize_each_channel(void **state)
{
	const struct type bytes = stepper_image_type(DTYPE_U8, 3);
	const struct type floats = stepper_image_type(DTYPE_F32, 3);
	const struct type planes = stepper_planes_type(DTYPE_U8, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 31, 17, 3);
	stepper_once("normalize " IMAGENET, &bytes, &in, &out);
	check_normalized(&in, &out, 1, 255);
	stepper_once("normalize scale=no " IMAGENET, &bytes, &in, &out);
	check_normalized(&in, &out, 1, 1);
	stepper_noise(&in, DTYPE_F32, 31, 17, 3);
	stepper_once("normalize " IMAGENET, &floats, &in, &out);
	check_normalized(&in, &out, 1, 1);
	stepper_noise(&in, DTYPE_U8, 3, 31, 17);
	stepper_once("normalize " IMAGENET, &planes, &in, &out);
	check_normalized(&in, &out, 31 * 17, 255);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_normalize_by_one_takes_any_shape(void **state)
{
	static const struct type scalar = { DTYPE_F32, LAYOUT_PLAIN,
		{ 0, { 0 } }, "" };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	const float five = 5;

	UNUSED(state);
	tensor_view(&in, DTYPE_F32, &scalar.shape, &five);
	stepper_once("normalize mean=3 std=0.5", &scalar, &in, &out);
	assert_near(*(float *)out.data, 4, 1e-6);
	all_bytes(&out);
	stepper_once("normalize mean=0.5 std=0.25", &plain_bytes, &out, &in);
	assert_near(((float *)in.data)[255], 2, 1e-6);
	assert_near(((float *)in.data)[256], -2, 1e-6);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_grayscale_is_that_of_pillow(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	const unsigned char *rgb, *grey;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 37, 41, 3);
	stepper_once("grayscale", &type, &in, &out);
	assert_int_equal(out.shape.dims[2], 1);
	rgb = in.data;
	grey = out.data;
	for (size_t i = 0; i < 37 * 41; i++, rgb += 3)
		assert_int_equal(grey[i],
		    (rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 32768) >>
		        16);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_grayscale_of_floats_and_of_grey(void **state)
{
	const struct type floats = stepper_image_type(DTYPE_F32, 3);
	const struct type grey = stepper_image_type(DTYPE_U8, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_F32, 7, 9, 3);
	stepper_once("grayscale", &floats, &in, &out);
	for (size_t i = 0; i < 63; i++)
		assert_near(((float *)out.data)[i],
		    0.299 * value_at(&in, 3 * i) +
		        0.587 * value_at(&in, 3 * i + 1) +
		        0.114 * value_at(&in, 3 * i + 2),
		    1e-4);
	stepper_noise(&in, DTYPE_U8, 7, 9, 1);
	stepper_once("grayscale", &grey, &in, &out);
	assert_memory_equal(in.data, out.data, 63);
	tensor_release(&in);
	tensor_release(&out);
}

/* Every dtype has its loop, and so have some numbers of channels. */
static void test_to_chw_moves_each_element(void **state)
{
	static const int64_t channels[] = { 1, 2, 3, 4, 5 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (unsigned d = 0; d < DTYPE_COUNT; d++)
		for (size_t k = 0; k < ARRAY_LEN(channels); k++) {
			const enum dtype dtype = (enum dtype)d;
			const size_t n = (size_t)channels[k], pixels = 9 * 15;
			const size_t bytes = dtype_bytes(dtype);
			const struct type type =
			    stepper_image_type(dtype, channels[k]);

			stepper_noise(&in, dtype, 9, 15, channels[k]);
			stepper_once("to_chw", &type, &in, &out);
			assert_int_equal(out.shape.dims[0], channels[k]);
			assert_int_equal(out.shape.dims[1], 9);
			for (size_t i = 0; i < pixels * n; i++)
				assert_memory_equal(
				    (char *)out.data +
				        (i % n * pixels + i / n) * bytes,
				    (char *)in.data + i * bytes, bytes);
		}
	tensor_release(&in);
	tensor_release(&out);
}

static void check_flipped(const struct tensor *in, const struct tensor *out,
    size_t width, size_t pixel)
{
	const size_t rows = in->bytes / (width * pixel);
	const char *from = in->data, *to = out->data;

	for (size_t y = 0; y < rows; y++)
		for (size_t x = 0; x < width; x++)
			assert_memory_equal(to + (y * width + x) * pixel,
			    from + (y * width + width - 1 - x) * pixel, pixel);
}

static void test_hflip_mirrors_each_row(void **state)
{
	static const int64_t widths[] = { 1, 2, 5, 6, 7, 30, 31 };
	static const enum dtype dtypes[] = { DTYPE_U8, DTYPE_F16, DTYPE_F32,
		DTYPE_F64 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(widths); i++)
		for (size_t d = 0; d < ARRAY_LEN(dtypes); d++)
			for (int64_t c = 1; c <= 5; c++) {
				const struct type type =
				    stepper_image_type(dtypes[d], c);

				stepper_noise(&in, dtypes[d], 3, widths[i], c);
				stepper_once(
				    "hflip chance=1", &type, &in, &out);
				check_flipped(&in, &out, (size_t)widths[i],
				    (size_t)c * dtype_bytes(dtypes[d]));
				stepper_once(
				    "hflip chance=0", &type, &in, &out);
				assert_memory_equal(
				    in.data, out.data, in.bytes);
			}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_hflip_keeps_planes_apart(void **state)
{
	const struct type type = stepper_planes_type(DTYPE_U8, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 3, 4, 11);
	stepper_once("hflip chance=1", &type, &in, &out);
	check_flipped(&in, &out, 11, 1);
	tensor_release(&in);
	tensor_release(&out);
}

/* torchvision: half of what is left, to the nearest even number. */
static void test_center_crop_is_in_the_middle(void **state)
{
	static const struct {
		int64_t side;
		size_t first;
	} cases[] = {
		{ 4, 0 },
		{ 5, 0 },
		{ 6, 1 },
		{ 7, 2 },
		{ 8, 2 },
		{ 9, 2 },
		{ 11, 4 },
	};
	const struct type type = stepper_image_type(DTYPE_F64, 2);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const size_t row = (size_t)cases[i].side * 16;
		const char *from = NULL;

		stepper_noise(&in, DTYPE_F64, cases[i].side, cases[i].side, 2);
		stepper_once("center_crop size=4", &type, &in, &out);
		from = (char *)in.data + cases[i].first * (row + 16);
		for (size_t y = 0; y < 4; y++)
			assert_memory_equal(
			    (char *)out.data + y * 64, from + y * row, 64);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_random_crop_comes_from_everywhere(void **state)
{
	const struct type type = stepper_planes_type(DTYPE_U8, 1);
	unsigned seen[25] = { 0 };
	struct error err = ERROR_INIT;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct stepper stepper;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 1, 7, 9);
	for (unsigned i = 0; i < 63; i++)
		((unsigned char *)in.data)[i] = (unsigned char)i;
	test_ok(
	    stepper_open(&stepper, "random_crop size=3x5", &type, &err), &err);
	for (uint64_t seed = 0; seed < 2500; seed++) {
		const unsigned char *got;

		test_ok(stepper_run(&stepper, seed, &in, &out, &err), &err);
		got = out.data;
		assert_int_equal(got[14] - got[0], 2 * 9 + 4);
		seen[got[0] / 9 * 5 + got[0] % 9]++;
	}
	for (size_t i = 0; i < ARRAY_LEN(seen); i++)
		assert_in_range(seen[i], 60, 140);
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_crops_name_both_sizes(void **state)
{
	static const char *const words[] = { "center_crop size=8x7",
		"random_crop size=8x7" };
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 7, 200, 3);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct error err = ERROR_INIT;
		struct stepper stepper;

		test_ok(stepper_open(&stepper, words[i], &type, &err), &err);
		test_error_is(stepper_run(&stepper, 1, &in, &out, &err), &err,
		    "image is 7x200, smaller than the crop of 8x7");
		assert_int_equal(err.code, ERROR_DATA);
		stepper_close(&stepper);
	}
	tensor_release(&in);
	tensor_release(&out);
}

/* A ramp shows where the window was, and how large. */
static void test_random_resized_crop_keeps_to_its_ranges(void **state)
{
	const struct type type = stepper_image_type(DTYPE_F32, 2);
	struct error err = ERROR_INIT;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct stepper stepper;
	double smallest = 1, largest = 0;

	UNUSED(state);
	stepper_noise(&in, DTYPE_F32, 100, 120, 2);
	for (size_t i = 0; i < 12000; i++) {
		((float *)in.data)[2 * i] = (float)(i / 120);
		((float *)in.data)[2 * i + 1] = (float)(i % 120);
	}
	test_ok(stepper_open(&stepper,
	            "random_resized_crop size=2 scale=0.2,0.5 ratio=0.5,2 "
	            "filter=box",
	            &type, &err),
	    &err);
	for (uint64_t seed = 0; seed < 500; seed++) {
		const float *got;
		double height, width, share;

		test_ok(stepper_run(&stepper, seed, &in, &out, &err), &err);
		got = out.data;
		height = 2.0 * (double)(got[4] - got[0]);
		width = 2.0 * (double)(got[3] - got[1]);
		share = height * width / 12000;
		smallest = fmin(smallest, share);
		largest = fmax(largest, share);
		assert_true(share > 0.19 && share < 0.51);
		assert_true(width / height > 0.48 && width / height < 2.08);
	}
	assert_true(smallest < 0.25 && largest > 0.45);
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

/* A strip has no window of such a ratio: the middle is taken. */
static void test_random_resized_crop_falls_back_to_the_middle(void **state)
{
	const struct type type = stepper_image_type(DTYPE_F32, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_F32, 4, 1000, 1);
	for (size_t i = 0; i < 4000; i++)
		((float *)in.data)[i] = (float)(i % 1000);
	stepper_once("random_resized_crop size=4x5 scale=1,1 ratio=1,1.25 "
	             "filter=nearest",
	    &type, &in, &out);
	for (size_t x = 0; x < 5; x++)
		assert_near(((float *)out.data)[x], 497 + (double)x, 0);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_steps_refuse_options_in_words(void **state)
{
	static const struct {
		const char *words, *error;
	} cases[] = {
		{ "center_crop",
		    "size must be given: one number, or HEIGHTxWIDTH" },
		{ "center_crop size=0", "size must be 1 to 65535, got '0'" },
		{ "random_crop size=5x5x5",
		    "size must be one number, or HEIGHTxWIDTH, got '5x5x5'" },
		{ "random_crop size=65536",
		    "size must be 1 to 65535, got '65536'" },
		{ "resize", "shorter or size must be given" },
		{ "resize size=5 shorter=5",
		    "shorter and size exclude each other" },
		{ "resize shorter=0", "shorter must be 1 to 65535, got 0" },
		{ "resize size=5 filter=sinc",
		    "filter must be one of nearest, bilinear, bicubic, "
		    "lanczos, box, got 'sinc'" },
		{ "hflip chance=2", "chance must be 0 to 1, got 2" },
		{ "normalize std=1", "mean must be given: X or X,X,X" },
		{ "normalize mean=1 std=0",
		    "std must be more than 0, got '0'" },
		{ "normalize mean=1, std=1",
		    "mean must be numbers with commas, got '1,'" },
		{ "normalize mean=1,2 std=1,2,3",
		    "mean has 2 numbers, std has 3" },
		{ "normalize mean=1,2 std=1",
		    "mean and std are of 2 channels, the image has 3" },
		{ "random_resized_crop size=5 scale=0,1",
		    "scale must be two increasing numbers above 0 and up to 1, "
		    "got "
		    "'0,1'" },
		{ "random_resized_crop size=5 ratio=3",
		    "ratio must be two numbers, LOW,HIGH, got '3'" },
		{ "jpeg_decode",
		    "takes the bytes of a JPEG file, not uint8 ?x?x3" },
		{ "to_half", "takes float32, not uint8 ?x?x3" },
	};
	const struct type type = stepper_image_type(DTYPE_U8, 3);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper stepper;

		test_error_is(
		    stepper_open(&stepper, cases[i].words, &type, &err), &err,
		    cases[i].error);
		assert_int_equal(err.code, ERROR_USAGE);
		stepper_close(&stepper);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_center_and_to_float_are_exact),
		cmocka_unit_test(test_center_takes_floats),
		cmocka_unit_test(test_to_half_rounds),
		cmocka_unit_test(test_normalize_each_channel),
		cmocka_unit_test(test_normalize_by_one_takes_any_shape),
		cmocka_unit_test(test_grayscale_is_that_of_pillow),
		cmocka_unit_test(test_grayscale_of_floats_and_of_grey),
		cmocka_unit_test(test_to_chw_moves_each_element),
		cmocka_unit_test(test_hflip_mirrors_each_row),
		cmocka_unit_test(test_hflip_keeps_planes_apart),
		cmocka_unit_test(test_center_crop_is_in_the_middle),
		cmocka_unit_test(test_random_crop_comes_from_everywhere),
		cmocka_unit_test(test_crops_name_both_sizes),
		cmocka_unit_test(test_random_resized_crop_keeps_to_its_ranges),
		cmocka_unit_test(
		    test_random_resized_crop_falls_back_to_the_middle),
		cmocka_unit_test(test_steps_refuse_options_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
