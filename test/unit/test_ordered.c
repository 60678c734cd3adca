/*
 * test_ordered.c - batches in an order that does not depend on threads:
 * shuffle, ranks, seeks, steps that make many, skipped samples, kept batches,
 * interrupts, forks.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/loader/loader.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/media/medium.h"
#include "lib/sample/batch_home.h"
#include "lib/sample/skipped.h"
#include "lib/steps/step.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum {
	STREAMS = 7,
	PER_STREAM = 23,
	SAMPLES = STREAMS * PER_STREAM,
	MANY = 4 * SAMPLES, /* samples that steps make at most */
	WINDOW = 40,        /* samples */
};

/* How the fake reader gives its samples. */
enum way { BY_STREAM, BY_CHUNK, BY_PICK, BY_PIECE, WAYS };

struct setup {
	struct ini ini;
	struct pipeline pipeline;
	struct fake fake;
	struct ordered_plan plan;
};

static const char simple[] = "[pipeline]\ncut = center_crop size=4\n"
                             "centered = center\n";
static const char chance[] = "[pipeline]\ncut = random_crop size=3\n"
                             "centered = center\n";
static const char same[] = "[pipeline]\nsame = identity\n";
/* Three of each, and four of each. */
static const char many[] = "[pipeline]\na = window length=1\nb = identity\n";
static const char nested[] = "[pipeline]\na = window length=2 hop=1\n"
                             "b = window length=1\n";

/* Filters leave about half of them, and a quarter of three of each. */
static const char dropping[] = "[pipeline]\ncut = random_crop size=3\n"
                               "kept = filter by=key fraction=0.5\n"
                               "centered = center\n";
static const char dropping_many[] =
    "[pipeline]\nkept = filter by=key fraction=0.5\na = window length=1\n"
    "late = filter by=key fraction=0.5\n";

static void set_up(struct setup *s, const char *text, enum way way)
{
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	s->fake.varied = true;
	if (way == BY_CHUNK)
		fake_offer_chunks(&s->fake);
	if (way == BY_PICK || way == BY_PIECE)
		fake_offer_picks(&s->fake);
	if (way == BY_PIECE)
		s->fake.reader.picked_bytes = 100000;
	test_ok(ini_parse_text(&s->ini, "test.conf", text, strlen(text), &err),
	    &err);
	test_ok(pipeline_read(&s->pipeline, &s->ini, &err), &err);
	test_ok(
	    pipeline_bind(&s->pipeline, &s->fake.reader.schema, &err), &err);
	s->plan = (struct ordered_plan){
		.reader = &s->fake.reader,
		.pipeline = &s->pipeline,
		.to = s->pipeline.count,
		.threads = 2,
		.batch = 16,
		.seed = 5,
		.world_size = 1,
		.window = WINDOW,
	};
}

static void tear_down(struct setup *s)
{
	pipeline_release(&s->pipeline);
	ini_release(&s->ini);
}

static struct ordered_loader *new_loader(const struct setup *s)
{
	struct error err = ERROR_INIT;
	struct ordered_loader *loader = ordered_loader_new(&s->plan, &err);

	test_ok(loader ? 0 : -1, &err);
	return loader;
}

/* What was delivered, by sample. */
struct row {
	uint64_t hash;   /* of everything */
	unsigned number; /* of the sample that it was made of */
	unsigned part;   /* which of those it makes; 0 */
	uint64_t batch;
};

struct rows {
	struct row at[MANY];
	size_t count;
	uint64_t batches;
};

static void add_batch(
    struct rows *rows, const struct setup *s, const struct batch *batch)
{
	const struct schema *schema = &s->pipeline.schemas[s->plan.to];

	assert_true(batch->count > 0 && batch->count <= s->plan.batch);
	for (unsigned i = 0; i < batch->count; i++) {
		const struct sample *sample = &batch->slots[i];
		struct row *row = &rows->at[rows->count++];
		char key[64] = "";

		assert_true(rows->count <= MANY);
		assert_true(sample->key.len < sizeof(key));
		memcpy(key, sample->key.data, sample->key.len);
		row->number = (unsigned)strtoul(key, NULL, 10);
		row->part = key[8] ? (unsigned)strtoul(key + 9, NULL, 10) : 0;
		row->hash =
		    sample_hash(sample, schema) ^ sample_id(sample->key);
		row->batch = rows->batches;
	}
	rows->batches++;
}

/* Adds the rest of the epoch. */
static void add_epoch(
    struct rows *rows, const struct setup *s, struct ordered_loader *loader)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	int got;

	while ((got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
		add_batch(rows, s, batch);
		batch_give(batch);
	}
	test_ok(got, &err);
}

static struct rows *run_epochs(const struct setup *s, unsigned epochs)
{
	struct rows *rows = calloc(epochs, sizeof(*rows));
	struct ordered_loader *loader = new_loader(s);

	assert_non_null(rows);
	for (unsigned e = 0; e < epochs; e++)
		add_epoch(&rows[e], s, loader);
	ordered_loader_free(loader);
	return rows;
}

static void assert_rows_equal(const struct rows *a, const struct rows *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->batches, b->batches);
	for (size_t i = 0; i < a->count; i++) {
		assert_int_equal(a->at[i].number, b->at[i].number);
		assert_int_equal(a->at[i].part, b->at[i].part);
		assert_int_equal(a->at[i].batch, b->at[i].batch);
		assert_true(a->at[i].hash == b->at[i].hash);
	}
}

static void assert_each_once(const struct rows *rows, unsigned samples)
{
	unsigned seen[SAMPLES] = { 0 };

	assert_int_equal(rows->count, samples);
	for (size_t i = 0; i < rows->count; i++) {
		assert_true(rows->at[i].number < samples);
		assert_int_equal(seen[rows->at[i].number]++, 0);
	}
}

static bool is_sorted(const struct rows *rows)
{
	for (size_t i = 1; i < rows->count; i++)
		if (rows->at[i].number < rows->at[i - 1].number)
			return false;
	return true;
}

/* ---- the order ---- */

static void test_ordered_keeps_the_stored_order(void **state)
{
	static const unsigned batches[] = { 1, 7, 16, 500 };
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * ARRAY_LEN(batches); i++) {
		struct rows *rows;

		set_up(&s, simple, i % WAYS);
		s.plan.batch = batches[i / WAYS];
		s.plan.threads = 1 + i % 3;
		rows = run_epochs(&s, 2);
		assert_each_once(&rows[0], SAMPLES);
		assert_true(is_sorted(&rows[0]));
		assert_rows_equal(&rows[0], &rows[1]);
		for (size_t k = 0; k < SAMPLES; k++)
			assert_int_equal(rows[0].at[k].batch, k / s.plan.batch);
		free(rows);
		tear_down(&s);
	}
}

static void test_ordered_does_not_depend_on_threads(void **state)
{
	static const unsigned threads[] = { 1, 2, 5 };
	static const char *const texts[] = { chance, many, nested, dropping,
		dropping_many };
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * ARRAY_LEN(texts) * 2; i++) {
		struct rows *first = NULL;

		set_up(&s, texts[i / WAYS / 2], i % WAYS);
		s.plan.shuffle = i / WAYS % 2;
		for (size_t t = 0; t < ARRAY_LEN(threads); t++) {
			struct rows *rows;

			s.plan.threads = threads[t];
			s.plan.fetchers = threads[2 - t];
			rows = run_epochs(&s, 3);
			for (int e = 0; first && e < 3; e++)
				assert_rows_equal(&first[e], &rows[e]);
			if (first)
				free(rows);
			else
				first = rows;
		}
		free(first);
		tear_down(&s);
	}
}

static void test_ordered_shuffles_by_seed_and_epoch(void **state)
{
	struct setup s;

	UNUSED(state);
	for (enum way way = 0; way < WAYS; way++) {
		struct rows *a, *b;

		set_up(&s, simple, way);
		s.plan.shuffle = true;
		a = run_epochs(&s, 2);
		s.plan.seed++;
		b = run_epochs(&s, 1);
		assert_each_once(&a[0], SAMPLES);
		assert_each_once(&a[1], SAMPLES);
		assert_false(is_sorted(&a[0]));
		assert_memory_not_equal(&a[0], &a[1], sizeof(a[0]));
		assert_memory_not_equal(&a[0], &b[0], sizeof(a[0]));
		free(a);
		free(b);
		tear_down(&s);
	}
}

/* Blocks stay together, but for the samples that change places in windows. */
static void test_ordered_permutes_blocks_and_windows(void **state)
{
	struct setup s;
	struct rows *rows;
	unsigned windows = 0, neighbours = 0;

	UNUSED(state);
	set_up(&s, simple, BY_CHUNK);
	s.plan.shuffle = true;
	rows = run_epochs(&s, 1);
	for (size_t i = 0; i < SAMPLES; i++) {
		/* All of a chunk of 5 are in at most two windows. */
		for (size_t k = 0; k < SAMPLES; k++)
			if (rows->at[i].number / PER_STREAM ==
			        rows->at[k].number / PER_STREAM &&
			    rows->at[i].number % PER_STREAM / 5 ==
			        rows->at[k].number % PER_STREAM / 5)
				assert_true(i / WINDOW <= k / WINDOW + 1);
		windows += rows->at[i].number / WINDOW == i / WINDOW;
		neighbours +=
		    i > 0 && rows->at[i].number == rows->at[i - 1].number + 1;
	}
	assert_true(windows < SAMPLES / 2);
	assert_true(neighbours < SAMPLES / 4);
	free(rows);
	tear_down(&s);
}

/* Where a pick unpacks its neighbours, streams are read in their order. */
static void test_ordered_does_not_pick_where_that_is_costly(void **state)
{
	struct setup s;
	struct rows *rows[2];

	UNUSED(state);
	for (unsigned i = 0; i < 2; i++) {
		set_up(&s, simple, i ? BY_PICK : BY_STREAM);
		s.fake.reader.costly_picks = i;
		s.plan.shuffle = true;
		rows[i] = run_epochs(&s, 1);
		tear_down(&s);
	}
	assert_rows_equal(rows[0], rows[1]);
	free(rows[0]);
	free(rows[1]);
}

/* The same draws as the loader of `presto profile` makes. */
static void test_ordered_draws_by_sample_and_epoch(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader_plan plan;
	struct loader *loader;
	struct batch *batch;
	struct rows *rows;

	UNUSED(state);
	set_up(&s, chance, BY_STREAM);
	s.plan.shuffle = true;
	rows = run_epochs(&s, 4);
	plan = (struct loader_plan){
		.reader = s.plan.reader,
		.pipeline = s.plan.pipeline,
		.to = s.plan.to,
		.threads = 1,
		.batch = 16,
		.seed = s.plan.seed,
	};
	loader = loader_new(&plan, &err);
	assert_non_null(loader);
	for (uint32_t e = 0; e < 4; e++) {
		struct rows *others = calloc(1, sizeof(*others));
		uint64_t left = 0, right = 0;

		loader_begin(loader, e, false);
		while ((batch = loader_next(loader)))
			add_batch(others, &s, batch);
		test_ok(loader_end(loader, &err), &err);
		for (size_t i = 0; i < SAMPLES; i++) {
			left += rows[e].at[i].hash;
			right += others->at[i].hash;
		}
		assert_true(left == right);
		free(others);
	}
	loader_free(loader);
	free(rows);
	tear_down(&s);
}

/* ---- ranks ---- */

/* The sections of all ranks, one behind the other, are the whole order. */
static void check_ranks(struct setup *s, const struct rows *whole)
{
	const unsigned world = s->plan.world_size, batch = s->plan.batch;
	size_t at = 0;

	for (unsigned rank = 0; rank < world; rank++) {
		struct rows *rows;

		s->plan.rank = rank;
		rows = run_epochs(s, 1);
		for (size_t i = 0; i < rows->count; i++, at++) {
			assert_int_equal(
			    rows->at[i].number, whole->at[at].number);
			assert_true(rows->at[i].hash == whole->at[at].hash);
		}
		if (s->plan.drop_last)
			assert_int_equal(
			    rows->count, SAMPLES / world / batch * batch);
		else
			assert_int_equal(rows->count,
			    SAMPLES / world + (rank < SAMPLES % world));
		assert_int_equal(
		    rows->batches, (rows->count + batch - 1) / batch);
		free(rows);
	}
}

static void test_ordered_gives_each_rank_a_section(void **state)
{
	static const unsigned worlds[] = { 1, 2, 3, 4, 200 };
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * 4; i++) {
		struct rows *whole;

		set_up(&s, chance, i % WAYS);
		s.plan.shuffle = i / WAYS % 2;
		s.plan.batch = 6;
		whole = run_epochs(&s, 1);
		s.plan.drop_last = i / WAYS / 2;
		for (size_t w = 0; w < ARRAY_LEN(worlds); w++) {
			struct ordered_loader *loader;

			if (w == 4 && i > WAYS)
				continue;
			s.plan.world_size = worlds[w];
			check_ranks(&s, whole);
			s.plan.rank = 0;
			loader = new_loader(&s);
			assert_int_equal(ordered_loader_batches(loader),
			    s.plan.drop_last
			        ? SAMPLES / worlds[w] / 6
			        : ((SAMPLES + worlds[w] - 1) / worlds[w] + 5) /
			              6);
			ordered_loader_free(loader);
		}
		free(whole);
		tear_down(&s);
	}
}

static void test_ordered_says_what_is_wrong_with_ranks(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;

	UNUSED(state);
	set_up(&s, many, BY_STREAM);
	s.plan.world_size = 0;
	assert_null(ordered_loader_new(&s.plan, &err));
	test_contains(err.text, "world size must be at least 1");
	s.plan.world_size = 2;
	s.plan.rank = 2;
	assert_null(ordered_loader_new(&s.plan, &err));
	test_contains(err.text, "less than the world size of 2, got 2");
	s.plan.rank = 1;
	s.plan.drop_last = true;
	assert_null(ordered_loader_new(&s.plan, &err));
	test_contains(err.text, "leave drop_last out");
	tear_down(&s);
}

/* ---- seeks ---- */

static void check_seek(const struct setup *s, struct ordered_loader *loader,
    const struct rows *epochs, struct ordered_position to)
{
	const struct rows *whole = &epochs[to.epoch];
	struct rows *rest = calloc(1, sizeof(*rest));
	size_t at = 0;

	ordered_loader_seek(loader, to);
	add_epoch(rest, s, loader);
	while (at < whole->count && whole->at[at].batch < to.batch)
		at++;
	assert_int_equal(rest->count, whole->count - at);
	for (size_t i = 0; i < rest->count; i++) {
		assert_true(rest->at[i].hash == whole->at[at + i].hash);
		assert_int_equal(
		    rest->at[i].batch + to.batch, whole->at[at + i].batch);
	}
	assert_int_equal(ordered_loader_position(loader).epoch, to.epoch + 1);
	assert_int_equal(ordered_loader_position(loader).batch, 0);
	memset(rest, 0, sizeof(*rest));
	add_epoch(rest, s, loader);
	assert_rows_equal(rest, &epochs[to.epoch + 1]);
	free(rest);
}

static void test_ordered_goes_on_at_any_batch(void **state)
{
	static const char *const texts[] = { chance, many, nested, dropping,
		dropping_many };
	struct random random = random_stream(1, 2, 3, 4);
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * ARRAY_LEN(texts) * 2; i++) {
		struct ordered_loader *loader;
		struct rows *epochs;

		set_up(&s, texts[i / WAYS / 2], i % WAYS);
		s.plan.shuffle = i / WAYS % 2;
		s.plan.world_size = 2;
		s.plan.rank = 1;
		epochs = run_epochs(&s, 4);
		loader = new_loader(&s);
		for (int k = 0; k < 6; k++) {
			const struct ordered_position to = {
				.epoch = random_below(&random, 3),
				.batch = random_below(
				    &random, (uint32_t)epochs[0].batches + 2),
			};

			check_seek(&s, loader, epochs, to);
		}
		ordered_loader_free(loader);
		free(epochs);
		tear_down(&s);
	}
}

/* The number of a batch may come from a damaged file. */
static void test_ordered_ends_at_once_behind_the_end(void **state)
{
	static const char *const texts[] = { simple, many, nested };
	static const uint64_t far[] = { 1000, ((uint64_t)1 << 60) + 1,
		UINT64_MAX };
	struct error err = ERROR_INIT;
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < ARRAY_LEN(texts) * ARRAY_LEN(far); i++) {
		struct ordered_loader *loader;
		struct batch *batch;

		set_up(&s, texts[i / ARRAY_LEN(far)], BY_STREAM);
		loader = new_loader(&s);
		ordered_loader_seek(
		    loader, (struct ordered_position){
		                .epoch = 1, .batch = far[i % ARRAY_LEN(far)] });
		assert_int_equal(
		    ordered_loader_next(loader, 0, &batch, &err), 0);
		assert_int_equal(ordered_loader_position(loader).epoch, 2);
		ordered_loader_free(loader);
		tear_down(&s);
	}
}

/* Takes a batch here and there, and none of it waits for an epoch's end. */
static void test_ordered_may_leave_an_epoch_at_any_time(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct batch *kept = NULL, *batch;

	UNUSED(state);
	for (enum way way = 0; way < WAYS; way++) {
		struct ordered_loader *loader;

		set_up(&s, chance, way);
		s.plan.shuffle = true;
		s.plan.batch = 3;
		loader = new_loader(&s);
		for (uint32_t e = 0; e < 20; e++) {
			ordered_loader_seek(
			    loader, (struct ordered_position){ e * 7, e });
			assert_int_equal(
			    ordered_loader_next(loader, 0, &batch, &err), 1);
			assert_int_equal(
			    ordered_loader_position(loader).batch, e + 1);
			batch_give(kept);
			kept = batch;
		}
		ordered_loader_free(loader);
		ordered_loader_free(new_loader(&s)); /* before its threads */
		tear_down(&s);
	}
	batch_give(kept);
}

static void test_ordered_tells_orders_apart(void **state)
{
	struct setup s;
	struct ordered_plan plan;
	uint64_t first;

	UNUSED(state);
	set_up(&s, simple, BY_CHUNK);
	plan = s.plan;
	for (int i = 0; i < 9; i++) {
		struct ordered_loader *loader;
		uint64_t order;

		s.plan = plan;
		s.plan.seed += i == 2;
		s.plan.batch += i == 3;
		s.plan.shuffle = i == 4;
		s.plan.drop_last = i == 5;
		s.plan.world_size += i >= 6;
		s.plan.rank = i == 7;
		s.plan.threads += i == 1 ? 2 : 0;
		s.fake.reader.samples -= i == 8;
		loader = new_loader(&s);
		order = ordered_loader_order(loader);
		ordered_loader_free(loader);
		if (i == 0)
			first = order;
		else if (i == 1)
			assert_true(order == first);
		else
			assert_true(order != first);
	}
	tear_down(&s);
}

/* ---- steps that make several samples of one ---- */

static void check_many(const char *text, unsigned each)
{
	struct setup s;

	for (enum way way = 0; way < WAYS; way++) {
		struct rows *rows;

		set_up(&s, text, way);
		s.plan.threads = 3;
		rows = run_epochs(&s, 2);
		assert_int_equal(rows[0].count, SAMPLES * each);
		assert_int_equal(rows[0].batches, (SAMPLES * each + 15) / 16);
		assert_true(is_sorted(&rows[0]));
		for (size_t i = 0; i < rows[0].count; i++) {
			assert_int_equal(rows[0].at[i].batch, i / 16);
			if (i % each)
				assert_true(rows[0].at[i].part >=
				            rows[0].at[i - 1].part);
		}
		assert_rows_equal(&rows[0], &rows[1]);
		s.plan.drop_last = true;
		free(rows);
		rows = run_epochs(&s, 2);
		assert_int_equal(rows[0].count, SAMPLES * each / 16 * 16);
		assert_rows_equal(&rows[0], &rows[1]);
		free(rows);
		tear_down(&s);
	}
}

static void test_ordered_fills_batches_with_what_steps_make(void **state)
{
	UNUSED(state);
	check_many(many, 3);
	check_many(nested, 4);
}

/* Order, batches and what is counted are those of the samples before it. */
static void test_ordered_leaves_out_what_a_filter_drops(void **state)
{
	struct setup s;

	UNUSED(state);
	for (enum way way = 0; way < WAYS; way++) {
		struct ordered_loader *loader;
		struct rows *all, *kept;
		size_t at = 0;

		set_up(&s, chance, way);
		s.plan.shuffle = true;
		all = run_epochs(&s, 1);
		tear_down(&s);
		set_up(&s, dropping, way);
		s.plan.shuffle = true;
		kept = run_epochs(&s, 1);
		assert_in_range(kept->count, SAMPLES / 4, SAMPLES * 3 / 4);
		for (size_t i = 0; i < all->count && at < kept->count; i++)
			if (all->at[i].number == kept->at[at].number) {
				assert_int_equal(
				    all->at[i].batch, kept->at[at].batch);
				at++;
			}
		assert_int_equal(at, kept->count);
		loader = new_loader(&s);
		assert_int_equal(ordered_loader_samples(loader), SAMPLES);
		assert_int_equal(ordered_loader_batches(loader), all->batches);
		memset(all, 0, sizeof(*all));
		add_epoch(all, &s, loader);
		assert_int_equal(
		    ordered_loader_filtered(loader), SAMPLES - kept->count);
		assert_int_equal(ordered_loader_skipped(loader), 0);
		ordered_loader_free(loader);
		free(all);
		free(kept);
		tear_down(&s);
	}
}

/* A sample that yields more than all batches in flight have room for. */
static void test_ordered_divides_a_long_sample(void **state)
{
	struct setup s;
	struct rows *one, *five;

	UNUSED(state);
	set_up(&s, "[pipeline]\na = window length=1\n", BY_STREAM);
	s.plan.batch = 1;
	s.plan.threads = 1;
	s.fake.reader.streams = 1;
	s.fake.reader.samples = s.fake.per_stream = 2;
	one = run_epochs(&s, 3);
	s.plan.threads = 5;
	five = run_epochs(&s, 3);
	for (int e = 0; e < 3; e++) {
		assert_int_equal(one[e].count, 6);
		assert_rows_equal(&one[e], &five[e]);
	}
	free(one);
	free(five);
	tear_down(&s);
}

/* ---- skipped and refused samples ---- */

static void check_skipped(struct setup *s, unsigned each, unsigned bad)
{
	struct error err = ERROR_INIT;
	struct ordered_loader *loader;
	struct rows *rows = calloc(1, sizeof(*rows));

	s->plan.skip_errors = true;
	s->plan.skipped = skipped_new(false, &err);
	s->fake.bad = bad;
	loader = new_loader(s);
	add_epoch(rows, s, loader);
	assert_int_equal(rows->count, (SAMPLES - SAMPLES / bad) * each);
	for (size_t i = 0; i < rows->count; i++)
		assert_true(rows->at[i].number % bad != bad - 1);
	assert_int_equal(ordered_loader_skipped(loader), SAMPLES / bad);
	ordered_loader_free(loader);
	assert_int_equal(skipped_count(s->plan.skipped), SAMPLES / bad);
	skipped_free(s->plan.skipped);
	free(rows);
}

static void test_ordered_closes_the_gaps_of_skipped_samples(void **state)
{
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * 2; i++) {
		struct rows *rows;

		set_up(&s, i < WAYS ? simple : chance, i % WAYS);
		s.plan.shuffle = i < WAYS;
		check_skipped(&s, 1, 10);
		s.plan.batch = 2; /* some batches lose all their samples */
		check_skipped(&s, 1, 2);
		tear_down(&s);
		/* The others are what they are without the bad ones. */
		set_up(&s, simple, i % WAYS);
		s.plan.skip_errors = true;
		s.fake.bad = 10;
		rows = run_epochs(&s, 1);
		for (size_t k = 0; k < rows->count; k++)
			assert_int_equal(
			    rows->at[k].batch, rows->at[k].number / 16);
		free(rows);
		tear_down(&s);
	}
	set_up(&s, many, BY_STREAM);
	s.plan.skip_errors = true;
	check_skipped(&s, 3, 1000); /* none */
	tear_down(&s);
}

/* Returns how many batches came before the error. */
static unsigned run_to_error(
    struct ordered_loader *loader, const char *text, const char *other)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned count = 0;
	int got;

	while ((got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
		batch_give(batch);
		count++;
	}
	assert_int_equal(got, -1);
	test_contains(err.text, text);
	test_contains(err.text, other);
	return count;
}

static void test_ordered_names_the_first_bad_sample(void **state)
{
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * 10; i++) {
		struct ordered_loader *loader;

		set_up(&s, simple, i % WAYS);
		s.plan.threads = 1 + i % 5;
		s.plan.batch = 7;
		s.fake.bad = 50; /* 49, 99, 149 */
		loader = new_loader(&s);
		assert_int_equal(
		    run_to_error(loader, "sample 00000049", "center_crop"), 7);
		assert_int_equal(ordered_loader_position(loader).batch, 7);
		/* It tries again, and says the same. */
		assert_int_equal(
		    run_to_error(loader, "sample 00000049", "center_crop"), 0);
		ordered_loader_seek(
		    loader, (struct ordered_position){ .batch = 8 });
		assert_int_equal(
		    run_to_error(loader, "sample 00000099", "center_crop"), 6);
		assert_int_equal(ordered_loader_position(loader).batch, 14);
		ordered_loader_free(loader);
		tear_down(&s);
	}
}

/* Inputs behind a bad one must not take its place, whoever makes them. */
static void test_ordered_ends_before_a_bad_input(void **state)
{
	static const char *const texts[] = {
		"[pipeline]\ncut = center_crop size=4\na = window length=1\n",
		"[pipeline]\ncut = center_crop size=4\n"
		"a = window length=2 hop=1\nb = window length=1\n",
	};
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * ARRAY_LEN(texts); i++) {
		const unsigned each = i < WAYS ? 3 : 4;
		struct ordered_loader *loader;

		set_up(&s, texts[i / WAYS], i % WAYS);
		s.plan.threads = 3;
		s.plan.batch = 1;
		s.fake.bad = 20; /* 19 */
		loader = new_loader(&s);
		assert_int_equal(
		    run_to_error(loader, "sample 00000019", "center_crop"),
		    19 * each);
		ordered_loader_seek(
		    loader, (struct ordered_position){ .batch = 18 });
		assert_int_equal(
		    run_to_error(loader, "sample 00000019", "center_crop"),
		    19 * each - 18);
		ordered_loader_free(loader);
		tear_down(&s);
	}
}

/* As many samples are taken at once as there is room for, and no more. */
static void test_ordered_takes_samples_of_any_mean_size(void **state)
{
	struct setup s;

	UNUSED(state);
	for (uint64_t bytes = 1020; bytes <= 1026; bytes++) {
		struct rows *rows;

		set_up(&s, simple, BY_PICK);
		s.plan.batch = SAMPLES;
		s.fake.reader.bytes = bytes * SAMPLES;
		rows = run_epochs(&s, 1);
		assert_each_once(rows, SAMPLES);
		free(rows);
		tear_down(&s);
	}
}

static void test_ordered_says_what_cannot_be_fetched(void **state)
{
	static const char *const texts[] = { simple, many, nested };
	struct setup s;

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * ARRAY_LEN(texts); i++) {
		const unsigned each = i < WAYS ? 1 : i < 2 * WAYS ? 3 : 4;
		struct ordered_loader *loader;
		struct rows *rest = calloc(1, sizeof(*rest));
		unsigned batches;

		set_up(&s, texts[i / WAYS], i % WAYS);
		s.fake.fail_at = 77;
		loader = new_loader(&s);
		batches = run_to_error(loader, "sample 77 cannot", "fetched");
		assert_true(batches * 16 <= 77 * each);
		assert_true(batches * 16 > (77 - 32) * each);
		ordered_loader_free(loader);
		s.fake.fail_at = 0; /* as if it had been repaired */
		loader = new_loader(&s);
		ordered_loader_seek(
		    loader, (struct ordered_position){ .batch = batches });
		add_epoch(rest, &s, loader);
		assert_int_equal(rest->count, SAMPLES * each - batches * 16);
		ordered_loader_free(loader);
		free(rest);
		tear_down(&s);
	}
}

/* Otherwise all samples behind them would change their places. */
static void test_ordered_notices_samples_that_came_or_went(void **state)
{
	static const struct {
		enum way way;
		int more;
		const char *words;
	} cases[] = {
		{ BY_STREAM, 1, "more samples than when it was opened" },
		{ BY_STREAM, -1, "fewer samples than when it was opened" },
		{ BY_STREAM, -20, "fewer samples than when it was opened" },
		{ BY_PICK, -1, "fewer samples than its index says" },
	};
	struct setup s;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct ordered_loader *loader;
		unsigned batches;

		set_up(&s, simple, cases[i].way);
		s.fake.more = cases[i].more;
		loader = new_loader(&s);
		batches = run_to_error(loader, cases[i].words, "samples");
		assert_true(batches * 16 <= 2 * PER_STREAM + 1);
		ordered_loader_free(loader);
		tear_down(&s);
	}
}

/* ---- a step that takes several samples at a time ---- */

enum { TOGETHER = 4, PIXELS = 4 * 4 * 3 };

struct negative {
	unsigned char bytes[TOGETHER][PIXELS];
};

static atomic_uint together; /* samples that came with others */

static int negative_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	UNUSED(err);
	*out = *in;
	return 0;
}

static int negative_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(random);
	if (tensor_copy(out, in, err))
		return -1;
	for (size_t i = 0; i < in->bytes; i++)
		((unsigned char *)out->data)[i] ^= 255;
	return 0;
}

static unsigned negative_count(const void *priv)
{
	UNUSED(priv);
	return TOGETHER;
}

static int negative_put(void *priv, unsigned i, struct random *random,
    const struct tensor *in, struct error *err)
{
	struct negative *negative = priv;

	UNUSED(random);
	UNUSED(err);
	assert_int_equal(in->bytes, PIXELS);
	for (size_t b = 0; b < PIXELS; b++)
		negative->bytes[i][b] =
		    ((const unsigned char *)in->data)[b] ^ 255;
	return 0;
}

static int negative_run_all(void *priv, unsigned count, struct error *err)
{
	UNUSED(priv);
	UNUSED(err);
	atomic_fetch_add(&together, count);
	return 0;
}

static int negative_take(
    void *priv, unsigned i, struct tensor *out, struct error *err)
{
	struct negative *negative = priv;

	UNUSED(err);
	tensor_view(out, DTYPE_U8, &(struct shape){ 3, { 4, 4, 3 } },
	    negative->bytes[i]);
	return 0;
}

static int negative_hold(void *priv, struct error *err)
{
	UNUSED(priv);
	UNUSED(err);
	return 0;
}

static void negative_rest(void *priv)
{
	UNUSED(priv);
}

static const struct several_ops negative_several = {
	.count = negative_count,
	.put = negative_put,
	.run_all = negative_run_all,
	.take = negative_take,
	.hold = negative_hold,
	.rest = negative_rest,
};

static void test_ordered_gives_steps_several_samples(void **state)
{
	struct step_ops ops = {
		.name = "negative",
		.priv_size = sizeof(struct negative),
		.bind = negative_bind,
		.run = negative_run,
	};

	UNUSED(state);
	for (unsigned i = 0; i < WAYS * 2; i++) {
		struct rows *rows[2];

		for (int several = 0; several < 2; several++) {
			struct setup s;
			struct error err = ERROR_INIT;

			set_up(&s,
			    "[pipeline]\ncut = center_crop size=4\n"
			    "b = identity\n",
			    i % WAYS);
			ops.several = several ? &negative_several : NULL;
			s.pipeline.steps[1].ops = &ops;
			test_ok(pipeline_bind(
			            &s.pipeline, &s.fake.reader.schema, &err),
			    &err);
			s.plan.shuffle = i / WAYS;
			s.plan.skip_errors = true;
			s.fake.bad = 10;
			rows[several] = run_epochs(&s, 2);
			tear_down(&s);
		}
		assert_rows_equal(&rows[0][0], &rows[1][0]);
		assert_rows_equal(&rows[0][1], &rows[1][1]);
		free(rows[0]);
		free(rows[1]);
	}
	assert_true(atomic_load(&together) > 0);
}

/* ---- batches that callers keep ---- */

static void check_kept(const char *text)
{
	enum { EPOCHS = 3, MOST = EPOCHS * SAMPLES };
	struct setup s;
	struct error err = ERROR_INIT;
	struct rows *wanted, *rows = calloc(1, sizeof(*rows));
	struct batch *batches[MOST];
	struct ordered_loader *loader;
	unsigned count = 0;

	set_up(&s, text, BY_STREAM);
	s.plan.batch = 3;
	wanted = run_epochs(&s, 1);
	loader = new_loader(&s);
	for (int e = 0; e < EPOCHS; e++)
		while (
		    ordered_loader_next(loader, 0, &batches[count], &err) > 0)
			count++;
	ordered_loader_free(loader);
	assert_int_equal(count, EPOCHS * wanted->batches);
	for (unsigned i = 0; i < wanted->batches; i++)
		add_batch(rows, &s, batches[i]);
	assert_rows_equal(wanted, rows);
	for (unsigned i = 0; i < count; i++)
		batch_give(batches[(i * 7) % count]);
	free(wanted);
	free(rows);
	tear_down(&s);
}

static void test_ordered_lets_callers_keep_batches(void **state)
{
	UNUSED(state);
	check_kept(simple);
	check_kept(same); /* of varying size */
}

static void test_ordered_uses_batches_again(void **state)
{
	enum { MOST = 30 };
	struct setup s;
	struct error err = ERROR_INIT;
	const void *seen[MOST];
	struct ordered_loader *loader;
	struct batch *batch;
	unsigned count = 0;
	int got;

	UNUSED(state);
	set_up(&s, simple, BY_STREAM);
	s.plan.batch = 1;
	loader = new_loader(&s);
	while ((got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
		unsigned i = 0;

		while (i < count && seen[i] != batch)
			i++;
		assert_true(i < MOST);
		seen[i] = batch;
		count += i == count;
		batch_give(batch);
	}
	test_ok(got, &err);
	ordered_loader_free(loader);
	tear_down(&s);
}

/* ---- waiting ---- */

static void *interrupt(void *arg)
{
	ordered_loader_interrupt(arg);
	return NULL;
}

static void test_ordered_waits_no_longer_than_it_is_told(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct batch *batch;

	UNUSED(state);
	for (enum way way = 0; way < WAYS; way++) {
		struct ordered_loader *loader;
		struct rows *rows = calloc(1, sizeof(*rows));
		pthread_t thread;

		set_up(&s, simple, way);
		fake_close_gate(&s.fake, true);
		loader = new_loader(&s);
		assert_int_equal(
		    ordered_loader_next(loader, 1, &batch, &err), -1);
		assert_int_equal(err.code, ERROR_INTERRUPTED);
		/* Before it waits, or while it does. */
		assert_int_equal(
		    pthread_create(&thread, NULL, interrupt, loader), 0);
		assert_int_equal(
		    ordered_loader_next(loader, 0, &batch, &err), -1);
		assert_int_equal(err.code, ERROR_INTERRUPTED);
		pthread_join(thread, NULL);
		/* A seek does not wait for those who fetch, either. */
		ordered_loader_seek(
		    loader, (struct ordered_position){ .epoch = 3 });
		assert_int_equal(
		    ordered_loader_next(loader, 1, &batch, &err), -1);
		assert_int_equal(err.code, ERROR_INTERRUPTED);
		fake_close_gate(&s.fake, false);
		ordered_loader_interrupt(loader);
		assert_int_equal(
		    ordered_loader_next(loader, 0, &batch, &err), -1);
		assert_int_equal(err.code, ERROR_INTERRUPTED);
		add_epoch(rows, &s, loader); /* goes on as if nothing was */
		assert_each_once(rows, SAMPLES);
		ordered_loader_free(loader);
		free(rows);
		tear_down(&s);
	}
}

/* ---- processes ---- */

/* Runs in a child: 0 if all is as it should be. */
static int check_child(struct ordered_loader *loader, struct batch *kept)
{
	struct error err = ERROR_INIT;
	struct batch *batch;

	if (ordered_loader_next(loader, 0, &batch, &err) != -1 ||
	    err.code != ERROR_USAGE || !strstr(err.text, "fork"))
		return 1;
	if (kept->count == 0 || kept->slots[0].key.len != 8)
		return 2;
	batch_give(kept);
	ordered_loader_free(loader);
	return 0;
}

static void test_ordered_says_that_a_fork_has_no_threads(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct ordered_loader *loader;
	struct batch *batch;
	int status;
	pid_t child;

	UNUSED(state);
	set_up(&s, simple, BY_STREAM);
	loader = new_loader(&s);
	assert_int_equal(ordered_loader_next(loader, 0, &batch, &err), 1);
	child = fork();
	if (child == 0)
		_exit(check_child(loader, batch));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	batch_give(batch);
	ordered_loader_free(loader);
	tear_down(&s);
}

/* ---- stored data ---- */

static void take_keys(struct ordered_loader *loader, unsigned *numbers)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned count = 0;
	int got;

	while ((got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
		for (unsigned i = 0; i < batch->count; i++)
			numbers[count++] = stored_number(batch->slots[i].key);
		batch_give(batch);
	}
	test_ok(got, &err);
	assert_int_equal(count, STORED_SAMPLES);
}

static void check_stored(const char *store, const char *codec, void *arg)
{
	const struct store_form form = stored_form(store, codec, STORED_ROWS);
	struct setup s;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct reader *reader;

	UNUSED(arg);
	stored_write(dir, &form, STORED_ROWS);
	reader = store_open(medium, dir, &err);
	test_ok(reader ? 0 : -1, &err);
	set_up(&s, same, BY_STREAM);
	test_ok(pipeline_bind(&s.pipeline, reader_decoded(reader), &err), &err);
	s.plan.reader = reader;
	s.plan.medium = medium;
	s.plan.batch = 7;
	for (int shuffle = 0; shuffle < 2; shuffle++) {
		unsigned numbers[STORED_SAMPLES], seen[STORED_SAMPLES] = { 0 };
		struct ordered_loader *loader;

		s.plan.shuffle = shuffle;
		loader = new_loader(&s);
		for (int epoch = 0; epoch < 2; epoch++) {
			take_keys(loader, numbers);
			for (unsigned i = 0; i < STORED_SAMPLES; i++) {
				assert_true(shuffle || numbers[i] == i);
				assert_int_equal(seen[numbers[i]]++, epoch);
			}
		}
		ordered_loader_free(loader);
	}
	reader_free(reader);
	medium_free(medium);
	tear_down(&s);
	test_scratch_remove(dir);
}

static void test_ordered_reads_all_stores(void **state)
{
	UNUSED(state);
	stored_each(check_stored, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ordered_keeps_the_stored_order),
		cmocka_unit_test(test_ordered_does_not_depend_on_threads),
		cmocka_unit_test(test_ordered_shuffles_by_seed_and_epoch),
		cmocka_unit_test(test_ordered_permutes_blocks_and_windows),
		cmocka_unit_test(
		    test_ordered_does_not_pick_where_that_is_costly),
		cmocka_unit_test(test_ordered_draws_by_sample_and_epoch),
		cmocka_unit_test(test_ordered_gives_each_rank_a_section),
		cmocka_unit_test(test_ordered_says_what_is_wrong_with_ranks),
		cmocka_unit_test(test_ordered_goes_on_at_any_batch),
		cmocka_unit_test(test_ordered_ends_at_once_behind_the_end),
		cmocka_unit_test(test_ordered_may_leave_an_epoch_at_any_time),
		cmocka_unit_test(test_ordered_tells_orders_apart),
		cmocka_unit_test(
		    test_ordered_fills_batches_with_what_steps_make),
		cmocka_unit_test(test_ordered_leaves_out_what_a_filter_drops),
		cmocka_unit_test(test_ordered_divides_a_long_sample),
		cmocka_unit_test(
		    test_ordered_closes_the_gaps_of_skipped_samples),
		cmocka_unit_test(test_ordered_names_the_first_bad_sample),
		cmocka_unit_test(test_ordered_ends_before_a_bad_input),
		cmocka_unit_test(test_ordered_takes_samples_of_any_mean_size),
		cmocka_unit_test(test_ordered_says_what_cannot_be_fetched),
		cmocka_unit_test(
		    test_ordered_notices_samples_that_came_or_went),
		cmocka_unit_test(test_ordered_gives_steps_several_samples),
		cmocka_unit_test(test_ordered_lets_callers_keep_batches),
		cmocka_unit_test(test_ordered_uses_batches_again),
		cmocka_unit_test(test_ordered_waits_no_longer_than_it_is_told),
		cmocka_unit_test(test_ordered_says_that_a_fork_has_no_threads),
		cmocka_unit_test(test_ordered_reads_all_stores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
