/* test_early_marks.c - what an epoch had read early on. */
#include "lib/base/array.h"
#include "lib/db/results.h"
#include "strategies/monitor/early_marks.h"
#include "test/unit/test.h"

/* So many batches of 10 bytes; the i-th takes i ns. */
static struct run_row read_batches(unsigned batches)
{
	struct run_row row = { .bytes_fetched = 10 * (uint64_t)batches };
	struct early_marks marks = { .count = 0 };
	uint64_t ns = 0;

	for (unsigned i = 1; i <= batches; i++) {
		ns += i;
		if (early_marks_due(&marks))
			early_marks_set(&marks, 10 * (uint64_t)i, ns);
	}
	early_marks_keep(&marks, &row);
	return row;
}

/* The last one from a quarter to a half of all bytes, both included. */
static void test_early_marks_are_of_a_quarter_to_a_half(void **state)
{
	static const struct {
		unsigned batches, early; /* 0: none */
	} cases[] = {
		{ 1, 0 },
		{ 2, 1 },
		{ 3, 1 },
		{ 4, 2 },
		{ 7, 2 },
		{ 8, 4 },
		{ 100, 32 },
		{ 127, 32 },
		{ 128, 64 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint64_t early = cases[i].early;
		const struct run_row row = read_batches(cases[i].batches);

		if (row.early_bytes != 10 * early ||
		    row.early_ns != early * (early + 1) / 2)
			fail_msg("%u: %llu bytes in %llu ns", cases[i].batches,
			    (unsigned long long)row.early_bytes,
			    (unsigned long long)row.early_ns);
	}
}

/* All was read ahead before the first batch came: nothing is known. */
static void test_early_marks_need_a_part(void **state)
{
	struct run_row row = { .bytes_fetched = 100 };
	struct early_marks marks = { .count = 0 };

	UNUSED(state);
	for (unsigned i = 0; i < 8; i++)
		if (early_marks_due(&marks))
			early_marks_set(&marks, i < 7 ? 1 : 100, i);
	early_marks_keep(&marks, &row);
	assert_int_equal(row.early_bytes, 0);
	assert_int_equal(row.early_ns, 0);
}

/* However many batches there are, marks are bounded. */
static void test_early_marks_are_bounded(void **state)
{
	struct early_marks marks = { .batches = (uint64_t)1 << 50 };

	UNUSED(state);
	marks.batches--;
	marks.count = EARLY_MARKS - 1;
	assert_true(early_marks_due(&marks));
	marks.batches--;
	marks.count = EARLY_MARKS;
	assert_false(early_marks_due(&marks));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_early_marks_are_of_a_quarter_to_a_half),
		cmocka_unit_test(test_early_marks_need_a_part),
		cmocka_unit_test(test_early_marks_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
