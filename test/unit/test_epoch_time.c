/* test_epoch_time.c - the time of simulated epochs, against sums by hand. */
#include <math.h>

#include "lib/base/array.h"
#include "strategies/forecast/models/epoch_time.h"
#include "test/unit/test.h"

static void check(const char *name, double is, double wanted, double within)
{
	if (fabs(is / wanted - 1) > within)
		fail_msg("%s: %g s, not %g s", name, is, wanted);
}

/* 8 streams of 5 chunks of 1 MB, each computed in 10 ms, by 2 workers. */
static struct epoch_work usual(void)
{
	return (struct epoch_work){
		.streams = 8,
		.chunks = 5,
		.bytes = 1e6,
		.requests = 1,
		.compute_s = 10e-3,
		.fetchers = 2,
		.workers = 2,
		.buffers = 12,
	};
}

static void test_epoch_time_without_a_storage_is_that_of_the_workers(
    void **state)
{
	const struct storage_speed memory = { .bandwidth = 0 };
	struct epoch_work work = usual();

	UNUSED(state);
	check("2 workers", epoch_time(&work, &memory), 0.2, 1e-9);
	work.workers = 3; /* 40 chunks: 14 for one of them */
	check("3 workers", epoch_time(&work, &memory), 0.14, 1e-9);
	work.streams = 8000; /* chunks beyond those that are simulated */
	work.workers = 2;
	check("many chunks", epoch_time(&work, &memory), 200, 1e-3);
}

static void test_epoch_time_waits_for_the_slower_one(void **state)
{
	static const struct {
		const char *name;
		struct storage_speed speed;
		double seconds;
	} cases[] = {
		/* 40 MB; the last chunk is computed when all was read. */
		{ "bandwidth", { .bandwidth = 50e6 }, 0.8 + 10e-3 },
		{ "much of it", { .bandwidth = 10e9 }, 0.2 },
		{ "one stream is slower", { .bandwidth = 1e9, .stream = 20e6 },
		    20 * 50e-3 + 10e-3 },
		{ "latency", { .latency = 30e-3 }, 20 * 30e-3 + 10e-3 },
		{ "requests", { .iops = 100 }, 0.4 + 10e-3 },
		{ "latency that is hidden", { .latency = 5e-3 }, 0.2 + 5e-3 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct epoch_work work = usual();

		check(cases[i].name, epoch_time(&work, &cases[i].speed),
		    cases[i].seconds, 0.03);
	}
}

static void test_epoch_time_counts_files_that_are_opened(void **state)
{
	struct epoch_work work = usual();

	UNUSED(state);
	work.compute_s = 0;
	work.stream_opens = 2; /* 16 in all, by 2 fetchers */
	check("open",
	    epoch_time(&work, &(struct storage_speed){ .open = 1e-3 }), 8e-3,
	    0.01);
	work.opens = 10; /* 400 more */
	check("opens",
	    epoch_time(&work, &(struct storage_speed){ .opens = 416 }), 1,
	    0.01);
	/* Nothing is read meanwhile. */
	check("both",
	    epoch_time(&work,
	        &(struct storage_speed){ .opens = 416, .bandwidth = 40e6 }),
	    2, 0.01);
}

/* With more fetchers than shards, some share a stream; buffers limit them. */
static void test_epoch_time_knows_fetchers_and_buffers(void **state)
{
	const struct storage_speed slow = { .latency = 30e-3 };
	struct epoch_work work = usual();

	UNUSED(state);
	work.compute_s = 1e-6;
	work.fetchers = 20;
	work.buffers = 40;
	check("20 fetchers", epoch_time(&work, &slow), 60e-3, 0.01);
	work.buffers = 4;
	check("4 buffers", epoch_time(&work, &slow), 300e-3, 0.01);
}

static void test_epoch_time_errs_as_far_as_it_computes(void **state)
{
	const struct storage_speed memory = { .bandwidth = 0 },
	                           slow = { .bandwidth = 1e6 },
	                           middle = { .bandwidth = 180e6 };
	const struct epoch_work work = usual();

	UNUSED(state);
	check("memory", epoch_time_error(&work, &memory, 0.3), 0.3, 1e-6);
	/* 40 s of reading, and the last chunk. */
	check("slow", epoch_time_error(&work, &slow, 2), 20e-3 / 40.01, 1e-3);
	/* Computing takes 0.2 s, and twice that once it errs: beyond reading.
	 */
	assert_true(epoch_time_error(&work, &middle, 1) > 0.6);
	assert_true(epoch_time_error(&work, &middle, 1) < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_epoch_time_without_a_storage_is_that_of_the_workers),
		cmocka_unit_test(test_epoch_time_waits_for_the_slower_one),
		cmocka_unit_test(test_epoch_time_counts_files_that_are_opened),
		cmocka_unit_test(test_epoch_time_knows_fetchers_and_buffers),
		cmocka_unit_test(test_epoch_time_errs_as_far_as_it_computes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
