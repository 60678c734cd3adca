/* test_progress.c - estimating the remaining time of a command. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/program/progress.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
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
	struct progress progress = { .columns = 0 };

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

static uint64_t fake_now(void *arg)
{
	return *(uint64_t *)arg;
}

/* A command as it is told by lines, or on a terminal; the caller frees it. */
struct told {
	struct progress progress;
	struct clock clock;
	uint64_t now_ns;
	char *text;
	size_t len;
};

static void told_begin(struct told *told, size_t columns)
{
	*told = (struct told){ .now_ns = SECOND,
		.clock = { .now_ns = fake_now, .arg = &told->now_ns } };
	told->progress = (struct progress){ .clock = &told->clock,
		.columns = columns,
		.out = open_memstream(&told->text, &told->len) };
	assert_non_null(told->progress.out);
}

static void told_at(
    struct told *told, double seconds, double percent, const char *what)
{
	told->now_ns = SECOND + (uint64_t)(seconds * SECOND);
	progress_show(&told->progress, percent, 100, what);
}

static void told_end(struct told *told, const char *want)
{
	fclose(told->progress.out);
	assert_string_equal(told->text, want);
	free(told->text);
}

static void test_progress_tells_each_tenth(void **state)
{
	struct told told;

	(void)state;
	told_begin(&told, 0);
	for (unsigned i = 0; i <= 100; i++)
		told_at(&told, 0.3 * i, i, i < 50 ? "loading a" : "loading b");
	told_end(&told, "presto:   0 %: loading a\n"
	                "presto:  10 %: loading a, about 27 s left\n"
	                "presto:  20 %: loading a, about 24 s left\n"
	                "presto:  30 %: loading a, about 21 s left\n"
	                "presto:  40 %: loading a, about 18 s left\n"
	                "presto:  50 %: loading b, about 15 s left\n"
	                "presto:  60 %: loading b, about 12 s left\n"
	                "presto:  70 %: loading b, about 9 s left\n"
	                "presto:  80 %: loading b, about 6 s left\n"
	                "presto:  90 %: loading b, about 3 s left\n");
}

static void test_progress_tells_each_minute(void **state)
{
	struct told told;

	(void)state;
	told_begin(&told, 0);
	for (unsigned i = 0; i <= 200; i++)
		told_at(&told, i, 0.05 * i, "loading a");
	told_end(&told, "presto:   0 %: loading a\n"
	                "presto:   3 %: loading a, about 32 min left\n"
	                "presto:   6 %: loading a, about 31 min left\n"
	                "presto:   9 %: loading a, about 30 min left\n"
	                "presto:  10 %: loading a, about 30 min left\n");
}

/* What is short has few lines, and a warning between them adds none. */
static void test_progress_of_a_short_command_is_short(void **state)
{
	struct told told;

	(void)state;
	told_begin(&told, 0);
	for (unsigned i = 0; i <= 100; i++) {
		told_at(&told, 0.004 * i, i, "generating");
		progress_clear(&told.progress);
	}
	told_end(&told, "presto:   0 %: generating\n"
	                "presto:  63 %: generating\n");
}

static void test_progress_fits_the_terminal(void **state)
{
	struct told told;

	(void)state;
	told_begin(&told, 40);
	told_at(&told, 0, 1, "loading raw/tfrecord/delta+zstd:19");
	told_at(&told, 0.05, 2, "loading raw/tfrecord/delta+zstd:19");
	told_at(&told, 10, 11, "loading raw/tfrecord/delta+zstd:19");
	progress_clear(&told.progress);
	told_end(&told, "\r\033[K  1 %  loading raw/tfrecord/delta+zstd"
	                "\r\033[K 11 %  loading raw/tfrecord  (92 s left)"
	                "\r\033[K");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_progress_left_is_by_what_was_done_lately),
		cmocka_unit_test(test_progress_tells_each_tenth),
		cmocka_unit_test(test_progress_tells_each_minute),
		cmocka_unit_test(test_progress_of_a_short_command_is_short),
		cmocka_unit_test(test_progress_fits_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
