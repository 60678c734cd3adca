/* test_runs.c - consecutive samples in files. */
#include "datasets/files/runs.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

enum { FILES = 3 };

/* Three files of 100 bytes with two runs of 10 samples each. */
static void make(struct listing *listing, struct runs *runs)
{
	static const char *const names[FILES] = { "a", "b", "c" };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < FILES; i++) {
		assert_int_equal(listing_add(listing, names[i], 100, &err), 0);
		for (uint64_t r = 0; r < 2; r++) {
			const struct run run = {
				.file = i,
				.start = 50 * r,
				.bytes = 50,
				.first = 10 * r,
				.samples = 10,
			};

			assert_int_equal(runs_add(runs, &run, &err), 0);
			if (r == 0)
				assert_int_equal(cuts_add(&runs->streams,
				                     runs->count - 1, &err),
				    0);
		}
	}
	assert_int_equal(cuts_add(&runs->streams, runs->count, &err), 0);
}

static void test_runs_find_each_sample(void **state)
{
	struct listing listing = LISTING_INIT;
	struct runs runs = { .at = NULL };

	UNUSED(state);
	make(&listing, &runs);
	assert_int_equal(runs.samples, 60);
	for (uint64_t i = 0; i < runs.samples; i++)
		assert_int_equal(runs_find(&runs, i), i / 10);
	for (size_t i = 0; i < FILES; i++)
		assert_int_equal(runs_in_stream(&runs, i), 20);
	runs_release(&runs);
	listing_release(&listing);
}

static void test_runs_select_keeps_the_whole_or_evenly_spaced_runs(void **state)
{
	static const struct {
		uint64_t limit, samples, bytes;
		size_t count;
		size_t last_file;
	} cases[] = {
		{ 0, 60, 300, 6, 2 },
		{ 99, 60, 300, 6, 2 },
		{ 25, 25, 125, 3, 2 },
		{ 1, 1, 5, 1, 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct listing listing = LISTING_INIT;
		struct runs runs = { .at = NULL };
		struct reader reader = { .samples = 0 };

		make(&listing, &runs);
		runs_select(&runs, &listing, cases[i].limit, &reader);
		assert_int_equal(reader.total_samples, 60);
		assert_int_equal(reader.total_bytes, 300);
		assert_int_equal(reader.samples, cases[i].samples);
		assert_int_equal(reader.bytes, cases[i].bytes);
		assert_int_equal(runs.count, cases[i].count);
		assert_int_equal(
		    runs.at[runs.count - 1].file, cases[i].last_file);
		assert_int_equal(
		    runs_find(&runs, runs.samples - 1), runs.count - 1);
		runs_release(&runs);
		listing_release(&listing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_find_each_sample),
		cmocka_unit_test(
		    test_runs_select_keeps_the_whole_or_evenly_spaced_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
