/* test_deep_images.c - steps on uint16 images: as on uint8, but finer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/image/resample/resample.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { WORD_MOST = 65535, UNIT = 257 }; /* a step of a byte, in words */

/* ---- values ---- */

/* Every value there is, as an image. */
static void make_all(struct tensor *image)
{
	const struct shape shape = { 3, { 256, 256, 1 } };
	struct error err = ERROR_INIT;

	test_ok(tensor_reshape(image, DTYPE_U16, &shape, &err), &err);
	for (size_t i = 0; i <= WORD_MOST; i++)
		((uint16_t *)image->data)[i] = (uint16_t)i;
}

static double centered(double x)
{
	return x / 32767.5 - 1;
}

static double normalized(double x)
{
	return (x / WORD_MOST - 0.5) / 0.25;
}

static double unscaled(double x)
{
	return (x - 0.5) / 0.25;
}

static double as_float(double x)
{
	return x / WORD_MOST;
}

static double as_it_is(double x)
{
	return x;
}

static void test_deep_images_are_scaled_to_floats(void **state)
{
	static const struct {
		const char *words;
		double (*value)(double x);
		double within;
	} cases[] = {
		{ "center", centered, 1.2e-7 },
		{ "normalize mean=0.5 std=0.25", normalized, 5e-7 },
		{ "normalize mean=0.5 std=0.25 scale=no", unscaled, 0.02 },
		{ "to_float", as_float, 1.2e-7 },
		{ "to_float scale=no", as_it_is, 0 },
	};
	const struct type type = stepper_image_type(DTYPE_U16, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	make_all(&in);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		stepper_once(cases[i].words, &type, &in, &out);
		assert_int_equal(out.dtype, DTYPE_F32);
		for (size_t x = 0; x <= WORD_MOST; x++) {
			const double got = (double)((float *)out.data)[x];
			const double want = cases[i].value((double)x);

			if (!(fabs(got - want) <= cases[i].within))
				fail_msg("%s: %zu is %.9g, not %.9g",
				    cases[i].words, x, got, want);
		}
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_deep_images_become_grey(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U16, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U16, 9, 7, 3);
	stepper_once("grayscale", &type, &in, &out);
	assert_int_equal(out.dtype, DTYPE_U16);
	for (size_t i = 0; i < 63; i++) {
		const uint16_t *rgb = (const uint16_t *)in.data + 3 * i;
		const double want =
		    0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];

		assert_true(fabs(want - ((uint16_t *)out.data)[i]) < 1.5);
	}
	tensor_release(&in);
	tensor_release(&out);
}

/* ---- sizes ---- */

static const char *const filters[] = { "nearest", "bilinear", "bicubic",
	"lanczos", "box" };
static const unsigned sizes[][4] = { { 40, 31, 17, 50 }, { 9, 9, 31, 4 },
	{ 200, 90, 12, 12 }, { 33, 20, 33, 11 }, { 20, 33, 11, 33 },
	{ 5, 5, 5, 5 }, { 1, 1, 3, 3 } };

/* The same noise as words, bytes and floats. */
struct images {
	struct tensor words, bytes, floats;
};

static void make_images(
    struct images *images, const unsigned size[4], int64_t channels)
{
	stepper_noise(&images->bytes, DTYPE_U8, size[0], size[1], channels);
	stepper_noise(&images->words, DTYPE_U16, size[0], size[1], channels);
	stepper_noise(&images->floats, DTYPE_F32, size[0], size[1], channels);
	for (size_t i = 0; i < images->bytes.bytes; i++) {
		const unsigned char byte =
		    ((unsigned char *)images->bytes.data)[i];

		((uint16_t *)images->words.data)[i] = (uint16_t)(byte * UNIT);
		((float *)images->floats.data)[i] = (float)(byte * UNIT);
	}
}

static void resize(const char *words, const struct tensor *in, size_t channels,
    struct tensor *out)
{
	const struct type type =
	    stepper_image_type(in->dtype, (int64_t)channels);

	stepper_once(words, &type, in, out);
}

/* Within what two roundings of bytes make, and mostly nearer to the floats. */
static void compare(const char *words, const struct tensor *deep,
    const struct tensor *bytes, const struct tensor *floats, bool is_cut)
{
	assert_int_equal(deep->dtype, DTYPE_U16);
	assert_true(shape_equal(&deep->shape, &bytes->shape));
	for (size_t i = 0; i < bytes->bytes; i++) {
		const double got = ((uint16_t *)deep->data)[i];
		const double eight =
		    UNIT * (double)((unsigned char *)bytes->data)[i];
		const double exact = (double)((float *)floats->data)[i];

		if (fabs(got - eight) > 1.6 * UNIT)
			fail_msg("%s: element %zu is %g, of bytes %g", words, i,
			    got, eight);
		if (!is_cut &&
		    fabs(got - fmin(fmax(exact, 0), WORD_MOST)) > 0.5)
			fail_msg("%s: element %zu is %g, of floats %g", words,
			    i, got, exact);
	}
}

static void test_deep_images_are_resized(void **state)
{
	struct images images = { TENSOR_INIT, TENSOR_INIT, TENSOR_INIT };
	struct images out = { TENSOR_INIT, TENSOR_INIT, TENSOR_INIT };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(sizes) * ARRAY_LEN(filters) * 4; i++) {
		const unsigned *size = sizes[i / 4 % ARRAY_LEN(sizes)];
		const size_t f = i / 4 / ARRAY_LEN(sizes);
		const size_t channels = 1 + i % 4;
		char words[96];

		snprintf(words, sizeof(words), "resize size=%ux%u filter=%s",
		    size[2], size[3], filters[f]);
		make_images(&images, size, (int64_t)channels);
		resize(words, &images.words, channels, &out.words);
		resize(words, &images.bytes, channels, &out.bytes);
		resize(words, &images.floats, channels, &out.floats);
		/* What overshoots is cut off between the passes. */
		compare(words, &out.words, &out.bytes, &out.floats,
		    f == FILTER_BICUBIC || f == FILTER_LANCZOS);
	}
	tensor_release(&images.words);
	tensor_release(&images.bytes);
	tensor_release(&images.floats);
	tensor_release(&out.words);
	tensor_release(&out.bytes);
	tensor_release(&out.floats);
}

static void test_deep_images_are_cut_at_the_ends(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U16, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	unsigned least = WORD_MOST, most = 0;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U16, 40, 40, 1);
	for (size_t i = 0; i < 1600; i++)
		((uint16_t *)in.data)[i] =
		    ((uint16_t *)in.data)[i] & 1 ? WORD_MOST : 0;
	stepper_once("resize size=90 filter=lanczos", &type, &in, &out);
	for (size_t i = 0; i < 8100; i++) {
		const uint16_t got = ((uint16_t *)out.data)[i];

		least = got < least ? got : least;
		most = got > most ? got : most;
	}
	assert_int_equal(least, 0);
	assert_int_equal(most, WORD_MOST);
	tensor_release(&in);
	tensor_release(&out);
}

/* Both forms of one pass, of rows of every length up to where vectors fill. */
static void check_kernels(const struct taps *taps, size_t len)
{
	const size_t stride = len * sizeof(uint16_t);
	uint16_t *in = malloc(taps->in * stride);
	float best[80], plain[80];
	struct random random = random_stream(5, 0, len, 0);

	assert_non_null(in);
	random_fill(&random, in, taps->in * stride);
	for (size_t row = 0; row < taps->out; row++) {
		const unsigned char *from =
		    (unsigned char *)in + (size_t)taps->first[row] * stride;

		memset(best, 0, sizeof(best));
		memset(plain, 0, sizeof(plain));
		resample_words.down(
		    taps, row, from, stride, (unsigned char *)best, len);
		resample_words_plain.down(
		    taps, row, from, stride, (unsigned char *)plain, len);
		assert_memory_equal(best, plain, sizeof(best));
		resample_words.down_to_words(
		    taps, row, from, stride, (unsigned char *)best, len);
		resample_words_plain.down_to_words(
		    taps, row, from, stride, (unsigned char *)plain, len);
		assert_memory_equal(best, plain, sizeof(best));
	}
	free(in);
}

static void test_deep_images_are_the_same_without_vectors(void **state)
{
	const struct taps_wish wish = {
		.filter = FILTER_LANCZOS,
		.antialias = true,
		.kind = TAPS_FLOATS,
		.in = 23,
		.out = 9,
	};
	struct taps taps = TAPS_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(taps_fill(&taps, &wish, &err), &err);
	for (size_t len = 1; len < 70; len++)
		check_kernels(&taps, len);
	taps_release(&taps);
}

static void test_deep_images_are_cropped_and_resized(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U16, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U16, 40, 50, 3);
	stepper_once("random_resized_crop size=20", &type, &in, &out);
	assert_int_equal(out.dtype, DTYPE_U16);
	assert_int_equal(out.bytes, 20 * 20 * 3 * 2);
	tensor_release(&in);
	tensor_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deep_images_are_scaled_to_floats),
		cmocka_unit_test(test_deep_images_become_grey),
		cmocka_unit_test(test_deep_images_are_resized),
		cmocka_unit_test(test_deep_images_are_cut_at_the_ends),
		cmocka_unit_test(test_deep_images_are_the_same_without_vectors),
		cmocka_unit_test(test_deep_images_are_cropped_and_resized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
