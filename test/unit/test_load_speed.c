/* test_load_speed.c - what a forecast takes the storage to be. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "strategies/forecast/load_speed.h"
#include "strategies/forecast/predict.h"
#include "test/unit/test.h"

static const struct strategy unprocessed = { .label = "unprocessed",
	.unprocessed = true };
static const struct strategy stored = { .label = "raw/tar/none" };

/* Of each of 16 streams two files are opened. */
static const struct epoch_work few = {
	.streams = 16, .chunks = 1, .stream_opens = 2, .fetchers = 1
};
static const struct epoch_work many = {
	.streams = 17, .chunks = 1, .stream_opens = 2, .fetchers = 1
};

static void add_ceiling(struct ceilings *ceilings, enum ceiling_pattern pattern,
    double bytes_per_s, double requests_per_s)
{
	ceilings->list[ceilings->count++] = (struct ceiling){
		.pattern = pattern,
		.origin = CEILING_OF_PROBE,
		.threads = 1,
		.bytes_per_s = bytes_per_s,
		.requests_per_s = requests_per_s,
		.file_bytes = 200000,
		.cold = true,
	};
}

/* Without a probe, both read at the rough speed of the work folder. */
static void test_load_speed_is_rough_for_all_without_a_probe(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load load = { .samples = 10, .cache = CACHE_NONE };
	const struct strategy *const each[] = { &unprocessed, &stored };
	struct storage_speed speed;

	UNUSED(state);
	model = (struct model){ .plan = &plan };
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		model.sync.alone.byte_s = 0;
		assert_false(
		    load_speed_find(&model, each[i], &load, &few, &speed));
		model.sync.alone.byte_s = 1e-9;
		model.sync.alone.file_s = 1e-4;
		assert_true(
		    load_speed_find(&model, each[i], &load, &few, &speed));
		assert_true(fabs(speed.bandwidth - 1e9) < 1);
		assert_true(speed.open == 1e-4);
	}
}

/*
 * The probe opened many files, and had to find each of them: that takes 0.3 ms
 * beside reading. The names of a few files stay in memory.
 */
static void test_load_speed_opens_a_few_files_at_once(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load load = { .samples = 10, .cache = CACHE_NONE };
	struct storage_speed speed;

	UNUSED(state);
	model = (struct model){ .plan = &plan };
	add_ceiling(&model.stored_ceilings, CEILING_SEQUENTIAL, 2e9, 500000);
	add_ceiling(&model.stored_ceilings, CEILING_FILES, 5e8, 2500);
	model.sync.alone.file_s = 1e-4;
	assert_true(load_speed_find(&model, &stored, &load, &many, &speed));
	assert_true(fabs(1 / speed.opens - 3e-4) < 1e-9);
	assert_true(load_speed_find(&model, &stored, &load, &few, &speed));
	assert_true(speed.opens == 0 && speed.open == 1e-4);
	assert_true(fabs(speed.bandwidth - 2e9) < 1);
	/* That was not measured: as the probe says. */
	model.sync.alone.file_s = 0;
	assert_true(load_speed_find(&model, &stored, &load, &few, &speed));
	assert_true(speed.opens > 0);
}

/*
 * The loader read 32 MB from 4 shards in 20 ms with one thread, of which
 * opening 8 files took 0.8 ms; two threads took 16 ms.
 */
static void test_load_speed_is_that_of_the_rehearsals(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load one = { .threads = 1, .cache = CACHE_NONE };
	const struct load two = { .threads = 2, .cache = CACHE_NONE };
	struct storage_speed speed;

	UNUSED(state);
	model = (struct model){ .plan = &plan,
		.sync.alone.file_s = 1e-4,
		.rehearsed = {
			.cold.list = {
				{ .threads = 1, .bytes = 32e6, .streams = 4,
				    .epoch_s = 20.8e-3 },
				{ .threads = 2, .bytes = 32e6, .streams = 4,
				    .epoch_s = 16.4e-3 },
			},
			.cold.count = 2,
		} };
	add_ceiling(&model.stored_ceilings, CEILING_SEQUENTIAL, 2.5e9, 600000);
	add_ceiling(&model.source_ceilings, CEILING_SEQUENTIAL, 2.5e9, 600000);
	assert_true(load_speed_find(&model, &stored, &one, &many, &speed));
	assert_true(fabs(speed.bandwidth - 32e6 / 20e-3) < 1);
	assert_true(load_speed_find(&model, &stored, &two, &many, &speed));
	assert_true(fabs(speed.bandwidth - 32e6 / 16e-3) < 1);
	assert_true(fabs(speed.stream - 32e6 / 20e-3) < 1);
	assert_int_equal(load_speed_rehearsed(&model, 7)->threads, 2);
	/* The dataset lies elsewhere, and a disturbed rehearsal says nothing.
	 */
	assert_true(load_speed_find(&model, &unprocessed, &one, &many, &speed));
	assert_true(fabs(speed.bandwidth - 2.5e9) < 1);
	model.rehearsed.cold.list[0].epoch_s = 0;
	assert_true(load_speed_find(&model, &stored, &one, &many, &speed));
	assert_true(fabs(speed.bandwidth - 2.5e9) < 1);
}

/*
 * Four large shards of 32 MB took 20 ms, eight of 0.1 MB in all 2.06 ms: two
 * threads begin a shard in 0.5 ms each.
 */
static void test_load_speed_knows_what_a_shard_takes(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load load = { .threads = 2, .cache = CACHE_NONE };
	struct epoch_work work = few;
	struct storage_speed speed;

	UNUSED(state);
	work.workers = 2;
	model = (struct model){ .plan = &plan,
		.sync.alone.file_s = 1e-4,
		.rehearsed = {
		    .cold.list = { { .threads = 2,
		        .bytes = 32e6,
		        .streams = 4,
		        .epoch_s = 20e-3 } },
		    .cold.count = 1,
		    .cold_small.list = { { .threads = 2,
		        .bytes = 1e5,
		        .streams = 8,
		        .epoch_s = 2.0593750e-3 } },
		    .cold_small.count = 1,
		} };
	add_ceiling(&model.stored_ceilings, CEILING_SEQUENTIAL, 2.5e9, 600000);
	assert_true(load_speed_find(&model, &stored, &load, &work, &speed));
	/* The index of a shard, and the shard. */
	assert_true(fabs(2 * speed.open - 0.5e-3) < 1e-9);
	assert_true(fabs(speed.bandwidth - 32e6 / 19e-3) < 1);
	/* Of shards of one size it is not known. */
	model.rehearsed.cold_small.list[0].bytes = 32e6;
	assert_true(load_speed_find(&model, &stored, &load, &work, &speed));
	assert_true(speed.open == 1e-4);
}

/* A file of 256 KiB takes 0.3 ms, of which 0.13 ms are its bytes. */
static void test_load_speed_reads_small_shards_slowly(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load load = { .threads = 1, .cache = CACHE_NONE };
	struct epoch_work work = few;
	struct storage_speed speed;

	UNUSED(state);
	work.bytes = SYNC_MIDDLE;
	model = (struct model){ .plan = &plan,
		.sync.alone = {
		    .file_s = 1e-4, .middle_s = 3e-4, .byte_s = 5e-10 } };
	add_ceiling(&model.stored_ceilings, CEILING_SEQUENTIAL, 2e9, 500000);
	assert_true(load_speed_find(&model, &stored, &load, &work, &speed));
	/* The index of a shard, and the shard. */
	assert_true(
	    fabs(2 * speed.open - (1e-4 + 3e-4 - SYNC_MIDDLE / 2e9)) < 1e-9);
}

/* Reading takes 4 ms of CPU time beside workers that take 10 ms each. */
static void test_load_speed_counts_the_cpu_time_of_reading(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load one = { .threads = 1 }, two = { .threads = 2 };
	const struct epoch_work work = {
		.streams = 2, .chunks = 2, .bytes = 5e6
	};

	UNUSED(state);
	model = (struct model){ .plan = &plan, .machine.cores = 2 };
	assert_true(
	    load_speed_with_reading_s(&model, &two, &work, 10e-3) == 10e-3);
	model.rehearsed.cold.count = 1;
	model.rehearsed.cold.list[0] =
	    (struct rehearsed_cold){ .threads = 2, .cpu_byte_s = 2e-10 };
	assert_true(fabs(load_speed_with_reading_s(&model, &two, &work, 10e-3) -
	                 12e-3) < 1e-9);
	/* The other core reads. */
	assert_true(
	    load_speed_with_reading_s(&model, &one, &work, 10e-3) == 10e-3);
	plan.limits.latency = 1e-3;
	assert_true(
	    load_speed_with_reading_s(&model, &two, &work, 10e-3) == 10e-3);
	plan.limits.latency = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_load_speed_is_rough_for_all_without_a_probe),
		cmocka_unit_test(test_load_speed_opens_a_few_files_at_once),
		cmocka_unit_test(test_load_speed_is_that_of_the_rehearsals),
		cmocka_unit_test(test_load_speed_knows_what_a_shard_takes),
		cmocka_unit_test(test_load_speed_reads_small_shards_slowly),
		cmocka_unit_test(
		    test_load_speed_counts_the_cpu_time_of_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
