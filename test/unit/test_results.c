/* test_results.c - the result database: opening, writing, resuming. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "strategies/decide/derive.h"
#include "test/unit/fixture.h"
#include "test/unit/sql.h"
#include "test/unit/test.h"

/* ---- opening ---- */

static void test_results_open_asks_to_profile_first(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "presto.db");
	struct results *results;
	int64_t session;

	UNUSED(state);
	assert_null(results_open(path, false, &err));
	test_contains(err.text, "presto.db; run 'presto profile' first");
	assert_int_equal(err.code, ERROR_USAGE);
	assert_false(path_exists(path));
	test_write(dir, "presto.db", "");
	assert_null(results_open(path, false, &err));
	test_contains(err.text, "is empty; run 'presto profile' first");
	results = results_open(path, true, &err);
	assert_non_null(results);
	assert_int_equal(results_pick_session(results, 0, &session, &err), -1);
	test_contains(err.text, "run 'presto profile' first");
	assert_int_equal(results_pick_session(results, 7, &session, &err), -1);
	test_contains(err.text, "no session 7");
	results_close(results);
	free(path);
	test_scratch_remove(dir);
}

/* Opening it fails with `words` and leaves it byte for byte as it was. */
static void check_refused(const char *path, const char *words)
{
	struct error err = ERROR_INIT;
	struct buf before = BUF_INIT, after = BUF_INIT;

	test_ok(path_read(path, 1 << 20, &before, &err), &err);
	for (int create = 0; create < 2; create++) {
		assert_null(results_open(path, create, &err));
		test_contains(err.text, words);
		test_contains(err.text, path);
	}
	test_ok(path_read(path, 1 << 20, &after, &err), &err);
	assert_true(span_equal(buf_span(&before), buf_span(&after)));
	buf_release(&before);
	buf_release(&after);
}

static void test_results_open_refuses_what_is_not_its_own(void **state)
{
	struct fixture fixture;
	char *path;

	UNUSED(state);
	fixture_open(&fixture);
	results_close(fixture.results);
	fixture.results = NULL;
	sql_run(fixture.path, "PRAGMA user_version = 99");
	check_refused(fixture.path, "newer presto");

	test_write(fixture.dir, "notes.txt",
	    "Some text that is no database but as long as the header of one, "
	    "since SQLite takes a shorter file for something else.\n");
	path = test_path(fixture.dir, "notes.txt");
	check_refused(path, "is not a result database");
	free(path);

	path = test_path(fixture.dir, "mine.db");
	sql_run(path, "CREATE TABLE precious (a); PRAGMA user_version = 1");
	check_refused(path, "another program");
	free(path);
	fixture_close(&fixture);
}

/*
 * A database of an older presto, of version 1 or 3, with one trial of two runs
 * (40 and 60 samples/s once cached), and with views that say otherwise.
 */
static void make_old_version(const char *path, int version)
{
	sql_make_first_version(path,
	    "INSERT INTO preparation VALUES (1, 0, 0, 0, 7, 1, 0, 'yes');"
	    "INSERT INTO trial VALUES (1, 1, 2, 'application', 'done', '', '',"
	    " NULL);"
	    "INSERT INTO run VALUES (1, 0, 1, 1, 9, 9, 1, 0, 0, 0, 0, 0, 0, 0);"
	    "INSERT INTO run VALUES (1, 0, 1, 2, 1000000000, 9, 20, 0, 0, 0, 0,"
	    " 0, 0, 99);"
	    "INSERT INTO run VALUES (1, 0, 1, 3, 1000000000, 9, 60, 0, 0, 0, 0,"
	    " 0, 0, 0);"
	    "INSERT INTO run VALUES (1, 0, 2, 2, 1000000000, 9, 60, 0, 0, 0, 0,"
	    " 0, 0, 0);"
	    "CREATE VIEW v_rank AS SELECT trial, 1.0 AS score, 77 AS rank"
	    " FROM run;"
	    "CREATE VIEW v_payback AS SELECT trial, 1.0 AS epochs FROM run;"
	    "CREATE VIEW v_epoch AS SELECT *, 0 AS steady FROM run;"
	    "CREATE VIEW v_throughput AS SELECT trial, 7 AS median FROM run;"
	    "CREATE VIEW v_report AS SELECT median FROM v_throughput;"
	    "CREATE VIEW v_steps AS SELECT trial FROM step;");
	if (version == 3)
		sql_run(path,
		    "ALTER TABLE trial ADD COLUMN cache_bytes INTEGER;"
		    "UPDATE trial SET cache_bytes = 55;"
		    "PRAGMA user_version = 3");
}

static void check_brought_up_to_date(int version, bool create)
{
	const struct fixture_trial trial = { .label = "unprocessed",
		.cold = { 1 },
		.cache = CACHE_APPLICATION,
		.cache_bytes = 77 };
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT;
	char *dir = test_scratch();
	struct fixture fixture = {
		.dir = dir, .path = test_path(dir, "presto.db"), .session = 1
	};

	make_old_version(fixture.path, version);
	fixture.results = derive_open(fixture.path, create, &err);
	test_ok(fixture.results ? 0 : -1, &err);
	test_ok(results_read(fixture.results, RESULTS_TRIALS, 0, &grid, &err),
	    &err);
	assert_int_equal(grid.row_count, 1);
	if (version == 3)
		assert_int_equal(grid_number(&grid, 0, "cache_bytes"), 55);
	else
		assert_true(isnan(grid_number(&grid, 0, "cache_bytes")));
	/* As now: a value a run, and none of what was not noted then. */
	assert_int_equal(grid_number(&grid, 0, "rank"), 1);
	assert_int_equal(grid_number(&grid, 0, "throughput_samples_per_s"), 50);
	assert_int_equal(grid_number(&grid, 0, "runs"), 2);
	assert_int_equal(grid_number(&grid, 0, "interval_percent"), 20);
	assert_int_equal(grid_number(&grid, 0, "peak_rss_bytes"), 99);
	assert_true(isnan(grid_number(&grid, 0, "others_percent")));
	assert_string_equal(grid_text(&grid, 0, "ended"), "");
	assert_string_equal(grid_text(&grid, 0, "emulated_storage"), "");
	grid_release(&grid);
	if (create) {
		fixture_add(&fixture, &trial); /* in its place */
		fixture_read(&fixture, RESULTS_TRIALS, &grid);
		assert_int_equal(grid_number(&grid, 0, "cache_bytes"), 77);
		grid_release(&grid);
	}
	fixture_close(&fixture);
}

static void test_results_open_brings_an_older_one_up_to_date(void **state)
{
	UNUSED(state);
	for (int create = 0; create < 2; create++) {
		check_brought_up_to_date(1, create);
		check_brought_up_to_date(3, create);
	}
}

/* What nobody may write, not even root; the linker leads the calls here. */
static const char *closed;

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode)
{
	if (closed && strcmp(path, closed) == 0 && (mode & W_OK)) {
		errno = EACCES;
		return -1;
	}
	return __real_access(path, mode);
}

static void check_not_opened(const char *path, bool create, const char *says)
{
	struct error err = ERROR_INIT;

	assert_null(results_open(path, create, &err));
	test_contains(err.text, says);
	test_contains(err.text, path);
}

/* SQLite says of all of these that it is "unable to open database file". */
static void test_results_open_says_why_not(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "none/presto.db");
	char *file = test_path(dir, "presto.db");

	UNUSED(state);
	check_not_opened(dir, true, "is a folder, not a result database");
	check_not_opened(dir, false, "is a folder, not a result database");
	check_not_opened(path, true, "/none: No such file or directory");
	check_not_opened(path, false, "no result database");
	test_write(dir, "presto.db", "");
	closed = file;
	check_not_opened(file, true, "cannot write ");
	closed = dir;
	check_not_opened(file, true, ": cannot write into folder ");
	closed = NULL;
	free(file);
	free(path);
	test_scratch_remove(dir);
}

/* A baseline may be under version control, or where nobody may write. */
static void test_results_open_to_read_leaves_an_older_one_as_it_is(void **state)
{
	struct error err = ERROR_INIT;
	struct buf before = BUF_INIT, after = BUF_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "presto.db");
	char *beside = test_path(dir, "presto.db-wal");
	struct results *results;

	UNUSED(state);
	make_old_version(path, 1);
	sql_run(path, "PRAGMA journal_mode = WAL");
	test_ok(path_read(path, 1 << 20, &before, &err), &err);
	results = results_open(path, false, &err);
	test_ok(results ? 0 : -1, &err);
	results_close(results);
	test_ok(path_read(path, 1 << 20, &after, &err), &err);
	assert_true(span_equal(buf_span(&before), buf_span(&after)));
	assert_false(path_exists(beside));
	results = results_open(path, true, &err);
	test_ok(results ? 0 : -1, &err);
	results_close(results);
	assert_true(sql_number(path, "PRAGMA user_version") > 1);
	buf_release(&before);
	buf_release(&after);
	free(beside);
	free(path);
	test_scratch_remove(dir);
}

static void test_results_open_finds_a_damaged_file(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture,
	    &(struct fixture_trial){ .label = "unprocessed", .cold = { 1 } });
	results_close(fixture.results);
	test_ok(path_read(fixture.path, 1 << 20, &bytes, &err), &err);
	memset(bytes.data + 100, 0xa5, bytes.len - 100);
	test_ok(path_write(fixture.path, buf_span(&bytes), &err), &err);
	buf_release(&bytes);
	fixture.results = results_open(fixture.path, false, &err);
	assert_null(fixture.results);
	test_contains(err.text, fixture.path);
	fixture_close(&fixture);
}

static void test_results_are_wal_with_foreign_keys(void **state)
{
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture,
	    &(struct fixture_trial){ .label = "unprocessed", .cold = { 1 } });
	assert_int_equal(
	    sql_number(fixture.path, "SELECT journal_mode = 'wal' FROM "
	                             "pragma_journal_mode"),
	    1);
	sql_run(fixture.path, "DELETE FROM session");
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM run"), 0);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM step"), 0);
	fixture_close(&fixture);
}

/* ---- writing ---- */

static void test_results_store_a_trial_whole_or_not_at_all(void **state)
{
	struct run_row runs[] = {
		{ .run = 1, .epoch = 1, .wall_ns = 1000, .samples = 1 },
		{ .run = 1, .epoch = 1, .wall_ns = 1000, .samples = 1 },
	};
	struct trial_row trial = {
		.threads = 1, .runs = runs, .run_count = ARRAY_LEN(runs)
	};
	struct strategy_row row = { .label = "unprocessed",
		.split = "unprocessed",
		.predicted_prep_s = -1,
		.predicted_storage_bytes = -1 };
	struct fixture fixture;
	struct error err = ERROR_INIT;
	int64_t strategy, again;

	UNUSED(state);
	fixture_open(&fixture);
	test_ok(results_add_strategy(
	            fixture.results, fixture.session, &row, &strategy, &err),
	    &err);
	/* The second run has the numbers of the first. */
	assert_int_equal(
	    results_add_trial(fixture.results, strategy, &trial, &err), -1);
	test_contains(err.text, "cannot store a run");
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM trial"), 0);
	runs[1].epoch = 2;
	test_ok(
	    results_add_trial(fixture.results, strategy, &trial, &err), &err);
	/* A repetition replaces it. */
	trial.run_count = 1;
	test_ok(
	    results_add_trial(fixture.results, strategy, &trial, &err), &err);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM run"), 1);
	test_ok(results_add_strategy(
	            fixture.results, fixture.session, &row, &again, &err),
	    &err);
	assert_int_equal(strategy, again);
	fixture_close(&fixture);
}

/* Is this trial of the session done? */
static int has_trial(struct fixture *fixture, const char *label,
    unsigned threads, enum cache_mode cache)
{
	const struct strategy_row row = { .label = label, .split = "raw" };
	const struct trial_row load = { .threads = threads, .cache = cache };
	struct error err = ERROR_INIT;
	int64_t strategy;

	test_ok(results_add_strategy(
	            fixture->results, fixture->session, &row, &strategy, &err),
	    &err);
	return results_has_trial(fixture->results, strategy, &load, &err);
}

static void test_results_know_what_is_left_to_do(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	char work[64] = "", small[4];
	int64_t session = 0;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture,
	    &(struct fixture_trial){ .label = "raw/tar/none", .cold = { 9 } });
	fixture_add(
	    &fixture, &(struct fixture_trial){
	                  .label = "raw/tar/gzip:6", .state = TRIAL_FAILED });
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/npy/none",
	                          .state = TRIAL_SKIPPED });
	assert_int_equal(has_trial(&fixture, "raw/tar/none", 2, CACHE_NONE), 1);
	assert_int_equal(has_trial(&fixture, "raw/tar/none", 1, CACHE_NONE), 0);
	assert_int_equal(
	    has_trial(&fixture, "raw/tar/none", 2, CACHE_SYSTEM), 0);
	assert_int_equal(
	    has_trial(&fixture, "raw/tar/gzip:6", 2, CACHE_NONE), 0);
	/* What was skipped for lack of room is tried again. */
	assert_int_equal(has_trial(&fixture, "raw/npy/none", 2, CACHE_NONE), 0);
	/* So is what was interrupted; but not what ran out of time. */
	sql_run(fixture.path, "UPDATE trial SET ended = 'interrupted'");
	assert_int_equal(has_trial(&fixture, "raw/tar/none", 2, CACHE_NONE), 0);
	sql_run(fixture.path, "UPDATE trial SET ended = 'budget'");
	assert_int_equal(has_trial(&fixture, "raw/tar/none", 2, CACHE_NONE), 1);
#define FIND(print, to)          \
	results_find_unfinished( \
	    fixture.results, print, &session, to, sizeof(to), &err)
	assert_int_equal(FIND("beef", work), 0);
	assert_int_equal(FIND("f00d", work), 1);
	assert_int_equal(session, fixture.session);
	assert_string_equal(work, "work/1");
	assert_int_equal(FIND("f00d", small), -1);
	test_ok(results_end_session(
	            fixture.results, fixture.session, "interrupted", &err),
	    &err);
	assert_int_equal(FIND("f00d", work), 1);
	test_ok(
	    results_end_session(fixture.results, fixture.session, "done", &err),
	    &err);
	assert_int_equal(FIND("f00d", work), 0);
#undef FIND
	assert_int_equal(
	    results_end_session(fixture.results, fixture.session, "odd", &err),
	    -1);
	fixture_close(&fixture);
}

static void test_results_keep_the_session_as_it_was_given(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct session_record record = SESSION_RECORD_INIT;
	int64_t session = 0;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture,
	    &(struct fixture_trial){ .label = "unprocessed", .cold = { 1 } });
	fixture_session(&fixture, NULL); /* has no trial */
	test_ok(results_pick_session(fixture.results, 0, &session, &err), &err);
	assert_int_equal(session, fixture.session - 1);
	test_ok(results_read_session(fixture.results, session, &record, &err),
	    &err);
	assert_string_equal(record.info.text, fixture_text);
	assert_string_equal(record.info.path, "conf/photos.conf");
	assert_string_equal(record.info.code, "own: mine.py 0123\n");
	assert_string_equal(record.info.machine.cpu, "A CPU");
	assert_string_equal(record.info.work_fs, "ext4 on /dev/vdb");
	assert_int_equal(record.info.full_samples, 10000);
	assert_string_equal(record.state, "running");
	assert_string_equal(record.ended, "");
	assert_string_equal(record.version, PRESTO_VERSION);
	session_record_release(&record);
	assert_int_equal(
	    results_pick_session(fixture.results, 99, &session, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, "no session 99");
	test_contains(err.text, "has 1 to 2");
	err = (struct error)ERROR_INIT;
	assert_int_equal(
	    results_read_session(fixture.results, 99, &record, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, ": no session 99");
	fixture_close(&fixture);
}

static void test_results_cache_names(void **state)
{
	enum cache_mode cache = CACHE_NONE;

	UNUSED(state);
	for (unsigned i = 0; i < CACHE_COUNT; i++) {
		assert_int_equal(cache_parse(cache_name(i), &cache), 0);
		assert_int_equal(cache, i);
	}
	assert_int_equal(cache_parse("cold", &cache), -1);
}

/* A piece before some of the epochs, warm-ups too: one value a run. */
static void test_results_keeps_what_the_reference_took(void **state)
{
	const struct run_row runs[] = {
		{ .run = 1, .epoch = 1, .warmup = true, .reference_ns = 1300 },
		{ .run = 1, .epoch = 1, .reference_ns = 1000 },
		{ .run = 1,
		    .epoch = 2,
		    .wall_ns = 10,
		    .samples = 1,
		    .started_ns = 77 },
		{ .run = 1,
		    .epoch = 3,
		    .wall_ns = 10,
		    .samples = 1,
		    .reference_ns = 1600,
		    .started_ns = 99 },
		{ .run = 2, .epoch = 1 },
		{ .run = 2, .epoch = 2, .wall_ns = 10, .samples = 1 },
	};
	const struct trial_row trial = { .cache = CACHE_SYSTEM,
		.message = "",
		.bottleneck = "",
		.runs = runs,
		.run_count = ARRAY_LEN(runs) };
	struct fixture fixture;
	struct grid rates = GRID_INIT, epochs = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_store(&fixture, "unprocessed", NULL, &trial);
	fixture_read(&fixture, RESULTS_RATES, &rates);
	assert_int_equal(rates.row_count, 2);
	fixture_near(&rates, 0, "reference_ns", 1300);
	fixture_near(&rates, 0, "started_ns", 77);
	fixture_near(&rates, 1, "reference_ns", NAN);
	fixture_read(&fixture, RESULTS_RUNS, &epochs);
	assert_int_equal(epochs.row_count, ARRAY_LEN(runs));
	fixture_near(&epochs, 0, "reference_s", 1300e-9);
	fixture_near(&epochs, 5, "reference_s", NAN);
	grid_release(&rates);
	grid_release(&epochs);
	fixture_close(&fixture);
}

static void check_same_grid(const struct grid *a, const struct grid *b)
{
	char one[VALUE_TEXT_SIZE], other[VALUE_TEXT_SIZE];

	assert_int_equal(a->column_count, b->column_count);
	assert_int_equal(a->row_count, b->row_count);
	for (size_t row = 0; row < a->row_count; row++)
		for (size_t i = 0; i < a->column_count; i++)
			assert_string_equal(
			    value_print(grid_value(a, row, i), one),
			    value_print(grid_value(b, row, i), other));
}

/* The writer has derived rows in the file, the reader may have its own. */
static void check_same_view(struct results *writer, struct results *reader,
    enum results_view view, int64_t session)
{
	struct grid all = GRID_INIT, one = GRID_INIT;
	struct error err = ERROR_INIT;

	test_ok(results_read(writer, view, session, &all, &err), &err);
	test_ok(results_read(reader, view, session, &one, &err), &err);
	assert_true(all.row_count > 0);
	check_same_grid(&all, &one);
	grid_release(&all);
	grid_release(&one);
}

static void test_results_of_one_session_are_those_among_others(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct results *reader;

	UNUSED(state);
	fixture_open(&fixture);
	for (unsigned session = 1; session <= 3; session++) {
		const double rate = 100.0 * session;
		const struct fixture_trial trials[] = {
			{ .label = "unprocessed",
			    .cold = { rate, rate + 1, rate + 2 },
			    .storage_bytes = 1e6 },
			{ .label = "resized/tar/none",
			    .cold = { rate + 9, rate + 2, rate + 20 },
			    .prep_s = session,
			    .storage_bytes = 2e6 },
		};

		if (session > 1)
			fixture_session(&fixture, NULL);
		for (size_t i = 0; i < ARRAY_LEN(trials); i++)
			fixture_add(&fixture, &trials[i]);
	}
	sql_run(fixture.path,
	    "INSERT OR IGNORE INTO step (trial, position, name, step, cpu_ns,"
	    " samples) SELECT id, 1, 'a', 'resize', 1000 * id, 9 FROM trial;"
	    "INSERT OR IGNORE INTO phase (trial, phase, wall_ns, cpu_ns, calls,"
	    " bytes) SELECT id, 'read', 1000 * id, 10, 1, 100 FROM trial;"
	    "INSERT OR IGNORE INTO level (trial, level, wall_ns, cpu_ns,"
	    " samples, bytes) SELECT id, 'all', 1000 * id, 9, 9, 9 FROM trial;"
	    "INSERT INTO trace_event (trial, position, thread, thread_name,"
	    " kind, name, begin_ns, end_ns) SELECT id, 1, 1, 'worker 1',"
	    " 'step', 'decoded', 1000 * id, 2000 * id FROM trial;"
	    "INSERT INTO host_run (trial, hosts, run, epoch, rank, host,"
	    " samples, wall_ns, bytes) SELECT id, 1, 1, 1, 0, 'node', 9,"
	    " 1000 * id, 9 FROM trial;"
	    "INSERT INTO warning (session, text) SELECT id, 'w' || id"
	    " FROM session; INSERT INTO warning (session, text)"
	    " SELECT id, 'v' || id FROM session;"
	    "INSERT INTO system_sample (session, activity, label, threads,"
	    " cache, run, at_ns, interval_ns) SELECT id, 'run', 'x', 2, 'none',"
	    " 1, 5 * id, 100 FROM session;");
	reader = derive_open(fixture.path, false, &err);
	test_ok(!reader, &err);
	for (int64_t i = 0; i < 6; i++)
		for (unsigned view = 0; view < RESULTS_VIEW_COUNT; view++)
			check_same_view(fixture.results, reader,
			    (enum results_view)view, i % 3 + 1);
	results_close(reader);
	fixture_close(&fixture);
}

/* ---- trials and strategies that a sweep tells apart ---- */

static int64_t add_sweep(struct fixture *fixture, unsigned shards,
    uint64_t samples, const struct trial_row *trial)
{
	const struct strategy_row row = { .label = "raw/tar/none",
		.split = "raw",
		.shards = shards,
		.shards_asked = shards,
		.samples = samples,
		.predicted_storage_bytes = 100,
		.predicted_storage_low_bytes = 90,
		.predicted_storage_high_bytes = 110 };
	struct error err = ERROR_INIT;
	int64_t strategy;

	test_ok(results_add_strategy(
	            fixture->results, fixture->session, &row, &strategy, &err),
	    &err);
	test_ok(
	    results_add_trial(fixture->results, strategy, trial, &err), &err);
	return strategy;
}

static void test_results_tell_the_trials_of_a_sweep_apart(void **state)
{
	const struct trial_row base = { .threads = 2, .batch = 64 };
	struct trial_row trials[] = { base, base, base, base, base, base };
	struct error err = ERROR_INIT;
	struct fixture fixture;
	struct grid grid = GRID_INIT;
	int64_t strategy = 0;

	UNUSED(state);
	fixture_open(&fixture);
	trials[1].fetchers = 4;
	trials[2].read_ahead = 8;
	trials[3].shuffle = 16;
	trials[4].batch = 32;
	trials[5].cache = CACHE_APPLICATION;
	trials[5].place = "resized";
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		strategy = add_sweep(&fixture, 0, 0, &trials[i]);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		assert_int_equal(results_has_trial(fixture.results, strategy,
		                     &trials[i], &err),
		    1);
	assert_int_not_equal(add_sweep(&fixture, 8, 0, &base), strategy);
	assert_int_not_equal(add_sweep(&fixture, 0, 12, &base), strategy);
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_int_equal(grid.row_count, 8);
	assert_string_equal(grid_text(&grid, 0, "cache_place"), "resized");
	fixture_near(&grid, 1, "fetchers", 0);
	fixture_near(&grid, 1, "shuffle", 0);
	fixture_near(&grid, 1, "batch", 32);
	fixture_near(&grid, 3, "shuffle", 16);
	fixture_near(&grid, 4, "read_ahead", 8);
	fixture_near(&grid, 5, "fetchers", 4);
	fixture_near(&grid, 6, "shards", 8);
	fixture_near(&grid, 7, "source_samples", 12);
	fixture_near(&grid, 6, "source_samples", FIXTURE_SAMPLES);
	grid_release(&grid);
	fixture_close(&fixture);
}

/* Any number that `auto` found is the one that was asked for. */
static void test_results_find_what_auto_has_chosen(void **state)
{
	struct trial_row trial = { .threads = 3,
		.fetchers = 9,
		.batch = 64,
		.chosen = LOAD_THREADS | LOAD_FETCHERS };
	struct error err = ERROR_INIT;
	struct fixture fixture;
	int64_t strategy;

	UNUSED(state);
	fixture_open(&fixture);
	strategy = add_sweep(&fixture, 0, 0, &trial);
	trial.threads = trial.fetchers = 1;
#define HAS results_has_trial(fixture.results, strategy, &trial, &err)
	assert_int_equal(HAS, 1);
	trial.batch = 32;
	assert_int_equal(HAS, 0);
	trial.batch = 64;
	trial.chosen = LOAD_THREADS;
	assert_int_equal(HAS, 0);
#undef HAS
	/* Another number found takes the place of the one before. */
	trial.chosen = LOAD_THREADS | LOAD_FETCHERS;
	add_sweep(&fixture, 0, 0, &trial);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM trial"), 1);
	/* So does one that is asked for, with its runs. */
	sql_run(fixture.path,
	    "INSERT INTO step (trial, position, name, step, cpu_ns, samples)"
	    " SELECT id, 1, 'a', 'a', 1, 1 FROM trial");
	trial.chosen = 0;
	add_sweep(&fixture, 0, 0, &trial);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM trial"), 1);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM step"), 0);
	fixture_close(&fixture);
}

static void test_results_keep_what_a_search_left_out(void **state)
{
	const struct trial_row trial = { .threads = 2,
		.batch = 64,
		.state = TRIAL_SKIPPED,
		.message = "cannot win",
		.predicted_samples_per_s = 10,
		.predicted_low = 8,
		.predicted_high = 12,
		.predicted = true,
		.bound_samples_per_s = 12 };
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	add_sweep(&fixture, 0, 0, &trial);
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_string_equal(grid_text(&grid, 0, "status"), "skipped");
	assert_string_equal(grid_text(&grid, 0, "source"), "predicted");
	assert_string_equal(grid_text(&grid, 0, "why"), "cannot win");
	fixture_near(&grid, 0, "predicted_low_samples_per_s", 8);
	fixture_near(&grid, 0, "predicted_high_samples_per_s", 12);
	fixture_near(&grid, 0, "bound_high_samples_per_s", 12);
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_results_keep_filters_differences_and_events(void **state)
{
	struct trace_event events[] = {
		{ 1, "worker 1", TRACE_STEP, "decoded", 5, 9, 0 },
		{ 0, "", TRACE_QUEUE, "queue: chunks", 6, 6, 3 },
	};
	const struct run_row run = {
		.run = 1, .epoch = 1, .wall_ns = 1, .samples = 7, .filtered = 3
	};
	const struct preparation_row preparation = { .filtered = 2,
		.equivalent = EQUIVALENT_LOSSY,
		.has_difference = true,
		.difference_largest = 3,
		.difference_mean = 0.5,
		.psnr_db = 40 };
	const struct trial_row trial = { .runs = &run,
		.run_count = 1,
		.events = { .list = events, .count = ARRAY_LEN(events) } };
	struct fixture fixture;
	struct grid grid = GRID_INIT, trace = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_store(&fixture, "resized", &preparation, &trial);
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	fixture_near(&grid, 0, "filtered", 5);
	fixture_near(&grid, 0, "difference_largest", 3);
	fixture_near(&grid, 0, "difference_mean", 0.5);
	fixture_near(&grid, 0, "psnr_db", 40);
	fixture_read(&fixture, RESULTS_TRACE, &trace);
	assert_int_equal(trace.row_count, 2);
	assert_string_equal(grid_text(&trace, 0, "kind"), "step");
	assert_string_equal(grid_text(&trace, 0, "thread_name"), "worker 1");
	assert_string_equal(grid_text(&trace, 1, "name"), "queue: chunks");
	fixture_near(&trace, 1, "value", 3);
	fixture_near(&trace, 0, "end_ns", 9);
	grid_release(&grid);
	grid_release(&trace);
	fixture_close(&fixture);
}

/* A step may be named as the loader names an activity. */
static void test_results_trace_an_event_once(void **state)
{
	struct trace_event event = { .kind = TRACE_STEP, .name = "parse" };
	const struct step_row steps[] = {
		{ .name = "parse", .step = "" },
		{ .name = "parse", .step = "resize" },
	};
	const struct preparation_row preparation = { .wall_ns = 1 };
	const struct trial_row trial = { .steps = steps,
		.step_count = ARRAY_LEN(steps),
		.events = { .list = &event, .count = 1 } };
	struct fixture fixture;
	struct grid trace = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_store(&fixture, "raw", &preparation, &trial);
	fixture_read(&fixture, RESULTS_TRACE, &trace);
	assert_int_equal(trace.row_count, 1);
	assert_string_equal(grid_text(&trace, 0, "step"), "resize");
	grid_release(&trace);
	fixture_close(&fixture);
}

static void test_results_keep_the_events_of_the_fastest(void **state)
{
	static const struct {
		const char *label;
		enum cache_mode cache;
		uint64_t wall_ns; /* 0: no epoch is steady */
		bool kept;
	} cases[] = {
		{ "unprocessed", CACHE_NONE, 9000, true },
		{ "raw", CACHE_NONE, 300, true },
		{ "resized", CACHE_NONE, 500, false },
		{ "centered", CACHE_NONE, 200, true },
		{ "scaled", CACHE_NONE, 300, false }, /* as fast as raw */
		{ "turned", CACHE_SYSTEM, 0, false },
		{ "cropped", CACHE_SYSTEM, 700, true },
		{ "padded", CACHE_SYSTEM, 800, true },
	};
	struct trace_event event = { .name = "read", .end_ns = 1 };
	const struct preparation_row preparation = { .wall_ns = 1 };
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct grid trace = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct run_row run = { .run = 1,
			.epoch = cases[i].cache == CACHE_NONE ? 1 : 2,
			.wall_ns = cases[i].wall_ns,
			.samples = 1 };
		const struct trial_row trial = { .cache = cases[i].cache,
			.runs = &run,
			.run_count = cases[i].wall_ns > 0,
			.events = { .list = &event, .count = 1 } };

		fixture_store(&fixture, cases[i].label, &preparation, &trial);
	}
	assert_false(
	    results_keep_best_events(fixture.results, fixture.session, &err));
	fixture_read(&fixture, RESULTS_TRACE, &trace);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool kept = false;

		for (size_t row = 0; row < trace.row_count; row++)
			kept |= strcmp(grid_text(&trace, row, "strategy"),
			            cases[i].label) == 0;
		if (kept != cases[i].kept)
			fail_msg("%s: %d", cases[i].label, kept);
	}
	grid_release(&trace);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_open_asks_to_profile_first),
		cmocka_unit_test(test_results_open_refuses_what_is_not_its_own),
		cmocka_unit_test(
		    test_results_open_brings_an_older_one_up_to_date),
		cmocka_unit_test(test_results_open_says_why_not),
		cmocka_unit_test(
		    test_results_open_to_read_leaves_an_older_one_as_it_is),
		cmocka_unit_test(test_results_open_finds_a_damaged_file),
		cmocka_unit_test(test_results_are_wal_with_foreign_keys),
		cmocka_unit_test(
		    test_results_store_a_trial_whole_or_not_at_all),
		cmocka_unit_test(test_results_know_what_is_left_to_do),
		cmocka_unit_test(test_results_keep_the_session_as_it_was_given),
		cmocka_unit_test(
		    test_results_of_one_session_are_those_among_others),
		cmocka_unit_test(test_results_cache_names),
		cmocka_unit_test(test_results_keeps_what_the_reference_took),
		cmocka_unit_test(test_results_tell_the_trials_of_a_sweep_apart),
		cmocka_unit_test(test_results_find_what_auto_has_chosen),
		cmocka_unit_test(test_results_keep_what_a_search_left_out),
		cmocka_unit_test(
		    test_results_keep_filters_differences_and_events),
		cmocka_unit_test(test_results_keep_the_events_of_the_fastest),
		cmocka_unit_test(test_results_trace_an_event_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
