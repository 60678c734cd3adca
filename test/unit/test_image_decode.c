/* test_image_decode.c - the format is recognized by content, not by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/png_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* What a name said: that is not listened to. */
static const struct type file_type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"gif" };

static int decode(
    const char *words, struct span file, struct tensor *out, struct error *err)
{
	struct tensor in = TENSOR_INIT;
	struct stepper stepper;
	int rc;

	test_ok(stepper_open(&stepper, words, &file_type, err), err);
	tensor_view_encoded(&in, file.data, file.len, "gif");
	rc = stepper_run(&stepper, 1, &in, out, err);
	stepper_close(&stepper);
	return rc;
}

static void check_same(const char *words, const char *as, struct span file)
{
	struct tensor got = TENSOR_INIT, want = TENSOR_INIT;
	struct error err = ERROR_INIT;

	test_ok(decode(words, file, &got, &err), &err);
	test_ok(decode(as, file, &want, &err), &err);
	assert_true(shape_equal(&got.shape, &want.shape));
	assert_memory_equal(got.data, want.data, want.bytes);
	tensor_release(&got);
	tensor_release(&want);
}

static void make_jpeg(struct buf *file)
{
	struct jpeg_wish wish = {
		.kind = JPEG_YCC, .height = 20, .width = 30, .orientation = 6
	};
	struct tensor noise = TENSOR_INIT;

	stepper_noise(&noise, DTYPE_U8, 20, 30, 3);
	wish.pixels = noise.data;
	jpeg_make(&wish, file);
	tensor_release(&noise);
}

static void make_png(struct buf *file)
{
	const struct png_wish wish = {
		.kind = PNG_RGBA, .depth = 16, .height = 20, .width = 30
	};
	uint16_t *pixels;

	png_make(&wish, file, &pixels);
	free(pixels);
}

static void test_image_is_decoded_as_its_step_does(void **state)
{
	static const char *const options[] = { "", " mode=grey",
		" mode=unchanged" };
	struct buf jpeg = BUF_INIT, png = BUF_INIT;
	char words[64], as[64];

	UNUSED(state);
	make_jpeg(&jpeg);
	make_png(&png);
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		snprintf(words, sizeof(words), "image_decode%s", options[i]);
		snprintf(as, sizeof(as), "jpeg_decode%s", options[i]);
		check_same(words, as, buf_span(&jpeg));
		snprintf(as, sizeof(as), "png_decode%s", options[i]);
		check_same(words, as, buf_span(&png));
	}
	check_same(
	    "image_decode exif=no", "jpeg_decode exif=no", buf_span(&jpeg));
	buf_release(&jpeg);
	buf_release(&png);
}

static void test_image_of_another_format_is_named(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *error;
	} cases[] = {
		{ "", 0, "is empty, neither a JPEG nor a PNG file" },
		{ "GIF89a.......", 13,
		    "is a GIF file; JPEG and PNG are decoded" },
		{ "RIFF....WEBPVP8 ", 16,
		    "is a WebP file; JPEG and PNG are decoded" },
		{ "\0\0\0 ftypavif", 12,
		    "is an AVIF file; JPEG and PNG are decoded" },
		{ "<!DOCTYPE html>", 15,
		    "is an HTML page; JPEG and PNG are decoded" },
		{ "\x89PNG\n\x1a\n", 7,
		    "is a PNG file that was sent as text; JPEG and PNG are "
		    "decoded" },
		{ "\xff\xd8", 2,
		    "neither a JPEG nor a PNG file: starts with 0xff 0xd8" },
		{ "\xff\xd8\xff", 3, "premature end of file" },
		{ "\x89PNG\r\n\x1a\n", 8, "premature end of file" },
	};
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct span file = {
			(const unsigned char *)cases[i].bytes, cases[i].len
		};

		test_error_is(decode("image_decode", file, &out, &err), &err,
		    cases[i].error);
	}
	tensor_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_image_is_decoded_as_its_step_does),
		cmocka_unit_test(test_image_of_another_format_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
