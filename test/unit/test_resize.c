/* test_resize.c - pixels equal to Pillow's, on every code path. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/image/resample/resample.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* As test/data/make_resize.py makes them. */
static unsigned char noise_at(uint32_t y, uint32_t x, uint32_t c, unsigned kind)
{
	uint32_t h = y * 0x9e3779b1 + x * 0x85ebca77 + c * 0xc2b2ae3d;

	h ^= h >> 15;
	h *= 0x2c1b3c6d;
	h ^= h >> 12;
	h *= 0x297a2d39;
	h >>= 24;
	if (kind)
		return h < 128 ? 0 : 255;
	return (unsigned char)h;
}

/* An image of bytes that ends where its memory ends. */
struct image_bytes {
	struct image_size size;
	size_t channels;
	unsigned char *data;
};

static void make_noise(struct image_bytes *image, unsigned kind)
{
	unsigned char *at;

	image->data =
	    malloc(image->size.height * image->size.width * image->channels);
	at = image->data;
	assert_non_null(at);
	for (uint32_t y = 0; y < image->size.height; y++)
		for (uint32_t x = 0; x < image->size.width; x++)
			for (uint32_t c = 0; c < image->channels; c++)
				*at++ = noise_at(y, x, c, kind);
}

static struct resample_source source_of(const struct image_bytes *image)
{
	const size_t stride = image->size.width * image->channels;

	return (struct resample_source){
		.dtype = DTYPE_U8,
		.size = image->size,
		.channels = image->channels,
		.stride = stride,
		.data = image->data,
		.end = image->data + image->size.height * stride,
	};
}

static void resample(enum filter filter, const struct resample_kernels *kernels,
    const struct resample_source *source, struct image_size size,
    struct tensor *out)
{
	struct error err = ERROR_INIT;
	struct resampler *resampler =
	    resampler_new(filter, true, kernels, &err);

	assert_non_null(resampler);
	test_ok(resampler_run(resampler, source, size, out, &err), &err);
	resampler_free(resampler);
}

/* A record of resize.bin. */
struct record {
	unsigned filter, channels, height, width, to_height, to_width, kind;
	size_t len;
	const unsigned char *pixels;
};

static unsigned read_u16(const unsigned char *at)
{
	return at[0] | (unsigned)at[1] << 8;
}

static const unsigned char *read_record(
    const unsigned char *at, struct record *record)
{
	*record = (struct record){
		.filter = read_u16(at),
		.channels = read_u16(at + 2),
		.height = read_u16(at + 4),
		.width = read_u16(at + 6),
		.to_height = read_u16(at + 8),
		.to_width = read_u16(at + 10),
		.kind = read_u16(at + 12),
		.len = read_u16(at + 14),
		.pixels = at + 16,
	};
	return record->pixels + record->len;
}

static bool is_kept(size_t i, size_t length)
{
	return i < 2 || i + 2 >= length || i % 29 == 0;
}

/* Nearest must pick the same pixels; the others may be off by one. */
static void compare(const struct record *record, const struct tensor *out)
{
	const int within = record->filter == FILTER_NEAREST ? 0 : 1;
	const unsigned char *got = out->data, *want = record->pixels;

	for (size_t y = 0; y < record->to_height; y++)
		for (size_t x = 0; x < record->to_width; x++) {
			const size_t at =
			    (y * record->to_width + x) * record->channels;

			if (!is_kept(y, record->to_height) ||
			    !is_kept(x, record->to_width))
				continue;
			for (size_t c = 0; c < record->channels; c++, want++)
				if (abs(got[at + c] - *want) > within)
					fail_msg("%ux%u to %ux%u, filter %u, "
					         "at %zu, %zu: %u, not %u",
					    record->height, record->width,
					    record->to_height, record->to_width,
					    record->filter, y, x, got[at + c],
					    *want);
		}
	assert_ptr_equal(want, record->pixels + record->len);
}

static void check_record(
    const struct record *record, const struct resample_kernels *kernels)
{
	struct image_bytes image = {
		.size = { record->height, record->width },
		.channels = record->channels,
	};
	const struct image_size to = { record->to_height, record->to_width };
	struct resample_source source;
	struct tensor out = TENSOR_INIT;

	make_noise(&image, record->kind);
	source = source_of(&image);
	resample((enum filter)record->filter, kernels, &source, to, &out);
	compare(record, &out);
	tensor_release(&out);
	free(image.data);
}

static void test_resize_is_within_one_of_pillow(void **state)
{
	const unsigned char *at, *end;
	struct error err = ERROR_INIT;
	struct buf file = BUF_INIT;
	unsigned records = 0;

	UNUSED(state);
	test_ok(path_read("test/data/resize.bin", 1 << 20, &file, &err), &err);
	end = file.data + file.len;
	for (at = file.data; at < end; records++) {
		struct record record;

		at = read_record(at, &record);
		check_record(&record, &resample_plain);
		if (resample_avx2())
			check_record(&record, resample_avx2());
	}
	assert_int_equal(records, 55);
	buf_release(&file);
}

/* A box of the result, from memory that has no more than what it needs. */
static void check_box(enum filter filter,
    const struct resample_kernels *kernels,
    const struct resample_source *source, const struct tensor *whole,
    struct random *random)
{
	const size_t height = (size_t)whole->shape.dims[0];
	const size_t width = (size_t)whole->shape.dims[1];
	const size_t c = source->channels;
	struct error err = ERROR_INIT;
	struct resampler *resampler =
	    resampler_new(filter, true, kernels, &err);
	struct box box = { .top = random_below(random, (uint32_t)height),
		.left = random_below(random, (uint32_t)width) };
	struct box need;
	const struct resample_sizes sizes = { DTYPE_U8, source->size,
		{ height, width } };
	struct resample_source part = *source;
	struct tensor out = TENSOR_INIT;
	unsigned char *memory;

	box.height = 1 + random_below(random, (uint32_t)(height - box.top));
	box.width = 1 + random_below(random, (uint32_t)(width - box.left));
	need = box;
	test_ok(resampler_need(resampler, &sizes, &need, &err), &err);
	memory = malloc(need.height * need.width * c);
	assert_non_null(memory);
	for (size_t y = 0; y < need.height; y++)
		memcpy(memory + y * need.width * c,
		    source->data + (need.top + y) * source->stride +
		        need.left * c,
		    need.width * c);
	part.data = memory;
	part.end = memory + need.height * need.width * c;
	part.stride = need.width * c;
	part.top = need.top;
	part.left = need.left;
	test_ok(
	    resampler_run_box(resampler, &part, sizes.out, &box, &out, &err),
	    &err);
	for (size_t y = 0; y < box.height; y++)
		assert_memory_equal(
		    (unsigned char *)out.data + y * box.width * c,
		    (unsigned char *)whole->data +
		        ((box.top + y) * width + box.left) * c,
		    box.width * c);
	tensor_release(&out);
	resampler_free(resampler);
	free(memory);
}

/* Sizes at random, some with few pixels; windows of larger images. */
static void check_paths(struct random *random)
{
	struct image_bytes image = {
		.size = { 1 + random_below(random, 70),
		    1 + random_below(random, 70) },
		.channels = 1 + random_below(random, 6),
	};
	const struct image_size to = { 1 + random_below(random, 70),
		1 + random_below(random, 70) };
	const enum filter filter = (enum filter)random_below(random, 5);
	struct resample_source source;
	struct tensor plain = TENSOR_INIT, fast = TENSOR_INIT;

	make_noise(&image, random_below(random, 2));
	source = source_of(&image);
	source.size.height -= random_below(random, (uint32_t)image.size.height);
	source.size.width -= random_below(random, (uint32_t)image.size.width);
	source.data += (image.size.height - source.size.height) * source.stride;
	source.data += (image.size.width - source.size.width) * source.channels;
	resample(filter, &resample_plain, &source, to, &plain);
	resample(filter, resample_avx2(), &source, to, &fast);
	assert_int_equal(plain.bytes, fast.bytes);
	if (memcmp(plain.data, fast.data, plain.bytes) != 0)
		fail_msg("%zux%zux%zu to %zux%zu, filter %d: paths differ",
		    source.size.height, source.size.width, source.channels,
		    to.height, to.width, (int)filter);
	check_box(filter, &resample_plain, &source, &plain, random);
	check_box(filter, resample_avx2(), &source, &fast, random);
	tensor_release(&plain);
	tensor_release(&fast);
	free(image.data);
}

static void test_resize_gives_the_same_on_every_path(void **state)
{
	struct random random = random_stream(11, 0, 0, 0);

	UNUSED(state);
	if (!resample_avx2())
		skip();
	for (unsigned i = 0; i < 2000; i++)
		check_paths(&random);
}

static double weight_at(double x, double stretch)
{
	x = fabs(x / stretch);
	return x < 1 ? 1 - x : 0;
}

static double stretch_of(size_t from, size_t to)
{
	return from > to ? (double)from / (double)to : 1;
}

/* One output of a bilinear pass over `from` bytes, rounded. */
static unsigned char rounded_at(
    const unsigned char *in, size_t step, const size_t sizes[2], size_t i)
{
	const size_t from = sizes[0], to = sizes[1];
	const double stretch = stretch_of(from, to);
	const double middle = ((double)i + 0.5) * (double)from / (double)to;
	const double low = middle - stretch - 1, high = middle + stretch + 1;
	double sum = 0, weights = 0;

	for (size_t k = low > 0 ? (size_t)low : 0; k < from && (double)k < high;
	     k++) {
		const double w = weight_at((double)k + 0.5 - middle, stretch);

		sum += w * in[k * step];
		weights += w;
	}
	return (unsigned char)floor(sum / weights + 0.5);
}

/* Pillow's way: across, rounded, then down, rounded. */
static unsigned char *pillow_bilinear(
    const struct image_bytes *image, struct image_size to)
{
	const size_t height = image->size.height, width = image->size.width;
	const size_t c = image->channels, row = to.width * c;
	const size_t across[2] = { width, to.width };
	const size_t down[2] = { height, to.height };
	unsigned char *middle = malloc(height * row);
	unsigned char *out = malloc(to.height * row);

	assert_non_null(middle);
	assert_non_null(out);
	for (size_t y = 0; y < height; y++)
		for (size_t i = 0; i < row; i++)
			middle[y * row + i] =
			    rounded_at(image->data + y * width * c + i % c, c,
			        across, i / c);
	for (size_t y = 0; y < to.height; y++)
		for (size_t i = 0; i < row; i++)
			out[y * row + i] = rounded_at(middle + i, row, down, y);
	free(middle);
	return out;
}

static void check_within_one(
    struct image_bytes *image, unsigned kind, struct image_size to)
{
	struct tensor out = TENSOR_INIT;
	struct resample_source source;
	unsigned char *want;

	make_noise(image, kind);
	source = source_of(image);
	want = pillow_bilinear(image, to);
	resample(FILTER_BILINEAR, NULL, &source, to, &out);
	for (size_t k = 0; k < out.bytes; k++)
		if (abs(((unsigned char *)out.data)[k] - want[k]) > 1)
			fail_msg("%zux%zu to %zux%zu: byte %zu",
			    image->size.height, image->size.width, to.height,
			    to.width, k);
	free(want);
	free(image->data);
	tensor_release(&out);
}

/*
 * Two rounded passes the other way round would be 2 apart here and there, most
 * of all at 4/5 of the size, where halves have to be rounded.
 */
static void test_resize_is_within_one_everywhere(void **state)
{
	struct random random = random_stream(13, 0, 0, 0);

	UNUSED(state);
	for (unsigned i = 0; i < 100; i++) {
		struct image_bytes image = {
			.size = { 50 + random_below(&random, 250),
			    50 + random_below(&random, 250) },
			.channels = 3,
		};
		const struct image_size to = { 20 + random_below(&random, 230),
			20 + random_below(&random, 230) };

		check_within_one(&image, i % 2, to);
		image.size.height = 5 * (10 + i);
		image.size.width = 5 * (100 - i);
		check_within_one(&image, 0,
		    (struct image_size){ 4 * (10 + i), 4 * (100 - i) });
	}
}

/* Bilinear with antialias, pixel by pixel, as it is defined. */
static double defined_at(const float *in, size_t length, size_t out, size_t i)
{
	const double ratio = (double)length / (double)out;
	const double stretch = ratio > 1 ? ratio : 1;
	double sum = 0, weights = 0;

	for (size_t k = 0; k < length; k++) {
		const double w = weight_at(
		    (double)k + 0.5 - ((double)i + 0.5) * ratio, stretch);

		sum += w * (double)in[k];
		weights += w;
	}
	return sum / weights;
}

static void test_resize_of_floats_is_as_defined(void **state)
{
	static const size_t outs[] = { 1, 3, 16, 29, 30, 31, 75 };
	const struct type type = stepper_image_type(DTYPE_F32, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(outs); i++) {
		char words[64];

		for (int is_high = 0; is_high < 2; is_high++) {
			const size_t n = outs[i];

			stepper_noise(&in, DTYPE_F32, is_high ? 30 : 1,
			    is_high ? 1 : 30, 1);
			snprintf(words, sizeof(words), "resize size=%zux%zu",
			    is_high ? n : 1, is_high ? 1 : n);
			stepper_once(words, &type, &in, &out);
			for (size_t k = 0; k < n; k++)
				assert_true(
				    fabs((double)((float *)out.data)[k] -
				         defined_at(in.data, 30, n, k)) < 1e-3);
		}
	}
	tensor_release(&in);
	tensor_release(&out);
}

/* Two taps at half-pixel centres, whatever the ratio; and one, the nearest. */
static void test_resize_without_antialias_takes_two_taps(void **state)
{
	const struct type type = stepper_image_type(DTYPE_F32, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	const float *from;

	UNUSED(state);
	stepper_noise(&in, DTYPE_F32, 1, 40, 1);
	from = in.data;
	stepper_once("resize size=1x9 antialias=no", &type, &in, &out);
	for (size_t i = 0; i < 9; i++) {
		const double at = ((double)i + 0.5) * 40 / 9 - 0.5;
		const size_t low = (size_t)at;
		const double part = at - (double)low;
		const double want = (double)from[low] * (1 - part) +
		                    (double)from[low + 1] * part;

		assert_true(fabs((double)((float *)out.data)[i] - want) < 1e-3);
	}
	stepper_once(
	    "resize size=1x9 antialias=no filter=nearest", &type, &in, &out);
	for (size_t i = 0; i < 9; i++)
		assert_true(((float *)out.data)[i] ==
		            from[(size_t)(((double)i + 0.5) * 40 / 9)]);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_resize_keeps_proportions(void **state)
{
	static const struct {
		int64_t in[2], out[2];
	} cases[] = {
		{ { 375, 500 }, { 256, 341 } },
		{ { 500, 375 }, { 341, 256 } },
		{ { 333, 500 }, { 256, 384 } },
		{ { 300, 300 }, { 256, 256 } },
		{ { 100, 1000 }, { 256, 2560 } },
		{ { 1, 3 }, { 256, 768 } },
		{ { 256, 300 }, { 256, 300 } },
	};
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct type type = stepper_image_type(DTYPE_U8, 1);
		struct error err = ERROR_INIT;
		struct stepper stepper;

		stepper_noise(&in, DTYPE_U8, cases[i].in[0], cases[i].in[1], 1);
		stepper_once("resize shorter=256", &type, &in, &out);
		assert_int_equal(out.shape.dims[0], cases[i].out[0]);
		assert_int_equal(out.shape.dims[1], cases[i].out[1]);
		type.shape = in.shape; /* known: so is the output */
		test_ok(
		    stepper_open(&stepper, "resize shorter=256", &type, &err),
		    &err);
		assert_true(shape_equal(&stepper.out.shape, &out.shape));
		stepper_close(&stepper);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_resize_of_a_constant_is_constant(void **state)
{
	static const char *const filters[] = { "nearest", "bilinear", "bicubic",
		"lanczos", "box" };
	static const char *const sizes[] = { "1", "7x200", "19x3", "64" };
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	stepper_noise(&in, DTYPE_U8, 61, 47, 3);
	memset(in.data, 255, in.bytes);
	for (size_t f = 0; f < ARRAY_LEN(filters); f++)
		for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
			char words[64];

			snprintf(words, sizeof(words),
			    "resize size=%s filter=%s", sizes[s], filters[f]);
			stepper_once(words, &type, &in, &out);
			for (size_t i = 0; i < out.bytes; i++)
				assert_int_equal(
				    ((unsigned char *)out.data)[i], 255);
		}
	tensor_release(&in);
	tensor_release(&out);
}

/* Weights of next to one are the hardest to round. */
static void test_resize_by_next_to_nothing(void **state)
{
	static const int64_t widths[] = { 300, 20000, 40001, 65001, 80000 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		const size_t width = (size_t)widths[i];
		struct image_bytes image = { .size = { 1, width },
			.channels = 1 };
		struct resample_source source;

		stepper_noise(&in, DTYPE_U8, 1, widths[i], 1);
		memset(in.data, 255, in.bytes);
		image.data = in.data;
		source = source_of(&image);
		for (size_t height = 1; height <= 2; height++) {
			resample(FILTER_BILINEAR, NULL, &source,
			    (struct image_size){ height, width - 1 }, &out);
			for (size_t k = 0; k < out.bytes; k++)
				assert_int_equal(
				    ((unsigned char *)out.data)[k], 255);
		}
	}
	tensor_release(&in);
	tensor_release(&out);
}

/* A mask stays a mask, of whatever elements. */
static void test_resize_by_nearest_takes_any_elements(void **state)
{
	static const enum dtype dtypes[] = { DTYPE_I16, DTYPE_I64, DTYPE_F16 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(dtypes); i++) {
		const struct type type = stepper_image_type(dtypes[i], 1);
		const size_t bytes = dtype_bytes(dtypes[i]);

		stepper_noise(&in, dtypes[i], 3, 5, 1);
		stepper_once(
		    "resize size=6x10 filter=nearest", &type, &in, &out);
		for (size_t p = 0; p < 60; p++)
			assert_memory_equal((char *)out.data + p * bytes,
			    (char *)in.data +
			        (p / 10 / 2 * 5 + p % 10 / 2) * bytes,
			    bytes);
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_resize_refuses_elements_in_words(void **state)
{
	const struct type type = stepper_image_type(DTYPE_I16, 1);
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	test_error_is(stepper_open(&stepper, "resize size=5", &type, &err),
	    &err,
	    "takes uint8, uint16 or float32 unless filter=nearest, not int16 "
	    "?x?x1");
	stepper_close(&stepper);
}

static void test_resize_has_limits(void **state)
{
	static const struct {
		int64_t height, width;
		const char *words, *error;
	} cases[] = {
		{ 0, 5, "resize size=5", "image of 0x5 is empty" },
		{ 1, 100000, "resize shorter=60000",
		    "result of 60000x6000000000 is larger than 268435456 "
		    "pixels" },
		{ 0, 0, "random_resized_crop size=5", "image of 0x0 is empty" },
	};
	const struct type type = stepper_image_type(DTYPE_U8, 1);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper stepper;

		stepper_noise(
		    &in, DTYPE_U8, cases[i].height, cases[i].width, 1);
		test_ok(
		    stepper_open(&stepper, cases[i].words, &type, &err), &err);
		test_error_is(stepper_run(&stepper, 1, &in, &out, &err), &err,
		    cases[i].error);
		assert_int_equal(err.code, ERROR_DATA);
		stepper_close(&stepper);
	}
	tensor_release(&in);
	tensor_release(&out);
}

/* Many sizes in turn: weights are found again, or made again. */
static void test_resize_remembers_the_right_weights(void **state)
{
	const struct type type = stepper_image_type(DTYPE_U8, 3);
	struct error err = ERROR_INIT;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT, want = TENSOR_INIT;
	struct stepper stepper;

	UNUSED(state);
	test_ok(stepper_open(&stepper, "resize shorter=20", &type, &err), &err);
	for (int64_t i = 0; i < 120; i++) {
		stepper_noise(
		    &in, DTYPE_U8, 30 + i * 7 % 40, 30 + i * 11 % 40, 3);
		test_ok(stepper_run(&stepper, 1, &in, &out, &err), &err);
		stepper_once("resize shorter=20", &type, &in, &want);
		assert_int_equal(out.bytes, want.bytes);
		assert_memory_equal(out.data, want.data, out.bytes);
	}
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
	tensor_release(&want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resize_is_within_one_of_pillow),
		cmocka_unit_test(test_resize_is_within_one_everywhere),
		cmocka_unit_test(test_resize_gives_the_same_on_every_path),
		cmocka_unit_test(test_resize_of_floats_is_as_defined),
		cmocka_unit_test(test_resize_without_antialias_takes_two_taps),
		cmocka_unit_test(test_resize_keeps_proportions),
		cmocka_unit_test(test_resize_of_a_constant_is_constant),
		cmocka_unit_test(test_resize_by_next_to_nothing),
		cmocka_unit_test(test_resize_by_nearest_takes_any_elements),
		cmocka_unit_test(test_resize_refuses_elements_in_words),
		cmocka_unit_test(test_resize_has_limits),
		cmocka_unit_test(test_resize_remembers_the_right_weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
