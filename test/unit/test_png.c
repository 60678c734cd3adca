/*
 * test_png.c - PNG files of every kind, compared with their known pixels and
 * with libpng's simplified reader; and broken files.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/image/png.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"
#include "test/unit/png_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const struct type file_type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"png" };

static const char *const modes[] = { "rgb", "grey", "unchanged" };
enum { RGB, GREY, UNCHANGED, MODES };

/* png_decode in all its forms. */
struct decoders {
	struct stepper steps[MODES][2]; /* and in 8 and 16 bits */
	struct tensor out, whole;
	struct buf file;
	struct error err;
};

static int setup(void **state)
{
	struct decoders *all = calloc(1, sizeof(*all));
	char words[64];

	assert_non_null(all);
	for (int m = 0; m < MODES; m++)
		for (int wide = 0; wide < 2; wide++) {
			snprintf(words, sizeof(words),
			    "png_decode mode=%s dtype=%s", modes[m],
			    wide ? "uint16" : "uint8");
			test_ok(stepper_open(&all->steps[m][wide], words,
			            &file_type, &all->err),
			    &all->err);
		}
	*state = all;
	return 0;
}

static int teardown(void **state)
{
	struct decoders *all = *state;

	for (int m = 0; m < MODES; m++)
		for (int wide = 0; wide < 2; wide++)
			stepper_close(&all->steps[m][wide]);
	tensor_release(&all->out);
	tensor_release(&all->whole);
	buf_release(&all->file);
	free(all);
	return 0;
}

static int decode(struct decoders *all, int mode, int wide, struct span file)
{
	struct tensor in = TENSOR_INIT;

	tensor_view_encoded(&in, file.data, file.len, "png");
	return stepper_run(
	    &all->steps[mode][wide], 0, &in, &all->out, &all->err);
}

static void decode_well(
    struct decoders *all, int mode, int wide, struct span file)
{
	test_ok(decode(all, mode, wide, file), &all->err);
}

static unsigned got_at(const struct tensor *tensor, size_t i)
{
	if (tensor->dtype == DTYPE_U16)
		return ((const uint16_t *)tensor->data)[i];
	return ((const unsigned char *)tensor->data)[i];
}

static unsigned luma(const unsigned rgb[3])
{
	return (unsigned)((19595 * (uint64_t)rgb[0] + 38470 * (uint64_t)rgb[1] +
	                      7471 * (uint64_t)rgb[2] + 32768) /
	                  65536);
}

/* What channel `c` of `channels` must be, of numbers as png_make tells. */
static unsigned wanted(const struct png_wish *wish, int wide,
    const uint16_t *pixel, size_t channels, size_t c)
{
	unsigned full[4];

	for (unsigned i = 0; i < 4; i++) {
		full[i] = pixel[i];
		if (wide && wish->depth != 16)
			full[i] *= 257;
		if (!wide && wish->depth == 16)
			full[i] = (full[i] * 255 + 32767) / 65535;
	}
	if (channels == 1)
		return wish->kind == PNG_GREY || wish->kind == PNG_GREY_ALPHA
		           ? full[0]
		           : luma(full);
	return channels == 2 && c == 1 ? full[3] : full[c];
}

static void check_form(struct decoders *all, const struct png_wish *wish,
    int mode, int wide, const uint16_t *pixels)
{
	const size_t channels = mode == RGB    ? 3
	                        : mode == GREY ? 1
	                                       : png_wish_channels(wish);
	const struct tensor *out = &all->out;

	decode_well(all, mode, wide, buf_span(&all->file));
	assert_int_equal(out->dtype, wide ? DTYPE_U16 : DTYPE_U8);
	assert_int_equal(out->shape.dims[0], wish->height);
	assert_int_equal(out->shape.dims[1], wish->width);
	assert_int_equal(out->shape.dims[2], channels);
	for (size_t i = 0; i < shape_elements(&out->shape); i++) {
		const unsigned want = wanted(wish, wide,
		    pixels + i / channels * 4, channels, i % channels);

		if (got_at(out, i) != want)
			fail_msg("kind %d of %u bits, interlaced %d, tRNS %d, "
			         "mode %s: element %zu is %u, not %u",
			    (int)wish->kind, wish->depth, wish->interlaced,
			    wish->transparent, modes[mode], i, got_at(out, i),
			    want);
	}
}

static void check_file(struct decoders *all, const struct png_wish *wish)
{
	uint16_t *pixels;

	all->file.len = 0;
	png_make(wish, &all->file, &pixels);
	for (int mode = 0; mode < MODES; mode++)
		for (int wide = 0; wide < 2; wide++)
			check_form(all, wish, mode, wide, pixels);
	free(pixels);
}

/* Calls `check` for each kind of file there is. */
static void each_kind(struct decoders *all,
    void (*check)(struct decoders *all, const struct png_wish *wish))
{
	static const unsigned depths[] = { 1, 2, 4, 8, 16 };
	static const unsigned sizes[][2] = { { 1, 1 }, { 5, 3 }, { 9, 33 },
		{ 40, 17 } };
	unsigned seed = 0;

	for (unsigned i = 0; i < PNG_KINDS * ARRAY_LEN(depths) * 16; i++) {
		const unsigned *size = sizes[i % 4];
		const struct png_wish wish = {
			.kind = (enum png_kind)(i / 16 % PNG_KINDS),
			.depth = depths[i / 16 / PNG_KINDS],
			.height = size[0],
			.width = size[1],
			.interlaced = i & 4,
			.transparent = i & 8,
			.seed = seed++,
		};

		if (!png_kind_has(wish.kind, wish.depth) ||
		    (wish.transparent && wish.kind > PNG_PALETTE))
			continue;
		check(all, &wish);
	}
}

static void test_png_of_every_kind_is_what_was_written(void **state)
{
	each_kind(*state, check_file);
}

static int decode_indices(struct stepper *step, struct decoders *all)
{
	struct tensor in = TENSOR_INIT;

	tensor_view_encoded(&in, all->file.data, all->file.len, "png");
	return stepper_run(step, 0, &in, &all->out, &all->err);
}

/* Palettes of every depth, interlaced and transparent ones too. */
static void check_indices(struct decoders *all, const struct png_wish *wish)
{
	struct png_wish indices = *wish;
	struct stepper step;
	uint16_t *pixels;

	indices.indices = wish->kind == PNG_PALETTE;
	all->file.len = 0;
	png_make(&indices, &all->file, &pixels);
	test_ok(
	    stepper_open(&step, "png_decode mode=index", &file_type, &all->err),
	    &all->err);
	if (wish->kind == PNG_PALETTE) {
		const struct shape want = { 3,
			{ wish->height, wish->width, 1 } };

		test_ok(decode_indices(&step, all), &all->err);
		assert_int_equal(all->out.dtype, DTYPE_U8);
		assert_true(shape_equal(&all->out.shape, &want));
		for (size_t i = 0; i < all->out.bytes; i++)
			assert_int_equal(got_at(&all->out, i), pixels[4 * i]);
	} else {
		const bool is_grey =
		    wish->kind == PNG_GREY || wish->kind == PNG_GREY_ALPHA;

		test_error_is(decode_indices(&step, all), &all->err,
		    is_grey ? "is a PNG file without a palette, of grey; "
		              "mode=index takes class numbers from palettes: "
		              "use mode=grey"
		            : "is a PNG file without a palette, of colours; "
		              "mode=index takes class numbers from palettes: "
		              "use mode=rgb");
	}
	stepper_close(&step);
	free(pixels);
}

static void test_png_indices_are_the_class_numbers(void **state)
{
	each_kind(*state, check_indices);
}

static void test_png_indices_are_uint8(void **state)
{
	struct decoders *all = *state;
	struct stepper step;

	test_error_is(stepper_open(&step, "png_decode mode=index dtype=uint16",
	                  &file_type, &all->err),
	    &all->err, "mode=index gives uint8; leave out dtype=uint16");
	stepper_close(&step);
}

/* Each filter alone, in rows of every length up to where vectors are full. */
static void test_png_of_every_filter_is_what_was_written(void **state)
{
	static const unsigned filters[] = { PNG_FILTER_NONE, PNG_FILTER_SUB,
		PNG_FILTER_UP, PNG_FILTER_AVG, PNG_FILTER_PAETH,
		PNG_ALL_FILTERS };

	for (unsigned i = 0; i < ARRAY_LEN(filters) * PNG_KINDS; i++)
		for (unsigned width = 1; width < 40; width++) {
			const struct png_wish wish = {
				.kind = (enum png_kind)(i % PNG_KINDS),
				.depth = 8,
				.height = 7,
				.width = width,
				.filters = filters[i / PNG_KINDS],
				.seed = width,
			};

			check_file(*state, &wish);
		}
}

/* The part that a crop wants, and the size before there is any. */
static void check_window(struct decoders *all, const struct png_wish *wish)
{
	struct stepper *step = &all->steps[UNCHANGED][0];
	struct tensor in = TENSOR_INIT;
	struct window window;
	struct box box = { .height = 1, .width = 1 };
	uint16_t *pixels;

	all->file.len = 0;
	png_make(wish, &all->file, &pixels);
	decode_well(all, UNCHANGED, 0, buf_span(&all->file));
	tensor_view_encoded(&in, all->file.data, all->file.len, "png");
	test_ok(
	    step->ops->window->look(step->priv, &in, &window.frame, &all->err),
	    &all->err);
	assert_int_equal(window.frame.size.height, wish->height);
	assert_int_equal(window.frame.size.width, wish->width);
	assert_int_equal(window.frame.channels, png_wish_channels(wish));
	test_ok(step->ops->window->load(
	            step->priv, &in, &box, &all->whole, &window, &all->err),
	    &all->err);
	window_narrow(&window, &box);
	assert_memory_equal(
	    window.data, all->out.data, png_wish_channels(wish));
	free(pixels);
}

static void test_png_is_looked_at_before_it_is_decoded(void **state)
{
	each_kind(*state, check_window);
}

/* ---- broken files ---- */

static void make_file(struct decoders *all, enum png_kind kind, bool interlaced)
{
	const struct png_wish wish = {
		.kind = kind,
		.depth = 8,
		.height = 20,
		.width = 30,
		.interlaced = interlaced,
	};
	uint16_t *pixels;

	all->file.len = 0;
	png_make(&wish, &all->file, &pixels);
	free(pixels);
}

static void test_png_cut_short_is_refused_at_every_length(void **state)
{
	struct decoders *all = *state;

	for (int i = 0; i < 4; i++) {
		make_file(all, i & 1 ? PNG_RGB : PNG_PALETTE, i & 2);
		for (size_t len = 0; len < all->file.len; len++) {
			const struct span cut = { all->file.data, len };

			assert_int_equal(decode(all, RGB, 0, cut), -1);
			assert_int_equal(all->err.code, ERROR_DATA);
			if (len >= 8)
				assert_string_equal(
				    all->err.text, "premature end of file");
		}
	}
}

/* Every chunk has a checksum: nothing goes unseen but in the bytes of one. */
static void test_png_with_a_flipped_byte_is_refused(void **state)
{
	struct decoders *all = *state;

	make_file(all, PNG_RGB, false);
	for (size_t i = 0; i < all->file.len; i++) {
		all->file.data[i] ^= 0x41;
		assert_int_equal(decode(all, RGB, 0, buf_span(&all->file)), -1);
		assert_int_equal(all->err.code, ERROR_DATA);
		all->file.data[i] ^= 0x41;
	}
	decode_well(all, RGB, 0, buf_span(&all->file));
}

static void test_png_refuses_other_files_in_words(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *error;
	} cases[] = {
		{ "", 0, "not a PNG file" },
		{ "\xff\xd8\xff\xe0JFIF-----", 13, "not a PNG file" },
		{ "\x89PNG\r\n\x1a\n", 8, "premature end of file" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct span file = {
			(const unsigned char *)cases[i].bytes, cases[i].len
		};
		struct decoders *all = *state;

		test_error_is(
		    decode(all, RGB, 0, file), &all->err, cases[i].error);
	}
}

enum { HEAD = 8, HEAD_TYPE = HEAD + 4, HEAD_DATA = HEAD + 8, HEAD_LEN = 13 };

/* The checksum of the first chunk, as it is now. */
static void mend_head(struct buf *file)
{
	uint32_t sum = UINT32_MAX;

	for (size_t i = HEAD_TYPE; i < HEAD_DATA + HEAD_LEN; i++) {
		sum ^= file->data[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	}
	sum = ~sum;
	for (int i = 0; i < 4; i++)
		file->data[HEAD_DATA + HEAD_LEN + i] =
		    (unsigned char)(sum >> (24 - 8 * i));
}

static void claim(struct decoders *all, unsigned height, unsigned width)
{
	make_file(all, PNG_RGB, false);
	for (int i = 0; i < 4; i++) {
		all->file.data[HEAD_DATA + i] =
		    (unsigned char)(width >> (24 - 8 * i));
		all->file.data[HEAD_DATA + 4 + i] =
		    (unsigned char)(height >> (24 - 8 * i));
	}
	mend_head(&all->file);
}

static void test_png_that_claims_too_much_is_refused(void **state)
{
	struct decoders *all = *state;

	claim(all, 61680, 61680);
	test_error_is(decode(all, RGB, 0, buf_span(&all->file)), &all->err,
	    "image of 61680x61680 is larger than 268435456 pixels");
	/* No memory is asked for that the file could not fill. */
	claim(all, 16384, 16384);
	test_error_is(decode(all, RGB, 0, buf_span(&all->file)), &all->err,
	    "premature end of file");
	claim(all, 2000000, 1);
	test_error_is(decode(all, RGB, 0, buf_span(&all->file)), &all->err,
	    "invalid IHDR data");
	claim(all, 0, 1);
	test_error_is(decode(all, RGB, 0, buf_span(&all->file)), &all->err,
	    "invalid IHDR data");
}

/* ---- real files, where there are some ---- */

static const char *data_dir(void)
{
	const char *data = getenv("PRESTO_TEST_DATA");

	return data ? data : "../shared/data";
}

/*
 * The file without the chunks that tell of light: libpng's simple reader would
 * apply them, and take 16 bits to be linear.
 */
static void leave_light_out(const struct buf *file, struct buf *out)
{
	static const char *const light[] = { "gAMA", "cHRM", "sRGB", "iCCP" };
	struct error err = ERROR_INIT;
	size_t at = HEAD;

	test_ok(buf_append(out, file->data, HEAD, &err), &err);
	while (at + 12 <= file->len) {
		const unsigned char *head = file->data + at;
		const size_t body = (size_t)head[0] << 24 |
		                    (size_t)head[1] << 16 |
		                    (size_t)head[2] << 8 | head[3];
		const size_t rest = file->len - at;
		const size_t len = body + 12 < rest ? body + 12 : rest;
		bool is_light = false;

		for (size_t i = 0; i < ARRAY_LEN(light); i++)
			is_light |= memcmp(head + 4, light[i], 4) == 0;
		if (!is_light)
			test_ok(buf_append(out, head, len, &err), &err);
		at += len;
	}
}

/* By the simple reader, in red, green, blue, alpha; NULL: it cannot. */
static unsigned char *read_simply(const struct buf *file, png_image *image)
{
	struct buf dark = BUF_INIT;
	unsigned char *pixels = NULL;

	memset(image, 0, sizeof(*image));
	image->version = PNG_IMAGE_VERSION;
	leave_light_out(file, &dark);
	if (png_image_begin_read_from_memory(image, dark.data, dark.len)) {
		image->format = PNG_FORMAT_RGBA;
		image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
		pixels = malloc(PNG_IMAGE_SIZE(*image));
		assert_non_null(pixels);
		if (!png_image_finish_read(image, NULL, pixels, 0, NULL)) {
			free(pixels);
			pixels = NULL;
		}
	}
	png_image_free(image);
	buf_release(&dark);
	return pixels;
}

struct visit {
	struct decoders *all;
	const char *dir;
	unsigned decoded, refused, compared;
};

/* 16 bits and interlaced: its simple reader (1.6.39) mixes up their colours. */
static bool is_read_well(const struct buf *file)
{
	return file->data[HEAD_DATA + 8] != 16 || !file->data[HEAD_DATA + 12];
}

static void compare(struct visit *visit, const char *name)
{
	const struct tensor *out = &visit->all->out;
	png_image image;
	unsigned char *want = read_simply(&visit->all->file, &image);

	if (!want)
		fail_msg("%s: libpng refuses it: %s", name, image.message);
	assert_int_equal(out->shape.dims[0], image.height);
	assert_int_equal(out->shape.dims[1], image.width);
	for (size_t i = 0; i < out->bytes; i++)
		if (got_at(out, i) != want[i / 3 * 4 + i % 3])
			fail_msg("%s: element %zu is %u, not %u", name, i,
			    got_at(out, i), want[i / 3 * 4 + i % 3]);
	visit->compared++;
	free(want);
}

static int visit_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct visit *visit = arg;
	struct decoders *all = visit->all;
	const size_t len = strlen(name);
	char path[1024];

	if (len < 4 || strcmp(name + len - 4, ".png") != 0)
		return 0;
	snprintf(path, sizeof(path), "%s/%s", visit->dir, name);
	all->file.len = 0;
	if (path_read(path, bytes, &all->file, err))
		return -1;
	if (decode(all, RGB, 0, buf_span(&all->file)) == 0) {
		if (strstr(name, "pngsuite/x"))
			fail_msg("%s is decoded", name);
		if (is_read_well(&all->file))
			compare(visit, name);
		visit->decoded++;
	} else {
		assert_int_equal(all->err.code, ERROR_DATA);
		print_message("%s: %s\n", name, all->err.text);
		visit->refused++;
	}
	for (int mode = 0; mode < MODES; mode++)
		decode(all, mode, 1, buf_span(&all->file));
	return 0;
}

static void test_png_files_are_as_libpng_reads_them(void **state)
{
	static const char *const dirs[] = { "png", "png16", "png_odd" };
	struct visit visit = { .all = *state };
	char dir[512];

	for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
		snprintf(dir, sizeof(dir), "%s/images/%s", data_dir(), dirs[i]);
		if (!path_exists(dir))
			skip();
		visit.dir = dir;
		test_ok(path_each(dir, visit_file, &visit, &visit.all->err),
		    &visit.all->err);
	}
	print_message("%u decoded, %u refused, %u compared\n", visit.decoded,
	    visit.refused, visit.compared);
	assert_true(visit.decoded > 130);
	assert_true(visit.compared + 10 > visit.decoded);
}

/* What png_encode writes of 8 and 16 bits, grey and colours, is read again. */
static void test_png_written_is_read_again(void **state)
{
	static const struct shape shape[] = { { 3, { 17, 31, 3 } },
		{ 3, { 1, 5, 1 } } };
	struct decoders *all = *state;
	struct tensor image = TENSOR_INIT;
	struct random random = random_stream(3, 0, 0, 0);

	for (int i = 0; i < 4; i++) {
		const int wide = i & 1, grey = i >> 1;

		test_ok(tensor_reshape(&image, wide ? DTYPE_U16 : DTYPE_U8,
		            &shape[grey], &all->err),
		    &all->err);
		random_fill(&random, image.data, image.bytes);
		all->file.len = 0;
		test_ok(png_encode(&image, &all->file, &all->err), &all->err);
		assert_int_equal(all->file.data[24], wide ? 16 : 8);
		test_ok(decode(all, UNCHANGED, wide, buf_span(&all->file)),
		    &all->err);
		assert_true(shape_equal(&all->out.shape, &image.shape));
		assert_memory_equal(all->out.data, image.data, image.bytes);
	}
	tensor_release(&image);
}

int main(void)
{
#define WITH_DECODERS(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_DECODERS(test_png_of_every_kind_is_what_was_written),
		WITH_DECODERS(test_png_indices_are_the_class_numbers),
		WITH_DECODERS(test_png_indices_are_uint8),
		WITH_DECODERS(test_png_of_every_filter_is_what_was_written),
		WITH_DECODERS(test_png_written_is_read_again),
		WITH_DECODERS(test_png_is_looked_at_before_it_is_decoded),
		WITH_DECODERS(test_png_cut_short_is_refused_at_every_length),
		WITH_DECODERS(test_png_with_a_flipped_byte_is_refused),
		WITH_DECODERS(test_png_refuses_other_files_in_words),
		WITH_DECODERS(test_png_that_claims_too_much_is_refused),
		WITH_DECODERS(test_png_files_are_as_libpng_reads_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
