/*
 * test_png_fast.c - the fast PNG decoder gives the same pixels as libpng, and
 * refuses the same files.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/deflate/deflate.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/image/png.h"
#include "lib/image/png_fast.h"
#include "test/unit/png_maker.h"
#include "test/unit/test.h"

enum { KIND_AT = 25 }; /* of a file: its colour type, 3 for palettes */

struct fixture {
	struct png_fast *fast;
	struct png_reader *reader;
	struct tensor got, want;
	struct buf file;
	unsigned taken, left, refused;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct error err = ERROR_INIT;

	assert_non_null(fixture);
	fixture->fast = png_fast_new(&err);
	fixture->reader = png_reader_new(&err);
	assert_non_null(fixture->fast);
	assert_non_null(fixture->reader);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	print_message("%u taken, %u left to libpng, %u refused\n",
	    fixture->taken, fixture->left, fixture->refused);
	png_fast_free(fixture->fast);
	png_reader_free(fixture->reader);
	tensor_release(&fixture->got);
	tensor_release(&fixture->want);
	buf_release(&fixture->file);
	free(fixture);
	return 0;
}

/* From memory, and into memory, that end where they must. */
static bool run_fast(struct fixture *fixture, const struct png_form *form,
    struct span file, struct tensor *out)
{
	unsigned char *copy = malloc(file.len + 1);
	struct span tight = { copy + 1, file.len };
	bool is_done;

	assert_non_null(copy);
	memcpy(copy + 1, file.data, file.len);
	is_done = png_fast_run(fixture->fast, tight, form, out);
	free(copy);
	return is_done;
}

/*
 * True when the fast way took it, its colours or its palette's numbers: then
 * libpng must agree.
 */
static bool check(struct fixture *fixture, struct span file, const char *name)
{
	struct png_form form = { .dtype = DTYPE_U8, .plain = true };
	struct tensor placed = TENSOR_INIT;
	struct error err = ERROR_INIT;
	unsigned taken = 0;

	for (unsigned mode = 0; mode <= IMAGE_INDEX; mode++) {
		struct tensor *want = &fixture->want;
		unsigned char *slot;

		form.mode = (enum image_mode)mode;
		if (!run_fast(fixture, &form, file, &fixture->got))
			continue;
		if (png_reader_run(fixture->reader, file, &form, want, &err))
			fail_msg("%s: libpng says %s", name, err.text);
		assert_true(shape_equal(&fixture->got.shape, &want->shape));
		taken++;
		if (memcmp(fixture->got.data, want->data, want->bytes) != 0)
			fail_msg("%s: not the same pixels", name);
		slot = malloc(want->bytes);
		tensor_place(&placed, slot, want->bytes);
		assert_true(run_fast(fixture, &form, file, &placed));
		assert_memory_equal(slot, want->data, want->bytes);
		free(slot);
	}
	return taken == (file.len > KIND_AT && file.data[KIND_AT] == 3 ? 1 : 3);
}

/* More than 16384 bytes: libpng writes them with the largest window. */
static void make(struct fixture *fixture, enum png_kind kind, unsigned filters,
    unsigned width)
{
	static const unsigned channels[] = {
		[PNG_GREY] = 1,
		[PNG_RGB] = 3,
		[PNG_PALETTE] = 1,
		[PNG_GREY_ALPHA] = 2,
		[PNG_RGBA] = 4,
	};
	const struct png_wish wish = {
		.kind = kind,
		.depth = 8,
		.height = 17000 / (1 + channels[kind] * width) + 1,
		.width = width,
		.filters = filters,
		.seed = width,
	};
	uint16_t *pixels;

	fixture->file.len = 0;
	png_make(&wish, &fixture->file, &pixels);
	free(pixels);
}

static void test_png_fast_undoes_every_filter(void **state)
{
	static const unsigned filters[] = { PNG_FILTER_NONE, PNG_FILTER_SUB,
		PNG_FILTER_UP, PNG_FILTER_AVG, PNG_FILTER_PAETH,
		PNG_ALL_FILTERS };
	static const unsigned widths[] = { 1, 2, 3, 5, 9, 16, 43 };
	struct fixture *fixture = *state;
	char name[64];

	for (unsigned i = 0; i < ARRAY_LEN(filters) * PNG_KINDS; i++)
		for (size_t k = 0; k < ARRAY_LEN(widths); k++) {
			const enum png_kind kind =
			    (enum png_kind)(i % PNG_KINDS);

			make(fixture, kind, filters[i / PNG_KINDS], widths[k]);
			snprintf(name, sizeof(name),
			    "kind %d, filters %x, width %u", (int)kind,
			    filters[i / PNG_KINDS], widths[k]);
			if (check(fixture, buf_span(&fixture->file), name))
				fixture->taken++;
			else if (kind == PNG_GREY || kind == PNG_RGB ||
			         kind == PNG_PALETTE)
				fail_msg("%s: was left to libpng", name);
			else
				fixture->left++;
		}
}

/* Taken in every mode that the kind has. */
static bool is_fast(struct fixture *fixture, enum image_mode mode)
{
	const struct png_form form = { .mode = mode, .dtype = DTYPE_U8 };

	return run_fast(
	    fixture, &form, buf_span(&fixture->file), &fixture->got);
}

static void test_png_fast_takes_the_plain_kinds(void **state)
{
	struct fixture *fixture = *state;

	make(fixture, PNG_GREY, 0, 20);
	assert_true(is_fast(fixture, IMAGE_RGB));
	assert_true(is_fast(fixture, IMAGE_GREY));
	assert_false(is_fast(fixture, IMAGE_INDEX));
	make(fixture, PNG_RGB, 0, 20);
	assert_true(is_fast(fixture, IMAGE_RGB));
	assert_true(is_fast(fixture, IMAGE_UNCHANGED));
	assert_false(is_fast(fixture, IMAGE_INDEX));
	make(fixture, PNG_PALETTE, 0, 20);
	assert_true(is_fast(fixture, IMAGE_INDEX));
	assert_false(is_fast(fixture, IMAGE_RGB));
	assert_false(is_fast(fixture, IMAGE_UNCHANGED));
}

static uint32_t number_at(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

/* Makes the checksums of the chunks right. */
static void mend(struct buf *file)
{
	size_t at = 8;

	while (at + 12 <= file->len) {
		const size_t body = number_at(file->data + at);
		const struct span summed = { file->data + at + 4, body + 4 };
		uint32_t sum;

		if (body > file->len - at - 12)
			return;
		sum = deflate_crc32(0, summed);
		for (size_t i = 0; i < 4; i++)
			file->data[at + 8 + body + i] =
			    (unsigned char)(sum >> (24 - 8 * i));
		at += body + 12;
	}
}

/* What libpng refuses is not taken, whatever byte is wrong. */
static void check_broken(struct fixture *fixture, enum png_kind kind)
{
	const struct png_form form = {
		.mode = kind == PNG_PALETTE ? IMAGE_INDEX : IMAGE_RGB,
		.dtype = DTYPE_U8,
		.plain = true,
	};
	struct random random = random_stream(51, 0, 0, 0);
	struct buf whole = BUF_INIT;
	struct error err = ERROR_INIT;

	make(fixture, kind, PNG_ALL_FILTERS, 60);
	test_ok(buf_append(&whole, fixture->file.data, fixture->file.len, &err),
	    &err);
	for (unsigned i = 0; i < 2000; i++) {
		/* Mostly where there is more than pixels. */
		const uint32_t most = i & 1 ? 80 : (uint32_t)whole.len;
		size_t at = random_below(&random, most);

		if (i & 2)
			at = whole.len - 1 - at % 24;
		memcpy(fixture->file.data, whole.data, whole.len);
		fixture->file.data[at] ^=
		    (unsigned char)(1u << random_below(&random, 8));
		if (i & 4)
			mend(&fixture->file);
		if (check(fixture, buf_span(&fixture->file), "flipped"))
			fixture->taken++;
		else if (png_reader_run(fixture->reader,
		             buf_span(&fixture->file), &form, &fixture->want,
		             &err))
			fixture->refused++;
		else
			fixture->left++;
	}
	buf_release(&whole);
	assert_true(fixture->refused > 1000);
	fixture->refused = 0;
}

static void test_png_fast_leaves_what_is_broken(void **state)
{
	check_broken(*state, PNG_RGB);
	check_broken(*state, PNG_PALETTE);
}

static int visit(void *arg, const char *name, uint64_t bytes, struct error *err)
{
	static const char *dir;
	struct fixture *fixture = arg;
	const size_t len = strlen(name);
	char path[1024];

	if (!dir)
		dir = getenv("PRESTO_TEST_DATA");
	if (len < 4 || strcmp(name + len - 4, ".png") != 0)
		return 0;
	snprintf(path, sizeof(path), "%s/images/%s",
	    dir ? dir : "../shared/data", name);
	fixture->file.len = 0;
	if (path_read(path, bytes, &fixture->file, err))
		return -1;
	if (check(fixture, buf_span(&fixture->file), name))
		fixture->taken++;
	else
		fixture->left++;
	return 0;
}

static void test_png_fast_reads_real_files(void **state)
{
	const char *data = getenv("PRESTO_TEST_DATA");
	struct error err = ERROR_INIT;
	char dir[512];

	snprintf(dir, sizeof(dir), "%s/images", data ? data : "../shared/data");
	if (!path_exists(dir))
		skip();
	test_ok(path_each(dir, visit, *state, &err), &err);
	assert_true(((struct fixture *)*state)->taken > 20);
}

int main(void)
{
#define WITH_BOTH(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_BOTH(test_png_fast_undoes_every_filter),
		WITH_BOTH(test_png_fast_takes_the_plain_kinds),
		WITH_BOTH(test_png_fast_leaves_what_is_broken),
		WITH_BOTH(test_png_fast_reads_real_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
