/* test_reference.c - fixed work that is timed now and then. */
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/measure/reference.h"
#include "test/unit/test.h"

/* Each reading is 1 ms after the one before. */
static uint64_t tick(void *arg)
{
	uint64_t *now = arg;

	return *now += 1000000;
}

static struct reference *new_reference(const struct clock *wall)
{
	struct error err = ERROR_INIT;
	struct reference *reference = reference_new(wall, &err);

	test_ok(reference ? 0 : -1, &err);
	return reference;
}

/* Else times of one presto could not be held against those of another. */
static void test_reference_is_ever_the_same(void **state)
{
	struct reference *reference = new_reference(&clock_monotonic);
	const uint64_t known = 0xed678fbb7a301dd6;
	const struct span bytes = reference_bytes(reference);

	UNUSED(state);
	assert_int_equal(bytes.len, 160 << 10);
	assert_int_equal(hash_bytes(bytes.data, bytes.len, 0), known);
	assert_true(reference_run(reference) > 0);
	assert_int_equal(hash_bytes(bytes.data, bytes.len, 0), known);
	reference_free(reference);
	reference_free(NULL);
}

static void test_reference_takes_a_small_share_of_the_time(void **state)
{
	uint64_t now = 1;
	const struct clock wall = { .now_ns = tick, .arg = &now };
	struct reference *reference = new_reference(&wall);
	const uint64_t begun = now + 1000000;

	UNUSED(state);
	assert_true(reference_run(reference) > 0); /* in 1 ms of this clock */
	assert_int_equal(reference_run(reference), 0);
	now = begun + (REFERENCE_SHARE - 1) * 1000000 - 1;
	assert_int_equal(reference_run(reference), 0);
	assert_true(reference_run(reference) > 0);
	assert_int_equal(reference_run(reference), 0);
	/* After a long time as often as that allows: this clock has one ms for
	 * all of them. */
	now += 4 * REFERENCE_SHARE * 1000000;
	assert_true(reference_run(reference) > 0);
	now += REFERENCE_SHARE * 1000000 / 4;
	assert_true(reference_run(reference) > 0);
	reference_free(reference);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference_is_ever_the_same),
		cmocka_unit_test(
		    test_reference_takes_a_small_share_of_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
