/* test_left_samples.c - samples that a version leaves out. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/left_samples.h"
#include "test/unit/test.h"

/* Shard 3: 2, 5 to 7, 9; shard 8: 0. */
static void make(struct left_samples *left)
{
	static const struct {
		uint64_t shard;
		struct left_run run;
	} runs[] = {
		{ 3, { 2, 2 } },
		{ 3, { 5, 6 } },
		{ 3, { 7, 7 } },
		{ 3, { 9, 9 } },
		{ 8, { 0, 0 } },
	};
	struct error err = ERROR_INIT;

	*left = (struct left_samples)LEFT_SAMPLES_INIT;
	for (size_t i = 0; i < ARRAY_LEN(runs); i++)
		test_ok(
		    left_samples_add(left, runs[i].shard, &runs[i].run, &err),
		    &err);
}

static void test_left_samples_are_found_by_shard_and_place(void **state)
{
	static const bool wanted[] = { false, false, true, false, false, true,
		true, true, false, true, false };
	struct left_samples left;
	const struct left_shard *three;

	UNUSED(state);
	make(&left);
	assert_int_equal(left.samples, 6);
	assert_int_equal(left.count, 2);
	assert_int_equal(left.run_count, 4); /* neighbours are joined */
	assert_null(left_samples_find(&left, 4));
	assert_null(left_samples_find(&left, 9));
	assert_false(left_samples_has(&left, NULL, 0));
	three = left_samples_find(&left, 3);
	assert_non_null(three);
	assert_int_equal(three->samples, 5);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_int_equal(left_samples_has(&left, three, i), wanted[i]);
	left_samples_release(&left);
}

static void test_left_samples_are_counted_between_places(void **state)
{
	struct left_samples left;
	const struct left_shard *three;

	UNUSED(state);
	make(&left);
	three = left_samples_find(&left, 3);
	for (uint64_t first = 0; first < 12; first++)
		for (uint64_t count = 0; count < 12; count++) {
			uint64_t wanted = 0;

			for (uint64_t i = first; i < first + count; i++)
				wanted += left_samples_has(&left, three, i);
			assert_int_equal(
			    left_samples_between(&left, three, first, count),
			    wanted);
		}
	assert_int_equal(left_samples_between(&left, three, 0, UINT64_MAX), 5);
	left_samples_release(&left);
}

static void test_left_samples_come_back_from_their_text(void **state)
{
	struct left_samples left, back = LEFT_SAMPLES_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	UNUSED(state);
	make(&left);
	test_ok(left_samples_print(&left, &left.shards[0], &text, &err), &err);
	assert_string_equal((const char *)text.data, "2 5-7 9");
	test_ok(left_samples_parse(&back, 3, 10, buf_span(&text), &err), &err);
	assert_int_equal(back.samples, 5);
	buf_release(&text);
	left_samples_release(&back);
	left_samples_release(&left);
}

static void test_left_samples_refuse_damage(void **state)
{
	static const char *const texts[] = { "10", "1-10", "x", "1-", "-1",
		"2 1", "1-3 3", "3-1", "1  2", "99999999999999999999999",
		"0-18446744073709551615", "1.5" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct left_samples left = LEFT_SAMPLES_INIT;
		struct error err = ERROR_INIT;

		assert_int_equal(
		    left_samples_parse(&left, 0, 10, span_text(texts[i]), &err),
		    -1);
		assert_int_equal(err.code, ERROR_DATA);
		left_samples_release(&left);
	}
}

static void test_left_samples_ascend_by_shard(void **state)
{
	const struct left_run run = { 0, 0 };
	struct left_samples left;
	struct error err = ERROR_INIT;

	UNUSED(state);
	make(&left);
	assert_int_equal(left_samples_add(&left, 7, &run, &err), -1);
	assert_int_equal(left_samples_add(&left, 8, &run, &err), -1);
	left_samples_release(&left);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_left_samples_are_found_by_shard_and_place),
		cmocka_unit_test(test_left_samples_are_counted_between_places),
		cmocka_unit_test(test_left_samples_come_back_from_their_text),
		cmocka_unit_test(test_left_samples_refuse_damage),
		cmocka_unit_test(test_left_samples_ascend_by_shard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
