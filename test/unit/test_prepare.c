/*
 * test_prepare.c - the central invariant: every strategy gives the samples of
 * `unprocessed`; and stored data depends on the dataset only.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "lib/sample/permutation.h"
#include "lib/stores/store.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/materialize.h"
#include "strategies/prepare/prepare.h"
#include "strategies/trial/outputs.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

enum { STREAMS = 9, PER_STREAM = 6, SHARDS = 4 };

static const struct materialize_needs little = { .disk_bytes = 1000 };

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "grey = grayscale\n"
                           "centered = center\n"
                           "cut = random_crop size=4\n"
                           "planar = to_chw\n"
                           "[strategies]\n"
                           "store = files, tar, tfrecord\n"
                           "codec = none, gzip, zlib:1, zstd, lz4, "
                           "delta+zstd:1, shuffle+lz4, png, "
                           "jpeg\n";

struct setup {
	struct planned planned;
	struct fake fake;
	struct medium *medium;
	struct stored_order order;
	char *scratch;
};

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
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

/* What an epoch from this reader delivers. */
static void collect(struct setup *s, const struct reader *reader, unsigned from,
    struct outputs *outputs)
{
	const struct loader_plan how = {
		.reader = reader,
		.pipeline = &s->planned.pipeline,
		.from = from,
		.to = s->planned.pipeline.count,
		.threads = 2,
		.batch = 8,
		.seed = 11,
		.skip_errors = true,
	};
	struct error err = ERROR_INIT;
	struct loader *loader = loader_new(&how, &err);
	const struct batch *batch;

	if (!loader)
		fail_msg("%s", err.text);
	loader_begin(loader, 3, false);
	while ((batch = loader_next(loader)))
		test_ok(
		    outputs_add(outputs, batch,
		        &s->planned.pipeline.schemas[s->planned.pipeline.count],
		        &err),
		    &err);
	test_ok(loader_end(loader, &err), &err);
	outputs_sort(outputs);
	loader_free(loader);
}

static struct prepare_plan plan_of(struct setup *s,
    const struct strategy *strategy, const char *dir, unsigned threads)
{
	return (struct prepare_plan){
		.source = &s->fake.reader,
		.pipeline = &s->planned.pipeline,
		.strategy = strategy,
		.order = s->order,
		.medium = s->medium,
		.folder.dir = dir,
		.threads = threads,
		.shards = SHARDS,
		.seed = 11,
		.skip_errors = true,
		.folder.fingerprint = "f",
	};
}

static void prepare(struct setup *s, const struct strategy *strategy,
    const char *dir, unsigned threads)
{
	const struct prepare_plan plan = plan_of(s, strategy, dir, threads);
	struct prepared made;
	struct error err = ERROR_INIT;

	test_ok(path_make_dirs(dir, &err), &err);
	test_ok(prepare_run(&plan, &made, &err), &err);
}

static void test_prepare_every_strategy_gives_the_same_samples(void **state)
{
	struct setup *s = *state;
	struct outputs wanted = OUTPUTS_INIT;
	struct error err = ERROR_INIT;

	s->fake.bad = 13; /* two by two pixels: fine for all steps here */
	collect(s, &s->fake.reader, 0, &wanted);
	assert_int_equal(wanted.count, STREAMS * PER_STREAM);
	/* Three representations are of bytes, one of floats. */
	assert_int_equal(
	    s->planned.strategies.count, 1 + 3 * (4 * 5 + 3 + 1 + 3 + 3));
	assert_int_equal(s->planned.strategies.left_count, 4); /* reasons */
	for (size_t i = 1; i < s->planned.strategies.count; i++) {
		const struct strategy *strategy =
		    &s->planned.strategies.list[i];
		struct outputs got = OUTPUTS_INIT;
		char name[32], *dir;
		struct reader *reader;

		snprintf(name, sizeof(name), "data%zu", i);
		dir = test_path(s->scratch, name);
		prepare(s, strategy, dir, 2);
		reader = store_open(s->medium, dir, &err);
		if (!reader)
			fail_msg("%s: %s", strategy->label, err.text);
		collect(s, reader, strategy->split, &got);
		if (strategy_is_lossy(strategy) ? !outputs_alike(&wanted, &got)
		                                : !outputs_equal(&wanted, &got))
			fail_msg("%s gives other samples", strategy->label);
		outputs_release(&got);
		reader_free(reader);
		free(dir);
	}
	outputs_release(&wanted);
}

struct listing { /* of a folder: hashes of names and contents, added up */
	const char *dir;
	uint64_t sum;
	unsigned files;
};

static int add_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct listing *listing = arg;
	struct buf content = BUF_INIT;
	char *path = test_path(listing->dir, name);

	test_ok(path_read(path, bytes + 1, &content, err), err);
	listing->sum +=
	    sample_id(buf_span(&content)) ^ sample_id(span_text(name));
	listing->files++;
	buf_release(&content);
	free(path);
	return 0;
}

static uint64_t folder_sum(const char *dir)
{
	struct listing listing = { .dir = dir };
	struct error err = ERROR_INIT;

	test_ok(path_each(dir, add_file, &listing, &err), &err);
	assert_true(listing.files > SHARDS);
	return listing.sum;
}

static void test_prepare_bytes_depend_on_the_data_only(void **state)
{
	struct setup *s = *state;

	for (size_t i = 1; i < s->planned.strategies.count; i++) {
		const struct strategy *strategy =
		    &s->planned.strategies.list[i];
		char *a = test_path(s->scratch, "a");
		char *b = test_path(s->scratch, "b");
		struct error err = ERROR_INIT;

		prepare(s, strategy, a, 1);
		prepare(s, strategy, b, 5);
		if (folder_sum(a) != folder_sum(b))
			fail_msg("%s: other bytes", strategy->label);
		test_ok(path_remove_tree(a, &err), &err);
		test_ok(path_remove_tree(b, &err), &err);
		free(a);
		free(b);
	}
}

/* The numbers of the samples in a folder, as they are stored. */
static unsigned numbers_of(
    struct setup *s, const char *dir, unsigned numbers[STREAMS * PER_STREAM])
{
	struct error err = ERROR_INIT;
	struct reader *reader = store_open(s->medium, dir, &err);
	struct sample sample = SAMPLE_INIT;
	struct chunk chunk = CHUNK_INIT;
	unsigned count = 0;
	void *unpacker;

	if (!reader)
		fail_msg("%s", err.text);
	test_ok(reader_unpacker_new(reader, &unpacker, &err), &err);
	for (size_t i = 0; i < reader->streams; i++) {
		void *stream = reader->ops->stream_open(reader, i, &err);

		assert_non_null(stream);
		while (reader->ops->stream_fetch(stream, &chunk, &err) > 0) {
			chunk.stream = i;
			test_ok(reader_unpack(reader, unpacker, &chunk, &err),
			    &err);
			while (reader->ops->next(
			           reader, &chunk, &sample, &err) > 0) {
				char key[16] = "";

				assert_true(count < STREAMS * PER_STREAM);
				memcpy(key, sample.key.data, sample.key.len);
				numbers[count++] =
				    (unsigned)strtoul(key, NULL, 10);
			}
			chunk_reset(&chunk);
		}
		reader->ops->stream_close(stream);
	}
	chunk_release(&chunk);
	reader_unpacker_free(reader, unpacker);
	reader_free(reader);
	return count;
}

static void write_order(struct setup *s, const struct stored_order *order,
    unsigned threads, unsigned numbers[STREAMS * PER_STREAM])
{
	struct strategy strategy;
	struct error err = ERROR_INIT;
	char *dir = test_path(s->scratch, "order");
	bool seen[STREAMS * PER_STREAM] = { false };

	test_ok(strategy_parse(
	            &strategy, "raw/tfrecord/none", &s->planned.pipeline, &err),
	    &err);
	s->order = *order;
	prepare(s, &strategy, dir, threads);
	assert_int_equal(numbers_of(s, dir, numbers), STREAMS * PER_STREAM);
	for (unsigned i = 0; i < STREAMS * PER_STREAM; i++) {
		assert_true(numbers[i] < STREAMS * PER_STREAM);
		assert_false(seen[numbers[i]]);
		seen[numbers[i]] = true;
	}
	test_ok(path_remove_tree(dir, &err), &err);
	free(dir);
}

/* Each way of ordering: all samples once, the same for any threads. */
static void test_prepare_orders_by_the_seed_only(void **state)
{
	static const struct stored_order given = { .shuffled = false };
	static const struct stored_order seven = { .shuffled = true,
		.seed = 7 };
	static const struct stored_order eight = { .shuffled = true,
		.seed = 8 };
	struct setup *s = *state;
	unsigned a[STREAMS * PER_STREAM], b[STREAMS * PER_STREAM];
	unsigned windows[STREAMS * PER_STREAM];

	write_order(s, &given, 2, a);
	for (unsigned i = 0; i < STREAMS * PER_STREAM; i++)
		assert_int_equal(a[i], i);
	for (unsigned whole = 0; whole < 2; whole++) {
		if (whole)
			fake_offer_picks(&s->fake);
		write_order(s, &seven, 1, a);
		write_order(s, &seven, 5, b);
		assert_memory_equal(a, b, sizeof(a));
		write_order(s, &eight, 5, b);
		assert_memory_not_equal(a, b, sizeof(a));
		if (!whole)
			memcpy(windows, a, sizeof(a));
	}
	assert_memory_not_equal(a, windows, sizeof(a));
}

/* Shard after shard holds the permutation. */
static void test_prepare_permutes_what_is_found_by_number(void **state)
{
	static const struct stored_order seven = { .shuffled = true,
		.seed = 7 };
	struct setup *s = *state;
	struct permutation p;
	struct error err = ERROR_INIT;
	unsigned got[STREAMS * PER_STREAM];

	fake_offer_picks(&s->fake);
	write_order(s, &seven, 2, got);
	test_ok(permutation_init(&p, STREAMS * PER_STREAM, 7, 0, &err), &err);
	for (unsigned i = 0; i < p.count; i++)
		assert_int_equal(got[i], p.at[i]);
	permutation_release(&p);
}

static void test_prepare_names_the_sample_that_fails(void **state)
{
	struct setup *s = *state;
	struct prepare_plan plan;
	struct prepared made;
	struct strategy strategy;
	struct error err = ERROR_INIT;

	s->fake.fail_at = 40;
	test_ok(strategy_parse(
	            &strategy, "large/tar/none", &s->planned.pipeline, &err),
	    &err);
	plan = plan_of(s, &strategy, s->scratch, 2);
	assert_int_equal(prepare_run(&plan, &made, &err), -1);
	test_contains(err.text, "sample 40 cannot be fetched");
}

static void materialize(struct setup *s, const char *dir, bool complete)
{
	struct strategy strategy;
	struct prepare_plan plan;
	struct materialized result;
	struct error err = ERROR_INIT;

	test_ok(strategy_parse(&strategy, "grey/tfrecord/zstd:1",
	            &s->planned.pipeline, &err),
	    &err);
	plan = plan_of(s, &strategy, dir, 2);
	test_ok(materialize_run(&plan, &little, false, &result, &err), &err);
	assert_int_equal(result.was_complete, complete);
	if (!complete)
		assert_int_equal(result.samples, STREAMS * PER_STREAM);
	materialized_release(&result);
}

static void test_materialize_goes_on_where_it_stopped(void **state)
{
	struct setup *s = *state;
	char *whole = test_path(s->scratch, "whole");
	char *torn = test_path(s->scratch, "torn");
	struct strategy strategy;
	struct prepare_plan plan;
	struct materialized result;
	struct error err = ERROR_INIT;

	materialize(s, whole, false);
	materialize(s, whole, true);
	test_ok(strategy_parse(&strategy, "grey/tfrecord/zstd:1",
	            &s->planned.pipeline, &err),
	    &err);
	plan = plan_of(s, &strategy, torn, 1);
	s->fake.fail_at = 40; /* shards before it are done by then */
	assert_int_equal(
	    materialize_run(&plan, &little, false, &result, &err), -1);
	materialized_release(&result);
	s->fake.fail_at = 0;
	materialize(s, torn, false);
	assert_true(folder_sum(whole) == folder_sum(torn));
	free(whole);
	free(torn);
}

/* Turns one bit in the middle of a file. */
static void turn_a_bit(const char *dir, const char *name)
{
	char *path = test_path(dir, name);
	FILE *file = fopen(path, "r+b");
	int byte;

	assert_non_null(file);
	assert_false(fseek(file, 0, SEEK_END));
	assert_false(fseek(file, ftell(file) / 2, SEEK_SET));
	byte = fgetc(file);
	assert_false(fseek(file, -1, SEEK_CUR));
	assert_int_equal(fputc(byte ^ 4, file), byte ^ 4);
	assert_false(fclose(file));
	free(path);
}

static void test_materialize_writes_damaged_shards_again(void **state)
{
	static const struct {
		const char *strategy, *damaged, *lost;
	} cases[] = {
		{ "grey/tfrecord/zstd:1", "shard-000002.tfrecord.zst",
		    "shard-000001.tfrecord.zst" },
		{ "large/tar/none", "shard-000000.tar", "shard-000003.index" },
		{ "large/files/none", "shard-000002/00000034.npy",
		    "shard-000001.index" },
		{ "large/files/none", "shard-000002/00000034.npy",
		    "shard-000002/00000035.npy" },
		/* presto itself does not read what is for other readers. */
		{ "large/tfrecord/none", "shard-000000.idx",
		    "shard-000003.index" },
	};
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *dir = test_path(s->scratch, "data"), *lost;
		struct strategy strategy;
		struct prepare_plan plan;
		struct materialized done;
		struct error err = ERROR_INIT;
		uint64_t sum;

		test_ok(strategy_parse(&strategy, cases[i].strategy,
		            &s->planned.pipeline, &err),
		    &err);
		plan = plan_of(s, &strategy, dir, 2);
		test_ok(
		    materialize_run(&plan, &little, false, &done, &err), &err);
		materialized_release(&done);
		assert_int_equal(done.mended, 0);
		sum = folder_sum(dir);

		/* It is complete by its names, unless it is read. */
		turn_a_bit(dir, cases[i].damaged);
		test_ok(
		    materialize_run(&plan, &little, false, &done, &err), &err);
		materialized_release(&done);
		assert_true(done.was_complete);
		test_ok(
		    materialize_run(&plan, &little, true, &done, &err), &err);
		materialized_release(&done);
		assert_false(done.was_complete);
		assert_int_equal(done.mended, 1);
		assert_true(folder_sum(dir) == sum);

		/* It is read when something else was missing. */
		turn_a_bit(dir, cases[i].damaged);
		lost = test_path(dir, cases[i].lost);
		assert_false(unlink(lost));
		test_ok(
		    materialize_run(&plan, &little, false, &done, &err), &err);
		materialized_release(&done);
		assert_true(done.made.samples > 0);
		assert_true(folder_sum(dir) == sum);
		test_ok(path_remove_tree(dir, &err), &err);
		free(lost);
		free(dir);
	}
}

static void test_materialize_leaves_other_folders_alone(void **state)
{
	struct setup *s = *state;
	struct strategy strategy;
	struct prepare_plan plan;
	struct materialized result;
	struct error err = ERROR_INIT;
	char *dir = test_path(s->scratch, "theirs");

	test_write(s->scratch, "theirs/mine.txt", "keep");
	test_ok(strategy_parse(
	            &strategy, "raw/tar/none", &s->planned.pipeline, &err),
	    &err);
	plan = plan_of(s, &strategy, dir, 1);
	assert_int_equal(
	    materialize_run(&plan, &little, false, &result, &err), -1);
	materialized_release(&result);
	test_contains(err.text, "mine.txt");

	/* Another strategy was begun there. */
	free(dir);
	dir = test_path(s->scratch, "begun");
	test_write(s->scratch, "begun/presto.partial", "0123456789abcdef");
	plan.folder.dir = dir;
	assert_int_equal(
	    materialize_run(&plan, &little, false, &result, &err), -1);
	materialized_release(&result);
	test_contains(err.text, "another strategy");
	free(dir);
}

static void test_materialize_looks_at_the_room_first(void **state)
{
	struct setup *s = *state;
	struct strategy strategy;
	struct prepare_plan plan;
	struct materialized result;
	struct error err = ERROR_INIT;
	char *dir = test_path(s->scratch, "large");

	test_ok(strategy_parse(
	            &strategy, "raw/tar/none", &s->planned.pipeline, &err),
	    &err);
	plan = plan_of(s, &strategy, dir, 1);
	assert_int_equal(materialize_run(&plan,
	                     &(struct materialize_needs){ .disk_bytes = 1e18 },
	                     false, &result, &err),
	    -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	test_contains(err.text, "there is room for");
	free(dir);
}

/* A sync is waited for: of each shard, and of each file of `files`. */
static void test_prepare_is_predicted_with_its_syncs(void **state)
{
	static const struct {
		const char *strategy;
		double syncs;
	} cases[] = { { "raw/tar/none", 2 + 3 * 2 / 2 },
		{ "raw/files/none", 2 + (2 * 2 + 100) / 2 } };
	struct setup *s = *state;
	const struct plan plan = { .load.batch = SWEEP_OF(16) };
	const struct load load = { .samples = 100, .threads = 2 };
	struct model *model = planned_model(&s->planned, &s->fake.reader, 0);
	struct error err = ERROR_INIT;

	model->plan = &plan;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strategy strategy;
		double without;

		test_ok(strategy_parse(&strategy, cases[i].strategy,
		            &s->planned.pipeline, &err),
		    &err);
		strategy.shards = 2;
		model->sync = (struct sync_cost){ .file_s = 0 };
		without = model_predict(model, &strategy, &load).prep_s;
		model->sync = (struct sync_cost){ .file_s = 1 };
		assert_true(fabs(model_predict(model, &strategy, &load).prep_s -
		                 without - cases[i].syncs) < 1e-6);
	}
	free(model);
}

static void test_prepare_times_a_sync_and_leaves_nothing(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	uint64_t before = 0, after = 0;

	test_ok(path_bytes(s->scratch, &before, &err), &err);
	assert_true(sync_cost_measure(s->scratch, 2).file_s > 0);
	test_ok(path_bytes(s->scratch, &after, &err), &err);
	assert_int_equal(before, after);
	assert_true(
	    sync_cost_measure("/nowhere/at/all", 2).file_s > 0); /* usual */
}

static void test_prepare_shards_follow_the_bytes(void **state)
{
	const struct stored_order given = { .shuffled = false };
	const struct stored_order random = { .shuffled = true };
	struct setup *s = *state;
	struct reader *r = &s->fake.reader;

	r->streams = 100;
	assert_int_equal(shard_count(r, &given, 0, 0), 8);
	assert_int_equal(shard_count(r, &given, 0, 10e9), 19);
	assert_int_equal(shard_count(r, &given, 0, 1e15), 100);
	assert_int_equal(shard_count(r, &given, 7, 1e15), 7);
	assert_int_equal(shard_count(r, &given, 700, 0), 100);
	assert_int_equal(shard_count(r, &random, 700, 0), 100);
	r->streams = 1;
	assert_int_equal(shard_count(r, &given, 0, 10e9), 1);
	/* Samples that are found by number need not stay together. */
	fake_offer_picks(&s->fake);
	assert_int_equal(shard_count(r, &given, 7, 0), 1);
	assert_int_equal(shard_count(r, &random, 7, 0), 7);
	assert_int_equal(shard_count(r, &random, 700, 0), STREAMS * PER_STREAM);
	assert_int_equal(shard_count(r, &random, 0, 10e9), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_prepare_every_strategy_gives_the_same_samples, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_bytes_depend_on_the_data_only, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_orders_by_the_seed_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_permutes_what_is_found_by_number, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_names_the_sample_that_fails, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_materialize_goes_on_where_it_stopped, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_materialize_writes_damaged_shards_again, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_materialize_leaves_other_folders_alone, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_materialize_looks_at_the_room_first, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_is_predicted_with_its_syncs, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_times_a_sync_and_leaves_nothing, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_prepare_shards_follow_the_bytes, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
