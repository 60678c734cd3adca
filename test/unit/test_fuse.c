/* test_fuse.c - fused steps give the same bytes as separate ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/codec.h"
#include "lib/pipeline/chain.h"
#include "lib/syntax/ini.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/png_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"
#include "test/unit/twins.h"

enum { TEXT = 1024, SIDE = 70 };

static struct schema image_schema(const struct type *type, unsigned fields)
{
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, "data", type, &err), &err);
	if (fields > 1)
		test_ok(schema_add(&schema, "mask", type, &err), &err);
	return schema;
}

/* Slots that end where their memory ends. */
static void place_exactly(struct sample *out, const struct sample *like)
{
	for (unsigned f = 0; f < like->count; f++) {
		void *slot = malloc(like->fields[f].bytes + 1);

		assert_non_null(slot);
		tensor_place(&out->fields[f], slot, like->fields[f].bytes);
	}
}

static void release_slots(struct sample *out, unsigned count)
{
	for (unsigned f = 0; f < count; f++)
		free(out->fields[f].data);
}

/* Fails unless both give the same bytes, or the same error; 1: an error. */
static int compare(struct twins *twins, const char *text, struct sample *in)
{
	struct sample want = SAMPLE_INIT, got = SAMPLE_INIT;
	struct error err = ERROR_INIT, fused_err = ERROR_INIT;
	struct chain_trace trace = { .again = 0 };
	int rc;

	in->key = span_text("key");
	rc = chain_run(twins->alone, in, &want, &err);
	if (rc) {
		test_error_is(chain_run(twins->together, in, &got, &fused_err),
		    &fused_err, err.text);
		assert_int_equal(err.code, fused_err.code);
		sample_release(&got);
	} else {
		place_exactly(&got, &want);
		chain_set_trace(twins->together, &trace);
		test_ok(chain_run(twins->together, in, &got, &err), &err);
		chain_set_trace(twins->together, NULL);
		if (trace.again)
			fail_msg("failed as one:\n%s", text);
		assert_int_equal(got.count, want.count);
		for (unsigned f = 0; f < want.count; f++) {
			const struct tensor *w = &want.fields[f];
			const struct tensor *g = &got.fields[f];

			assert_int_equal(w->dtype, g->dtype);
			assert_true(shape_equal(&w->shape, &g->shape));
			if (memcmp(w->data, g->data, w->bytes) != 0)
				fail_msg("not the same bytes:\n%s", text);
		}
		release_slots(&got, want.count);
	}
	sample_release(&want);
	return rc ? 1 : 0;
}

static unsigned below(struct random *random, unsigned bound)
{
	return random_below(random, bound);
}

static const char *const filters[] = { "nearest", "bilinear", "bicubic",
	"lanczos", "box" };

/* The words of a step with options by chance. */
static void write_step(
    struct random *random, unsigned fields, char *words, size_t size)
{
	const unsigned n = 1 + below(random, SIDE), m = 1 + below(random, SIDE);
	const char *filter = filters[below(random, ARRAY_LEN(filters))];
	const char *all =
	    fields > 1 && below(random, 2) ? " field=data,mask" : "";

	switch (below(random, 18)) {
	case 0:
	case 1:
		snprintf(words, size, "resize size=%ux%u filter=%s%s", n, m,
		    filter, all);
		return;
	case 2:
		snprintf(words, size,
		    "resize shorter=%u filter=%s antialias=no%s", n, filter,
		    all);
		return;
	case 3:
	case 4:
		snprintf(words, size, "random_crop size=%ux%u%s", 1 + n / 2,
		    1 + m / 2, all);
		return;
	case 5:
		snprintf(words, size, "center_crop size=%ux%u%s", 1 + n / 2,
		    1 + m / 2, all);
		return;
	case 6:
		snprintf(words, size,
		    "random_resized_crop size=%ux%u filter=%s%s", n, m, filter,
		    all);
		return;
	case 7:
		snprintf(words, size,
		    "normalize mean=0.4,0.5,0.6 "
		    "std=0.2,0.3,0.4%s",
		    all);
		return;
	case 8:
		snprintf(words, size, "normalize mean=0.4 std=0.2%s", all);
		return;
	case 9:
		snprintf(words, size, "gaussian_blur kernel=%u%s",
		    1 + 2 * below(random, 8), all);
		return;
	case 10:
		snprintf(
		    words, size, "color_jitter contrast=0.4 hue=0.1%s", all);
		return;
	case 11:
		snprintf(words, size,
		    "random_crop size=%ux%u padding=%u "
		    "padding_mode=%s%s",
		    n, m, below(random, 5),
		    below(random, 2) ? "constant" : "reflect", all);
		return;
	case 12:
		snprintf(words, size, "random_erasing value=0.5%s", all);
		return;
	default: {
		static const char *const plain[] = { "center", "to_chw",
			"hflip", "vflip", "to_half", "to_float", "grayscale" };

		snprintf(words, size, "%s%s",
		    plain[below(random, ARRAY_LEN(plain))], all);
	}
	}
}

static void write_pipeline(
    struct random *random, unsigned fields, bool decodes, char text[TEXT])
{
	static const char *const decoders[] = { "", "decoded = jpeg_decode\n",
		"decoded = image_decode\n",
		"decoded = image_decode mode=unchanged\n" };
	const unsigned steps = 1 + below(random, 6);
	size_t at = (size_t)snprintf(text, TEXT, "[pipeline]\n%s",
	    decoders[decodes ? 1 + below(random, 3) : 0]);

	for (unsigned i = 0; i < steps; i++) {
		char words[128];

		write_step(random, fields, words, sizeof(words));
		at += (size_t)snprintf(
		    text + at, TEXT - at, "s%u = %s\n", i, words);
	}
}

struct tally {
	unsigned compared, refused, fused;
};

/* Runs a few draws of one pipeline over one sample. */
static void check_draws(struct twins *twins, const char *text,
    struct sample *in, struct random *random, struct tally *tally)
{
	struct fused_steps group;

	tally->fused += chain_get_fused(twins->together, 0, &group);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t seed = random_u64(random);

		chain_set_draw(twins->together, seed, i);
		chain_set_draw(twins->alone, seed, i);
		tally->refused += (unsigned)compare(twins, text, in);
		tally->compared++;
	}
}

/* Noise in memory that ends with the last byte. */
static void make_image(struct random *random, const struct type *type,
    struct tensor *image, unsigned char **memory)
{
	struct tensor noise = TENSOR_INIT;
	int64_t dims[3] = { 1 + below(random, SIDE), 1 + below(random, SIDE),
		type->shape.dims[2] };

	if (type->layout == LAYOUT_CHW) {
		dims[2] = dims[0];
		dims[0] = type->shape.dims[0];
	}
	stepper_noise(&noise, type->dtype, dims[0], dims[1], dims[2]);
	*memory = malloc(noise.bytes + 1);
	assert_non_null(*memory);
	/* Aligned or not: by chance. */
	if (below(random, 4) == 0) {
		memcpy(*memory + 1, noise.data, noise.bytes);
		tensor_view(image, noise.dtype, &noise.shape, *memory + 1);
	} else {
		memcpy(*memory, noise.data, noise.bytes);
		tensor_view(image, noise.dtype, &noise.shape, *memory);
	}
	tensor_release(&noise);
}

static void check_random_pipeline(struct random *random, struct tally *tally)
{
	static const enum dtype dtypes[] = { DTYPE_U8, DTYPE_F32, DTYPE_U8,
		DTYPE_U16, DTYPE_I16 };
	const enum dtype dtype = dtypes[below(random, ARRAY_LEN(dtypes))];
	const int64_t channels = below(random, 3) ? 3 : 1 + below(random, 5);
	const struct type type = below(random, 5)
	                             ? stepper_image_type(dtype, channels)
	                             : stepper_planes_type(dtype, channels);
	const unsigned fields = 1 + below(random, 2);
	const struct schema schema = image_schema(&type, fields);
	struct sample in = SAMPLE_INIT;
	unsigned char *memory[2] = { NULL };
	struct twins twins;
	char text[TEXT];

	write_pipeline(random, fields, false, text);
	if (twins_open(&twins, text, &schema, NULL))
		return;
	in.count = fields;
	for (unsigned f = 0; f < fields; f++)
		make_image(random, &type, &in.fields[f], &memory[f]);
	check_draws(&twins, text, &in, random, tally);
	for (unsigned f = 0; f < fields; f++)
		free(memory[f]);
	twins_close(&twins);
}

static void test_fuse_gives_the_same_bytes(void **state)
{
	struct random random = random_stream(17, 0, 0, 0);
	struct tally tally = { .fused = 0 };

	UNUSED(state);
	for (unsigned i = 0; i < 3000; i++)
		check_random_pipeline(&random, &tally);
	print_message("%u compared, %u refused, %u pipelines fused\n",
	    tally.compared, tally.refused, tally.fused);
	assert_true(tally.fused > 400);
	assert_true(tally.refused > 50);
	assert_true(tally.compared > 2 * tally.refused);
}

static void make_picture(struct random *random, struct buf *file)
{
	const struct png_wish wish = {
		.kind = (enum png_kind)below(random, PNG_KINDS),
		.depth = 8,
		.height = 1 + below(random, 2 * SIDE),
		.width = 1 + below(random, 2 * SIDE),
		.interlaced = below(random, 4) == 0,
		.seed = random_u32(random),
	};
	uint16_t *pixels;

	file->len = 0;
	png_make(&wish, file, &pixels);
	free(pixels);
}

static void make_photograph(struct random *random, struct buf *file)
{
	struct tensor noise = TENSOR_INIT;
	struct jpeg_wish wish = {
		.kind = below(random, 6) ? JPEG_YCC : JPEG_GREY,
		.height = 1 + below(random, 2 * SIDE),
		.width = 1 + below(random, 2 * SIDE),
		.is_progressive = below(random, 8) == 0,
		.restart = below(random, 4) ? 0 : 3,
		.orientation = below(random, 4) ? 0 : 1 + below(random, 8),
		.quality = 30 + below(random, 71),
		.down = 1 + below(random, 2),
		.across = 1 + below(random, 2),
	};

	stepper_noise(&noise, DTYPE_U8, wish.height, wish.width, 3);
	wish.pixels = noise.data;
	jpeg_make(&wish, file);
	tensor_release(&noise);
}

/* As it is, cut short, or with flipped bytes. */
static void damage(struct random *random, struct buf *file)
{
	const unsigned kind = below(random, 3);

	if (kind == 1)
		file->len = below(random, (unsigned)file->len);
	for (unsigned i = 0; kind == 2 && i < 3; i++)
		file->data[below(random, (unsigned)file->len)] =
		    (unsigned char)random_u32(random);
}

/* Photographs that are broken are refused in the same words. */
static void check_photographs(struct random *random, struct tally *tally)
{
	const struct type type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"jpg" };
	const struct schema schema = image_schema(&type, 1);
	struct sample in = { .count = 1 };
	struct buf file = BUF_INIT;
	struct twins twins;
	char text[TEXT];

	write_pipeline(random, 1, true, text);
	if (twins_open(&twins, text, &schema, NULL))
		return;
	for (unsigned i = 0; i < 4; i++) {
		if (below(random, 5) == 0)
			make_picture(random, &file);
		else
			make_photograph(random, &file);
		damage(random, &file);
		tensor_view_encoded(&in.fields[0], file.data, file.len, "jpg");
		check_draws(&twins, text, &in, random, tally);
	}
	buf_release(&file);
	twins_close(&twins);
}

static void test_fuse_of_photographs_gives_the_same_bytes(void **state)
{
	struct random random = random_stream(19, 0, 0, 0);
	struct tally tally = { .fused = 0 };

	UNUSED(state);
	for (unsigned i = 0; i < 750; i++)
		check_photographs(&random, &tally);
	print_message(
	    "%u compared, %u refused\n", tally.compared, tally.refused);
	assert_true(tally.refused > 500);
	assert_true(tally.compared > tally.refused + 500);
}

/* The image as the codec stores it. */
static void encode(const struct pipeline *pipeline, const struct codec *codec,
    struct sample *image, struct sample *stored)
{
	const struct chain_plan plan = { .pipeline = pipeline,
		.encode = codec };
	struct error err = ERROR_INIT;
	struct chain *chain = chain_new(&plan, &err);

	assert_non_null(chain);
	image->key = span_text("key");
	test_ok(chain_run(chain, image, stored, &err), &err);
	chain_free(chain);
}

/* The first link is the codec's: of an image of a shape that is promised. */
static void check_stored(
    struct random *random, const struct codec *codec, struct tally *tally)
{
	struct type type =
	    stepper_image_type(DTYPE_U8, below(random, 2) ? 3 : 1);
	struct schema schema;
	struct sample image = { .count = 1 }, stored = SAMPLE_INIT;
	unsigned char *memory;
	struct twins twins;
	char text[TEXT];

	make_image(random, &type, &image.fields[0], &memory);
	if (below(random, 2))
		type.shape = image.fields[0].shape;
	schema = image_schema(&type, 1);
	write_pipeline(random, 1, false, text);
	if (twins_open(&twins, text, &schema, codec) == 0) {
		encode(&twins.pipeline, codec, &image, &stored);
		check_draws(&twins, text, &stored, random, tally);
		sample_release(&stored);
		twins_close(&twins);
	}
	free(memory);
}

static void test_fuse_of_stored_images_gives_the_same_bytes(void **state)
{
	struct random random = random_stream(29, 0, 0, 0);
	struct tally tally = { .fused = 0 };
	struct error err = ERROR_INIT;
	struct codec codec;

	UNUSED(state);
	test_ok(codec_parse("jpeg:90", &codec, &err), &err);
	for (unsigned i = 0; i < 3000; i++)
		check_stored(&random, &codec, &tally);
	print_message("%u compared, %u refused, %u pipelines fused\n",
	    tally.compared, tally.refused, tally.fused);
	assert_true(tally.fused > 300);
	assert_true(tally.compared > 2 * tally.refused);
}

/* Every cut is seen, also behind the last row that is wanted. */
static void test_fuse_refuses_files_cut_short_anywhere(void **state)
{
	static const char text[] = "[pipeline]\ndecoded = jpeg_decode\n"
	                           "cropped = center_crop size=9\n";
	const struct type type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"jpg" };
	const struct schema schema = image_schema(&type, 1);
	struct sample in = { .count = 1 };
	struct tensor noise = TENSOR_INIT;
	struct jpeg_wish wish = { .kind = JPEG_YCC, .height = 60, .width = 50 };
	struct buf file = BUF_INIT;
	struct twins twins;

	UNUSED(state);
	stepper_noise(&noise, DTYPE_U8, 60, 50, 3);
	wish.pixels = noise.data;
	jpeg_make(&wish, &file);
	assert_int_equal(twins_open(&twins, text, &schema, NULL), 0);
	for (size_t len = 0; len <= file.len; len++) {
		tensor_view_encoded(&in.fields[0], file.data, len, "jpg");
		assert_int_equal(
		    compare(&twins, text, &in), len == file.len ? 0 : 1);
	}
	tensor_release(&noise);
	buf_release(&file);
	twins_close(&twins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fuse_gives_the_same_bytes),
		cmocka_unit_test(test_fuse_of_photographs_gives_the_same_bytes),
		cmocka_unit_test(
		    test_fuse_of_stored_images_gives_the_same_bytes),
		cmocka_unit_test(test_fuse_refuses_files_cut_short_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
