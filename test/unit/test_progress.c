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

static void test_progress_left_is_by_what_was_done_lately(void **state)
{
	static const struct {
		double seconds, done, left_s;
	} calls[] = {
		{ 0, 0, -1 },   /* what comes before does not count */
		{ 20, 10, -1 }, /* it begins */
		{ 20.5, 15, -1 },
		{ 22, 30, 97 }, /* 10 a second; few calls suffice */
		{ 32, 130, 87 },
		{ 42, 150, 151.8 }, /* what is slower goes on being so */
		{ 142, 350, 321.3 },
		{ 242, 550, 224.8 },
		{ 1242, 1000, -1 },
		{ 1342, 1100, -1 },
	};
	struct progress progress = { .terminal = false };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		const double left_s =
		    left_at(&progress, calls[i].seconds, calls[i].done, 1000);

		if (left_s < calls[i].left_s - 0.1 ||
		    left_s > calls[i].left_s + 0.1)
			fail_msg("at %g s: %g s, expected %g", calls[i].seconds,
			    left_s, calls[i].left_s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_progress_left_is_by_what_was_done_lately),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
