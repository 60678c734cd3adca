/*
 * test_fields.c - assigning files to fields: the longest patterns fit, longer
 * ones are errors that name the limit.
 */
#include <stdio.h>
#include <string.h>

#include "datasets/files/fields.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

/* A pattern with so many bytes before `star` and behind it. */
static int parse(size_t before, const char *star, size_t behind,
    struct field_rules *rules, struct error *err)
{
	struct schema schema = { .count = 0 };
	char prefix[512], ending[512], text[1100];

	memset(prefix, 'p', before);
	prefix[before] = '\0';
	memset(ending, 'e', behind);
	ending[behind] = '\0';
	snprintf(text, sizeof(text), "data:%s%s%s", prefix, star, ending);
	*rules = (struct field_rules){ .count = 0 };
	return field_rules_parse(rules, &schema, text, err);
}

static void test_fields_take_the_longest_patterns_whole(void **state)
{
	static const char *const stars[] = { "*", "**/*" };
	struct error err = ERROR_INIT;
	struct field_rules rules;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(stars); i++) {
		test_ok(parse(PREFIX_MAX - 1, stars[i], ENDING_MAX - 1, &rules,
		            &err),
		    &err);
		assert_int_equal(strlen(rules.rules[0].prefix), PREFIX_MAX - 1);
		assert_int_equal(strlen(rules.rules[0].ending), ENDING_MAX - 1);
		assert_int_not_equal(
		    parse(PREFIX_MAX, stars[i], 1, &rules, &err), 0);
		test_contains(err.text, "more than 255 bytes before '*'");
		assert_int_not_equal(
		    parse(1, stars[i], ENDING_MAX, &rules, &err), 0);
		test_contains(err.text, "must have 1 to 63 bytes");
		assert_int_not_equal(
		    parse(PREFIX_MAX - 1, stars[i], 400, &rules, &err), 0);
	}
}

static void test_fields_take_as_many_endings_as_there_may_be(void **state)
{
	struct field_rules rules = { .count = 0 };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	char ending[16];

	UNUSED(state);
	for (unsigned i = 0; i < RULES_MAX; i++) {
		snprintf(ending, sizeof(ending), "e%u", i);
		test_ok(field_rules_add(&rules, &schema, "data", ending, &err),
		    &err);
	}
	assert_int_not_equal(
	    field_rules_add(&rules, &schema, "data", "more", &err), 0);
	assert_string_equal(err.text, "more than 32 endings of fields");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields_take_the_longest_patterns_whole),
		cmocka_unit_test(
		    test_fields_take_as_many_endings_as_there_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
