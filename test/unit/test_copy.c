/* test_copy.c - copies into large memory are exact, in each way. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/random.h"
#include "test/unit/test.h"

enum { ROOM = 1024, EDGE = 0xa5 };

static const enum copy_way ways[] = { COPY_ORDINARY, COPY_AHEAD, COPY_STREAM };

/* Everywhere in a line, from everywhere, of every length around some lines. */
static void copy_bytes(enum copy_way way)
{
	struct random random = random_stream(1, 0, 0, 0);
	unsigned char from[ROOM], to[ROOM], wanted[ROOM];

	random_fill(&random, from, sizeof(from));
	for (size_t at = 64; at < 128; at++)
		for (size_t bytes = 0; bytes < 260; bytes += 1 + at % 3) {
			const size_t in = (at * 7 + bytes) % 64;

			memset(to, EDGE, sizeof(to));
			memset(wanted, EDGE, sizeof(wanted));
			memcpy(wanted + at, from + in, bytes);
			copy_rows_by(way, to + at, from + in, bytes, 1, bytes);
			assert_memory_equal(to, wanted, sizeof(to));
		}
}

static void test_copy_copies_the_bytes_and_no_others(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		copy_bytes(ways[i]);
}

/* Rows of an image, to any address, with bytes between them that are left. */
static void copy_rows(enum copy_way way)
{
	enum { STRIDE = 300, ROWS = 5 };
	static const size_t lengths[] = { 0, 1, 63, 64, 200, STRIDE };
	static unsigned char from[ROWS * STRIDE], to[ROWS * STRIDE + 8];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 31 + i / 251);
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		const size_t bytes = lengths[i];

		memset(to, 0xee, sizeof(to));
		copy_rows_by(way, to + 3, from, bytes, ROWS, STRIDE);
		copy_fence();
		for (size_t y = 0; y < ROWS; y++)
			assert_memory_equal(
			    to + 3 + y * bytes, from + y * STRIDE, bytes);
		assert_int_equal(to[2], 0xee);
		assert_int_equal(to[3 + ROWS * bytes], 0xee);
	}
}

static void test_copy_of_rows_copies_each_row(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		copy_rows(ways[i]);
}

/* What is not large, or not aligned, is written as usual. */
static void test_copy_way_to_suits_the_processor(void **state)
{
	static const char aligned[32] __attribute__((aligned(16)));

	UNUSED(state);
	assert_int_equal(copy_way_to(aligned, false), COPY_ORDINARY);
	assert_int_equal(copy_way_to(aligned, true), copy_way_large());
	assert_int_equal(copy_way_to(aligned + 1, true),
	    copy_way_large() == COPY_STREAM ? COPY_ORDINARY : copy_way_large());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy_copies_the_bytes_and_no_others),
		cmocka_unit_test(test_copy_of_rows_copies_each_row),
		cmocka_unit_test(test_copy_way_to_suits_the_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
