/* test_sample.c - schemas, and hashes that depend on all content. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/sample.h"
#include "test/unit/test.h"

static const struct type bytes4 = { DTYPE_U8, LAYOUT_PLAIN, { 1, { 4 } }, "" };
static const struct type open_ended = { DTYPE_F32, LAYOUT_PLAIN,
	{ 2, { -1, 3 } }, "" };

static void test_schema_finds_and_adds_up(void **state)
{
	struct error err = ERROR_INIT;
	struct schema schema = { .count = 0 };

	UNUSED(state);
	assert_int_equal(schema_bytes(&schema), 0);
	test_ok(schema_add(&schema, "image", &bytes4, &err), &err);
	test_ok(schema_add(&schema, "mask_2", &bytes4, &err), &err);
	assert_int_equal(schema_find(&schema, "mask_2"), 1);
	assert_int_equal(schema_find(&schema, "mask"), -1);
	assert_int_equal(schema_bytes(&schema), 8);
	test_ok(schema_add(&schema, "rest", &open_ended, &err), &err);
	assert_int_equal(schema_bytes(&schema), -1);
}

static void test_schema_refuses_names_that_are_none(void **state)
{
	static const char *const names[] = { "", "Image", "a b", "a.b", "a/b",
		"-", "a_name_that_is_longer_than_fits_" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct schema schema = { .count = 0 };
		struct error err = ERROR_INIT;

		assert_int_equal(
		    schema_add(&schema, names[i], &bytes4, &err), -1);
		test_contains(err.text, "is not a field name");
		assert_int_equal(schema.count, 0);
	}
}

static void test_schema_has_room_for_so_many(void **state)
{
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	char name[] = "f0";

	UNUSED(state);
	for (unsigned i = 0; i < FIELDS_MAX; i++, name[1]++)
		test_ok(schema_add(&schema, name, &bytes4, &err), &err);
	test_error_is(schema_add(&schema, "more", &bytes4, &err), &err,
	    "field 'more' is one too many; at most 8 are possible");
	test_error_is(schema_add(&schema, "f3", &bytes4, &err), &err,
	    "there are two fields 'f3'");
}

/* A sample of one or two fields over the same bytes. */
struct made {
	unsigned char bytes[16];
	struct schema schema;
	struct sample sample;
};

static void make(struct made *made)
{
	static const struct shape shape = { 2, { 2, 4 } };
	struct error err = ERROR_INIT;

	*made = (struct made){ .sample = SAMPLE_INIT };
	for (unsigned i = 0; i < sizeof(made->bytes); i++)
		made->bytes[i] = (unsigned char)i;
	test_ok(schema_add(&made->schema, "a", &bytes4, &err), &err);
	test_ok(schema_add(&made->schema, "b", &bytes4, &err), &err);
	made->sample.count = 2;
	tensor_view(&made->sample.fields[0], DTYPE_U8, &shape, made->bytes);
	tensor_view(&made->sample.fields[1], DTYPE_U8, &shape, made->bytes + 8);
}

static void change_label(struct made *made)
{
	made->sample.label = 0;
}

static void change_name(struct made *made)
{
	made->schema.fields[1].name[0] = 'c';
}

static void change_dtype(struct made *made)
{
	made->sample.fields[0].dtype = DTYPE_I8;
}

static void change_shape(struct made *made)
{
	made->sample.fields[0].shape.dims[0] = 4;
	made->sample.fields[0].shape.dims[1] = 2;
}

static void change_byte(struct made *made)
{
	made->bytes[15] ^= 1;
}

static void change_count(struct made *made)
{
	made->sample.count = 1;
}

static void swap_fields(struct made *made)
{
	const struct tensor first = made->sample.fields[0];

	made->sample.fields[0] = made->sample.fields[1];
	made->sample.fields[1] = first;
}

static void test_sample_hash_changes_with_each_part(void **state)
{
	static void (*const changes[])(struct made *) = { change_label,
		change_name, change_dtype, change_shape, change_byte,
		change_count, swap_fields };
	uint64_t hashes[ARRAY_LEN(changes) + 1];
	struct made made;

	UNUSED(state);
	make(&made);
	hashes[0] = sample_hash(&made.sample, &made.schema);
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		make(&made);
		changes[i](&made);
		hashes[i + 1] = sample_hash(&made.sample, &made.schema);
		for (size_t k = 0; k <= i; k++)
			if (hashes[k] == hashes[i + 1])
				fail_msg("change %zu does not show", i);
	}
}

static void test_sample_hash_is_of_contents_only(void **state)
{
	struct made one, other;
	struct error err = ERROR_INIT;

	UNUSED(state);
	make(&one);
	make(&other);
	other.sample.key = span_text("another key");
	memcpy(other.sample.fields[0].suffix, "jpg", 4);
	test_ok(
	    tensor_copy(&other.sample.fields[1], &one.sample.fields[1], &err),
	    &err);
	assert_true(sample_hash(&one.sample, &one.schema) ==
	            sample_hash(&other.sample, &other.schema));
	sample_release(&other.sample);
	assert_int_equal(other.sample.count, 0);
	assert_int_equal(other.sample.label, -1);
	sample_release(&other.sample);
}

static void test_sample_id_is_of_the_key(void **state)
{
	UNUSED(state);
	assert_true(sample_id(span_text("a")) == sample_id(span_text("a")));
	assert_true(sample_id(span_text("a")) != sample_id(span_text("b")));
	assert_true(sample_id(span_text("")) != sample_id(span_text("a")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schema_finds_and_adds_up),
		cmocka_unit_test(test_schema_refuses_names_that_are_none),
		cmocka_unit_test(test_schema_has_room_for_so_many),
		cmocka_unit_test(test_sample_hash_changes_with_each_part),
		cmocka_unit_test(test_sample_hash_is_of_contents_only),
		cmocka_unit_test(test_sample_id_is_of_the_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
