/* test_probe.c - measuring a storage: probes, fio, and saved ceilings. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/measure/storage/probe.h"
#include "lib/measure/storage/probe_read.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "strategies/forecast/models/ceilings.h"
#include "strategies/session/session_state.h"
#include "test/unit/test.h"

enum { LARGE = 4 << 20, FILES = 9, FILE_BYTES = 5000 };

/* A small probe of a scratch folder; keeps the last warning. */
struct trial {
	char *dir;
	struct probe_plan plan;
	struct probe probe;
	char warning[1200];
};

static void note_warning(void *arg, const char *text)
{
	struct trial *trial = arg;

	snprintf(trial->warning, sizeof(trial->warning), "%s", text);
}

static struct trial *trial_new(const struct storage_limits *limits)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	struct error err = ERROR_INIT;

	assert_non_null(trial);
	trial->dir = test_scratch_on_disk();
	trial->plan = (struct probe_plan){
		.dir = trial->dir,
		.medium = limits ? medium_new_emulated(limits, &err)
		                 : medium_new_local(&err),
		.large_bytes = LARGE,
		.files = FILES,
		.file_bytes = FILE_BYTES,
		.threads = { 1, 2 },
		.thread_count = 2,
		.write_s = 60,
		.row_s = 10,
		.precision = 1, /* five passes are enough */
		.warn = note_warning,
		.arg = trial,
	};
	assert_non_null(trial->plan.medium);
	return trial;
}

/* Nothing may be left in the folder. */
static void trial_free(struct trial *trial)
{
	struct error err = ERROR_INIT;
	char name[256];

	test_ok(path_find_any(trial->dir, NULL, name, &err), &err);
	assert_string_equal(name, "");
	medium_free(trial->plan.medium);
	test_scratch_remove(trial->dir);
	free(trial);
}

static void test_probe_reads_everything_with_each_number_of_threads(
    void **state)
{
	static const struct {
		enum ceiling_pattern pattern;
		unsigned threads;
		uint64_t files, bytes;
		bool warm;
	} wanted[] = {
		{ CEILING_SEQUENTIAL, 1, 1, LARGE / 2, false },
		{ CEILING_SEQUENTIAL, 1, 1, LARGE / 2, true },
		{ CEILING_SEQUENTIAL, 2, 1, LARGE / 2, false },
		{ CEILING_SEQUENTIAL, 2, 1, LARGE / 2, true },
		{ CEILING_FILES, 1, FILES, FILE_BYTES, false },
		{ CEILING_FILES, 1, FILES, FILE_BYTES, true },
		{ CEILING_FILES, 2, FILES / 2, FILE_BYTES, false },
		{ CEILING_FILES, 2, FILES / 2, FILE_BYTES, true },
	};
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(NULL);

	UNUSED(state);
	trial->plan.warm = true;
	test_ok(probe_run(&trial->plan, &trial->probe, &err), &err);
	assert_int_equal(trial->probe.count, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct ceiling *c = &trial->probe.rows[i].ceiling;

		assert_int_equal(c->pattern, wanted[i].pattern);
		assert_int_equal(c->threads, wanted[i].threads);
		assert_int_equal(c->files, wanted[i].files);
		assert_int_equal(c->file_bytes, wanted[i].bytes);
		assert_int_equal(trial->probe.rows[i].warm, wanted[i].warm);
		assert_true(c->bytes_per_s > 0 && c->requests_per_s > 0);
		assert_true(c->latency_s > 0);
		assert_false(c->cold && wanted[i].warm);
		assert_string_equal(c->tool, "presto");
		assert_int_equal(strlen(c->measured), 20);
	}
	trial_free(trial);
}

static void test_probe_shows_the_limits_of_an_emulated_storage(void **state)
{
	const struct storage_limits limits = { .bandwidth = 40e6,
		.latency = 1e-3 };
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(&limits);

	UNUSED(state);
	test_ok(probe_run(&trial->plan, &trial->probe, &err), &err);
	for (size_t i = 0; i < trial->probe.count; i++) {
		const struct ceiling *c = &trial->probe.rows[i].ceiling;

		assert_true(c->bytes_per_s < 40.1e6);
		assert_true(c->latency_s > 1e-3);
	}
	trial_free(trial);
}

static void test_probe_ends_early_when_time_is_short(void **state)
{
	const struct storage_limits limits = { .latency = 5e-3 };
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(&limits);

	UNUSED(state);
	trial->plan.files = 100000;
	trial->plan.write_s = 0.05;
	trial->plan.row_s = 0.02;
	test_ok(probe_run(&trial->plan, &trial->probe, &err), &err);
	assert_int_equal(trial->probe.count, 4);
	assert_true(trial->probe.rows[2].ceiling.files < 100000);
	trial_free(trial);
}

static void test_probe_leaves_nothing_when_it_is_stopped(void **state)
{
	const atomic_bool stop = true;
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(NULL);

	UNUSED(state);
	trial->plan.stop = &stop;
	assert_int_equal(probe_run(&trial->plan, &trial->probe, &err), -1);
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	trial_free(trial);
}

static void test_probe_says_what_room_it_needs(void **state)
{
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(NULL);

	UNUSED(state);
	trial->plan.file_bytes = (uint64_t)1e17;
	assert_int_equal(probe_run(&trial->plan, &trial->probe, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	test_contains(err.text, " are free, the probe needs 945 PB");
	trial_free(trial);
}

static void test_probe_needs_a_folder_that_it_may_write_to(void **state)
{
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(NULL);
	char *missing = test_path(trial->dir, "missing");

	UNUSED(state);
	trial->plan.dir = missing;
	assert_int_equal(probe_run(&trial->plan, &trial->probe, &err), -1);
	test_contains(err.text, "cannot make a folder in");
	free(missing);
	trial_free(trial);
}

/* A thread's error is that of the pass. */
static void test_probe_read_says_what_cannot_be_read(void **state)
{
	char missing[] = "/nowhere";
	const struct probe_files files = {
		.dir = missing, .large_count = 2, .large_bytes = LARGE
	};
	const struct probe_pass pass = { .pattern = CEILING_SEQUENTIAL,
		.threads = 2,
		.read_bytes = PROBE_REQUEST,
		.limit_s = 10 };
	struct error err = ERROR_INIT;
	struct trial *trial = trial_new(NULL);
	struct probe_time time;

	UNUSED(state);
	assert_int_equal(
	    probe_read(&trial->plan, &files, &pass, &time, &err), -1);
	test_contains(err.text, "/nowhere/large.");
	trial_free(trial);
}

/* ---- fio ---- */

/* A fio in front of PATH that says this. */
static char *fake_fio(const char *script)
{
	char *dir = test_scratch(), *path = test_path(dir, "fio");
	char text[1024];

	snprintf(text, sizeof(text),
	    "#!/bin/sh\n"
	    "[ \"$1\" = --version ] && echo fio-9.12 && exit\n%s\n",
	    script);
	test_write(dir, "fio", text);
	assert_int_equal(chmod(path, 0700), 0);
	free(path);
	return dir;
}

/* Runs the trial with this fio; the path is as before afterwards. */
static void run_with_fio(struct trial *trial, const char *script)
{
	const char *before = getenv("PATH");
	char *old = strdup(before ? before : "/bin:/usr/bin");
	char *dir = fake_fio(script), path[4096];
	struct error err = ERROR_INIT;

	snprintf(path, sizeof(path), "%s:%s", dir, old);
	assert_int_equal(setenv("PATH", path, 1), 0);
	trial->plan.fio = true;
	trial->warning[0] = '\0';
	test_ok(probe_run(&trial->plan, &trial->probe, &err), &err);
	assert_int_equal(setenv("PATH", old, 1), 0);
	free(old);
	test_scratch_remove(dir);
}

static void test_probe_takes_what_fio_says(void **state)
{
	struct trial *trial = trial_new(NULL);
	const struct ceiling *c = &trial->probe.rows[0].ceiling;

	UNUSED(state);
	run_with_fio(trial,
	    "ls small.*.0.0 large.0 >/dev/null || exit 4\n"
	    /* pages that are alike may be stored once */
	    "cmp -s -n 4096 large.0 large.1 && exit 5\n"
	    "echo 'fio: a note'; echo '{ \"jobs\": [ { \"error\": 0, \"read\":"
	    " { \"io_bytes\": 4000, \"total_ios\": 1, \"runtime\": 2 } } ] }'");
	assert_string_equal(trial->warning, "");
	assert_int_equal(trial->probe.count, 4);
	assert_string_equal(c->tool, "fio 9.12");
	assert_int_equal((int)(c->bytes_per_s + 0.5), 2000000);
	/* for 1 MiB, whatever the size of the requests */
	assert_int_equal((int)(1e6 * c->latency_s + 0.5), 524288);
	assert_int_equal(c->passes, PROBE_READ_SIZES + PROBE_PASSES - 1);
	assert_int_equal((int)(c->low_per_s + 0.5), 2000000);
	assert_int_equal((int)(c->high_per_s + 0.5), 2000000);
	trial_free(trial);
}

/* fio drops a file's pages, unless it is told that they shall be warm. */
static void test_probe_tells_fio_what_is_warm(void **state)
{
	struct trial *trial = trial_new(NULL);

	UNUSED(state);
	trial->plan.warm = true;
	run_with_fio(trial,
	    "case \"$*\" in *--invalidate=1*) ms=200 ;;\n"
	    "*--invalidate=0*) ms=100 ;; *) exit 4 ;; esac\n"
	    "echo '{ \"jobs\": [ { \"error\": 0, \"read\":"
	    " { \"io_bytes\": 4000, \"total_ios\": 1, \"runtime\": '$ms' } }"
	    " ] }'");
	assert_string_equal(trial->warning, "");
	assert_int_equal(trial->probe.count, 8);
	for (size_t i = 0; i < trial->probe.count; i++) {
		const struct probe_row *row = &trial->probe.rows[i];

		assert_int_equal((int)(row->ceiling.bytes_per_s + 0.5),
		    row->warm ? 40000 : 20000);
	}
	trial_free(trial);
}

/* The first pass takes a second, all others a tenth of it. */
static void test_probe_tells_a_cache_from_a_storage(void **state)
{
	struct trial *trial = trial_new(NULL);

	UNUSED(state);
	run_with_fio(trial,
	    "ms=100; [ -e \"$0.ran\" ] || ms=1000; : >\"$0.ran\"\n"
	    "echo '{ \"jobs\": [ { \"error\": 0, \"read\":"
	    " { \"io_bytes\": 4000, \"total_ios\": 1, \"runtime\": '$ms' } }"
	    " ] }'");
	assert_string_equal(trial->warning, "");
	assert_int_equal((int)(trial->probe.cached.repeat + 0.5), 10);
	assert_true(trial->probe.cached.early <= 0); /* fio does not tell */
	trial_free(trial);
	trial = trial_new(NULL);
	run_with_fio(trial,
	    "echo '{ \"jobs\": [ { \"error\": 0, \"read\":"
	    " { \"io_bytes\": 4000, \"total_ios\": 1, \"runtime\": 100 } }"
	    " ] }'");
	assert_true(trial->probe.cached.repeat < probe_cached_least);
	trial_free(trial);
}

static void test_probe_says_how_fio_failed_and_reads_itself(void **state)
{
	static const struct {
		const char *script, *warning;
	} cases[] = {
		{ "exit 3", "fio: it ended with status 3" },
		{ "kill -9 $$", "fio: it was ended by signal 9" },
		{ "echo words", "fio: it prints no JSON" },
		{ "echo '{'", "fio: it prints no JSON" },
		{ "echo '{\"jobs\": 3}'",
		    "fio: its JSON has no usable \"error\"" },
		{ "echo '{\"jobs\": [{\"error\": 5}]}'",
		    "fio: its JSON has no usable \"error\"" },
		{ "echo '{\"jobs\": [{\"error\": 0, \"read\": "
		  "{\"io_bytes\": 1e30}}]}'",
		    "fio: its JSON has no usable \"io_bytes\"" },
		{ "echo '{\"jobs\": [{\"error\": 0, \"read\": "
		  "{\"io_bytes\": 9, \"total_ios\": \"9\"}}]}'",
		    "fio: its JSON has no usable \"total_ios\"" },
		{ "echo '{\"jobs\": [{\"error\": 0, \"read\": "
		  "{\"io_bytes\": 9, \"total_ios\": 1, \"runtime\": 0}}]}'",
		    "fio: it read for less than a millisecond" },
		{ "echo '{\"jobs\": [{\"error\": 0, \"read\": "
		  "{\"io_bytes\": 9, \"total_ios\": 1}}]}'",
		    "fio: its JSON has no usable \"runtime\"" },
		{ "head -c 3000000 /dev/zero", "fio: it says too much" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct trial *trial = trial_new(NULL);

		run_with_fio(trial, cases[i].script);
		test_contains(trial->warning, cases[i].warning);
		test_contains(trial->warning, "; presto reads itself");
		assert_int_equal(trial->probe.count, 4);
		assert_string_equal(
		    trial->probe.rows[0].ceiling.tool, "presto");
		trial_free(trial);
	}
}

/* ---- what is kept ---- */

static void test_ceilings_are_measured_once_a_day(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "presto.db");
	struct results *results = results_open(path, true, &err);
	struct ceilings first, second;

	UNUSED(state);
	assert_non_null(results);
	test_ok(ceilings_of(results, dir, 2, 0, NULL, &first, &err), &err);
	assert_int_equal(first.count, 0);
	test_ok(ceilings_of(results, dir, 2, 0.5, NULL, &first, &err), &err);
	assert_int_equal(first.count, 4);
	test_ok(ceilings_of(results, dir, 2, 0, NULL, &second, &err), &err);
	if (*first.place.device) {
		assert_string_equal(second.place.device, first.place.device);
		assert_int_equal(second.count, 4);
		for (size_t i = 0; i < 4; i++) {
			const struct ceiling *a = &first.list[i];
			const struct ceiling *b = &second.list[i];

			assert_int_equal(a->pattern, b->pattern);
			assert_int_equal(a->threads, b->threads);
			assert_int_equal(a->files, b->files);
			assert_int_equal(a->file_bytes, b->file_bytes);
			assert_int_equal(a->cold, b->cold);
			assert_true(a->brief && b->brief);
			assert_string_equal(a->measured, b->measured);
			assert_string_equal(a->tool, b->tool);
			assert_true(a->bytes_per_s >= b->bytes_per_s &&
			            a->bytes_per_s <= b->bytes_per_s);
		}
	}
	results_close(results);
	free(path);
	test_scratch_remove(dir);
}

/* What a session of this plan, so long, knows of the storage. */
static size_t learn(const struct plan *plan, double seconds)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "presto.db");
	struct model *model = calloc(1, sizeof(*model));
	const struct session_plan of = {
		.plan = plan, .dataset.path = dir, .model = model
	};
	struct session session = {
		.plan = &of,
		.results = results_open(path, true, &err),
		.folder.path = dir,
	};
	size_t count;

	assert_non_null(model);
	assert_non_null(session.results);
	messages_init(&session.messages, &of, 0);
	session.messages.progress.all_s = seconds;
	test_ok(session_host_learn_ceilings(&session, &err), &err);
	count = model->stored_ceilings.count;
	messages_release(&session.messages);
	results_close(session.results);
	free(model);
	free(path);
	test_scratch_remove(dir);
	return count;
}

static void test_session_knows_the_storage_where_that_matters(void **state)
{
	const struct plan cold = { .measure.probe = true,
		.load.caches = { CACHE_SYSTEM, CACHE_NONE },
		.load.cache_count = 2,
		.load.threads = { 1 },
		.load.thread_count = 1 };
	struct plan plan = cold;

	UNUSED(state);
	assert_int_equal(learn(&plan, 5.1), 2);
	assert_int_equal(learn(&plan, 4), 0);
	plan.measure.budget_s = 4;
	assert_int_equal(learn(&plan, 10.1), 0);
	plan = cold;
	plan.measure.probe = false;
	assert_int_equal(learn(&plan, 10.1), 0);
	plan = cold;
	plan.load.cache_count = 1; /* warm ones only */
	assert_int_equal(learn(&plan, 10.1), 0);
	plan = cold;
	plan.limits.bandwidth = 1e9;
	assert_int_equal(learn(&plan, 10.1), 0);
}

/* Sequential reading, cold; rates in MB/s. */
#define SEEN(threads_, mb)                                          \
	{                                                           \
		.pattern = CEILING_SEQUENTIAL, .threads = threads_, \
		.bytes_per_s = (mb)*1e6, .cold = true,              \
	}

static void test_ceilings_find_the_most_that_was_seen(void **state)
{
	const struct ceilings known = {
		.list = { SEEN(1, 30), SEEN(4, 50), SEEN(2, 20), SEEN(2, 25),
		    { CEILING_SEQUENTIAL, .threads = 1, .bytes_per_s = 900e6 },
		    { CEILING_SEQUENTIAL, CEILING_OF_TRIAL, 3,
		        .bytes_per_s = 40e6, .cold = true },
		    { CEILING_FILES, .threads = 16, .requests_per_s = 7 },
		    { CEILING_FILES, .threads = 8, .requests_per_s = 4 },
		    { CEILING_FILES, .threads = 8, .requests_per_s = 5 } },
		.count = 9,
	};
	/* A trial alone is no ceiling: it may have waited for the cores. */
	const struct ceilings trial = { .list = { known.list[5] }, .count = 1 };
	static const struct {
		unsigned threads;
		double mb;
	} cases[] = { { 1, 30 }, { 2, 30 }, { 3, 40 }, { 4, 50 }, { 9, 50 } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(
		    ceilings_find(&known, CEILING_SEQUENTIAL, cases[i].threads)
		            ->bytes_per_s /
		        1e6,
		    cases[i].mb);
	assert_ptr_equal(
	    ceilings_find(&known, CEILING_FILES, 1), &known.list[8]);
	assert_ptr_equal(
	    ceilings_find(&known, CEILING_FILES, 20), &known.list[6]);
	assert_null(ceilings_find(&trial, CEILING_SEQUENTIAL, 4));
}

static double passed(const struct ceilings *known, unsigned threads, double mb)
{
	const struct ceilings_reading reading = { .threads = threads,
		.bytes_per_s = mb * 1e6 };

	return ceilings_passed(known, &reading);
}

/* Stores ceilings and reads them back. */
static void keep(struct results *results, const char *dir,
    const struct ceiling *list, size_t count, struct ceilings *known)
{
	struct error err = ERROR_INIT;

	test_ok(ceilings_read(results, dir, known, &err), &err);
	for (size_t i = 0; i < count; i++) {
		struct ceiling c = list[i];

		clock_utc(c.measured);
		test_ok(results_set_ceiling(results, &known->place, &c, &err),
		    &err);
	}
	test_ok(ceilings_read(results, dir, known, &err), &err);
}

static void test_ceilings_are_raised_by_what_reads_faster(void **state)
{
	static const struct ceiling slow[] = { SEEN(1, 30), SEEN(2, 20) };
	static const struct ceiling lower[] = { SEEN(1, 10) };
	struct ceilings_reading fast = { .threads = 2, .bytes_per_s = 60e6 };
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "presto.db");
	struct results *results = results_open(path, true, &err);
	struct ceilings known;

	UNUSED(state);
	keep(results, dir, slow, ARRAY_LEN(slow), &known);
	if (*known.place.device) {
		assert_true(passed(&known, 2, 29) <= 0);
		assert_int_equal(10 * passed(&known, 2, 60) + 0.5, 20);
		assert_int_equal(10 * passed(&known, 1, 45) + 0.5, 15);
		test_ok(ceilings_raise(results, &known, &fast, &err), &err);
		/* forecasts that are being made are those of before */
		assert_int_equal(10 * passed(&known, 2, 60) + 0.5, 20);
		/* a lower one says nothing, a lower probe neither */
		fast.bytes_per_s = 40e6;
		test_ok(ceilings_raise(results, &known, &fast, &err), &err);
		keep(results, dir, lower, ARRAY_LEN(lower), &known);
		assert_int_equal(known.count, 3);
		assert_true(passed(&known, 2, 60) <= 0);
		assert_true(passed(&known, 1, 30) <= 0);
		assert_true(passed(&known, 1, 31) > 1);
		/* another boot, or another machine, has other disks */
		strcpy(known.place.boot, "another");
		assert_int_equal(results_get_ceilings(results, &known.place,
		                     known.list, CEILINGS_MOST, &err),
		    0);
	}
	results_close(results);
	free(path);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_probe_reads_everything_with_each_number_of_threads),
		cmocka_unit_test(
		    test_probe_shows_the_limits_of_an_emulated_storage),
		cmocka_unit_test(test_probe_ends_early_when_time_is_short),
		cmocka_unit_test(test_probe_leaves_nothing_when_it_is_stopped),
		cmocka_unit_test(test_probe_says_what_room_it_needs),
		cmocka_unit_test(
		    test_probe_needs_a_folder_that_it_may_write_to),
		cmocka_unit_test(test_probe_read_says_what_cannot_be_read),
		cmocka_unit_test(test_probe_takes_what_fio_says),
		cmocka_unit_test(test_probe_tells_fio_what_is_warm),
		cmocka_unit_test(
		    test_probe_says_how_fio_failed_and_reads_itself),
		cmocka_unit_test(test_probe_tells_a_cache_from_a_storage),
		cmocka_unit_test(test_ceilings_are_measured_once_a_day),
		cmocka_unit_test(
		    test_session_knows_the_storage_where_that_matters),
		cmocka_unit_test(test_ceilings_find_the_most_that_was_seen),
		cmocka_unit_test(test_ceilings_are_raised_by_what_reads_faster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
