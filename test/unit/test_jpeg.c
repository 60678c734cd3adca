/*
 * test_jpeg.c - photographs of all kinds, their orientation, and broken files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/image/exif.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const struct type file_type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"jpg" };

/* Runs the step on a copy that ends where its memory ends. */
static int decode(struct stepper *stepper, struct span file, struct tensor *out,
    struct error *err)
{
	unsigned char *copy = malloc(file.len + 1);
	struct tensor in = TENSOR_INIT;
	int rc;

	assert_non_null(copy);
	memcpy(copy + 1, file.data, file.len);
	tensor_view_encoded(&in, copy + 1, file.len, "jpg");
	rc = stepper_run(stepper, 1, &in, out, err);
	free(copy);
	return rc;
}

static void open_step(struct stepper *stepper, const char *words)
{
	struct error err = ERROR_INIT;

	test_ok(stepper_open(stepper, words, &file_type, &err), &err);
}

/* A decoder that was used before must not remember anything. */
struct fixture {
	struct stepper stepper, grey, unchanged;
	struct tensor out;
	struct buf file;
	struct error err;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	open_step(&fixture->stepper, "jpeg_decode");
	open_step(&fixture->grey, "jpeg_decode mode=grey");
	open_step(&fixture->unchanged, "jpeg_decode mode=unchanged");
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	stepper_close(&fixture->stepper);
	stepper_close(&fixture->grey);
	stepper_close(&fixture->unchanged);
	tensor_release(&fixture->out);
	buf_release(&fixture->file);
	free(fixture);
	return 0;
}

enum { TILE = 16, DOWN = 3, ACROSS = 2 };

/* Each tile of the picture has a colour of its own; far from each other. */
static void tile_colour(size_t row, size_t column, unsigned char rgb[3])
{
	const size_t n = row * ACROSS + column;

	rgb[0] = n & 1 ? 220 : 30;
	rgb[1] = n & 2 ? 220 : 30;
	rgb[2] = n & 4 ? 220 : 30;
}

static void paint_tiles(unsigned char *pixels)
{
	for (size_t y = 0; y < TILE * DOWN; y++)
		for (size_t x = 0; x < TILE * ACROSS; x++, pixels += 3)
			tile_colour(y / TILE, x / TILE, pixels);
}

static struct jpeg_wish tiles_wish(const unsigned char *pixels)
{
	return (struct jpeg_wish){
		.kind = JPEG_YCC,
		.height = TILE * DOWN,
		.width = TILE * ACROSS,
		.pixels = pixels,
	};
}

/* The middle of the tile at (y, x) has the colour of tile (row, column). */
static void check_tile(
    const struct tensor *image, const size_t at[2], size_t row, size_t column)
{
	const size_t width = (size_t)image->shape.dims[1];
	const unsigned char *got =
	    (unsigned char *)image->data +
	    ((at[0] * TILE + TILE / 2) * width + at[1] * TILE + TILE / 2) * 3;
	unsigned char want[3];

	tile_colour(row, column, want);
	for (size_t c = 0; c < 3; c++)
		if (abs(got[c] - want[c]) > 4)
			fail_msg("tile %zu, %zu: %u, not %u", at[0], at[1],
			    got[c], want[c]);
}

/* Where tile (row, column) of the upright picture lies in the file. */
static void lying(unsigned orientation, size_t row, size_t column, size_t at[2])
{
	const size_t low = DOWN - 1, right = ACROSS - 1;
	const size_t places[9][2] = {
		[1] = { row, column },
		[2] = { row, right - column },
		[3] = { low - row, right - column },
		[4] = { low - row, column },
		[5] = { column, row },
		[6] = { low - column, row },
		[7] = { low - column, right - row },
		[8] = { column, right - row },
	};

	memcpy(at, places[orientation], sizeof(places[0]));
}

static void check_orientation(
    struct fixture *fixture, unsigned orientation, bool is_big_endian)
{
	unsigned char pixels[TILE * DOWN * TILE * ACROSS * 3];
	struct jpeg_wish wish = tiles_wish(pixels);
	const bool is_turned = orientation >= 5;
	const size_t rows = is_turned ? ACROSS : DOWN;
	const size_t columns = is_turned ? DOWN : ACROSS;

	paint_tiles(pixels);
	wish.orientation = orientation;
	wish.is_big_endian = is_big_endian;
	jpeg_make(&wish, &fixture->file);
	assert_int_equal(
	    exif_orientation(buf_span(&fixture->file)), orientation);
	test_ok(decode(&fixture->stepper, buf_span(&fixture->file),
	            &fixture->out, &fixture->err),
	    &fixture->err);
	assert_int_equal(fixture->out.shape.dims[0], rows * TILE);
	assert_int_equal(fixture->out.shape.dims[1], columns * TILE);
	for (size_t y = 0; y < rows; y++)
		for (size_t x = 0; x < columns; x++) {
			const size_t at[2] = { y, x };
			size_t file[2];

			lying(orientation, y, x, file);
			check_tile(&fixture->out, at, file[0], file[1]);
		}
}

static void test_jpeg_stands_upright(void **state)
{
	for (unsigned orientation = 1; orientation <= 8; orientation++)
		for (int is_big = 0; is_big < 2; is_big++)
			check_orientation(*state, orientation, is_big);
}

static void test_jpeg_lies_as_it_lay_without_exif(void **state)
{
	unsigned char pixels[TILE * DOWN * TILE * ACROSS * 3];
	struct jpeg_wish wish = tiles_wish(pixels);
	struct fixture *fixture = *state;
	struct stepper stepper;

	paint_tiles(pixels);
	wish.orientation = 6;
	jpeg_make(&wish, &fixture->file);
	open_step(&stepper, "jpeg_decode exif=no");
	test_ok(decode(&stepper, buf_span(&fixture->file), &fixture->out,
	            &fixture->err),
	    &fixture->err);
	assert_int_equal(fixture->out.shape.dims[0], TILE * DOWN);
	stepper_close(&stepper);
}

/* Every cut, and every flipped byte, of the Exif segment. */
static void test_exif_that_is_broken_is_ignored(void **state)
{
	unsigned char file[8 + EXIF_SEGMENT] = { 0xff, 0xd8, 0xff, 0xe1, 0,
		2 + EXIF_SEGMENT };
	struct random random = random_stream(5, 0, 0, 0);

	UNUSED(state);
	exif_make(8, false, file + 6);
	assert_int_equal(
	    exif_orientation((struct span){ file, sizeof(file) }), 8);
	for (size_t len = 0; len < sizeof(file); len++) {
		unsigned char *copy = malloc(len + 1);

		assert_non_null(copy);
		memcpy(copy + 1, file, len);
		assert_int_equal(
		    exif_orientation((struct span){ copy + 1, len }),
		    len < 6 + EXIF_SEGMENT ? 1 : 8);
		free(copy);
	}
	for (unsigned i = 0; i < 20000; i++) {
		const size_t at = random_below(&random, sizeof(file));
		const unsigned char before = file[at];

		file[at] = (unsigned char)random_u32(&random);
		assert_in_range(
		    exif_orientation((struct span){ file, sizeof(file) }), 1,
		    8);
		file[at] = before;
	}
}

/* One colour in each kind of file: red of 200, green of 100, blue of 50. */
static void check_colour(struct fixture *fixture, struct stepper *stepper,
    const struct jpeg_wish *wish, const unsigned char *want, size_t channels)
{
	const unsigned char *got;

	test_ok(decode(stepper, buf_span(&fixture->file), &fixture->out,
	            &fixture->err),
	    &fixture->err);
	assert_int_equal(fixture->out.shape.dims[0], wish->height);
	assert_int_equal(fixture->out.shape.dims[1], wish->width);
	assert_int_equal(fixture->out.shape.dims[2], channels);
	got = fixture->out.data;
	for (size_t i = 0; i < fixture->out.bytes; i++)
		if (abs(got[i] - want[i % channels]) > 3)
			fail_msg("kind %d, byte %zu: %u, not %u",
			    (int)wish->kind, i, got[i], want[i % channels]);
}

/* In every mode. */
static void check_kind(struct fixture *fixture, const struct jpeg_wish *wish,
    const unsigned char want[3])
{
	const unsigned char luma =
	    (unsigned char)(0.299 * want[0] + 0.587 * want[1] +
	                    0.114 * want[2]);
	const bool is_grey = wish->kind == JPEG_GREY;

	jpeg_make(wish, &fixture->file);
	check_colour(fixture, &fixture->stepper, wish, want, 3);
	check_colour(fixture, &fixture->grey, wish, &luma, 1);
	check_colour(fixture, &fixture->unchanged, wish, is_grey ? &luma : want,
	    is_grey ? 1 : 3);
}

static void test_jpeg_of_every_kind_in_every_mode(void **state)
{
	static const struct {
		enum jpeg_kind kind;
		size_t channels;
		unsigned char colour[4], rgb[3];
	} cases[] = {
		{ JPEG_GREY, 1, { 77 }, { 77, 77, 77 } },
		{ JPEG_YCC, 3, { 200, 100, 50 }, { 200, 100, 50 } },
		{ JPEG_RGB, 3, { 200, 100, 50 }, { 200, 100, 50 } },
		{ JPEG_CMYK, 4, { 200, 100, 50, 255 }, { 200, 100, 50 } },
		{ JPEG_CMYK, 4, { 200, 100, 50, 128 }, { 100, 50, 25 } },
		{ JPEG_YCCK, 4, { 200, 100, 50, 255 }, { 200, 100, 50 } },
	};
	unsigned char pixels[13 * 21 * 4];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (unsigned how = 0; how < 4; how++) {
			const struct jpeg_wish wish = {
				.kind = cases[i].kind,
				.height = 13,
				.width = 21,
				.pixels = pixels,
				.is_progressive = how & 1,
				.restart = how & 2 ? 1 : 0,
			};

			for (size_t k = 0; k < 13 * 21 * cases[i].channels; k++)
				pixels[k] =
				    cases[i].colour[k % cases[i].channels];
			check_kind(*state, &wish, cases[i].rgb);
		}
}

static void make_noise_file(struct fixture *fixture, bool is_progressive)
{
	struct tensor noise = TENSOR_INIT;
	struct jpeg_wish wish = { .kind = JPEG_YCC,
		.height = 40,
		.width = 50,
		.is_progressive = is_progressive };

	stepper_noise(&noise, DTYPE_U8, 40, 50, 3);
	wish.pixels = noise.data;
	jpeg_make(&wish, &fixture->file);
	tensor_release(&noise);
}

static void test_jpeg_cut_short_is_refused_at_every_length(void **state)
{
	struct fixture *fixture = *state;

	for (int is_progressive = 0; is_progressive < 2; is_progressive++) {
		make_noise_file(fixture, is_progressive);
		for (size_t len = 0; len < fixture->file.len; len++) {
			const struct span cut = { fixture->file.data, len };

			assert_int_equal(decode(&fixture->stepper, cut,
			                     &fixture->out, &fixture->err),
			    -1);
			assert_int_equal(fixture->err.code, ERROR_DATA);
			assert_true(strlen(fixture->err.text) > 0);
		}
		test_error_is(decode(&fixture->stepper,
		                  (struct span){ fixture->file.data,
		                      fixture->file.len / 2 },
		                  &fixture->out, &fixture->err),
		    &fixture->err, "premature end of file");
		test_ok(decode(&fixture->stepper, buf_span(&fixture->file),
		            &fixture->out, &fixture->err),
		    &fixture->err);
	}
}

/* Nothing but an image or a message comes of a file with flipped bytes. */
static void test_jpeg_with_flipped_bytes_does_no_harm(void **state)
{
	struct fixture *fixture = *state;
	struct random random = random_stream(3, 0, 0, 0);
	unsigned refused = 0;

	make_noise_file(fixture, false);
	for (unsigned i = 0; i < 3000; i++) {
		unsigned char *byte =
		    fixture->file.data +
		    random_below(
		        &random, i % 2 ? (uint32_t)fixture->file.len : 700);
		const unsigned char before = *byte;

		*byte = (unsigned char)random_u32(&random);
		if (decode(&fixture->stepper, buf_span(&fixture->file),
		        &fixture->out, &fixture->err)) {
			assert_int_equal(fixture->err.code, ERROR_DATA);
			refused++;
		}
		*byte = before;
	}
	assert_true(refused > 100);
	test_ok(decode(&fixture->stepper, buf_span(&fixture->file),
	            &fixture->out, &fixture->err),
	    &fixture->err);
}

static void test_jpeg_refuses_other_files_in_words(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *error;
	} cases[] = {
		{ "", 0, "empty input file" },
		{ "\x89PNG\r\n\x1a\n", 8,
		    "not a JPEG file: starts with 0x89 0x50" },
		{ "\n\xff\xd8\xff", 4,
		    "not a JPEG file: starts with 0x0a 0xff" },
		{ "\xff\xd8", 2, "premature end of file" },
		{ "\xff\xd8\xff\xd9", 4, "JPEG datastream contains no image" },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct span file = {
			(const unsigned char *)cases[i].bytes, cases[i].len
		};

		test_error_is(decode(&fixture->stepper, file, &fixture->out,
		                  &fixture->err),
		    &fixture->err, cases[i].error);
	}
}

/* The bytes behind a marker: 0xff and this. */
static unsigned char *find_marker(const struct buf *file, unsigned char marker)
{
	for (size_t i = 0; i + 1 < file->len; i++)
		if (file->data[i] == 0xff && file->data[i + 1] == marker)
			return file->data + i + 2;
	fail_msg("no marker %02x", marker);
	return NULL;
}

static void test_jpeg_that_claims_too_much_is_refused(void **state)
{
	struct fixture *fixture = *state;
	unsigned char *frame;

	make_noise_file(fixture, false);
	frame = find_marker(&fixture->file, 0xc0);
	memset(frame + 3, 0xf0, 4); /* height and width */
	test_error_is(decode(&fixture->stepper, buf_span(&fixture->file),
	                  &fixture->out, &fixture->err),
	    &fixture->err,
	    "image of 61680x61680 is larger than 268435456 pixels");
	frame[2] = 12;
	test_error_is(decode(&fixture->stepper, buf_span(&fixture->file),
	                  &fixture->out, &fixture->err),
	    &fixture->err, "unsupported JPEG data precision 12");
	frame[-1] = 0xc3;
	test_error_is(decode(&fixture->stepper, buf_span(&fixture->file),
	                  &fixture->out, &fixture->err),
	    &fixture->err, "unsupported JPEG process: SOF type 0xc3");
}

/* The first scan of a file that has one a channel, a thousand times. */
static void test_jpeg_of_too_many_scans_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct jpeg_wish wish = {
		.kind = JPEG_YCC, .height = 40, .width = 50, .in_scans = true
	};
	struct tensor noise = TENSOR_INIT;
	struct buf many = BUF_INIT;
	const unsigned char *scan, *end;

	stepper_noise(&noise, DTYPE_U8, 40, 50, 3);
	wish.pixels = noise.data;
	jpeg_make(&wish, &fixture->file);
	tensor_release(&noise);
	scan = find_marker(&fixture->file, 0xda) - 2;
	for (end = scan + 2; end[0] != 0xff || end[1] == 0; end++)
		;
	test_ok(buf_append(&many, fixture->file.data,
	            (size_t)(scan - fixture->file.data), &fixture->err),
	    &fixture->err);
	for (unsigned i = 0; i < 1000; i++)
		test_ok(buf_append(
		            &many, scan, (size_t)(end - scan), &fixture->err),
		    &fixture->err);
	test_error_is(decode(&fixture->stepper, buf_span(&many), &fixture->out,
	                  &fixture->err),
	    &fixture->err, "has more than 500 scans");
	buf_release(&many);
}

/* libjpeg would take the tables of the file before. */
static void test_jpeg_does_not_borrow_tables(void **state)
{
	struct fixture *fixture = *state;
	struct buf bare = BUF_INIT;
	const unsigned char *tables, *frame;

	make_noise_file(fixture, false);
	tables = find_marker(&fixture->file, 0xdb) - 2;
	frame = find_marker(&fixture->file, 0xc0) - 2;
	test_ok(decode(&fixture->stepper, buf_span(&fixture->file),
	            &fixture->out, &fixture->err),
	    &fixture->err);
	test_ok(buf_append(&bare, fixture->file.data,
	            (size_t)(tables - fixture->file.data), &fixture->err),
	    &fixture->err);
	test_ok(buf_append(&bare, frame,
	            (size_t)(fixture->file.data + fixture->file.len - frame),
	            &fixture->err),
	    &fixture->err);
	test_error_is(decode(&fixture->stepper, buf_span(&bare), &fixture->out,
	                  &fixture->err),
	    &fixture->err, "quantization table 0x00 was not defined");
	buf_release(&bare);
}

/* What was between segments is skipped: no pixel is lost. */
static void test_jpeg_with_junk_between_segments_is_decoded(void **state)
{
	struct fixture *fixture = *state;
	struct buf odd = BUF_INIT;
	const unsigned char *scan;
	size_t before;

	make_noise_file(fixture, false);
	scan = find_marker(&fixture->file, 0xda) - 2;
	before = (size_t)(scan - fixture->file.data);
	test_ok(buf_append(&odd, fixture->file.data, before, &fixture->err),
	    &fixture->err);
	test_ok(buf_append(&odd, "junk", 4, &fixture->err), &fixture->err);
	test_ok(
	    buf_append(&odd, scan, fixture->file.len - before, &fixture->err),
	    &fixture->err);
	test_ok(buf_append(&odd, "behind", 6, &fixture->err), &fixture->err);
	test_ok(decode(&fixture->stepper, buf_span(&odd), &fixture->out,
	            &fixture->err),
	    &fixture->err);
	buf_release(&odd);
}

static const char *data_dir(void)
{
	const char *data = getenv("PRESTO_TEST_DATA");

	return data ? data : "../shared/data";
}

/* The reference beside X.jpg: X.png, 8 bits a channel; NULL: none. */
static unsigned char *read_reference(const char *photograph, png_image *image)
{
	const size_t stem = strlen(photograph) - strlen(".jpg");
	unsigned char *pixels;
	char path[1024];

	memset(image, 0, sizeof(*image));
	image->version = PNG_IMAGE_VERSION;
	snprintf(path, sizeof(path), "%.*s.png", (int)stem, photograph);
	if (!path_exists(path) || !png_image_begin_read_from_file(image, path))
		return NULL;
	if (image->format & PNG_FORMAT_FLAG_LINEAR) { /* 16 bits */
		png_image_free(image);
		return NULL;
	}
	image->format = PNG_FORMAT_RGB;
	pixels = malloc(PNG_IMAGE_SIZE(*image));
	assert_non_null(pixels);
	assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
	return pixels;
}

struct odd {
	struct fixture *fixture;
	const char *dir;
	unsigned decoded, refused, compared;
};

static void compare_with_reference(struct odd *odd, const char *path)
{
	const struct tensor *out = &odd->fixture->out;
	png_image image;
	unsigned char *want = read_reference(path, &image);
	const unsigned char *got = out->data;

	if (!want || image.height != out->shape.dims[0] ||
	    image.width != out->shape.dims[1]) {
		free(want);
		return;
	}
	for (size_t i = 0; i < out->bytes; i++)
		if (abs(got[i] - want[i]) > 2)
			fail_msg("%s: byte %zu is %u, not %u", path, i, got[i],
			    want[i]);
	odd->compared++;
	free(want);
}

static int visit_odd(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct odd *odd = arg;
	struct fixture *fixture = odd->fixture;
	const size_t len = strlen(name);
	char path[1024];

	if (len < 5 || (strcmp(name + len - 4, ".jpg") != 0 &&
	                   strcmp(name + len - 5, ".jpeg") != 0))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", odd->dir, name);
	fixture->file.len = 0;
	if (path_read(path, bytes, &fixture->file, err))
		return -1;
	if (decode(&fixture->stepper, buf_span(&fixture->file), &fixture->out,
	        &fixture->err)) {
		assert_int_equal(fixture->err.code, ERROR_DATA);
		odd->refused++;
		return 0;
	}
	odd->decoded++;
	compare_with_reference(odd, path);
	return 0;
}

/* Real files, where there are some. */
static void test_jpeg_files_that_are_odd(void **state)
{
	struct odd odd = { .fixture = *state };
	char dir[512];

	snprintf(dir, sizeof(dir), "%s/images/jpeg_odd", data_dir());
	odd.dir = dir;
	if (!path_exists(dir))
		skip();
	test_ok(path_each(dir, visit_odd, &odd, &odd.fixture->err),
	    &odd.fixture->err);
	print_message("%u decoded, %u refused, %u as their references\n",
	    odd.decoded, odd.refused, odd.compared);
	assert_true(odd.decoded > 50 && odd.compared > 10);
}

int main(void)
{
#define WITH_DECODER(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_DECODER(test_jpeg_stands_upright),
		WITH_DECODER(test_jpeg_lies_as_it_lay_without_exif),
		cmocka_unit_test(test_exif_that_is_broken_is_ignored),
		WITH_DECODER(test_jpeg_of_every_kind_in_every_mode),
		WITH_DECODER(test_jpeg_cut_short_is_refused_at_every_length),
		WITH_DECODER(test_jpeg_with_flipped_bytes_does_no_harm),
		WITH_DECODER(test_jpeg_refuses_other_files_in_words),
		WITH_DECODER(test_jpeg_that_claims_too_much_is_refused),
		WITH_DECODER(test_jpeg_of_too_many_scans_is_refused),
		WITH_DECODER(test_jpeg_does_not_borrow_tables),
		WITH_DECODER(test_jpeg_with_junk_between_segments_is_decoded),
		WITH_DECODER(test_jpeg_files_that_are_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
