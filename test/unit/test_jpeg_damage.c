/* test_jpeg_damage.c - JPEG files that lost data, and such as only look odd. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/image/jpeg.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { HEIGHT = 80, WIDTH = 96, TAIL = 2 /* the end marker */ };

struct fixture {
	struct jpeg_decoder *decoder;
	struct tensor photo, out;
	struct buf file, odd;
	struct error err;
};

/* So much noise that its codes are longer than those that zeros are. */
static void paint(struct tensor *photo)
{
	const struct shape shape = { 3, { HEIGHT, WIDTH, 3 } };
	struct random random = random_stream(7, 0, 0, 0);
	struct error err = ERROR_INIT;
	unsigned char *pixels;

	test_ok(tensor_reshape(photo, DTYPE_U8, &shape, &err), &err);
	pixels = photo->data;
	for (size_t i = 0; i < photo->bytes; i++)
		pixels[i] = (unsigned char)(i / (3 * WIDTH) + i / 3 % WIDTH +
		                            random_below(&random, 150));
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->decoder = jpeg_decoder_new(&fixture->err);
	assert_non_null(fixture->decoder);
	paint(&fixture->photo);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jpeg_decoder_free(fixture->decoder);
	tensor_release(&fixture->photo);
	tensor_release(&fixture->out);
	buf_release(&fixture->file);
	buf_release(&fixture->odd);
	free(fixture);
	return 0;
}

static void make(struct fixture *fixture, struct jpeg_wish wish)
{
	wish.kind = JPEG_YCC;
	wish.height = HEIGHT;
	wish.width = WIDTH;
	wish.pixels = fixture->photo.data;
	wish.quality = 100;
	jpeg_make(&wish, &fixture->file);
}

/* Where the n-th marker begins, counted from 0; the length of the file: none */
static size_t find(const struct buf *file, unsigned char marker, unsigned n)
{
	for (size_t i = 2; i + 1 < file->len; i++)
		if (file->data[i] == 0xff && file->data[i + 1] == marker &&
		    n-- == 0)
			return i;
	return file->len;
}

/* Where image data begins. */
static size_t data_at(const struct buf *file)
{
	const size_t at = find(file, 0xda, 0);

	return at + 2 + file->data[at + 3];
}

/* As a whole, and a part far from what is wrong. */
static int decode(struct fixture *fixture, const struct buf *file)
{
	const struct box box = { .top = 4, .left = 4, .height = 8, .width = 8 };
	struct window window = { .frame.size = { HEIGHT, WIDTH } };
	struct error err = ERROR_INIT;
	const int rc = jpeg_decoder_run(
	    fixture->decoder, buf_span(file), &fixture->out, &fixture->err);
	const int part = jpeg_decoder_run_box(fixture->decoder, buf_span(file),
	    &box, &fixture->out, &window, &err);

	assert_int_equal(part, rc);
	return rc;
}

static void expect_damage(struct fixture *fixture, const struct buf *file,
    const char *what, size_t at)
{
	if (decode(fixture, file) == 0)
		fail_msg("%s at %zu of %zu is accepted", what, at, file->len);
	assert_int_equal(fixture->err.code, ERROR_DATA);
}

static void copy(struct buf *to, const struct buf *from)
{
	struct error err = ERROR_INIT;

	to->len = 0;
	test_ok(buf_append(to, from->data, from->len, &err), &err);
}

/* Bytes put in at a place. */
static void insert(
    struct fixture *fixture, size_t at, const void *bytes, size_t count)
{
	const struct buf *file = &fixture->file;
	struct error err = ERROR_INIT;

	fixture->odd.len = 0;
	test_ok(buf_append(&fixture->odd, file->data, at, &err), &err);
	test_ok(buf_append(&fixture->odd, bytes, count, &err), &err);
	test_ok(
	    buf_append(&fixture->odd, file->data + at, file->len - at, &err),
	    &err);
}

static void fill(struct fixture *fixture, size_t from, size_t to)
{
	copy(&fixture->odd, &fixture->file);
	memset(fixture->odd.data + from, 0, to - from);
	expect_damage(fixture, &fixture->odd, "a fill of zeros", from);
}

static void test_jpeg_whose_second_half_is_zeros_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct buf *file = &fixture->file;

	make(fixture, (struct jpeg_wish){ .restart = 0 });
	fill(fixture, file->len / 2, file->len - TAIL);
	assert_string_equal(
	    fixture->err.text, "image data was overwritten with zeros");
	for (size_t at = data_at(file); at < file->len - 32; at += 41)
		fill(fixture, at, file->len - TAIL);
}

static void test_jpeg_with_zeros_at_start_and_middle_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct buf *file = &fixture->file;
	size_t at;

	for (unsigned restart = 0; restart < 5; restart += 4) {
		make(fixture, (struct jpeg_wish){ .restart = restart });
		at = data_at(file);
		fill(fixture, at, at + (file->len - at) / 3);
		at += (file->len - at) / 3;
		fill(fixture, at, at + (file->len - at) / 3);
	}
}

/* Cut at any place, and closed by the end marker as if it were whole. */
static void test_jpeg_cut_and_closed_is_refused(void **state)
{
	static const struct jpeg_wish wishes[] = {
		{ .restart = 0 },
		{ .restart = 4 },
		{ .is_progressive = true },
		{ .in_scans = true },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
		make(fixture, wishes[i]);
		for (size_t at = data_at(&fixture->file);
		     at < fixture->file.len - TAIL - 1; at += 23) {
			copy(&fixture->odd, &fixture->file);
			memcpy(fixture->odd.data + at, "\xff\xd9", 2);
			fixture->odd.len = at + 2;
			expect_damage(fixture, &fixture->odd, "a cut", at);
		}
	}
}

/* libjpeg says nothing of these: the picture is blurred, or has no colours. */
static void test_jpeg_without_its_last_scans_is_refused(void **state)
{
	struct fixture *fixture = *state;

	for (int i = 0; i < 2; i++) {
		unsigned scans = 1;

		make(fixture,
		    (struct jpeg_wish){ .is_progressive = i, .in_scans = !i });
		for (size_t at; (at = find(&fixture->file, 0xda, scans)) <
		                fixture->file.len;
		     scans++) {
			copy(&fixture->odd, &fixture->file);
			memcpy(fixture->odd.data + at, "\xff\xd9", 2);
			fixture->odd.len = at + 2;
			expect_damage(fixture, &fixture->odd, "an end", at);
		}
		assert_true(scans >= 3);
		assert_int_equal(decode(fixture, &fixture->file), 0);
	}
}

/* Damage that leaves bytes that belong to no pixel. */
static void test_jpeg_with_data_too_many_is_refused(void **state)
{
	struct fixture *fixture = *state;
	unsigned char bytes[64];

	make(fixture, (struct jpeg_wish){ .restart = 0 });
	memset(bytes, 0x5a, sizeof(bytes));
	insert(fixture, fixture->file.len - TAIL, bytes, sizeof(bytes));
	expect_damage(fixture, &fixture->odd, "too many bytes", 0);
}

/* Cameras align what follows: nothing of it is data. */
static void test_jpeg_with_padding_is_whole(void **state)
{
	static const size_t counts[] = { 1, 7, 8, 9, 100, 4096 };
	static const unsigned char zeros[4096];
	struct fixture *fixture = *state;
	struct tensor want = TENSOR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(counts) * 4; i++) {
		const size_t count = counts[i / 4];

		make(fixture, (struct jpeg_wish){ .is_progressive = i % 4 == 1,
		                  .restart = i % 4 == 2 ? 4 : 0,
		                  .in_scans = i % 4 == 3 });
		test_ok(jpeg_decoder_run(fixture->decoder,
		            buf_span(&fixture->file), &want, &fixture->err),
		    &fixture->err);
		insert(fixture, fixture->file.len - TAIL, zeros, count);
		test_ok(decode(fixture, &fixture->odd), &fixture->err);
		test_ok(
		    jpeg_decoder_run(fixture->decoder, buf_span(&fixture->odd),
		        &fixture->out, &fixture->err),
		    &fixture->err);
		assert_memory_equal(fixture->out.data, want.data, want.bytes);
		if (i % 4 != 2)
			continue;
		insert(fixture, find(&fixture->file, 0xd1, 0), zeros, count);
		test_ok(decode(fixture, &fixture->odd), &fixture->err);
	}
	tensor_release(&want);
}

/* Each is a warning of libjpeg, and all pixels are there. */
static void test_jpeg_that_is_odd_and_whole_is_decoded(void **state)
{
	static const unsigned char adobe[] = { 0xff, 0xee, 0, 14, 'A', 'd', 'o',
		'b', 'e', 0, 100, 0, 0, 0, 0, 77 };
	struct fixture *fixture = *state;
	size_t at;

	make(fixture, (struct jpeg_wish){ .restart = 0 });
	insert(fixture, find(&fixture->file, 0xdb, 0), adobe, sizeof(adobe));
	test_ok(decode(fixture, &fixture->odd), &fixture->err);
	insert(fixture, find(&fixture->file, 0xdb, 0), "junk", 4);
	test_ok(decode(fixture, &fixture->odd), &fixture->err);
	insert(fixture, fixture->file.len, "a preview", 9);
	test_ok(decode(fixture, &fixture->odd), &fixture->err);
	copy(&fixture->odd, &fixture->file);
	at = find(&fixture->odd, 0xe0, 0);
	fixture->odd.data[at + 9] = 3; /* JFIF 3 */
	test_ok(decode(fixture, &fixture->odd), &fixture->err);
	fixture->odd.data[data_at(&fixture->odd) - 2] = 0; /* the last of 64 */
	test_ok(decode(fixture, &fixture->odd), &fixture->err);
}

int main(void)
{
#define WITH_FILES(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_FILES(test_jpeg_whose_second_half_is_zeros_is_refused),
		WITH_FILES(test_jpeg_with_zeros_at_start_and_middle_is_refused),
		WITH_FILES(test_jpeg_cut_and_closed_is_refused),
		WITH_FILES(test_jpeg_without_its_last_scans_is_refused),
		WITH_FILES(test_jpeg_with_data_too_many_is_refused),
		WITH_FILES(test_jpeg_with_padding_is_whole),
		WITH_FILES(test_jpeg_that_is_odd_and_whole_is_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
