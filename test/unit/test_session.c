/*
 * test_session.c - what a session does where it cannot do all, or goes on.
 *
 * Linked with --wrap=own_folder_empty (Makefile), which fails when told.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/folder/inventory.h"
#include "test/unit/small_session.h"
#include "test/unit/test.h"

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "centered = center\n"
                           "[strategies]\n"
                           "split = raw, large\n"
                           "store = tar\n"
                           "codec = none, gzip:6\n"
                           "shards = 2\n"
                           "[load]\nthreads = 1\ncache = none\n"
                           "[measure]\nruns = 1\nmin_run_time = 0\n"
                           "probe = no\n";

static bool is_stuck; /* the work folder cannot be emptied */

int __real_own_folder_empty(const char *dir, struct error *err);
int __wrap_own_folder_empty(const char *dir, struct error *err);

int __wrap_own_folder_empty(const char *dir, struct error *err)
{
	if (!is_stuck)
		return __real_own_folder_empty(dir, err);
	return error_set(err, ERROR_SYSTEM, "%s is stuck", dir);
}

static int set_up(void **state)
{
	return small_session_open(state, text);
}

static void run_well(struct small_session *s)
{
	struct error err = ERROR_INIT;

	test_ok(small_session_run(s, &err), &err);
}

/* Stops it once it does this. */
static void interrupt(struct small_session *s, const char *stop_at)
{
	struct error err = ERROR_INIT;

	s->stop_at = stop_at;
	assert_int_equal(small_session_run(s, &err), -1);
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	s->stop_at = NULL;
}

/* Every trial of the last session was measured. */
static void check_complete(const struct small_session *s)
{
	struct grid grid = small_session_read(s, RESULTS_TRIALS);

	assert_int_equal(grid.row_count, s->planned.strategies.count);
	for (size_t r = 0; r < grid.row_count; r++)
		assert_string_equal(grid_text(&grid, r, "status"), "done");
	grid_release(&grid);
}

static void test_session_that_cannot_begin_fails(void **state)
{
	struct small_session *s = *state;
	struct error err = ERROR_INIT;
	char *below = test_path(s->scratch, "file/work");

	test_write(s->scratch, "file", "not a folder");
	s->plan.work_dir = below;
	assert_int_equal(small_session_run(s, &err), -1);
	test_contains(err.text, "file");
	assert_int_equal(s->id, 0);
	free(below);
}

/* ---- groups ---- */

static void test_session_groups_fit_on_the_disk(void **state)
{
	struct small_session *s = *state;
	const struct {
		uint64_t max_disk;
		bool keep;
		double bytes; /* at one time */
	} cases[] = {
		{ 0, false, 4e6 }, /* what is free is enough for all */
		{ UINT64_MAX, false, 4e6 },
		{ 3000000, false, 2e6 }, /* a fifth is left free */
		{ 2000000, false, 1e6 },
		{ 1000, false, 1e6 }, /* at least one strategy at a time */
		{ 2000000, true, 4e6 },
	};

	for (unsigned r = 0; r <= s->planned.pipeline.count; r++)
		for (unsigned c = 0; c < 2; c++)
			s->plan.model->packing[r][0][c].bytes =
			    1e6 / SMALL_SAMPLES;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double bytes;

		s->plan.max_disk = cases[i].max_disk;
		s->plan.keep = cases[i].keep;
		bytes = session_disk_bytes(&s->plan);
		if (bytes < cases[i].bytes - 1 || bytes > cases[i].bytes + 1)
			fail_msg("%zu: %.0f bytes", i, bytes);
	}
}

/* The data of a group makes room for that of the next one. */
static void test_session_measures_all_groups(void **state)
{
	struct small_session *s = *state;

	s->plan.max_disk = 100000;
	for (unsigned r = 0; r <= s->planned.pipeline.count; r++)
		for (unsigned c = 0; c < 2; c++)
			s->plan.model->packing[r][0][c].bytes = 1500;
	run_well(s);
	check_complete(s);
}

/* ---- going on ---- */

static void test_session_that_did_not_end_can_be_resumed(void **state)
{
	struct small_session *s = *state;
	int64_t first;

	interrupt(s, "large/tar/none");
	first = s->id;
	assert_true(first > 0);
	run_well(s); /* another one, which tells of the first */
	assert_true(s->id != first);
	test_contains(s->warnings, "did not end; --resume continues it\n");
	check_complete(s);
	s->plan.resume = true;
	run_well(s);
	assert_int_equal(s->id, first);
	check_complete(s);
	run_well(s); /* there is none left */
	assert_true(s->id != first);
	test_contains(s->warnings, "there is no session to resume");
}

/* What is left in the folder would be taken for data of the session. */
static void test_session_with_a_stuck_folder_is_not_resumed(void **state)
{
	struct small_session *s = *state;
	struct error err = ERROR_INIT;

	interrupt(s, "large/tar/none");
	s->plan.resume = true;
	is_stuck = true;
	assert_int_equal(small_session_run(s, &err), -1);
	is_stuck = false;
	test_contains(err.text, "is stuck");
	run_well(s);
	assert_int_equal(s->id, 1);
	check_complete(s);
}

/* Data that was kept is told of. */
static void test_session_that_did_not_end_may_have_data(void **state)
{
	struct small_session *s = *state;

	s->plan.keep = true;
	interrupt(s, "large/tar/none");
	run_well(s);
	test_contains(s->warnings, "continues it; its data is in ");
	test_contains(s->warnings, s->scratch);
	check_complete(s);
}

/* Data of the last try is no part of what a strategy stores. */
static void test_session_stores_anew_what_was_left(void **state)
{
	struct small_session *s = *state;
	struct grid grid;
	char *dir, *path;
	double bytes;

	run_well(s);
	grid = small_session_read(s, RESULTS_TRIALS);
	bytes = grid_number(&grid, small_session_row(&grid, "raw/tar/none", 1),
	    "storage_bytes");
	grid_release(&grid);
	s->plan.keep = true;
	interrupt(s, "checking raw/tar/none");
	dir = strstr(s->notes, " is in ");
	assert_non_null(dir);
	dir = strdup(dir + strlen(" is in "));
	dir[strcspn(dir, "\n")] = '\0';
	test_write(dir, "raw-tar-none/shard-000007.tar", "of another try");
	s->plan.resume = true;
	run_well(s);
	check_complete(s);
	grid = small_session_read(s, RESULTS_TRIALS);
	assert_true(
	    grid_number(&grid, small_session_row(&grid, "raw/tar/none", 1),
	        "storage_bytes") == bytes);
	grid_release(&grid);
	path = test_path(dir, "raw-tar-none/shard-000007.tar");
	assert_false(path_exists(path));
	free(path);
	free(dir);
}

static void list_file(struct inventory *inventory, uint64_t bytes)
{
	const struct inventory_file file = { .name = "a.jpg", .bytes = bytes };
	struct error err = ERROR_INIT;

	inventory_release(inventory);
	*inventory = (struct inventory)INVENTORY_INIT;
	test_ok(inventory_add(inventory, &file, &err), &err);
}

static void test_session_goes_on_with_the_same_files_only(void **state)
{
	struct small_session *s = *state;
	struct inventory files = INVENTORY_INIT;
	struct error err = ERROR_INIT;

	list_file(&files, 10);
	s->plan.dataset.inventory = &files;
	interrupt(s, "large/tar/none");
	s->plan.resume = true;
	list_file(&files, 11);
	assert_int_equal(small_session_run(s, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "the dataset has changed since session 1");
	test_contains(err.text, "a.jpg has 11 bytes, and had 10");
	list_file(&files, 10);
	run_well(s);
	assert_int_equal(s->id, 1);
	check_complete(s);
	inventory_release(&files);
}

/* Sessions of earlier versions have no list of files. */
static void test_session_without_a_list_of_files_goes_on(void **state)
{
	struct small_session *s = *state;
	struct inventory files = INVENTORY_INIT;

	interrupt(s, "large/tar/none");
	s->plan.resume = true;
	list_file(&files, 10);
	s->plan.dataset.inventory = &files;
	run_well(s);
	assert_int_equal(s->id, 1);
	check_complete(s);
	inventory_release(&files);
}

/* ---- memory ---- */

static int set_up_caches(void **state)
{
	return small_session_open(state,
	    "[pipeline]\nlarge = resize size=12x10\ncentered = center\n"
	    "[strategies]\nsplit = raw\nstore = tar\nshards = 2\n"
	    "[load]\nthreads = 1\ncache = none, application, system\n"
	    "cache_budget = 1000\n"
	    "[measure]\nruns = 1\nmin_run_time = 0\nprobe = no\n");
}

/* The others of the strategy are measured all the same. */
static void test_session_skips_too_large_a_cache(void **state)
{
	struct small_session *s = *state;
	unsigned done = 0, skipped = 0;
	struct grid grid;

	for (unsigned i = 0; i <= s->planned.pipeline.count; i++)
		s->plan.model->field_bytes[i] = 1440;
	run_well(s);
	grid = small_session_read(s, RESULTS_TRIALS);
	for (size_t r = 0; r < grid.row_count; r++) {
		const char *cache = grid_text(&grid, r, "cache");
		const char *status = grid_text(&grid, r, "status");
		const bool fits = strcmp(cache, "application") != 0;

		assert_string_equal(status, fits ? "done" : "skipped");
		done += fits;
		skipped += !fits;
	}
	assert_int_equal(done, 4);
	assert_int_equal(skipped, 2);
	test_contains(s->warnings, "load.cache_budget");
	grid_release(&grid);
}

/* Memory of the process, and of the trial alone. */
static void test_session_counts_memory_that_was_there(void **state)
{
	enum { HELD = 64 << 20 };
	struct small_session *s = *state;
	unsigned char *held = malloc(HELD);
	struct grid grid;

	assert_non_null(held);
	for (size_t i = 0; i < HELD; i += 4096)
		held[i] = 1;
	run_well(s);
	grid = small_session_read(s, RESULTS_TRIALS);
	for (size_t r = 0; r < grid.row_count; r++)
		assert_true(grid_number(&grid, r, "peak_rss_bytes") > HELD);
	grid_release(&grid);
	free(held);
}

/* ---- what is the same ---- */

static int set_up_frames(void **state)
{
	return small_session_open(state,
	    "[pipeline]\nlarge = resize size=12x10\ncentered = center\n"
	    "[strategies]\nsplit = raw\nstore = tar\nshards = 2\n"
	    "codec = gzip:6, zlib:6\n"
	    "[load]\nthreads = 1\ncache = none\n"
	    "[measure]\nruns = 1\nmin_run_time = 0\nprobe = no\n");
}

/* How long it took to read alone. */
static double reading_s(const struct small_session *s, const char *strategy)
{
	struct grid grid = small_session_read(s, RESULTS_LEVELS);
	double seconds = 0;

	for (size_t r = 0; r < grid.row_count; r++)
		if (strcmp(grid_text(&grid, r, "strategy"), strategy) == 0 &&
		    strcmp(grid_text(&grid, r, "level"), "read") == 0)
			seconds = grid_number(&grid, r, "wall_s");
	grid_release(&grid);
	assert_true(seconds > 0);
	return seconds;
}

/* Frames of the same bytes are read once where that takes long. */
static void test_session_reads_the_same_frames_once(void **state)
{
	struct small_session *s = *state;

	for (unsigned i = 0; i < s->planned.pipeline.count; i++)
		s->plan.model->online_s[i] = 1;
	run_well(s);
	check_complete(s);
	assert_true(
	    reading_s(s, "raw/tar/zlib:6") == reading_s(s, "raw/tar/gzip:6"));
}

#define TEST(name, set_up) \
	cmocka_unit_test_setup_teardown(name, set_up, small_session_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_session_that_cannot_begin_fails, set_up),
		TEST(test_session_groups_fit_on_the_disk, set_up),
		TEST(test_session_measures_all_groups, set_up),
		TEST(test_session_that_did_not_end_can_be_resumed, set_up),
		TEST(test_session_with_a_stuck_folder_is_not_resumed, set_up),
		TEST(test_session_that_did_not_end_may_have_data, set_up),
		TEST(test_session_stores_anew_what_was_left, set_up),
		TEST(test_session_goes_on_with_the_same_files_only, set_up),
		TEST(test_session_without_a_list_of_files_goes_on, set_up),
		TEST(test_session_skips_too_large_a_cache, set_up_caches),
		TEST(test_session_counts_memory_that_was_there, set_up),
		TEST(test_session_reads_the_same_frames_once, set_up_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
