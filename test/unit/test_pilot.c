/* test_pilot.c - what the pilot tells of sizes, shapes and orders. */
#define _GNU_SOURCE /* syscall */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/forecast/models/order_cost.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/stored_order.h"
#include "test/unit/dataset.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

static struct model *pilot(const struct planned *planned,
    const struct reader *source, struct error *err)
{
	struct model *model = calloc(1, sizeof(*model));
	const struct pilot_plan how = {
		.source = source,
		.pipeline = &planned->pipeline,
		.plan = &planned->plan,
	};

	assert_non_null(model);
	test_ok(pilot_run(model, &how, err), err);
	return model;
}

static struct strategy find(const struct planned *planned, const char *label)
{
	struct strategy strategy;
	struct error err = ERROR_INIT;

	test_ok(
	    strategy_parse(&strategy, label, &planned->pipeline, &err), &err);
	return strategy;
}

/* ---- sizes ---- */

enum { FILES = 100, SMALL = 100, LARGE = 3000 };

/* Every third file is large, as the pilot cannot know. */
static uint64_t write_files(const char *dir)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < FILES; i++) {
		const size_t len = i % 3 ? SMALL : LARGE;
		char name[32], *bytes = calloc(len + 1, 1);

		memset(bytes, 'x', len);
		snprintf(name, sizeof(name), "a/%03u.txt", i);
		test_write(dir, name, bytes);
		free(bytes);
		all += len;
	}
	return all;
}

static double stored_bytes(
    const struct planned *planned, const struct model *model, const char *label)
{
	const struct strategy strategy = find(planned, label);

	return model_storage_bytes(model, &strategy, FILES);
}

/*
 * Sizes of files are known without reading them: a forecast of what is stored
 * as it is is then that of all of them, not of those of the pilot.
 */
static void test_pilot_knows_the_sizes_of_all_files(void **state)
{
	static const char text[] = "[pipeline]\nsame = identity\n"
	                           "[strategies]\nstore = files, tfrecord\n"
	                           "codec = none\n";
	struct error err = ERROR_INIT;
	struct planned planned;
	struct opened opened;
	struct model *model;
	char *dir = test_scratch();
	const double all = (double)write_files(dir);

	UNUSED(state);
	test_ok(opened_open(&opened, dir, "source = folder\npath = a", 0),
	    &opened.err);
	test_ok(
	    planned_read(&planned, text, &opened.reader->schema, &err), &err);
	model = pilot(&planned, opened.reader, &err);
	assert_true(model->correction.raw_known);
	assert_true(fabs(model->field_bytes[0] - all / FILES) < 1e-9);
	assert_true(fabs(model->field_bytes[1] / (all / FILES) - 1) < 0.02);
	/* Each shard has an index, with a line for each sample. */
	assert_true(stored_bytes(&planned, model, "raw/files/none") > all);
	assert_true(stored_bytes(&planned, model, "raw/files/none") <
	            all + FILES * 60 + 8 * 1000 + 2000);
	/* Each record has a key, a label and checksums besides. */
	assert_true(stored_bytes(&planned, model, "raw/tfrecord/none") >
	            all + FILES * 16);
	assert_true(stored_bytes(&planned, model, "raw/tfrecord/none") <
	            all + FILES * 200 + 8 * 1000 + 2000);
	free(model);
	planned_release(&planned);
	opened_close(&opened);
	test_scratch_remove(dir);
}

/* gzip and zlib have the same frames at a level: they are compressed once. */
static void test_pilot_compresses_twins_once(void **state)
{
	static const char text[] = "[pipeline]\nsame = identity\n"
	                           "[strategies]\nstore = tar\n"
	                           "codec = none, gzip:6, zlib:6, zlib:1\n";
	struct error err = ERROR_INIT;
	struct planned planned;
	struct opened opened;
	struct model *model;
	const struct packing *packing;
	char *dir = test_scratch();

	UNUSED(state);
	write_files(dir);
	test_ok(opened_open(&opened, dir, "source = folder\npath = a", 0),
	    &opened.err);
	test_ok(
	    planned_read(&planned, text, &opened.reader->schema, &err), &err);
	model = pilot(&planned, opened.reader, &err);
	packing = model->packing[0][0];
	assert_true(packing[1].bytes > 0);
	assert_true(packing[1].encode_s > 0);
	/* Another measurement would take another time. */
	assert_true(packing[2].encode_s == packing[1].encode_s);
	assert_true(packing[2].bytes == packing[1].bytes);
	assert_true(packing[3].encode_s != packing[1].encode_s);
	/* The head and the tail of zlib are shorter than those of gzip. */
	assert_true(packing[2].overhead.shard != packing[1].overhead.shard);
	free(model);
	planned_release(&planned);
	opened_close(&opened);
	test_scratch_remove(dir);
}

/* ---- storing, without time to load ---- */

static struct {
	const struct reader_ops *ops; /* the true ones */
	pthread_t pilot;
	atomic_ullong late_s; /* what the clock is ahead */
} slow;

/* Stands in for that of the C library. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	const int rc = (int)syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_MONOTONIC)
		now->tv_sec += (time_t)atomic_load(&slow.late_s);
	return rc;
}

/* Threads of a loader take 1,100 seconds for all they read. */
static int read_slowly(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	if (!pthread_equal(pthread_self(), slow.pilot))
		atomic_store(&slow.late_s, 1100);
	return slow.ops->next(reader, chunk, sample, err);
}

/*
 * Reading takes all of the time, so no stored data is loaded.  What it takes to
 * store it is known all the same.
 */
static void test_pilot_times_storing_without_time_to_load(void **state)
{
	static const char text[] = "[pipeline]\nsame = identity\n"
	                           "[strategies]\nstore = tar\n"
	                           "codec = none, gzip:6\n"
	                           "[load]\nthreads = 1\n";
	struct error err = ERROR_INIT;
	struct model *model = calloc(1, sizeof(*model));
	struct planned planned;
	struct opened opened;
	struct reader reader;
	struct reader_ops ops;
	struct pilot_plan how;
	char *dir = test_scratch();

	UNUSED(state);
	write_files(dir);
	test_ok(opened_open(&opened, dir, "source = folder\npath = a", 12),
	    &opened.err);
	test_ok(
	    planned_read(&planned, text, &opened.reader->schema, &err), &err);
	reader = *opened.reader;
	slow.ops = reader.ops;
	ops = *reader.ops;
	ops.next = read_slowly;
	reader.ops = &ops;
	slow.pilot = pthread_self();
	how = (struct pilot_plan){
		.source = &reader,
		.pipeline = &planned.pipeline,
		.plan = &planned.plan,
		.timed = true,
		.rehearse_s = 1000,
	};
	assert_non_null(model);
	test_ok(pilot_run(model, &how, &err), &err);
	for (size_t i = 0; i < model->rehearsed.count; i++)
		assert_true(model->rehearsed.list[i].unprocessed);
	assert_true(model->packing[0][0][0].store_s > 0);
	assert_true(model->packing[0][0][1].store_s > 0);
	model_release(model);
	free(model);
	planned_release(&planned);
	opened_close(&opened);
	test_scratch_remove(dir);
}

/* ---- shapes ---- */

static const char mixed_text[] = "[pipeline]\nlarge = resize size=12x10\n"
                                 "[strategies]\nstore = tar, npy\n"
                                 "codec = none\n";

/* Every third image is smaller: an array cannot have both. */
static void test_pilot_finds_shapes_that_a_store_cannot_keep(void **state)
{
	static const char *const kept[] = { "unprocessed", "raw/tar/none",
		"large/tar/none", "large/npy/none" };
	struct error err = ERROR_INIT;
	struct planned planned;
	struct strategy raw;
	struct model *model;
	struct fake fake;

	UNUSED(state);
	fake_init(&fake, 4, 6);
	fake.bad = 3;
	test_ok(planned_read(&planned, mixed_text, &fake.reader.schema, &err),
	    &err);
	model = pilot(&planned, &fake.reader, &err);
	for (size_t i = 1; i < ARRAY_LEN(kept); i++) {
		const struct strategy fine = find(&planned, kept[i]);

		test_ok(model_check(model, &fine, &err), &err);
	}
	raw = find(&planned, "raw/npy/none");
	assert_int_equal(model_check(model, &raw, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, "raw/npy (field data: 8x8x3 and 2x2x3): npy "
	                        "needs samples of one shape");
	assert_int_equal(planned.strategies.count, 5);
	test_ok(model_leave_out(model, &planned.strategies, &err), &err);
	assert_int_equal(planned.strategies.count, ARRAY_LEN(kept));
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		assert_string_equal(planned.strategies.list[i].label, kept[i]);
	assert_int_equal(planned.strategies.left_count, 1);
	free(model);
	planned_release(&planned);
}

/* ---- orders ---- */

static int fail_to_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	UNUSED(stream);
	UNUSED(chunk);
	return error_set(err, ERROR_SYSTEM, "the disk is broken");
}

static void test_order_cost_fails_where_the_source_does(void **state)
{
	const struct stored_order shuffled = { .shuffled = true, .seed = 1 };
	struct error err = ERROR_INIT;
	struct order_cost cost;
	struct reader_ops ops;
	struct fake fake;

	UNUSED(state);
	fake_init(&fake, 4, 6);
	test_ok(order_cost_measure(&cost, &shuffled, &fake.reader, &err), &err);
	assert_true(cost.given_s == 0); /* not by number: nothing to compare */
	fake_offer_picks(&fake);
	test_ok(order_cost_measure(&cost, &shuffled, &fake.reader, &err), &err);
	assert_true(cost.given_s > 0 && cost.stored_s > 0);
	ops = *fake.reader.ops;
	ops.stream_fetch = fail_to_fetch;
	fake.reader.ops = &ops;
	assert_int_equal(
	    order_cost_measure(&cost, &shuffled, &fake.reader, &err), -1);
	assert_string_equal(err.text, "the disk is broken");
	fake_offer_picks(&fake);
	fake.fail_at = 7;
	assert_int_equal(
	    order_cost_measure(&cost, &shuffled, &fake.reader, &err), -1);
	test_contains(err.text, "sample 7 cannot be fetched");
}

/* A program that waits takes no CPU time, but its time all the same. */
static void test_pilot_counts_the_time_that_own_steps_wait(void **state)
{
	static const char text[] =
	    "[pipeline]\n"
	    "slow = command 'sh -c \"sleep 0.05; cat\"'\n"
	    "[strategies]\nstore = files\ncodec = none\n";
	struct error err = ERROR_INIT;
	struct planned planned;
	struct opened opened;
	struct model *model;
	char *dir = test_scratch();

	UNUSED(state);
	test_write(dir, "a/a.txt", "text");
	test_write(dir, "a/b.txt", "text");
	test_ok(opened_open(&opened, dir, "source = folder\npath = a", 0),
	    &opened.err);
	test_ok(
	    planned_read(&planned, text, &opened.reader->schema, &err), &err);
	model = pilot(&planned, opened.reader, &err);
	assert_true(model->step_s[0] >= 0.05);
	free(model);
	planned_release(&planned);
	opened_close(&opened);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pilot_knows_the_sizes_of_all_files),
		cmocka_unit_test(test_pilot_compresses_twins_once),
		cmocka_unit_test(test_pilot_times_storing_without_time_to_load),
		cmocka_unit_test(
		    test_pilot_finds_shapes_that_a_store_cannot_keep),
		cmocka_unit_test(test_order_cost_fails_where_the_source_does),
		cmocka_unit_test(
		    test_pilot_counts_the_time_that_own_steps_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
