/* test_bottleneck.c - bottlenecks and their evidence, for invented figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/syntax/ini.h"
#include "strategies/forecast/models/ceilings.h"
#include "strategies/plan/plan.h"
#include "strategies/trial/bottleneck.h"
#include "strategies/trial/partial_epochs.h"
#include "test/unit/fake_trial.h"
#include "test/unit/test.h"

static const char text[] = "[pipeline]\n"
                           "large = resize size=64\n"
                           "centered = center\n"
                           "[load]\nbatch = 7\n"
                           "[measure]\nruns = 2\nepochs = 2\n"
                           "min_run_time = 0\n";

static int set_up(void **state)
{
	return fake_trial_open(state, text);
}

/* A second of a trial, on two cores. */
struct figures {
	const char *word, *evidence;
	enum cache_mode cache;
	unsigned cpu_ms, others_ms;  /* of 2000 */
	unsigned read_ms, decode_ms; /* of 1000; 0: not measured */
	uint64_t requests, opened;
	double mb, mb_from_storage;
	struct storage_limits limits; /* emulated */
	/* CPU time in the traced pass. */
	unsigned resize, center, unpack, parse, copy, hand, reading;
	unsigned starved_ms; /* of 2000 */
	const char *codec;
	unsigned sample_bytes; /* 0: not known */
	struct ceiling ceilings[2];
};

static void trace_of(const struct figures *f, struct loader_trace *trace)
{
	*trace = (struct loader_trace){ .wall_ns = 1000000000 };
	trace->starved_ns = f->starved_ms * 1000000ULL;
	trace->chain.steps[0].cpu_ns = f->resize;
	trace->chain.steps[1].cpu_ns = f->center;
	trace->chain.copy.cpu_ns = f->copy;
	trace->unpack.cpu_ns = f->unpack;
	trace->parse.cpu_ns = f->parse;
	trace->phases[PHASE_BATCH].cpu_ns = f->copy + f->hand;
	trace->phases[PHASE_READ].cpu_ns = f->reading;
	if (f->sample_bytes) {
		trace->phases[PHASE_BATCH].calls = 40;
		trace->phases[PHASE_BATCH].bytes = 40 * f->sample_bytes;
	}
}

static void find(
    struct fake_trial *s, const struct figures *f, struct bottleneck *found)
{
	struct error err = ERROR_INIT;
	struct run_row row = {
		.run = 1,
		.epoch = f->cache == CACHE_NONE ? 1 : 2,
		.wall_ns = 1000000000,
		.user_ns = f->cpu_ms * 1000000ULL,
		.bytes_fetched = (uint64_t)(f->mb * 1e6),
		.bytes_from_storage = (int64_t)(f->mb_from_storage * 1e6),
		.cores = { .others_ns = f->others_ms * 1000000LL },
	};
	struct trial_result result = { .runs = &row, .run_count = 1 };
	struct ceilings ceilings = { .count = 0 };
	struct trial_plan trial = s->trial;

	trial.loading.mode.cache = f->cache;
	trial.medium = medium_new_emulated(&f->limits, &err);
	assert_non_null(trial.medium);
	snprintf(s->fake.reader.codec, sizeof(s->fake.reader.codec), "%s",
	    f->codec ? f->codec : "");
	trace_of(f, &result.trace);
	result.partial.rows[EXTENT_READ].wall_ns = f->read_ms * 1000000ULL;
	result.partial.rows[EXTENT_DECODE].wall_ns = f->decode_ms * 1000000ULL;
	result.partial.fraction = 1;
	result.partial.requests = f->requests;
	result.partial.opened = f->opened;
	for (unsigned i = 0; i < 2 && f->ceilings[i].threads; i++)
		ceilings.list[ceilings.count++] = f->ceilings[i];
	bottleneck_find(&trial, &result, 2, &ceilings, found);
	medium_free(trial.medium);
}

static void check(
    struct fake_trial *s, const struct figures *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct bottleneck found;

		find(s, &cases[i], &found);
		if (strcmp(found.word, cases[i].word) != 0 ||
		    strcmp(found.evidence, cases[i].evidence) != 0)
			fail_msg("case %zu: %s (%s), not %s (%s)", i,
			    found.word, found.evidence, cases[i].word,
			    cases[i].evidence);
	}
}

static void test_bottleneck_of_busy_cores(void **state)
{
	static const struct figures cases[] = {
		{ "cpu:resize", "90 %", CACHE_NONE, 1900, .read_ms = 300,
		    .resize = 90, .center = 10 },
		{ "cpu:center", "71 %", CACHE_SYSTEM, 1900, .read_ms = 300,
		    .decode_ms = 400, .resize = 29, .center = 71 },
		{ "codec:gzip:6", "64 %", CACHE_NONE, 1900, .read_ms = 200,
		    .decode_ms = 700, .unpack = 64, .center = 36,
		    .codec = "gzip:6" },
		/* Without a codec, unpacking is to look at each byte. */
		{ "memory", "64 %", CACHE_SYSTEM, 1900, .read_ms = 500,
		    .decode_ms = 600, .unpack = 64, .center = 36 },
		{ "memory", "60 %", CACHE_SYSTEM, 1900, .read_ms = 500,
		    .decode_ms = 600, .copy = 40, .reading = 20, .center = 30,
		    .parse = 10 },
		/* To move 100 bytes is not to move bytes. */
		{ "harness", "70 %", CACHE_SYSTEM, 1900, .read_ms = 100,
		    .decode_ms = 300, .copy = 30, .parse = 20, .hand = 20,
		    .center = 30, .sample_bytes = 100 },
		{ "memory", "60 %", CACHE_SYSTEM, 1900, .read_ms = 100,
		    .decode_ms = 300, .copy = 60, .parse = 5, .hand = 5,
		    .center = 30, .sample_bytes = 100000 },
		{ "harness", "55 %", CACHE_SYSTEM, 1900, .parse = 25,
		    .hand = 30, .center = 40, .copy = 5 },
		/* Others took a core: one busy core is all there was. */
		{ "cpu:resize", "90 %", CACHE_NONE, 950, 1000, .read_ms = 300,
		    .resize = 90, .center = 10 },
		{ "cpu:resize", "90 %", CACHE_NONE, 1900,
		    .limits = { .bandwidth = 100e6 }, .mb = 5, .read_ms = 100,
		    .resize = 90, .center = 10 },
		/* What is read costs more CPU time than what is done. */
		{ "storage", "60 %", CACHE_NONE, 1900, .read_ms = 600,
		    .reading = 60, .center = 40 },
	};

	check(*state, cases, ARRAY_LEN(cases));
}

/* Decoding alone takes as long as everything: no step is to blame. */
static void test_bottleneck_agrees_with_partial_epochs(void **state)
{
	static const struct figures cases[] = {
		{ "codec:zstd:1", "40 %", CACHE_SYSTEM, 1900, .read_ms = 300,
		    .decode_ms = 900, .unpack = 40, .center = 50, .parse = 10,
		    .codec = "zstd:1" },
		{ "harness", "45 %", CACHE_SYSTEM, 1900, .read_ms = 300,
		    .decode_ms = 900, .parse = 45, .center = 50, .copy = 5 },
		/* Disturbed: the steps do take their time. */
		{ "cpu:center", "70 %", CACHE_SYSTEM, 1900, .read_ms = 300,
		    .decode_ms = 900, .parse = 30, .center = 70 },
		{ "memory", "40 %", CACHE_SYSTEM, 1900, .read_ms = 900,
		    .decode_ms = 950, .reading = 40, .parse = 10,
		    .center = 50 },
		/* With busy cores and steps that are heavy, yet. */
		{ "storage", "reading alone takes 92 % of the time", CACHE_NONE,
		    1900, .read_ms = 920, .resize = 90, .center = 10 },
	};

	check(*state, cases, ARRAY_LEN(cases));
}

static void test_bottleneck_of_storage(void **state)
{
	static const struct figures cases[] = {
		{ "storage", "93 % of 910 MB/s", CACHE_NONE, 1900,
		    .mb = 0.93 * 910, .requests = 800, .read_ms = 970,
		    .limits = { .bandwidth = 910e6, .iops = 9853 },
		    .resize = 9 },
		{ "latency", "90 % of 9 853 IOPS", CACHE_NONE, 500, .mb = 100,
		    .requests = 8868, .read_ms = 970,
		    .limits = { .bandwidth = 910e6, .iops = 9853 },
		    .resize = 9 },
		{ "latency", "requests wait 600 us", CACHE_NONE, 500, .mb = 100,
		    .requests = 3000, .read_ms = 970,
		    .limits = { .bandwidth = 910e6, .latency = 600e-6 },
		    .resize = 9 },
		{ "latency", "opening a file takes 20000 us", CACHE_NONE, 300,
		    .mb = 10, .requests = 500, .read_ms = 970,
		    .limits = { .open = 20e-3 }, .resize = 9 },
		{ "latency", "opening a file takes 600 us", CACHE_NONE, 500,
		    .mb = 100, .requests = 3000, .opened = 3000, .read_ms = 970,
		    .limits = { .latency = 100e-6, .open = 600e-6 },
		    .resize = 9 },
		/* Of a storage that was measured. */
		{ "storage", "95 % of 400 MB/s", CACHE_NONE, 300, .mb = 380,
		    .requests = 380, .read_ms = 990, .resize = 9,
		    .ceilings = { { .pattern = CEILING_SEQUENTIAL,
		                      .threads = 2,
		                      .bytes_per_s = 400e6,
		                      .cold = true },
		        { .pattern = CEILING_FILES,
		            .threads = 2,
		            .bytes_per_s = 200e6,
		            .requests_per_s = 1000,
		            .file_bytes = 200000,
		            .cold = true } } },
		{ "latency", "80 % of 1 000 files/s", CACHE_NONE, 300, .mb = 90,
		    .requests = 800, .read_ms = 990, .resize = 9,
		    .ceilings = { { .pattern = CEILING_SEQUENTIAL,
		                      .threads = 2,
		                      .bytes_per_s = 400e6,
		                      .cold = true },
		        { .pattern = CEILING_FILES,
		            .threads = 2,
		            .bytes_per_s = 200e6,
		            .requests_per_s = 1000,
		            .file_bytes = 200000,
		            .cold = true } } },
		/* Measured from the page cache: no ceiling. */
		{ "storage", "reading alone takes 99 % of the time", CACHE_NONE,
		    300, .mb = 380, .requests = 380, .read_ms = 990,
		    .resize = 9,
		    .ceilings = { { .pattern = CEILING_SEQUENTIAL,
		        .threads = 2,
		        .bytes_per_s = 400e6 } } },
		/* Warm, but the data does not fit. */
		{ "storage", "reading alone takes 99 % of the time",
		    CACHE_SYSTEM, 300, .mb = 380, .mb_from_storage = 370,
		    .read_ms = 990, .decode_ms = 990, .resize = 9 },
		/* Nothing was measured but the runs. */
		{ "storage", "", CACHE_NONE, 300, .resize = 9 },
		{ "storage", "95 % of 100 MB/s", CACHE_NONE, 1900, .mb = 95,
		    .limits = { .bandwidth = 100e6 }, .resize = 9 },
	};

	check(*state, cases, ARRAY_LEN(cases));
}

#define SEQUENTIAL(mb)                                       \
	{                                                    \
		.pattern = CEILING_SEQUENTIAL, .threads = 2, \
		.bytes_per_s = (mb)*1e6, .cold = true,       \
	}
#define SMALL_FILES(per_s)                                               \
	{                                                                \
		.pattern = CEILING_FILES, .threads = 2,                  \
		.bytes_per_s = (per_s)*200e3, .requests_per_s = (per_s), \
		.file_bytes = 200000, .cold = true,                      \
	}

/* No share is above 100 %: the trial is the better measurement. */
static void test_bottleneck_knows_too_low_a_ceiling(void **state)
{
	static const struct figures cases[] = {
		{ "storage", "100 % of 40.3 MB/s", CACHE_NONE, 300, .mb = 40.3,
		    .requests = 40, .read_ms = 990, .resize = 9,
		    .ceilings = { SEQUENTIAL(1) } },
		/* Within the noise of a measurement. */
		{ "storage", "100 % of 412 MB/s", CACHE_NONE, 300, .mb = 412,
		    .requests = 412, .read_ms = 990, .resize = 9,
		    .ceilings = { SEQUENTIAL(400) } },
		{ "latency", "100 % of 1 500 files/s", CACHE_NONE, 300,
		    .mb = 150, .requests = 1500, .read_ms = 990, .resize = 9,
		    .ceilings = { SEQUENTIAL(400), SMALL_FILES(1000) } },
		/* The one that is passed by more. */
		{ "storage", "100 % of 800 MB/s", CACHE_NONE, 300, .mb = 800,
		    .requests = 8000, .read_ms = 990, .resize = 9,
		    .ceilings = { SEQUENTIAL(10), SMALL_FILES(1000) } },
		/* It is no reason to blame the storage. */
		{ "cpu:resize", "90 %", CACHE_NONE, 1900, .mb = 40,
		    .requests = 40, .resize = 90, .center = 10,
		    .ceilings = { SEQUENTIAL(1) } },
		{ "cpu:resize", "90 %", CACHE_NONE, 1900, .mb = 40,
		    .requests = 40, .read_ms = 300, .resize = 90, .center = 10,
		    .ceilings = { SEQUENTIAL(1) } },
		/* What is emulated is exact, but for the rounding. */
		{ "storage", "100 % of 1.5 MB/s", CACHE_NONE, 300, .mb = 1.6,
		    .limits = { .bandwidth = 1.5e6 }, .read_ms = 990,
		    .resize = 9 },
	};

	check(*state, cases, ARRAY_LEN(cases));
}

/* Only data that was certainly not in memory tells of the storage. */
static void test_bottleneck_reads_what_is_cold(void **state)
{
	static const struct {
		double resident, mb; /* of the second, faster run */
		enum cold cold;
		enum cache_mode cache;
	} cases[] = {
		{ 0.5, 40, COLD_YES, CACHE_NONE },
		{ 0.5, 40, COLD_PAGES, CACHE_NONE },
		{ 30, 20, COLD_YES, CACHE_NONE },
		{ -1, 20, COLD_YES, CACHE_NONE },
		{ 0.5, 0, COLD_UNKNOWN, CACHE_NONE },
		{ 0.5, 0, COLD_NO, CACHE_NONE },
		{ 0.5, 0, COLD_YES, CACHE_SYSTEM },
	};
	struct fake_trial *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run_row rows[] = {
			{ .run = 1,
			    .epoch = 1,
			    .wall_ns = 1000000000,
			    .bytes_fetched = 20000000 },
			{ .run = 2,
			    .epoch = 1,
			    .wall_ns = 500000000,
			    .bytes_fetched = 20000000,
			    .resident_percent = cases[i].resident },
		};
		const struct trial_result result = { .runs = rows,
			.run_count = 2,
			.residency = { .cold = cases[i].cold } };
		struct trial_plan trial = s->trial;
		struct ceilings_reading reading;

		trial.loading.mode.cache = cases[i].cache;
		reading = bottleneck_reading(&trial, &result);
		assert_int_equal(reading.bytes_per_s / 1e6 + 0.5, cases[i].mb);
	}
}

static void test_bottleneck_text_joins_word_and_evidence(void **state)
{
	char joined[BOTTLENECK_TEXT];

	(void)state;
	assert_string_equal(
	    bottleneck_text("storage", "93 % of 910 MB/s", joined),
	    "storage, 93 % of 910 MB/s");
	assert_string_equal(bottleneck_text("harness", "", joined), "harness");
	assert_string_equal(bottleneck_text("", "", joined), "");
}

static void test_bottleneck_of_idle_cores(void **state)
{
	static const struct figures cases[] = {
		{ "harness", "workers wait 80 % of the time", CACHE_SYSTEM, 300,
		    .read_ms = 100, .decode_ms = 200, .resize = 9,
		    .starved_ms = 1600 },
		{ "harness", "workers wait 80 % of the time", CACHE_NONE, 300,
		    .read_ms = 300, .resize = 9, .starved_ms = 1600 },
		{ "storage", "reading alone takes 60 % of the time", CACHE_NONE,
		    600, .read_ms = 600, .resize = 9, .starved_ms = 1600 },
		/* The workers had work, and others the cores. */
		{ "cpu:resize", "100 %", CACHE_NONE, 600, .read_ms = 300,
		    .resize = 9, .starved_ms = 200 },
	};

	check(*state, cases, ARRAY_LEN(cases));
}

/* Decompression and the transform behind it are one codec. */
static void test_bottleneck_counts_transforms_as_codec(void **state)
{
	struct fake_trial *s = *state;
	struct error err = ERROR_INIT;
	struct run_row row = {
		.run = 1,
		.epoch = 1,
		.wall_ns = 1000000000,
		.user_ns = 1900000000,
	};
	struct trial_result result = { .runs = &row, .run_count = 1 };
	struct bottleneck found;

	s->trial.medium = medium_new_local(&err);
	snprintf(
	    s->fake.reader.codec, sizeof(s->fake.reader.codec), "delta+zstd");
	result.trace.chain.steps[0].cpu_ns = 9;
	result.trace.unpack.cpu_ns = 5;
	bottleneck_find(&s->trial, &result, 2, NULL, &found);
	assert_string_equal(found.word, "cpu:resize");
	result.trace.chain.codec.cpu_ns = 5;
	bottleneck_find(&s->trial, &result, 2, NULL, &found);
	assert_string_equal(found.word, "codec:delta+zstd");
	assert_string_equal(found.evidence, "53 %");
	medium_free(s->trial.medium);
}

/* The epochs that count, and the one in the middle. */
static void test_whole_epochs_take_the_median_epoch(void **state)
{
	struct fake_trial *s = *state;
	struct run_row rows[] = {
		{ .run = 1, .epoch = 1, .wall_ns = 90 },
		{ .run = 1, .epoch = 2, .wall_ns = 50, .warmup = true },
		{ .run = 1, .epoch = 3, .wall_ns = 12, .samples = 7 },
		{ .run = 1, .epoch = 4, .wall_ns = 10 },
		{ .run = 1, .epoch = 5, .wall_ns = 15 },
	};
	const struct trial_result result = { .runs = rows, .run_count = 5 };
	struct partial_row all;

	s->trial.loading.mode.cache = CACHE_SYSTEM;
	partial_epochs_whole(&result, &s->trial, &all);
	assert_int_equal(all.wall_ns, 12);
	assert_int_equal(all.samples, 7);
	partial_epochs_whole(
	    &(struct trial_result){ .run_count = 0 }, &s->trial, &all);
	assert_int_equal(all.wall_ns, 0);
}

#define WITH_SETUP(name) \
	cmocka_unit_test_setup_teardown(name, set_up, fake_trial_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SETUP(test_bottleneck_of_busy_cores),
		WITH_SETUP(test_bottleneck_agrees_with_partial_epochs),
		WITH_SETUP(test_bottleneck_of_storage),
		WITH_SETUP(test_bottleneck_knows_too_low_a_ceiling),
		WITH_SETUP(test_bottleneck_reads_what_is_cold),
		WITH_SETUP(test_bottleneck_text_joins_word_and_evidence),
		WITH_SETUP(test_bottleneck_of_idle_cores),
		WITH_SETUP(test_bottleneck_counts_transforms_as_codec),
		WITH_SETUP(test_whole_epochs_take_the_median_epoch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
