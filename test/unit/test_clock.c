/* test_clock.c - clocks are monotonic; a test can use its own. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "test/unit/test.h"

static uint64_t tick(void *arg)
{
	uint64_t *now = arg;

	return *now += 10;
}

static void test_clock_now_asks_the_clock_it_is_given(void **state)
{
	uint64_t now = 5;
	const struct clock clock = { .now_ns = tick, .arg = &now };

	UNUSED(state);
	assert_int_equal(clock_now(&clock), 15);
	assert_int_equal(clock_now(&clock), 25);
}

static void test_clock_sleep_until_reaches_the_deadline(void **state)
{
	const uint64_t start = clock_now(&clock_monotonic);

	UNUSED(state);
	clock_sleep_until(start + 2000000);
	assert_true(clock_now(&clock_monotonic) >= start + 2000000);
	clock_sleep_until(start); /* over already */
}

static void test_clock_thread_cpu_goes_on_with_work(void **state)
{
	const uint64_t start = clock_now(&clock_thread_cpu);

	UNUSED(state);
	while (clock_now(&clock_thread_cpu) == start)
		continue;
	assert_true(clock_now(&clock_thread_cpu) > start);
}

static void test_clock_utc_is_iso_8601(void **state)
{
	char text[32], last = 0;
	unsigned year, month, day, hour, minute, second;

	UNUSED(state);
	clock_utc(text);
	assert_int_equal(strlen(text), 20);
	assert_int_equal(sscanf(text, "%4u-%2u-%2uT%2u:%2u:%2u%c", &year,
	                     &month, &day, &hour, &minute, &second, &last),
	    7);
	assert_int_equal(last, 'Z');
	assert_true(year >= 2024);
}

static void test_clock_date_is_for_people(void **state)
{
	char text[CLOCK_TEXT];

	UNUSED(state);
	clock_date(1732075512, text);
	assert_string_equal(text, "2024-11-20 04:05:12");
	clock_date(-1, text);
	assert_string_equal(text, "1969-12-31 23:59:59");
	clock_date(INT64_MAX, text);
	assert_string_equal(text, "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clock_now_asks_the_clock_it_is_given),
		cmocka_unit_test(test_clock_sleep_until_reaches_the_deadline),
		cmocka_unit_test(test_clock_thread_cpu_goes_on_with_work),
		cmocka_unit_test(test_clock_utc_is_iso_8601),
		cmocka_unit_test(test_clock_date_is_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
