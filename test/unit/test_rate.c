/* test_rate.c - the field with the sample rate of a recording. */
#include <string.h>

#include "lib/audio/rate.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static const struct type sound = { DTYPE_F32, LAYOUT_PLAIN, { 1, { -1 } }, "" };

static void test_rate_is_found_and_added(void **state)
{
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	unsigned field = 9;

	UNUSED(state);
	test_ok(schema_add(&schema, "data", &sound, &err), &err);
	assert_int_equal(audio_rate_field(&schema), -1);
	test_ok(audio_rate_add(&schema, &field, &err), &err);
	assert_int_equal(field, 1);
	assert_int_equal(audio_rate_field(&schema), 1);
	test_ok(audio_rate_add(&schema, &field, &err), &err);
	assert_int_equal(schema.count, 2);
	assert_int_equal(type_bytes(&schema.fields[1].type), 4);
}

static void test_rate_of_another_type_is_none(void **state)
{
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	unsigned field;

	UNUSED(state);
	test_ok(schema_add(&schema, "rate", &sound, &err), &err);
	assert_int_equal(audio_rate_field(&schema), -1);
	test_error_is(audio_rate_add(&schema, &field, &err), &err,
	    "takes a field 'rate' of int32 scalar, not float32 ?");
}

static void test_rate_finds_no_room(void **state)
{
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	char name[] = "a";
	unsigned field;

	UNUSED(state);
	for (; schema.count < FIELDS_MAX; name[0]++)
		test_ok(schema_add(&schema, name, &sound, &err), &err);
	assert_int_equal(audio_rate_add(&schema, &field, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
}

static void test_rate_is_set_and_got(void **state)
{
	static const int32_t wrong[] = { 0, -1, AUDIO_RATE_MAX + 1 };
	struct tensor rate = TENSOR_INIT;
	struct error err = ERROR_INIT;
	unsigned hertz = 0;

	UNUSED(state);
	test_ok(audio_rate_set(&rate, 44100, &err), &err);
	test_ok(audio_rate_get(&rate, &hertz, &err), &err);
	assert_int_equal(hertz, 44100);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		memcpy(rate.data, &wrong[i], sizeof(wrong[i]));
		assert_int_equal(audio_rate_get(&rate, &hertz, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
	}
	tensor_release(&rate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rate_is_found_and_added),
		cmocka_unit_test(test_rate_of_another_type_is_none),
		cmocka_unit_test(test_rate_finds_no_room),
		cmocka_unit_test(test_rate_is_set_and_got),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
