/* test_jpeg_damage.c - damaged JPEG files, and odd ones that are whole. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/image/jpeg.h"
#include "test/unit/damage.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/test.h"

enum { HEIGHT = 80, WIDTH = 96, TAIL = 2 /* the end marker */ };

struct fixture {
	struct damage damage;
	struct tensor photo;
};

/* Noise has longer codes than those that zeros stand for. */
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

/* Decodes the whole image, and a part far from the damage: both must agree. */
static int decode(struct damage *damage)
{
	const struct span odd = buf_span(&damage->odd);
	const struct box box = { .top = 4, .left = 4, .height = 8, .width = 8 };
	struct window window = { .frame.size = { HEIGHT, WIDTH } };
	struct error err = ERROR_INIT;
	const int rc =
	    jpeg_decoder_run(damage->decoder, odd, &damage->out, &damage->err);

	assert_int_equal(jpeg_decoder_run_box(damage->decoder, odd, &box,
	                     &damage->out, &window, &err),
	    rc);
	return rc;
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct damage *damage = &fixture->damage;

	assert_non_null(fixture);
	damage->decode = decode;
	damage->decoder = jpeg_decoder_new(&damage->err);
	assert_non_null(damage->decoder);
	paint(&fixture->photo);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jpeg_decoder_free(fixture->damage.decoder);
	tensor_release(&fixture->photo);
	damage_release(&fixture->damage);
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
	jpeg_make(&wish, &fixture->damage.file);
}

/* Returns the offset of marker n, from 0; the length of the file if none. */
static size_t find(const struct buf *file, unsigned char marker, unsigned n)
{
	for (size_t i = 2; i + 1 < file->len; i++)
		if (file->data[i] == 0xff && file->data[i + 1] == marker &&
		    n-- == 0)
			return i;
	return file->len;
}

/* Returns the offset of the image data. */
static size_t data_at(const struct buf *file)
{
	const size_t at = find(file, 0xda, 0);

	return at + 2 + file->data[at + 3];
}

/* Ends the file at `at` with an end marker, as if it were whole. */
static void cut(struct damage *damage, size_t at, const char *what)
{
	damage_copy(damage);
	memcpy(damage->odd.data + at, "\xff\xd9", 2);
	damage->odd.len = at + 2;
	damage_is_refused(damage, what, at);
}

static void test_jpeg_whose_second_half_is_zeros_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;
	const struct buf *file = &damage->file;

	make(fixture, (struct jpeg_wish){ .restart = 0 });
	damage_fill(damage, file->len / 2, file->len - TAIL);
	assert_string_equal(
	    damage->err.text, "image data was overwritten with zeros");
	for (size_t at = data_at(file); at < file->len - 32; at += 41)
		damage_fill(damage, at, file->len - TAIL);
}

static void test_jpeg_with_zeros_at_start_and_middle_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;
	const struct buf *file = &damage->file;
	size_t at;

	for (unsigned restart = 0; restart < 5; restart += 4) {
		make(fixture, (struct jpeg_wish){ .restart = restart });
		at = data_at(file);
		damage_fill(damage, at, at + (file->len - at) / 3);
		at += (file->len - at) / 3;
		damage_fill(damage, at, at + (file->len - at) / 3);
	}
}

static void test_jpeg_cut_and_closed_is_refused(void **state)
{
	static const struct jpeg_wish wishes[] = {
		{ .restart = 0 },
		{ .restart = 4 },
		{ .is_progressive = true },
		{ .in_scans = true },
	};
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;

	for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
		make(fixture, wishes[i]);
		for (size_t at = data_at(&damage->file);
		     at < damage->file.len - TAIL - 1; at += 23) {
			cut(damage, at, "a cut");
		}
	}
}

/* libjpeg does not report these: the image is blurred, or has no colours. */
static void test_jpeg_without_its_last_scans_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;

	for (int i = 0; i < 2; i++) {
		unsigned scans = 1;

		make(fixture,
		    (struct jpeg_wish){ .is_progressive = i, .in_scans = !i });
		for (size_t at;
		     (at = find(&damage->file, 0xda, scans)) < damage->file.len;
		     scans++) {
			cut(damage, at, "an end");
		}
		assert_true(scans >= 3);
		damage_copy(damage);
		damage_is_accepted(damage);
	}
}

/* Bytes that belong to no pixel show that data is damaged. */
static void test_jpeg_with_data_too_many_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;
	unsigned char bytes[64];

	make(fixture, (struct jpeg_wish){ .restart = 0 });
	memset(bytes, 0x5a, sizeof(bytes));
	damage_insert(damage, damage->file.len - TAIL,
	    (struct span){ (const void *)bytes, sizeof(bytes) });
	damage_is_refused(damage, "too many bytes", damage->file.len);
}

/* Cameras pad files with zeros, which are not data. */
static void test_jpeg_with_padding_is_whole(void **state)
{
	static const size_t counts[] = { 1, 7, 8, 9, 100, 4096 };
	static const unsigned char zeros[4096];
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;
	struct tensor want = TENSOR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(counts) * 4; i++) {
		const size_t count = counts[i / 4];

		make(fixture, (struct jpeg_wish){ .is_progressive = i % 4 == 1,
		                  .restart = i % 4 == 2 ? 4 : 0,
		                  .in_scans = i % 4 == 3 });
		test_ok(jpeg_decoder_run(damage->decoder,
		            buf_span(&damage->file), &want, &damage->err),
		    &damage->err);
		damage_insert(damage, damage->file.len - TAIL,
		    (struct span){ (const void *)zeros, count });
		damage_is_accepted(damage);
		test_ok(jpeg_decoder_run(damage->decoder,
		            buf_span(&damage->odd), &damage->out, &damage->err),
		    &damage->err);
		assert_memory_equal(damage->out.data, want.data, want.bytes);
		if (i % 4 != 2)
			continue;
		damage_insert(damage, find(&damage->file, 0xd1, 0),
		    (struct span){ (const void *)zeros, count });
		damage_is_accepted(damage);
	}
	tensor_release(&want);
}

/* libjpeg warns of each of these, but all pixels are there. */
static void test_jpeg_that_is_odd_and_whole_is_decoded(void **state)
{
	static const unsigned char adobe[] = { 0xff, 0xee, 0, 14, 'A', 'd', 'o',
		'b', 'e', 0, 100, 0, 0, 0, 0, 77 };
	struct fixture *fixture = *state;
	struct damage *damage = &fixture->damage;
	size_t at;

	make(fixture, (struct jpeg_wish){ .restart = 0 });
	damage_insert(damage, find(&damage->file, 0xdb, 0),
	    (struct span){ (const void *)adobe, sizeof(adobe) });
	damage_is_accepted(damage);
	damage_insert(damage, find(&damage->file, 0xdb, 0),
	    (struct span){ (const void *)"junk", 4 });
	damage_is_accepted(damage);
	damage_insert(damage, damage->file.len,
	    (struct span){ (const void *)"a preview", 9 });
	damage_is_accepted(damage);
	damage_copy(damage);
	at = find(&damage->odd, 0xe0, 0);
	damage->odd.data[at + 9] = 3; /* JFIF 3 */
	damage_is_accepted(damage);
	damage->odd.data[data_at(&damage->odd) - 2] = 0; /* the last of 64 */
	damage_is_accepted(damage);
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
