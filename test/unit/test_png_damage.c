/* test_png_damage.c - PNG files that lost data, by libpng and by png_fast. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/deflate/deflate.h"
#include "lib/image/png.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { SIDE = 64, HEAD = 8 + 25, TAIL = 12 };

struct fixture {
	struct png_reader *reader;
	struct tensor out;
	struct buf file, odd;
	enum image_mode mode;
	struct error err;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct tensor noise = TENSOR_INIT;

	assert_non_null(fixture);
	fixture->reader = png_reader_new(&fixture->err);
	assert_non_null(fixture->reader);
	stepper_noise(&noise, DTYPE_U8, SIDE, SIDE, 3);
	test_ok(
	    png_encode(&noise, &fixture->file, &fixture->err), &fixture->err);
	tensor_release(&noise);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	png_reader_free(fixture->reader);
	tensor_release(&fixture->out);
	buf_release(&fixture->file);
	buf_release(&fixture->odd);
	free(fixture);
	return 0;
}

/* Both ways agree. */
static int decode(struct fixture *fixture)
{
	int rc[2];

	for (int plain = 0; plain < 2; plain++) {
		const struct png_form form = {
			.mode = fixture->mode, .dtype = DTYPE_U8, .plain = plain
		};

		rc[plain] =
		    png_reader_run(fixture->reader, buf_span(&fixture->odd),
		        &form, &fixture->out, &fixture->err);
	}
	assert_int_equal(rc[0], rc[1]);
	return rc[0];
}

static void copy(struct fixture *fixture)
{
	fixture->odd.len = 0;
	test_ok(buf_append(&fixture->odd, fixture->file.data, fixture->file.len,
	            &fixture->err),
	    &fixture->err);
}

static void expect_damage(struct fixture *fixture, const char *what)
{
	if (decode(fixture) == 0)
		fail_msg("%s is accepted", what);
	assert_int_equal(fixture->err.code, ERROR_DATA);
}

static void fill(
    struct fixture *fixture, size_t from, size_t to, const char *what)
{
	copy(fixture);
	memset(fixture->odd.data + from, 0, to - from);
	expect_damage(fixture, what);
}

static void test_png_that_lost_data_is_refused(void **state)
{
	struct fixture *fixture = *state;
	const size_t len = fixture->file.len, part = (len - HEAD - TAIL) / 3;

	fill(fixture, HEAD + 8, HEAD + part, "a start of zeros");
	fill(fixture, HEAD + part, HEAD + 2 * part, "a middle of zeros");
	fill(fixture, len - TAIL - part, len - TAIL, "an end of zeros");
	fill(fixture, len / 2, len - TAIL, "a second half of zeros");
	copy(fixture);
	fixture->odd.len = len / 2;
	expect_damage(fixture, "half of a file");
	fixture->odd.len = len - TAIL;
	expect_damage(fixture, "a file without its end");
	copy(fixture);
	fixture->odd.data[len / 2] ^= 1;
	expect_damage(fixture, "a flipped bit");
}

/* Puts a chunk in front of the image data; its checksum is `wrong` by that. */
static void add_chunk(
    struct fixture *fixture, const char *name, struct span body, uint32_t wrong)
{
	struct buf chunk = BUF_INIT;
	struct error *err = &fixture->err;
	unsigned char number[4] = { 0 };
	uint32_t sum;

	number[3] = (unsigned char)body.len;
	test_ok(buf_append(&chunk, number, 4, err), err);
	test_ok(buf_append(&chunk, name, 4, err), err);
	test_ok(buf_append(&chunk, body.data, body.len, err), err);
	sum = deflate_crc32(0, (struct span){ chunk.data + 4, chunk.len - 4 }) ^
	      wrong;
	for (unsigned i = 0; i < 4; i++)
		number[i] = (unsigned char)(sum >> (24 - 8 * i));
	test_ok(buf_append(&chunk, number, 4, err), err);
	fixture->odd.len = 0;
	test_ok(buf_append(&fixture->odd, fixture->file.data, HEAD, err), err);
	test_ok(buf_append(&fixture->odd, chunk.data, chunk.len, err), err);
	test_ok(buf_append(&fixture->odd, fixture->file.data + HEAD,
	            fixture->file.len - HEAD, err),
	    err);
	buf_release(&chunk);
}

/* A text is no pixel; transparency is, where it is asked for. */
static void test_png_with_a_damaged_chunk_beside_the_image(void **state)
{
	static const unsigned char colour[6] = { 0, 1, 0, 2, 0, 3 };
	const struct span clear = { colour, sizeof(colour) };
	struct fixture *fixture = *state;

	for (int i = 0; i < 2; i++) {
		fixture->mode = i ? IMAGE_UNCHANGED : IMAGE_RGB;
		add_chunk(fixture, "tEXt", span_text("key"), 1);
		test_ok(decode(fixture), &fixture->err);
		add_chunk(fixture, "tRNS", clear, 0);
		test_ok(decode(fixture), &fixture->err);
		assert_int_equal(fixture->out.shape.dims[2], i ? 4 : 3);
		add_chunk(fixture, "tRNS", clear, 1);
		if (i)
			expect_damage(fixture, "lost transparency");
		else
			test_ok(decode(fixture), &fixture->err);
	}
}

int main(void)
{
#define WITH_READER(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_READER(test_png_that_lost_data_is_refused),
		WITH_READER(test_png_with_a_damaged_chunk_beside_the_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
