/* test_medium.c - local files, and a storage that is slower than this one. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "test/unit/test.h"

static void test_medium_reads_what_was_written(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *path = test_path(dir, "f");
	struct medium_file *file = medium_create(medium, path, &err);
	char text[8] = "";

	(void)state;
	test_ok(medium_write(file, "abcdef", 6, &err), &err);
	test_ok(medium_sync(file, &err), &err);
	medium_close(file);
	file = medium_open(medium, path, &err);
	assert_int_equal(medium_size(file), 6);
	assert_int_equal(medium_read(file, 4, text, 8, &err), 2);
	assert_string_equal(text, "ef");
	assert_int_equal(medium_read_full(file, 4, text, 4, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "ends at byte 6, 2 bytes too early");
	assert_int_equal(medium_bytes_read(medium), 4);
	assert_int_equal(medium_requests(medium), 3);
	medium_close(file);
	free(path);
	test_scratch_remove(dir);
	medium_free(medium);
}

static void test_medium_names_what_it_cannot_open(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);

	(void)state;
	assert_null(medium_open(medium, "/nonexistent/a", &err));
	test_contains(err.text, "/nonexistent/a");
	assert_null(medium_open(medium, "/", &err));
	test_contains(err.text, "folder");
	medium_free(medium);
}

/* Seconds that reading `count` times 1 MB takes. */
static double read_seconds(struct medium *medium, const char *path, int count)
{
	struct error err = ERROR_INIT;
	struct medium_file *file = medium_open(medium, path, &err);
	char *data = malloc(1000000);
	const uint64_t start = clock_now(&clock_monotonic);
	uint64_t end;

	for (int i = 0; i < count; i++)
		test_ok(medium_read_full(file, 0, data, 1000000, &err), &err);
	end = clock_now(&clock_monotonic);
	free(data);
	medium_close(file);
	return (double)(end - start) / 1e9;
}

/* Only lower bounds: a busy machine is slower, never faster. */
static void test_medium_emulates_bandwidth_latency_and_iops(void **state)
{
	static const struct {
		struct storage_limits limits;
		double least_s;
	} cases[] = {
		{ { .bandwidth = 50e6 }, 0.1 },
		{ { .latency = 0.02 }, 0.1 },
		{ { .iops = 50 }, 0.08 }, /* the first begins at once */
		{ { .bandwidth = 50e6, .latency = 0.01 }, 0.15 },
	};
	char *dir = test_scratch(), *path = test_path(dir, "f");
	char *zeros = calloc(1, 1000001);

	(void)state;
	memset(zeros, 'x', 1000000);
	test_write(dir, "f", zeros);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = ERROR_INIT;
		struct medium *medium =
		    medium_new_emulated(&cases[i].limits, &err);
		const double seconds = read_seconds(medium, path, 5);

		if (seconds < cases[i].least_s)
			fail_msg("case %zu took %f s", i, seconds);
		medium_set_warm(medium, true);
		read_seconds(medium, path, 5); /* at once, or nearly */
		medium_free(medium);
	}
	free(zeros);
	free(path);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medium_reads_what_was_written),
		cmocka_unit_test(test_medium_names_what_it_cannot_open),
		cmocka_unit_test(
		    test_medium_emulates_bandwidth_latency_and_iops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
