/*
 * test_stored_hashes.c - strategies that pass the same samples to their online
 * steps as a verified one: recognized by hashes, wherever they are stored.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/medium.h"
#include "lib/stores/store.h"
#include "strategies/prepare/prepare.h"
#include "strategies/session/session.h"
#include "strategies/trial/stored_hashes.h"
#include "strategies/trial/trial.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

enum { STREAMS = 8, SHARDS = 4, PER_STREAM = 6, THREADS = 2 };

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "centered = center\n";

struct setup {
	struct planned planned;
	struct fake fake;
	struct medium *medium;
	char *scratch;
	bool drop_failed;
};

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	s->fake.varied = true;
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->medium = medium_new_local(&err);
	s->scratch = test_scratch();
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	test_scratch_remove(s->scratch);
	medium_free(s->medium);
	planned_release(&s->planned);
	free(s);
	return 0;
}

/* Prepares a strategy in the folder `name`, and opens what it stored. */
static struct reader *prepare(
    struct setup *s, const char *label, const char *name)
{
	struct error err = ERROR_INIT;
	struct strategy strategy;
	struct prepared made;
	char *dir = test_path(s->scratch, name);
	const struct prepare_plan plan = {
		.source = &s->fake.reader,
		.pipeline = &s->planned.pipeline,
		.strategy = &strategy,
		.medium = s->medium,
		.folder.dir = dir,
		.threads = THREADS,
		.shards = SHARDS,
		.folder.fingerprint = "f",
	};
	struct reader *reader;

	test_ok(
	    strategy_parse(&strategy, label, &s->planned.pipeline, &err), &err);
	test_ok(path_make_dirs(dir, &err), &err);
	test_ok(prepare_run(&plan, &made, &err), &err);
	reader = store_open(s->medium, dir, &err);
	if (!reader)
		fail_msg("%s: %s", label, err.text);
	free(dir);
	return reader;
}

static int read_of(struct setup *s, const struct reader *reader, unsigned split,
    struct outputs *inputs, struct error *err)
{
	const struct stored_hashes_plan how = {
		.plan = &s->planned.plan,
		.reader = reader,
		.pipeline = &s->planned.pipeline,
		.split = split,
		.threads = THREADS,
		.medium = s->medium,
	};

	*inputs = (struct outputs)OUTPUTS_INIT;
	return stored_hashes_read(&how, inputs, err);
}

static void check_same(struct setup *s, const char *label, unsigned split,
    const struct outputs *wanted)
{
	struct error err = ERROR_INIT;
	struct reader *reader = prepare(s, label, "same");
	struct outputs inputs;
	char *dir = test_path(s->scratch, "same");

	test_ok(read_of(s, reader, split, &inputs, &err), &err);
	assert_int_equal(inputs.count, STREAMS * PER_STREAM);
	if (!outputs_equal(&inputs, wanted))
		fail_msg("%s differs", label);
	outputs_release(&inputs);
	reader_free(reader);
	test_ok(path_remove_tree(dir, &err), &err);
	free(dir);
}

/* In whatever store, with whatever codec: the samples of the source. */
static void test_stored_hashes_are_the_same_from_every_store(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct outputs raw, large;
	struct reader *stored;

	test_ok(read_of(s, &s->fake.reader, 0, &raw, &err), &err);
	check_same(s, "raw/tfrecord/none", 0, &raw);
	check_same(s, "raw/tar/gzip:6", 0, &raw);
	check_same(s, "raw/npy/zlib:6", 0, &raw);
	check_same(s, "raw/files/delta+zstd:1", 0, &raw);
	stored = prepare(s, "large/tfrecord/none", "large");
	test_ok(read_of(s, stored, 1, &large, &err), &err);
	check_same(s, "large/tar/zstd:1", 1, &large);
	assert_false(outputs_equal(&raw, &large));
	assert_false(outputs_within(&large, &raw));
	reader_free(stored);
	outputs_release(&large);
	outputs_release(&raw);
}

/* One pixel, one label, one sample more or less: not the same. */
static void test_stored_hashes_tell_what_differs(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct outputs raw, other;
	struct fake twin;

	test_ok(read_of(s, &s->fake.reader, 0, &raw, &err), &err);
	fake_init(&twin, STREAMS, PER_STREAM);
	twin.reader.priv = &twin;
	test_ok(read_of(s, &twin.reader, 0, &other, &err), &err);
	assert_int_equal(raw.count, other.count);
	assert_false(outputs_equal(&raw, &other));
	outputs_release(&other);
	fake_init(&twin, STREAMS - 1, PER_STREAM);
	twin.varied = true;
	test_ok(read_of(s, &twin.reader, 0, &other, &err), &err);
	assert_false(outputs_equal(&raw, &other));
	assert_true(outputs_within(&other, &raw));
	assert_false(outputs_within(&raw, &other));
	other.list[3].hash ^= 1;
	assert_false(outputs_within(&other, &raw));
	outputs_release(&other);
	outputs_release(&raw);
}

static void flip(const char *dir, const char *name)
{
	struct buf shard = BUF_INIT;

	test_read_file(dir, name, &shard);
	shard.data[shard.len / 2] ^= 1;
	test_write_file(dir, name, buf_span(&shard));
	buf_release(&shard);
}

/* A flipped bit is found, and where. */
static void test_stored_hashes_are_checked(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct outputs inputs;
	struct reader *reader = prepare(s, "raw/tar/gzip:6", "bad");
	char *dir = test_path(s->scratch, "bad");

	flip(dir, "shard-000002.tar.gz");
	assert_int_equal(read_of(s, reader, 0, &inputs, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "shard-000002.tar.gz");
	test_contains(err.text, "checksum");
	outputs_release(&inputs);
	reader_free(reader);
	free(dir);
}

static void test_stored_hashes_end_when_told(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct outputs inputs = OUTPUTS_INIT;
	const atomic_bool stop = true;
	const struct stored_hashes_plan how = {
		.plan = &s->planned.plan,
		.reader = &s->fake.reader,
		.pipeline = &s->planned.pipeline,
		.threads = THREADS,
		.medium = s->medium,
		.stop = &stop,
	};

	assert_int_equal(stored_hashes_read(&how, &inputs, &err), -1);
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	outputs_release(&inputs);
}

/* Where the steps take long, and the samples are small. */
static void test_stored_hashes_are_read_where_that_saves_time(void **state)
{
	struct setup *s = *state;
	struct model *model = planned_model(&s->planned, &s->fake.reader, 0);
	const struct strategy strategy = { .unprocessed = true };
	const struct load load = {
		.samples = 10000, .threads = THREADS, .cache = CACHE_SYSTEM
	};

	model->machine.copy_bytes_per_s = model->machine.hash_bytes_per_s = 4e9;
	model->field_bytes[0] = 1e5;
	model->online_s[0] = 1e-3;
	assert_true(stored_hashes_save_time(model, &strategy, &load));
	model->online_s[0] = 1e-4; /* as long as to hash */
	assert_false(stored_hashes_save_time(model, &strategy, &load));
	model->online_s[0] = 1e-3;
	model->field_bytes[0] = 1e6;
	assert_false(stored_hashes_save_time(model, &strategy, &load));
	/* Short epochs are looked at as a whole. */
	model->field_bytes[0] = 1e3;
	assert_false(stored_hashes_save_time(model, &strategy,
	    &(struct load){ .samples = 100, .threads = THREADS }));
	free(model);
}

/* ---- trials of what is the same ---- */

static struct trial_plan trial_of(struct setup *s, const struct reader *reader)
{
	return (struct trial_plan){
		.loading.plan = &s->planned.plan,
		.reader = reader,
		.loading.pipeline = &s->planned.pipeline,
		.loading.mode.threads = THREADS,
		.loading.mode.cache = CACHE_NONE,
		.medium = s->medium,
		.drop_failed = &s->drop_failed,
		.check.epoch_s = 1000,
	};
}

/* The part that is looked at is a part of what all of it delivers. */
static void test_trial_hashes_a_part_where_that_will_do(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct reader *reader = prepare(s, "raw/tfrecord/none", "part");
	struct trial_plan plan = trial_of(s, reader);
	struct trial *all, *part;

	plan.check.whole = true;
	all = trial_open(&plan, &err);
	test_ok(trial_check(all, &err), &err);
	assert_int_equal(
	    trial_get_result(all)->outputs.count, STREAMS * PER_STREAM);
	plan.check.whole = false;
	part = trial_open(&plan, &err);
	test_ok(trial_check(part, &err), &err);
	assert_true(trial_get_result(part)->traced_fraction < 0.5);
	assert_true(trial_get_result(part)->outputs.count > 0);
	assert_true(trial_get_result(part)->outputs.count <
	            trial_get_result(all)->outputs.count);
	assert_true(outputs_within(
	    &trial_get_result(part)->outputs, &trial_get_result(all)->outputs));
	trial_close(part);
	trial_close(all);
	reader_free(reader);
}

/* Partial epochs are taken over; a flipped bit is found all the same. */
static void test_trial_takes_over_what_is_the_same(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct reader *gzip = prepare(s, "raw/tar/gzip:6", "gzip");
	struct reader *zlib = prepare(s, "raw/tar/zlib:6", "zlib");
	struct trial_plan plan = trial_of(s, gzip);
	struct trial *checked = trial_open(&plan, &err), *trial;
	const struct trial_result *a = trial_get_result(checked), *b;
	char *dir = test_path(s->scratch, "zlib");

	test_ok(trial_check(checked, &err), &err);
	plan.reader = zlib;
	plan.check.like = checked;
	trial = trial_open(&plan, &err);
	b = trial_get_result(trial);
	test_ok(trial_check(trial, &err), &err);
	assert_memory_equal(&a->partial, &b->partial, sizeof(a->partial));
	assert_true(b->traced_fraction == a->traced_fraction);
	assert_true(outputs_equal(&b->outputs, &a->outputs));
	assert_true(b->outputs.count > 0);
	test_ok(trial_run(trial, &err), &err);
	assert_int_equal(b->runs[0].samples, STREAMS * PER_STREAM);
	trial_close(trial);
	reader_free(zlib);
	flip(dir, "shard-000001.tar.zz");
	zlib = store_open(s->medium, dir, &err);
	plan.reader = zlib;
	trial = trial_open(&plan, &err);
	assert_int_equal(trial_check(trial, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "shard-000001.tar.zz");
	trial_close(trial);
	trial_close(checked);
	reader_free(zlib);
	reader_free(gzip);
	free(dir);
}

/* What cold reading takes tells how much of a cold epoch is looked at. */
static void test_trial_levels_know_how_slow_the_storage_is(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct reader *reader = prepare(s, "raw/tfrecord/none", "slow");
	struct trial_plan plan = trial_of(s, reader);
	double rate = 0;

	plan.cold_rate = &rate;
	for (int i = 0; i < 3; i++) {
		struct trial *trial;
		const struct partial_row *read;

		/* At first not known; then one byte a second. */
		rate = i == 0 ? 0 : 1;
		plan.loading.mode.cache = i == 2 ? CACHE_SYSTEM : CACHE_NONE;
		trial = trial_open(&plan, &err);
		read = &trial_get_result(trial)->partial.rows[EXTENT_READ];
		test_ok(trial_check(trial, &err), &err);
		assert_int_equal(
		    read->samples, i == 1 ? STREAMS * PER_STREAM / SHARDS
		                          : STREAMS * PER_STREAM);
		assert_true(i == 2 ? rate == 1 : rate > 1000);
		trial_close(trial);
	}
	reader_free(reader);
}

/* ---- all of it ---- */

static const char session_text[] = "[pipeline]\n"
                                   "large = resize size=12x10\n"
                                   "centered = center\n"
                                   "[strategies]\n"
                                   "store = tar, npy\n"
                                   "codec = none, gzip:6, zlib:6\nshards = 2\n"
                                   "[load]\nthreads = 2\ncache = none\n"
                                   "[measure]\nruns = 1\nepochs = 2\n"
                                   "min_run_time = 0\nprobe = no\n";

/* How many samples of each strategy went through its last step. */
static void check_traced(struct results *results, int64_t session, bool is_slow)
{
	static const struct {
		const char *label;
		bool all;
	} wanted[] = {
		{ "unprocessed", true },
		{ "raw/tar/none", false },
		{ "raw/tar/gzip:6", false },
		{ "raw/tar/zlib:6", false },
		{ "raw/npy/gzip:6", false },
		{ "large/tar/none", true },
		{ "large/tar/gzip:6", false },
		{ "large/npy/none", false },
	};
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT;

	test_ok(
	    results_read(results, RESULTS_STEPS, session, &grid, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		unsigned found = 0;

		for (size_t r = 0; r < grid.row_count; r++) {
			const double samples = grid_number(&grid, r, "samples");

			if (strcmp(grid_text(&grid, r, "strategy"),
			        wanted[i].label) != 0 ||
			    strcmp(grid_text(&grid, r, "name"), "centered") !=
			        0)
				continue;
			found++;
			assert_true(samples > 0);
			if ((samples == STREAMS * PER_STREAM) !=
			    (wanted[i].all || !is_slow))
				fail_msg("%s: %.0f samples", wanted[i].label,
				    samples);
		}
		assert_int_equal(found, 1);
	}
	grid_release(&grid);
}

static void check_session(
    struct setup *s, struct results *results, double seconds, bool is_slow)
{
	struct error err = ERROR_INIT;
	struct model *model = planned_model(&s->planned, &s->fake.reader, 100);
	const struct session_plan plan = {
		.plan = &s->planned.plan,
		.pipeline = &s->planned.pipeline,
		.strategies = &s->planned.strategies,
		.model = model,
		.source = &s->fake.reader,
		.medium = s->medium,
		.name = "fake",
		.dataset.path = "fake",
		.work_dir = s->scratch,
	};
	struct grid grid = GRID_INIT;
	int64_t id;

	for (unsigned i = 0; i < s->planned.pipeline.count; i++)
		model->online_s[i] = seconds;
	test_ok(session_run(&plan, results, &id, &err), &err);
	test_ok(results_read(results, RESULTS_TRIALS, id, &grid, &err), &err);
	assert_int_equal(grid.row_count, s->planned.strategies.count);
	for (size_t r = 0; r < grid.row_count; r++)
		assert_string_equal(grid_text(&grid, r, "equivalent"), "yes");
	grid_release(&grid);
	check_traced(results, id, is_slow);
	free(model);
}

/*
 * All are the same, and those that store the same run few of the steps where
 * these are slow.
 */
static void test_session_runs_long_steps_once(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	char *db = test_path(s->scratch, "presto.db");
	struct results *results = results_open(db, true, &err);

	assert_non_null(results);
	planned_release(&s->planned);
	test_ok(planned_read(
	            &s->planned, session_text, &s->fake.reader.schema, &err),
	    &err);
	check_session(s, results, 1, true);
	check_session(s, results, 1e-6, false);
	results_close(results);
	free(db);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_stored_hashes_are_the_same_from_every_store),
		TEST(test_stored_hashes_tell_what_differs),
		TEST(test_stored_hashes_are_checked),
		TEST(test_stored_hashes_end_when_told),
		TEST(test_stored_hashes_are_read_where_that_saves_time),
		TEST(test_trial_hashes_a_part_where_that_will_do),
		TEST(test_trial_takes_over_what_is_the_same),
		TEST(test_trial_levels_know_how_slow_the_storage_is),
		TEST(test_session_runs_long_steps_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
