/* test_datum.c - values of an LMDB file that are a Datum of Caffe. */
#include "lib/base/array.h"
#include "lib/formats/datum.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/made_lmdb.h"
#include "test/unit/test.h"

#define SHAPE "\x08\x02\x10\x01\x18\x03" /* 2 channels of 1x3 */
#define DATUM            \
	SHAPE "\x22\x06" \
	      "abcdef"   \
	      "\x28\x05" /* label 5 */
#define FILE_DATUM     \
	"\x22\x05"     \
	"\xff\xd8\xff" \
	"xy"           \
	"\x28\x09\x38\x01"
#define PACKED   "\x08\x01\x10\x01\x18\x02\x32\x08\0\0\x80\x3f\0\0\0\x40"
#define UNPACKED "\x08\x01\x10\x01\x18\x02\x35\0\0\x80\x3f\x35\0\0\0\x40"

static void open_one(
    struct opened *opened, struct made *made, struct span value)
{
	made_begin(made, 512, 0);
	made_add(made, "0", value);
	made_end(made);
	opened_all(opened, made->dir, "source = lmdb\npath = .", 0);
	assert_int_equal(opened->count, 1);
}

static void test_datum_becomes_an_image(void **state)
{
	static const float floats[] = { 1, 2 };
	const struct {
		struct span message;
		enum dtype dtype;
		struct shape shape;
		const void *elements;
		int64_t label;
	} cases[] = {
		{ BYTES(DATUM), DTYPE_U8, { 3, { 1, 3, 2 } }, "adbecf", 5 },
		{ BYTES(PACKED), DTYPE_F32, { 3, { 1, 2, 1 } }, floats, -1 },
		{ BYTES(UNPACKED), DTYPE_F32, { 3, { 1, 2, 1 } }, floats, -1 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sample want = { .label = cases[i].label, .count = 1 };
		struct opened opened;
		struct made made;

		tensor_view(&want.fields[0], cases[i].dtype, &cases[i].shape,
		    cases[i].elements);
		open_one(&opened, &made, cases[i].message);
		assert_int_equal(opened.seen[0].label, cases[i].label);
		assert_int_equal(opened.seen[0].hash,
		    sample_hash(&want, &opened.reader->schema));
		opened_close(&opened);
		made_remove(&made);
	}
}

static void test_datum_of_a_file_becomes_that_file(void **state)
{
	struct sample want = { .label = 9, .count = 1 };
	struct opened opened;
	struct made made;

	UNUSED(state);
	tensor_view_encoded(&want.fields[0], "\xff\xd8\xffxy", 5, "jpg");
	open_one(&opened, &made, BYTES(FILE_DATUM));
	assert_string_equal(opened.reader->schema.fields[0].type.suffix, "jpg");
	assert_int_equal(
	    opened.seen[0].hash, sample_hash(&want, &opened.reader->schema));
	opened_close(&opened);
	made_remove(&made);
}

static void test_datum_must_fill_its_shape(void **state)
{
	const struct span wrong[] = {
		BYTES(""),
		BYTES("a text"),
		BYTES(SHAPE "\x22\x05"
		            "abcde"),
		BYTES(SHAPE "\x22\x06"
		            "abcde"),
		BYTES(DATUM "\x35\0\0\0\0"),
		BYTES(DATUM "\x40\x01"),
		BYTES("\x08\xff\xff\xff\xff\x07\x10\xff\xff\xff\xff\x07\x18"
		      "\xff\xff\xff\xff\x07\x22\x01"
		      "a"),
		BYTES("\x38\x01"),
	};
	struct datum datum;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(datum_parse(BYTES(DATUM), &datum, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(datum_parse(wrong[i], &datum, &err), -1);
		test_contains(err.text, "is no Datum: ");
	}
}

static void test_datum_of_another_kind_is_refused(void **state)
{
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, "0", BYTES(DATUM));
	made_add(&made, "1", BYTES(FILE_DATUM));
	made_end(&made);
	opened_fails(made.dir, "source = lmdb\npath = .",
	    "key 1: has a file, unlike the first Datum");
	made_remove(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_datum_becomes_an_image),
		cmocka_unit_test(test_datum_of_a_file_becomes_that_file),
		cmocka_unit_test(test_datum_must_fill_its_shape),
		cmocka_unit_test(test_datum_of_another_kind_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
