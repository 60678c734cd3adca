/* test_progress.c - how long a command will take yet. */
#include "cmd/progress.h"
#include "lib/base/array.h"
#include "test/unit/test.h"

enum { SECOND = 1000000000 };

static double left_at(
    struct progress *progress, double seconds, double done, double all)
{
	return progress_left(
	    progress, (uint64_t)(seconds * SECOND) + 1, done, all);
}

static void test_progress_left_is_by_what_was_done(void **state)
{
	static const struct {
		double seconds, done, left_s;
	} calls[] = {
		{ 0, 0, -1 },   /* what comes before does not count */
		{ 20, 10, -1 }, /* it begins */
		{ 20.5, 20, -1 },
		{ 22, 30, 97 }, /* 10 a second; few calls suffice */
		{ 120, 510, 490 / 5.0 },
		{ 121, 990, 101 * 10 / 980.0 },
		{ 122, 1000, -1 },
		{ 123, 1100, -1 },
	};
	struct progress progress = { .terminal = false };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		const double left_s =
		    left_at(&progress, calls[i].seconds, calls[i].done, 1000);

		if (left_s < calls[i].left_s - 0.01 ||
		    left_s > calls[i].left_s + 0.01)
			fail_msg("at %g s: %g s, expected %g", calls[i].seconds,
			    left_s, calls[i].left_s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_progress_left_is_by_what_was_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
