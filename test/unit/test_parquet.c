/* test_parquet.c - Parquet that lies: schemas, and numbers of values. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/parquet/delta.h"
#include "lib/formats/parquet/metadata.h"
#include "test/unit/test.h"

/* ---- metadata ---- */

/* A list of a root with one child, the int64 "a". */
#define SCHEMA 0x2c, 0x55, 0x02, 0, 0x15, 0x04, 0x25, 0, 0x18, 1, 'a', 0

/* A list of one row group with one empty column. */
#define GROUPS                                                            \
	0x1c, 0x19, 0x1c, 0x3c, 0x45, 0, 0x16, 0, 0x26, 0, 0x26, 0, 0, 0, \
	    0x26, 0, 0

static int parse(const unsigned char *bytes, size_t len, struct error *err)
{
	struct parquet_metadata metadata = PARQUET_METADATA_INIT;
	int rc;

	test_ok(buf_append(&metadata.text, bytes, len, err), err);
	rc = parquet_parse(&metadata, 100, err);
	if (rc == 0) {
		assert_int_equal(metadata.leaf_count, 1);
		assert_string_equal(metadata.leaves[0].name, "a");
		assert_int_equal(metadata.group_count, 1);
	}
	parquet_metadata_release(&metadata);
	return rc;
}

static void test_a_second_schema_is_refused(void **state)
{
	static const unsigned char one[] = { 0x29, SCHEMA, 0x29, GROUPS, 0 };
	/* Field 2 once more: its number is behind the type. */
	static const unsigned char two[] = { 0x29, SCHEMA, 0x29, GROUPS, 0x09,
		0x04, SCHEMA, 0 };
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(parse(one, sizeof(one), &err), &err);
	assert_int_equal(parse(two, sizeof(two), &err), -1);
	test_contains(err.text, "two schemas");
}

/* ---- differences ---- */

enum { LIE = 1 << 20, ROOM = 4096 };

/* Blocks of 2^20 equal numbers, in 2 bytes each: 2^39 of them. */
static void test_numbers_beyond_the_room_are_not_counted(void **state)
{
	static const unsigned char head[] = { 0x80, 0x80, 0x40, 1, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x10, 0 };
	unsigned char *bytes = calloc(LIE, 1);
	const struct span lie = { bytes, LIE };
	unsigned char out[ROOM];
	uint64_t room;
	size_t len;

	UNUSED(state);
	assert_non_null(bytes);
	memcpy(bytes, head, sizeof(head));
	assert_int_equal(delta_lengths(lie, out, ROOM, &len), -1);
	assert_int_equal(delta_strings(lie, out, ROOM, &len), -1);
	assert_int_equal(delta_strings_room(lie, ROOM, &room), -1);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_second_schema_is_refused),
		cmocka_unit_test(test_numbers_beyond_the_room_are_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
