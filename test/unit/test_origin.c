/*
 * test_origin.c - what a materialised folder came from, and which shards of it
 * are finished.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/prepare.h"
#include "test/unit/fake_reader.h"
#include "test/unit/test.h"

enum {
	STREAMS = 8,
	PER_STREAM = 5,
	SAMPLES = STREAMS * PER_STREAM,
	SHARDS = 4
};

struct setup {
	struct fake fake;
	struct inventory now;
	struct prepare_plan plan;
	char *dir;
};

/* A file for each sample, and one besides; file `changed` is longer. */
static void list_files(struct setup *s, unsigned changed)
{
	struct error err = ERROR_INIT;

	inventory_release(&s->now);
	s->now = (struct inventory)INVENTORY_INIT;
	for (unsigned i = 0; i <= SAMPLES; i++) {
		char name[16];
		const struct inventory_file file = {
			.name = name,
			.bytes = i == changed ? 11 : 10,
		};

		snprintf(name, sizeof(name), "%03u.jpg", i);
		test_ok(inventory_add(&s->now, &file, &err), &err);
	}
}

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	assert_non_null(s);
	fake_init(&s->fake, STREAMS, PER_STREAM);
	fake_offer_picks(&s->fake);
	s->fake.reader.files_each = 1;
	s->dir = test_scratch();
	s->plan = (struct prepare_plan){
		.source = &s->fake.reader,
		.medium = medium_new_local(&err),
		.folder.dir = s->dir,
		.folder.inventory = &s->now,
		.shards = SHARDS,
		.seed = 3,
	};
	s->now = (struct inventory)INVENTORY_INIT;
	list_files(s, UINT32_MAX);
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	inventory_release(&s->now);
	medium_free(s->plan.medium);
	test_scratch_remove(s->dir);
	free(s);
	return 0;
}

/* ---- samples of shards ---- */

struct visited {
	unsigned shard[SAMPLES];
	uint64_t last; /* the sample before, and one */
	unsigned count;
	bool is_sorted;
};

static void visit(void *arg, unsigned shard, uint64_t sample)
{
	struct visited *visited = arg;

	assert_in_range(sample, 0, SAMPLES - 1);
	assert_in_range(shard, 0, SHARDS - 1);
	visited->shard[sample] = shard;
	visited->is_sorted &= sample + 1 > visited->last;
	visited->last = sample + 1;
	visited->count++;
}

/* Where each sample goes, by the order of the plan. */
static struct visited visit_all(const struct setup *s)
{
	struct visited visited = { .is_sorted = true };
	struct error err = ERROR_INIT;

	test_ok(prepare_each_sample(&s->plan, visit, &visited, &err), &err);
	assert_int_equal(visited.count, SAMPLES);
	return visited;
}

static void test_each_sample_has_its_shard(void **state)
{
	struct setup *s = *state;
	struct visited given = visit_all(s), windows, whole;

	assert_true(given.is_sorted);
	for (unsigned i = 0; i < SAMPLES; i++)
		assert_int_equal(given.shard[i], i / (SAMPLES / SHARDS));
	s->plan.order = (struct stored_order){ .shuffled = true, .seed = 5 };
	whole = visit_all(s);
	assert_false(whole.is_sorted);
	s->fake.reader.in_order_only = true;
	windows = visit_all(s);
	assert_false(windows.is_sorted);
	/* Streams stay together. */
	for (unsigned i = 0; i < SAMPLES; i++)
		assert_int_equal(windows.shard[i],
		    windows.shard[i / PER_STREAM * PER_STREAM]);
	assert_memory_not_equal(
	    whole.shard, windows.shard, sizeof(whole.shard));
}

/* ---- the dataset of a folder ---- */

static void check_same(struct setup *s, const bool *stands)
{
	enum origin origin = ORIGIN_UNKNOWN;
	struct error err = ERROR_INIT;

	test_ok(origin_check(&s->plan, stands, &origin, &err), &err);
	assert_int_equal(origin, ORIGIN_SAME);
}

static void check_changed(struct setup *s, const bool *stands, const char *text)
{
	enum origin origin;
	struct error err = ERROR_INIT;

	assert_int_equal(origin_check(&s->plan, stands, &origin, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, text);
}

static void test_origin_names_the_file_and_its_shard(void **state)
{
	static const struct stored_order orders[] = { { .shuffled = false },
		{ .shuffled = true, .seed = 5 } };
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
		struct error err = ERROR_INIT;
		bool stands[SHARDS] = { true, true, true, true };
		struct visited visited;
		char words[64];

		s->plan.order = orders[i];
		visited = visit_all(s);
		list_files(s, UINT32_MAX);
		test_ok(origin_write(&s->plan, &err), &err);
		check_same(s, NULL);
		check_same(s, stands);
		list_files(s, 17);
		snprintf(words, sizeof(words),
		    "since shard %06u of it was written: 017.jpg has 11 bytes",
		    visited.shard[17]);
		check_changed(s, NULL, words);
		check_changed(s, stands, words);
		/* What is written anew may come from another file. */
		stands[visited.shard[17]] = false;
		check_same(s, stands);
	}
}

/* A file besides, such as one of labels, is that of every shard. */
static void test_origin_minds_files_of_no_sample(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	const bool stands[SHARDS] = { true }, none[SHARDS] = { false };

	test_ok(origin_write(&s->plan, &err), &err);
	list_files(s, SAMPLES);
	check_changed(s, stands, "since shards of it were written: 040.jpg");
	check_same(s, none); /* nothing stands that it could be wrong for */
}

/* Then any shard may come from any file. */
static void test_origin_minds_all_files_of_an_archive(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	const bool stands[SHARDS] = { true };

	s->fake.reader.files_each = 0;
	test_ok(origin_write(&s->plan, &err), &err);
	check_same(s, stands);
	list_files(s, SAMPLES - 1); /* the last shard */
	check_changed(s, stands, "039.jpg has 11 bytes");
}

/* Samples were divided otherwise: no file is known to be of no shard. */
static void test_origin_minds_all_files_of_another_division(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	const bool stands[SHARDS] = { true };

	s->plan.shards = 2;
	test_ok(origin_write(&s->plan, &err), &err);
	s->plan.shards = SHARDS;
	check_same(s, stands);
	list_files(s, SAMPLES - 1);
	check_changed(s, stands, "039.jpg has 11 bytes");
}

static void test_origin_that_is_lost_is_unknown(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	enum origin origin;

	test_ok(origin_check(&s->plan, NULL, &origin, &err), &err);
	assert_int_equal(origin, ORIGIN_UNKNOWN);
	test_write(s->dir, ORIGIN_NAME, "damaged");
	test_ok(origin_check(&s->plan, NULL, &origin, &err), &err);
	assert_int_equal(origin, ORIGIN_UNKNOWN);
	s->plan.folder.inventory = NULL; /* nobody asks */
	check_same(s, NULL);
}

/* ---- finished shards ---- */

static void test_finished_is_not_written_through_a_link(void **state)
{
	struct setup *s = *state;
	const struct finished_place notes = { s->plan.medium, s->dir,
		FINISHED_NAME };
	struct finished finished = FINISHED_INIT;
	struct error err = ERROR_INIT;
	char *link = test_path(s->dir, FINISHED_NAME);
	char *mine = test_path(s->dir, "mine.txt");

	test_write(s->dir, "mine.txt", "mine");
	assert_false(symlink("mine.txt", link));
	assert_int_equal(
	    finished_open(&finished, &notes, "f", SHARDS, &err), -1);
	test_contains(err.text, FINISHED_NAME);
	finished_close(&finished);
	test_reads(mine, "mine");
	free(mine);
	free(link);
}

/* Notes of other work are dropped, and so is half a line. */
static void test_finished_knows_its_own_shards(void **state)
{
	const struct file_sum sum = { .bytes = 12, .checksum = 345 };
	struct setup *s = *state;
	const struct finished_place notes = { s->plan.medium, s->dir,
		FINISHED_NAME };
	struct finished finished = FINISHED_INIT;
	struct error err = ERROR_INIT;

	test_ok(finished_open(&finished, &notes, "f", SHARDS, &err), &err);
	test_ok(finished_add(&finished, 2, &sum, &err), &err);
	finished_close(&finished);
	test_ok(finished_open(&finished, &notes, "f", SHARDS, &err), &err);
	for (unsigned i = 0; i < SHARDS; i++)
		assert_int_equal(finished.indexes[i].bytes, i == 2 ? 12 : 0);
	assert_int_equal(finished.indexes[2].checksum, 345);
	finished_close(&finished);
	test_ok(finished_open(&finished, &notes, "other", SHARDS, &err), &err);
	assert_int_equal(finished.indexes[2].bytes, 0);
	finished_close(&finished);
	test_ok(finished_remove(&notes, &err), &err);
	test_ok(finished_remove(&notes, &err), &err);
	test_is_empty(s->dir);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_each_sample_has_its_shard),
		TEST(test_origin_names_the_file_and_its_shard),
		TEST(test_origin_minds_files_of_no_sample),
		TEST(test_origin_minds_all_files_of_an_archive),
		TEST(test_origin_minds_all_files_of_another_division),
		TEST(test_origin_that_is_lost_is_unknown),
		TEST(test_finished_is_not_written_through_a_link),
		TEST(test_finished_knows_its_own_shards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
