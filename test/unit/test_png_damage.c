/* test_png_damage.c - damaged PNG files, read by libpng and by png_fast. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/codecs/deflate/deflate.h"
#include "lib/image/png.h"
#include "test/unit/damage.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { SIDE = 64, HEAD = 8 + 25, TAIL = 12 };

struct fixture {
	struct damage damage;
	enum image_mode mode;
};

/* Decodes by libpng and by png_fast, which must agree. */
static int decode(struct damage *damage)
{
	int rc[2];

	for (int plain = 0; plain < 2; plain++) {
		const struct png_form form = {
			.mode = ((struct fixture *)damage)->mode,
			.dtype = DTYPE_U8,
			.plain = plain,
		};

		rc[plain] = png_reader_run(damage->decoder,
		    buf_span(&damage->odd), &form, &damage->out, &damage->err);
	}
	assert_int_equal(rc[0], rc[1]);
	return rc[0];
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct damage *damage = &fixture->damage;
	struct tensor noise = TENSOR_INIT;

	assert_non_null(fixture);
	damage->decode = decode;
	damage->decoder = png_reader_new(&damage->err);
	assert_non_null(damage->decoder);
	stepper_noise(&noise, DTYPE_U8, SIDE, SIDE, 3);
	test_ok(png_encode(&noise, &damage->file, &damage->err), &damage->err);
	tensor_release(&noise);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	png_reader_free(fixture->damage.decoder);
	damage_release(&fixture->damage);
	free(fixture);
	return 0;
}

static void test_png_that_lost_data_is_refused(void **state)
{
	struct damage *damage = &((struct fixture *)*state)->damage;
	const size_t len = damage->file.len, part = (len - HEAD - TAIL) / 3;

	damage_fill(damage, HEAD + 8, HEAD + part);
	damage_fill(damage, HEAD + part, HEAD + 2 * part);
	damage_fill(damage, len - TAIL - part, len - TAIL);
	damage_fill(damage, len / 2, len - TAIL);
	damage_copy(damage);
	damage->odd.len = len / 2;
	damage_is_refused(damage, "half of a file", len / 2);
	damage->odd.len = len - TAIL;
	damage_is_refused(damage, "a file without its end", len - TAIL);
	damage_copy(damage);
	damage->odd.data[len / 2] ^= 1;
	damage_is_refused(damage, "a flipped bit", len / 2);
}

/* Inserts a chunk before the image data; `wrong` is added to its checksum. */
static void add_chunk(
    struct damage *damage, const char *name, struct span body, uint32_t wrong)
{
	struct buf chunk = BUF_INIT;
	struct error *err = &damage->err;
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
	damage_insert(damage, HEAD, buf_span(&chunk));
	buf_release(&chunk);
}

/* A text has no effect on pixels; transparency has if it is wanted. */
static void test_png_with_a_damaged_chunk_beside_the_image(void **state)
{
	static const unsigned char colour[6] = { 0, 1, 0, 2, 0, 3 };
	const struct span clear = { colour, sizeof(colour) };
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;

	for (int i = 0; i < 2; i++) {
		fixture->mode = i ? IMAGE_UNCHANGED : IMAGE_RGB;
		add_chunk(damage, "tEXt", span_text("key"), 1);
		damage_is_accepted(damage);
		add_chunk(damage, "tRNS", clear, 0);
		damage_is_accepted(damage);
		assert_int_equal(damage->out.shape.dims[2], i ? 4 : 3);
		add_chunk(damage, "tRNS", clear, 1);
		if (i)
			damage_is_refused(damage, "lost transparency", HEAD);
		else
			damage_is_accepted(damage);
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
