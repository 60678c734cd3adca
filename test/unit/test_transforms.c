/*
 * test_transforms.c - rules of transform.h for every transform of the table
 * with every type of tensor.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/sample/sample.h"
#include "lib/steps/step.h"
#include "test/unit/test.h"

/* One direction of a transform, bound. */
struct coder {
	const struct step_ops *ops;
	void *priv;
};

static struct coder coder_new(
    const struct step_ops *ops, const void *options, const struct type *in)
{
	struct coder coder = { ops, calloc(1, ops->priv_size + 1) };
	struct error err = ERROR_INIT;
	struct type out;

	assert_non_null(coder.priv);
	test_ok(ops->bind(coder.priv, options, in, &out, &err), &err);
	return coder;
}

static void coder_free(struct coder *coder)
{
	if (coder->ops->release)
		coder->ops->release(coder->priv);
	free(coder->priv);
}

static int coder_run(struct coder *coder, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	struct random random = { .left = 0 };

	return coder->ops->run(coder->priv, &random, in, out, err);
}

/* Both directions of a transform at its default level, for a type. */
struct pair {
	struct codec codec;
	struct type type, stored;
	struct coder encode, decode;
};

/* False when the transform does not take the type. */
static bool pair_open(struct pair *pair, const struct transform_ops *transform,
    const struct type *type)
{
	struct error err = ERROR_INIT;

	*pair = (struct pair){
		.codec = { .ops = &codec_none,
		    .transform = transform,
		    .quality = transform->level_default },
		.type = *type,
	};
	if (transform->stored(type, &pair->stored, &err)) {
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, transform->name);
		test_contains(err.text, ", not ");
		return false;
	}
	pair->encode = coder_new(transform->encode, &pair->codec, type);
	pair->decode = coder_new(transform->decode,
	    transform->decode_options ? transform->decode_options(type)
	                              : &pair->codec,
	    &pair->stored);
	return true;
}

static void pair_close(struct pair *pair)
{
	coder_free(&pair->encode);
	coder_free(&pair->decode);
}

static void fill(struct tensor *tensor, const struct type *type, bool noise)
{
	struct random random = random_stream(1, 2, 3, 4);
	struct error err = ERROR_INIT;
	unsigned char *bytes;

	test_ok(tensor_reshape(tensor, type->dtype, &type->shape, &err), &err);
	bytes = tensor->data;
	random_fill(&random, bytes, tensor->bytes);
	for (size_t i = 0; !noise && i < tensor->bytes; i++)
		bytes[i] = (unsigned char)(i / 7 + (bytes[i] & 3));
}

/* In tensors of just their size, somewhere in memory, for the sanitizer. */
static struct tensor exact(const struct tensor *from, size_t bytes)
{
	struct tensor copy = *from;

	copy.owned = false;
	copy.capacity = 0;
	copy.data = malloc(bytes ? bytes : 1);
	assert_non_null(copy.data);
	memcpy(copy.data, from->data, bytes);
	return copy;
}

static void check_back(struct pair *pair, const struct tensor *in)
{
	struct tensor packed = TENSOR_INIT, back = TENSOR_INIT, copy;
	struct error err = ERROR_INIT;

	test_ok(coder_run(&pair->encode, in, &packed, &err), &err);
	test_ok(tensor_check(&packed, &pair->stored, &err), &err);
	assert_string_equal(packed.suffix, pair->stored.suffix);
	copy = exact(&packed, packed.bytes);
	test_ok(coder_run(&pair->decode, &copy, &back, &err), &err);
	test_ok(tensor_check(&back, &pair->type, &err), &err);
	assert_int_equal(back.bytes, in->bytes);
	assert_true(shape_equal(&back.shape, &in->shape));
	if (!pair->codec.transform->is_lossy && in->bytes)
		assert_memory_equal(back.data, in->data, in->bytes);
	free(copy.data);
	tensor_release(&packed);
	tensor_release(&back);
}

static const struct {
	enum layout layout;
	struct shape shape;
} shapes[] = {
	{ LAYOUT_PLAIN, { 0, { 0 } } },
	{ LAYOUT_PLAIN, { 1, { 0 } } },
	{ LAYOUT_PLAIN, { 1, { 1 } } },
	{ LAYOUT_PLAIN, { 1, { 7 } } },
	{ LAYOUT_PLAIN, { 1, { 40000 } } },
	{ LAYOUT_PLAIN, { 2, { 3000, 2 } } },
	{ LAYOUT_PLAIN, { 2, { 5000, 5 } } },
	{ LAYOUT_PLAIN, { 3, { 3, 0, 4 } } },
	{ LAYOUT_HWC, { 3, { 1, 1, 1 } } },
	{ LAYOUT_HWC, { 3, { 1, 1, 3 } } },
	{ LAYOUT_HWC, { 3, { 37, 53, 1 } } },
	{ LAYOUT_HWC, { 3, { 37, 53, 3 } } },
	{ LAYOUT_HWC, { 3, { 128, 129, 3 } } },
	{ LAYOUT_HWC, { 3, { 19, 5, 4 } } },
	{ LAYOUT_HWC, { 3, { 9, 5, 256 } } },
	{ LAYOUT_HWC, { 3, { 9, 5, 300 } } },
	{ LAYOUT_CHW, { 3, { 3, 61, 47 } } },
};

/* Calls for each transform with each dtype and shape that it takes. */
static void each(void (*check)(struct pair *pair))
{
	for (size_t t = 0; transform_at(t); t++)
		for (int dtype = 0; dtype < DTYPE_COUNT; dtype++)
			for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
				const struct type type = {
					.dtype = (enum dtype)dtype,
					.layout = shapes[i].layout,
					.shape = shapes[i].shape,
				};
				struct pair pair;

				if (!pair_open(&pair, transform_at(t), &type))
					continue;
				check(&pair);
				pair_close(&pair);
			}
}

static void check_round_trip(struct pair *pair)
{
	struct tensor in = TENSOR_INIT;

	for (int noise = 0; noise < 2; noise++) {
		fill(&in, &pair->type, noise);
		check_back(pair, &in);
	}
	tensor_release(&in);
}

static void test_transform_gives_back_what_it_took(void **state)
{
	UNUSED(state);
	each(check_round_trip);
}

/* Two instances, one of which has worked before: the same bytes. */
static void check_repeats(struct pair *pair)
{
	struct tensor in = TENSOR_INIT, a = TENSOR_INIT, b = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct pair other;

	assert_true(pair_open(&other, pair->codec.transform, &pair->type));
	fill(&in, &pair->type, true);
	test_ok(coder_run(&other.encode, &in, &a, &err), &err);
	fill(&in, &pair->type, false);
	test_ok(coder_run(&other.encode, &in, &a, &err), &err);
	test_ok(coder_run(&pair->encode, &in, &b, &err), &err);
	assert_int_equal(a.bytes, b.bytes);
	assert_memory_equal(a.data, b.data, a.bytes);
	pair_close(&other);
	tensor_release(&in);
	tensor_release(&a);
	tensor_release(&b);
}

static void test_transform_gives_the_same_bytes_for_the_same_input(void **state)
{
	UNUSED(state);
	each(check_repeats);
}

static void test_transform_table_is_sorted_and_well_named(void **state)
{
	UNUSED(state);
	for (size_t i = 0; transform_at(i); i++) {
		const struct transform_ops *ops = transform_at(i);
		const char *const texts[] = { ops->summary, ops->suits };

		assert_true(strspn(ops->name, "abcdefghijklmnopqrstuvwxyz") ==
		            strlen(ops->name));
		for (size_t k = 0; k < ARRAY_LEN(texts); k++)
			assert_true(
			    *texts[k] && texts[k][strlen(texts[k]) - 1] != '.');
		assert_ptr_equal(transform_find(ops->name), ops);
		assert_null(codec_find(ops->name));
		assert_true(!ops->is_filter || !ops->is_lossy);
		if (i > 0)
			assert_true(
			    strcmp(transform_at(i - 1)->name, ops->name) < 0);
	}
	assert_null(transform_find("bitshuffle"));
}

/* What the filters make is told: datasets are read by later versions. */
static void test_transform_filters_have_a_fixed_form(void **state)
{
	static const struct type image = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { 3, { 1, 3, 2 } } };
	static const struct type words = { .dtype = DTYPE_U16,
		.shape = { 1, { 3 } } };
	static const unsigned char bytes[] = { 10, 200, 12, 190, 11, 250 };
	static const struct {
		const char *filter;
		const struct type *type;
		unsigned char wanted[6];
	} cases[] = {
		{ "delta", &image, { 10, 2, 255, 200, 246, 60 } },
		{ "delta", &words, { 10, 2, 255, 200, 246, 59 } },
		{ "shuffle", &words, { 10, 12, 11, 200, 190, 250 } },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
		struct error err = ERROR_INIT;
		struct pair pair;

		assert_true(pair_open(
		    &pair, transform_find(cases[i].filter), cases[i].type));
		tensor_view(
		    &in, cases[i].type->dtype, &cases[i].type->shape, bytes);
		test_ok(coder_run(&pair.encode, &in, &out, &err), &err);
		assert_memory_equal(out.data, cases[i].wanted, 6);
		pair_close(&pair);
		tensor_release(&out);
	}
}

static void test_transform_says_what_it_does_not_take(void **state)
{
	static const struct {
		const char *codec;
		struct type type;
		const char *message;
	} cases[] = {
		{ "shuffle+zstd", { .dtype = DTYPE_U8, .shape = { 1, { 5 } } },
		    "shuffle is for numbers of 2 bytes or more, not uint8" },
		{ "shuffle+zstd",
		    { .layout = LAYOUT_ENCODED,
		        .shape = { 1, { -1 } },
		        .suffix = "jpg" },
		    "shuffle is for numbers of 2 bytes or more, not jpg "
		    "bytes" },
		{ "delta+lz4", { .dtype = DTYPE_F32, .shape = { 1, { 5 } } },
		    "delta is for pixels and other integers, not float32" },
		{ "delta+lz4",
		    { .layout = LAYOUT_ENCODED, .shape = { 1, { -1 } } },
		    "delta is for pixels and other integers, not bytes" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct schema schema = { .count = 0 }, stored;
		struct error err = ERROR_INIT;
		struct codec codec;

		test_ok(codec_parse(cases[i].codec, &codec, &err), &err);
		test_ok(
		    schema_add(&schema, "data", &cases[i].type, &err), &err);
		test_error_is(
		    codec_stored_schema(&codec, &schema, &stored, &err), &err,
		    cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
	}
}

/* Of several fields those that it takes are transformed. */
static void test_transform_leaves_other_fields_alone(void **state)
{
	static const struct type image = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { 3, { -1, -1, 3 } } };
	static const struct type text = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } },
		.suffix = "txt" };
	static const struct type mel = { .dtype = DTYPE_F32,
		.shape = { 1, { 80 } } };
	struct schema schema = { .count = 0 }, stored;
	struct error err = ERROR_INIT;
	struct codec codec;

	UNUSED(state);
	test_ok(schema_add(&schema, "image", &image, &err), &err);
	test_ok(schema_add(&schema, "text", &text, &err), &err);
	test_ok(schema_add(&schema, "mel", &mel, &err), &err);
	test_ok(codec_parse("delta+zstd", &codec, &err), &err);
	test_ok(codec_stored_schema(&codec, &schema, &stored, &err), &err);
	assert_true(codec_transforms(&codec, &schema, 0));
	assert_false(codec_transforms(&codec, &schema, 1));
	assert_false(codec_transforms(&codec, &schema, 2));
	/* What was filtered says so, and by nothing else. */
	assert_true(type_is_filtered(&stored.fields[0].type));
	assert_string_equal(stored.fields[0].type.suffix, "delta");
	stored.fields[0].type.suffix[0] = '\0';
	for (unsigned f = 0; f < 3; f++)
		assert_true(
		    type_equal(&stored.fields[f].type, &schema.fields[f].type));
	test_ok(codec_parse("shuffle+zstd", &codec, &err), &err);
	assert_true(codec_transforms(&codec, &schema, 2));
	test_ok(codec_parse("zstd", &codec, &err), &err);
	assert_false(codec_transforms(&codec, &schema, 0));
}

/* What loses something keeps its hands off the mask beside the image. */
static void test_transform_that_is_lossy_takes_the_first_field(void **state)
{
	static const struct type image = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { 3, { -1, -1, 3 } } };
	static const struct type mask = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { 3, { -1, -1, 1 } } };
	struct schema schema = { .count = 0 }, stored;
	struct error err = ERROR_INIT;
	struct codec codec;

	UNUSED(state);
	test_ok(schema_add(&schema, "image", &image, &err), &err);
	test_ok(schema_add(&schema, "mask", &mask, &err), &err);
	test_ok(codec_parse("jpeg", &codec, &err), &err);
	assert_true(codec_is_lossy(&codec));
	test_ok(codec_stored_schema(&codec, &schema, &stored, &err), &err);
	assert_int_equal(stored.fields[0].type.layout, LAYOUT_ENCODED);
	assert_string_equal(stored.fields[0].type.suffix, "jpg");
	assert_true(type_equal(&stored.fields[1].type, &mask));
	test_ok(codec_parse("png", &codec, &err), &err);
	assert_false(codec_is_lossy(&codec));
	assert_true(codec_transforms(&codec, &schema, 1));
}

/* A picture with shapes and slopes, as photographs have them. */
static void draw(struct tensor *tensor, const struct type *type)
{
	const int64_t *dims = type->shape.dims;
	struct error err = ERROR_INIT;
	unsigned char *at;

	test_ok(tensor_reshape(tensor, type->dtype, &type->shape, &err), &err);
	at = tensor->data;
	for (int64_t y = 0; y < dims[0]; y++)
		for (int64_t x = 0; x < dims[1]; x++)
			for (int64_t c = 0; c < dims[2]; c++)
				*at++ =
				    (unsigned char)((x / 40 + y / 30) % 2
				                        ? 60 + x / 2
				                        : 180 - y / 2 + 9 * c);
}

static double psnr(const struct tensor *a, const struct tensor *b)
{
	const unsigned char *x = a->data, *y = b->data;
	double sum = 0;

	for (size_t i = 0; i < a->bytes; i++)
		sum += (x[i] - y[i]) * (x[i] - y[i]);
	return 10 * log10(255.0 * 255 / (sum / (double)a->bytes + 1e-9));
}

static void test_transform_jpeg_is_near(void **state)
{
	static const struct {
		int64_t channels;
		int quality;
		double least;
	} cases[] = {
		{ 3, 100, 42 },
		{ 3, 90, 36 },
		{ 3, 30, 28 },
		{ 1, 100, 50 },
		{ 1, 90, 38 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct type type = { .dtype = DTYPE_U8,
			.layout = LAYOUT_HWC,
			.shape = { 3, { 150, 210, cases[i].channels } } };
		struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
		struct tensor file = TENSOR_INIT;
		struct error err = ERROR_INIT;
		struct codec codec = { .quality = cases[i].quality };
		struct coder encode;
		struct pair pair;

		draw(&in, &type);
		assert_true(pair_open(&pair, &transform_jpeg, &type));
		encode = coder_new(transform_jpeg.encode, &codec, &type);
		test_ok(coder_run(&encode, &in, &file, &err), &err);
		test_ok(coder_run(&pair.decode, &file, &out, &err), &err);
		test_ok(tensor_check(&out, &type, &err), &err);
		if (psnr(&in, &out) < cases[i].least)
			fail_msg("quality %d: %g dB", cases[i].quality,
			    psnr(&in, &out));
		coder_free(&encode);
		pair_close(&pair);
		tensor_release(&in);
		tensor_release(&out);
		tensor_release(&file);
	}
}

/* Cut, flipped, and not a file at all: words, or an image. */
static void check_damage(struct pair *pair)
{
	struct tensor in = TENSOR_INIT, file = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;

	fill(&in, &pair->type, false);
	test_ok(coder_run(&pair->encode, &in, &file, &err), &err);
	for (size_t k = 0; k < 200; k++) {
		const size_t at = k * file.bytes / 200;
		struct tensor bad = exact(&file, file.bytes);

		if (k % 2)
			bad.bytes = at;
		else
			((unsigned char *)bad.data)[at] ^=
			    (unsigned char)(1 << k % 8);
		bad.shape.dims[0] = (int64_t)bad.bytes;
		err = (struct error)ERROR_INIT;
		if (coder_run(&pair->decode, &bad, &out, &err)) {
			assert_int_equal(err.code, ERROR_DATA);
			assert_true(err.text[0] != '\0');
		} else {
			assert_true(k % 2 == 0);
		}
		free(bad.data);
	}
	/* It is as good as before. */
	check_back(pair, &in);
	tensor_release(&in);
	tensor_release(&file);
	tensor_release(&out);
}

static void test_transform_refuses_files_that_are_damaged(void **state)
{
	static const struct type types[] = {
		{ .dtype = DTYPE_U8,
		    .layout = LAYOUT_HWC,
		    .shape = { 3, { 37, 41, 3 } } },
		{ .dtype = DTYPE_U8,
		    .layout = LAYOUT_HWC,
		    .shape = { 3, { 37, 41, 1 } } },
	};

	UNUSED(state);
	for (size_t t = 0; transform_at(t); t++)
		for (size_t i = 0; i < ARRAY_LEN(types); i++) {
			struct pair pair;

			if (transform_at(t)->is_filter)
				continue;
			assert_true(
			    pair_open(&pair, transform_at(t), &types[i]));
			check_damage(&pair);
			pair_close(&pair);
		}
}

static void test_transform_image_must_have_pixels(void **state)
{
	static const struct type empty = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { 3, { 0, 5, 3 } } };

	UNUSED(state);
	for (size_t t = 0; transform_at(t); t++) {
		struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
		struct error err = ERROR_INIT;
		struct pair pair;

		if (transform_at(t)->is_filter)
			continue;
		assert_true(pair_open(&pair, transform_at(t), &empty));
		fill(&in, &empty, false);
		assert_int_equal(coder_run(&pair.encode, &in, &out, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, "an image of 0x5x3");
		pair_close(&pair);
		tensor_release(&in);
		tensor_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_transform_gives_back_what_it_took),
		cmocka_unit_test(
		    test_transform_gives_the_same_bytes_for_the_same_input),
		cmocka_unit_test(test_transform_table_is_sorted_and_well_named),
		cmocka_unit_test(test_transform_filters_have_a_fixed_form),
		cmocka_unit_test(test_transform_says_what_it_does_not_take),
		cmocka_unit_test(test_transform_leaves_other_fields_alone),
		cmocka_unit_test(
		    test_transform_that_is_lossy_takes_the_first_field),
		cmocka_unit_test(test_transform_jpeg_is_near),
		cmocka_unit_test(test_transform_refuses_files_that_are_damaged),
		cmocka_unit_test(test_transform_image_must_have_pixels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
