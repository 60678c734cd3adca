/*
 * test_loader.c - every sample once with any number of threads; errors;
 * stopping.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/batch_freelist.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "lib/sample/skipped.h"
#include "lib/steps/step.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { STREAMS = 7, PER_STREAM = 23, SAMPLES = STREAMS * PER_STREAM };

struct setup {
	struct ini ini;
	struct pipeline pipeline;
	struct fake fake;
	struct loader_plan plan;
};

static const char steps[] = "[pipeline]\n"
                            "cut = center_crop size=4\n"
                            "flipped = hflip\n"
                            "centered = center\n";

static void set_up(struct setup *s, const char *text)
{
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	test_ok(ini_parse_text(&s->ini, "test.conf", text, strlen(text), &err),
	    &err);
	test_ok(pipeline_read(&s->pipeline, &s->ini, &err), &err);
	test_ok(
	    pipeline_bind(&s->pipeline, &s->fake.reader.schema, &err), &err);
	s->plan = (struct loader_plan){
		.reader = &s->fake.reader,
		.pipeline = &s->pipeline,
		.to = s->pipeline.count,
		.threads = 2,
		.batch = 16,
		.seed = 5,
	};
}

static void tear_down(struct setup *s)
{
	pipeline_release(&s->pipeline);
	ini_release(&s->ini);
}

/* Adds up the hashes of an epoch; counts how often each key came. */
static uint64_t run_epoch(struct loader *loader, const struct setup *s,
    uint32_t epoch, unsigned seen[SAMPLES])
{
	const struct schema *schema = &s->pipeline.schemas[s->plan.to];
	struct batch *batch;
	uint64_t sum = 0;

	loader_begin(loader, epoch, false);
	while ((batch = loader_next(loader)))
		for (unsigned i = 0; i < batch->count; i++) {
			const struct sample *sample = &batch->slots[i];
			char key[9] = "";

			assert_int_equal(sample->key.len, 8);
			memcpy(key, sample->key.data, 8);
			assert_true(atoll(key) < SAMPLES);
			seen[atoll(key)]++;
			sum += sample_hash(sample, schema) ^
			       sample_id(sample->key);
		}
	return sum;
}

static void test_loader_gives_every_sample_once(void **state)
{
	static const struct {
		unsigned threads, fetchers, read_ahead, batch, shuffle;
	} cases[] = {
		{ 1, 1, 1, 1, 0 },
		{ 1, 1, 0, 64, 0 },
		{ 2, 1, 3, 16, 0 },
		{ 3, 2, 0, 7, 100 },
		{ 8, 8, 1, 500, 0 },
		{ 2, 2, 0, 4, 1000 },
	};
	struct setup s;
	struct error err = ERROR_INIT;
	uint64_t first = 0;

	(void)state;
	set_up(&s, steps);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct loader *loader;

		s.plan.threads = cases[i].threads;
		s.plan.fetchers = cases[i].fetchers;
		s.plan.read_ahead = cases[i].read_ahead;
		s.plan.batch = cases[i].batch;
		s.plan.shuffle = cases[i].shuffle;
		loader = loader_new(&s.plan, &err);
		assert_non_null(loader);
		for (int epoch = 0; epoch < 3; epoch++) {
			unsigned seen[SAMPLES] = { 0 };
			const uint64_t sum = run_epoch(loader, &s, 9, seen);

			test_ok(loader_end(loader, &err), &err);
			for (int k = 0; k < SAMPLES; k++)
				assert_int_equal(seen[k], 1);
			if (first == 0)
				first = sum;
			assert_true(sum == first);
		}
		loader_free(loader);
	}
	tear_down(&s);
}

/* The same are kept, and the others counted, with any number of threads. */
static void test_loader_counts_what_filters_drop(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	uint64_t first = 0;

	(void)state;
	set_up(&s, "[pipeline]\ncut = center_crop size=4\n"
	           "kept = filter by=key fraction=0.4\n"
	           "centered = center\n");
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct loader *loader;

		s.plan.threads = threads;
		loader = loader_new(&s.plan, &err);
		assert_non_null(loader);
		for (int epoch = 0; epoch < 2; epoch++) {
			unsigned seen[SAMPLES] = { 0 }, kept = 0;
			const uint64_t sum = run_epoch(loader, &s, 9, seen);

			test_ok(loader_end(loader, &err), &err);
			for (int k = 0; k < SAMPLES; k++)
				kept += seen[k];
			assert_in_range(kept, SAMPLES / 4, SAMPLES / 2);
			assert_int_equal(
			    loader_filtered(loader), SAMPLES - kept);
			assert_int_equal(loader_skipped(loader), 0);
			first = first ? first : sum;
			assert_true(sum == first);
		}
		loader_free(loader);
	}
	tear_down(&s);
}

/* Two loaders share the streams: each sample comes from one of them. */
static void test_loader_reads_chosen_streams(void **state)
{
	static const size_t some[] = { 5, 0, 2 }, others[] = { 6, 4, 1, 3 };
	struct setup s;
	struct error err = ERROR_INIT;
	unsigned seen[SAMPLES] = { 0 };

	(void)state;
	set_up(&s, steps);
	for (int rest = 0; rest < 2; rest++) {
		struct loader *loader = loader_new(&s.plan, &err);

		assert_non_null(loader);
		test_ok(loader_set_streams(
		            loader, rest ? others : some, rest ? 4 : 3, &err),
		    &err);
		run_epoch(loader, &s, 1, seen);
		test_ok(loader_end(loader, &err), &err);
		assert_true(loader_set_part(loader, 1) >= 1);
		loader_free(loader);
	}
	for (unsigned k = 0; k < SAMPLES; k++)
		assert_int_equal(seen[k], 1);
	tear_down(&s);
}

/* How many samples come right behind the one in front of them. */
static unsigned count_neighbours(struct setup *s, unsigned shuffle)
{
	struct error err = ERROR_INIT;
	struct loader *loader;
	struct batch *batch;
	unsigned count = 0;
	long long last = -1;

	s->plan.shuffle = shuffle;
	loader = loader_new(&s->plan, &err);
	assert_non_null(loader);
	loader_begin(loader, 3, false);
	while ((batch = loader_next(loader)))
		for (unsigned i = 0; i < batch->count; i++) {
			char key[9] = "";

			memcpy(key, batch->slots[i].key.data, 8);
			count += atoll(key) == last + 1;
			last = atoll(key);
		}
	test_ok(loader_end(loader, &err), &err);
	loader_free(loader);
	return count;
}

/* A window of several batches mixes samples; streams alone only mix streams. */
static void test_loader_shuffles_within_its_window(void **state)
{
	struct setup s;

	(void)state;
	set_up(&s, steps);
	s.plan.threads = s.plan.fetchers = 1;
	s.plan.batch = 4;
	assert_int_equal(count_neighbours(&s, 0), SAMPLES);
	assert_true(count_neighbours(&s, 1) > SAMPLES - 2 * STREAMS);
	assert_in_range(count_neighbours(&s, 8), SAMPLES / 5, SAMPLES * 4 / 5);
	assert_in_range(count_neighbours(&s, 80), 0, SAMPLES / 5);
	tear_down(&s);
}

static uint64_t run_whole(
    struct loader *loader, const struct setup *s, struct error *err)
{
	unsigned seen[SAMPLES] = { 0 };
	const uint64_t sum = run_epoch(loader, s, 3, seen);

	test_ok(loader_end(loader, err), err);
	for (int k = 0; k < SAMPLES; k++)
		assert_int_equal(seen[k], 1);
	return sum;
}

/* So that one wake-up of the consumer serves several; samples of 192 bytes. */
static void test_loader_lets_small_batches_wait(void **state)
{
	static const struct {
		unsigned batch, waiting;
	} cases[] = {
		{ 1, 16 }, { 16, 16 }, { 256, 9 }, { 1024, 4 }, { 5461, 4 },
		{ 5462, 1 }, /* 1 MiB */
	};
	struct setup s;

	UNUSED(state);
	set_up(&s, steps);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct loader_sizes sizes;

		s.plan.batch = cases[i].batch;
		loader_find_sizes(&s.plan, 0, &sizes);
		if (sizes.waiting != cases[i].waiting)
			fail_msg("%u wait for batches of %u", sizes.waiting,
			    cases[i].batch);
		assert_int_equal(
		    sizes.batches, s.plan.threads * (1 + sizes.waiting) + 1);
	}
	tear_down(&s);
}

static void test_loaders_share_the_batches_that_wait(void **state)
{
	struct batch_freelist *freelist = batch_freelist_new();
	struct error err = ERROR_INIT;
	struct loader *a, *b, *small;
	uint64_t sum, bytes;
	struct setup s;

	(void)state;
	set_up(&s, steps);
	s.plan.freelist = freelist;
	bytes = (uint64_t)schema_bytes(&s.pipeline.schemas[s.plan.to]) *
	        s.plan.batch;
	a = loader_new(&s.plan, &err);
	assert_non_null(a);
	assert_int_equal(batch_freelist_reused(freelist), 0);
	sum = run_whole(a, &s, &err);
	assert_true(batch_freelist_reused(freelist) >= bytes);
	b = loader_new(&s.plan, &err);
	assert_non_null(b);
	/* All that it has were another's: as many, and not one more. */
	bytes = batch_freelist_reused(freelist);
	assert_true(bytes > 0);
	for (int i = 0; i < 3; i++) {
		assert_true(run_whole(b, &s, &err) == sum);
		assert_int_equal(batch_freelist_reused(freelist), bytes);
		assert_true(run_whole(a, &s, &err) == sum);
		assert_int_equal(batch_freelist_reused(freelist), bytes);
	}
	/* Those of another size are not for it. */
	s.plan.batch /= 2;
	small = loader_new(&s.plan, &err);
	assert_non_null(small);
	assert_int_equal(batch_freelist_reused(freelist), 0);
	assert_true(run_whole(small, &s, &err) == sum);
	/* An epoch that ends early gives them back, too. */
	loader_begin(a, 4, false);
	assert_non_null(loader_next(a));
	test_ok(loader_end(a, &err), &err);
	batch_freelist_reused(freelist);
	assert_true(run_whole(b, &s, &err) == sum);
	assert_int_equal(batch_freelist_reused(freelist), bytes);
	loader_free(small);
	loader_free(b);
	loader_free(a);
	batch_freelist_free(freelist);
	tear_down(&s);
}

static void test_loaders_keep_batches_of_unequal_samples(void **state)
{
	struct batch_freelist *freelist = batch_freelist_new();
	struct error err = ERROR_INIT;
	struct loader *loader;
	struct setup s;

	(void)state;
	set_up(&s, "[pipeline]\nflipped = hflip\n");
	assert_true(schema_bytes(&s.pipeline.schemas[s.plan.to]) < 0);
	s.plan.freelist = freelist;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	assert_true(run_whole(loader, &s, &err) == run_whole(loader, &s, &err));
	assert_int_equal(batch_freelist_reused(freelist), 0);
	loader_free(loader);
	batch_freelist_free(freelist);
	tear_down(&s);
}

static void test_loader_draws_anew_each_epoch(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	unsigned seen[SAMPLES] = { 0 };
	struct loader *loader;
	uint64_t a, b;

	(void)state;
	set_up(&s, "[pipeline]\ncut = random_resized_crop size=3\n"
	           "mean = normalize mean=0.1 std=0.5\n");
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	a = run_epoch(loader, &s, 1, seen);
	test_ok(loader_end(loader, &err), &err);
	b = run_epoch(loader, &s, 1, seen);
	test_ok(loader_end(loader, &err), &err);
	assert_true(a == b);
	loader_free(loader);
	tear_down(&s);
}

static void test_loader_fixed_fields_are_contiguous(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader *loader;
	struct batch *batch;

	(void)state;
	set_up(&s, steps);
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	loader_begin(loader, 0, false);
	while ((batch = loader_next(loader)))
		for (unsigned i = 0; i < batch->count; i++)
			assert_ptr_equal(batch->slots[i].fields[0].data,
			    (char *)batch->blocks[0] +
			        i * 4 * 4 * 3 * sizeof(float));
	test_ok(loader_end(loader, &err), &err);
	loader_free(loader);
	tear_down(&s);
}

static void test_loader_stops_at_a_sample_that_fails(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader *loader;

	(void)state;
	set_up(&s, steps);
	s.fake.bad = 50;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	for (int epoch = 0; epoch < 3; epoch++) {
		loader_begin(loader, 0, false);
		while (loader_next(loader))
			continue;
		assert_int_equal(loader_end(loader, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, "center_crop");
		test_contains(err.text, "sample 00000");
	}
	loader_free(loader);
	tear_down(&s);
}

static void test_loader_leaves_out_what_fails_and_says_so(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	unsigned seen[SAMPLES] = { 0 };
	struct buf list = BUF_INIT;
	struct loader *loader;

	(void)state;
	set_up(&s, steps);
	s.fake.bad = 50;
	s.plan.skip_errors = true;
	s.plan.skipped = skipped_new(true, &err);
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	run_epoch(loader, &s, 0, seen);
	test_ok(loader_end(loader, &err), &err);
	for (int k = 0; k < SAMPLES; k++)
		assert_int_equal(seen[k], k % 50 != 49);
	assert_int_equal(loader_skipped(loader), SAMPLES / 50);
	/* Another epoch comes upon the same ones. */
	memset(seen, 0, sizeof(seen));
	run_epoch(loader, &s, 1, seen);
	test_ok(loader_end(loader, &err), &err);
	assert_int_equal(loader_skipped(loader), SAMPLES / 50);
	assert_int_equal(skipped_count(s.plan.skipped), SAMPLES / 50);
	test_ok(skipped_list(s.plan.skipped, &list, &err), &err);
	test_ok(buf_append(&list, "", 1, &err), &err);
	test_contains((const char *)list.data, "00000049\t");
	assert_null(strstr((const char *)list.data, "sample 0000"));
	buf_release(&list);
	loader_free(loader);
	skipped_free(s.plan.skipped);
	tear_down(&s);
}

static void test_loader_gives_the_error_of_a_fetcher(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader *loader;

	(void)state;
	set_up(&s, steps);
	s.fake.fail_at = 77;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	loader_begin(loader, 0, false);
	while (loader_next(loader))
		continue;
	assert_int_equal(loader_end(loader, &err), -1);
	test_contains(err.text, "sample 77 cannot be fetched");
	loader_free(loader);
	tear_down(&s);
}

static void test_loader_can_be_ended_early(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader *loader;

	(void)state;
	set_up(&s, steps);
	s.plan.batch = 4;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	for (int taken = 0; taken < 6; taken++) {
		unsigned seen[SAMPLES] = { 0 };

		loader_begin(loader, 0, false);
		for (int i = 0; i < taken; i++)
			assert_non_null(loader_next(loader));
		test_ok(loader_end(loader, &err), &err);
		run_epoch(loader, &s, 0, seen);
		test_ok(loader_end(loader, &err), &err);
		for (int k = 0; k < SAMPLES; k++)
			assert_int_equal(seen[k], 1);
	}
	loader_begin(loader, 0, false); /* freed in the middle of an epoch */
	loader_free(loader);
	tear_down(&s);
}

static void run_traced(struct loader *loader, struct loader_trace *trace)
{
	struct error err = ERROR_INIT;

	loader_begin(loader, 0, true);
	while (loader_next(loader))
		continue;
	test_ok(loader_end(loader, &err), &err);
	loader_get_trace(loader, trace);
}

/* 8x8x3 bytes, cut to 4x4x3, flipped, centred as floats. */
static void check_bytes(const struct loader_trace *trace)
{
	static const uint64_t bytes[] = { 8 * 8 * 3, 4 * 4 * 3, 4 * 4 * 3,
		4 * 4 * 3 * sizeof(float) };
	const struct phase_row *phases = trace->phases;

	assert_int_equal(trace->chain.samples, SAMPLES);
	assert_int_equal(trace->parse.calls, SAMPLES);
	assert_int_equal(trace->parse.bytes_out, SAMPLES * bytes[0]);
	for (unsigned i = 0; i < 3; i++) {
		const struct activity_cost *step = &trace->chain.steps[i];

		assert_int_equal(step->calls, SAMPLES);
		assert_int_equal(step->bytes_in, SAMPLES * bytes[i]);
		assert_int_equal(step->bytes_out, SAMPLES * bytes[i + 1]);
		assert_true(step->cpu_ns > 0);
	}
	assert_int_equal(phases[PHASE_STEPS].calls, 3 * SAMPLES);
	assert_int_equal(phases[PHASE_PARSE].bytes, SAMPLES * bytes[0]);
	assert_int_equal(phases[PHASE_BATCH].calls, SAMPLES);
	assert_int_equal(phases[PHASE_BATCH].bytes, SAMPLES * bytes[3]);
	assert_int_equal(phases[PHASE_OPEN].calls, STREAMS);
}

/* The parts are the whole. */
static void check_sums(const struct loader_trace *trace, unsigned threads)
{
	uint64_t cpu = 0, wall = 0, sum = 0;

	for (unsigned p = 0; p < PHASE_COUNT; p++) {
		cpu += trace->phases[p].cpu_ns;
		if (p != PHASE_WAIT)
			wall += trace->phases[p].wall_ns;
	}
	for (unsigned i = 0; i < 3; i++)
		sum += trace->chain.steps[i].cpu_ns;
	assert_true(trace->cpu_ns > 0);
	assert_true(cpu <= trace->cpu_ns + 100);
	assert_true(cpu + 100 >= trace->cpu_ns);
	assert_int_equal(trace->phases[PHASE_STEPS].cpu_ns, sum);
	assert_true(wall <= threads * trace->wall_ns);
	assert_true(trace->starved_ns <= trace->phases[PHASE_WAIT].wall_ns);
}

static void test_loader_traces_each_step(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader_trace trace;
	struct loader *loader;

	(void)state;
	for (unsigned unfused = 0; unfused < 2; unfused++) {
		set_up(&s, steps);
		s.plan.unfused = unfused;
		s.plan.fetchers = 1;
		loader = loader_new(&s.plan, &err);
		assert_non_null(loader);
		run_traced(loader, &trace);
		check_bytes(&trace);
		check_sums(&trace, 3);
		run_traced(loader, &trace); /* from nothing again */
		check_bytes(&trace);
		loader_free(loader);
		tear_down(&s);
	}
}

/* A step that takes so long; more of floats. */
struct busy {
	uint64_t ns;
};

static int busy_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	struct busy *busy = priv;

	UNUSED(options);
	UNUSED(err);
	busy->ns = in->dtype == DTYPE_U8 ? 200000 : 600000;
	*out = *in;
	return 0;
}

static int busy_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct busy *busy = priv;
	const uint64_t start = clock_now(&clock_thread_cpu);

	UNUSED(random);
	while (clock_now(&clock_thread_cpu) - start < busy->ns)
		continue;
	return tensor_copy(out, in, err);
}

static const struct step_ops busy_step = {
	.name = "busy",
	.priv_size = sizeof(struct busy),
	.bind = busy_bind,
	.run = busy_run,
};

/* One takes three times as long as the other; nothing else takes so long. */
static void test_loader_finds_what_steps_cost(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader_trace trace;
	struct loader *loader;
	double first, third;

	(void)state;
	set_up(&s, "[pipeline]\na = identity\nb = center\nc = identity\n");
	s.pipeline.steps[0].ops = &busy_step;
	s.pipeline.steps[2].ops = &busy_step;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	run_traced(loader, &trace);
	first = (double)trace.chain.steps[0].cpu_ns;
	third = (double)trace.chain.steps[2].cpu_ns;
	assert_int_equal(trace.chain.steps[0].bytes_out, SAMPLES * 192);
	assert_int_equal(trace.chain.steps[2].bytes_in, SAMPLES * 192 * 4);
	assert_true(first > 0.9 * SAMPLES * 200000);
	assert_true(third > 0.9 * SAMPLES * 600000);
	assert_true(third / first > 2.5 && third / first < 3.5);
	assert_true(first + third > 0.8 * (double)trace.cpu_ns);
	loader_free(loader);
	tear_down(&s);
}

/* What is timed is drawn; what comes out is not. */
static void test_loader_gives_the_same_when_traced(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct batch *batch;
	struct loader *loader;
	uint64_t sums[2] = { 0 };

	(void)state;
	set_up(&s, "[pipeline]\ncut = random_resized_crop size=3\n"
	           "mean = normalize mean=0.1 std=0.5\n");
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	for (unsigned traced = 0; traced < 2; traced++) {
		loader_begin(loader, 3, traced);
		while ((batch = loader_next(loader)))
			for (unsigned i = 0; i < batch->count; i++)
				sums[traced] += sample_hash(&batch->slots[i],
				    &s.pipeline.schemas[s.plan.to]);
		test_ok(loader_end(loader, &err), &err);
	}
	assert_true(sums[0] == sums[1]);
	loader_free(loader);
	tear_down(&s);
}

static void test_loader_stops_at_a_level(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader *loader;

	(void)state;
	set_up(&s, steps);
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	for (int round = 0; round < 3; round++) {
		unsigned seen[SAMPLES] = { 0 };

		for (unsigned l = EXTENT_READ; l < EXTENT_ALL; l++) {
			loader_begin_partial(loader, 0, l);
			assert_null(loader_next(loader));
			test_ok(loader_end(loader, &err), &err);
		}
		run_epoch(loader, &s, 0, seen);
		test_ok(loader_end(loader, &err), &err);
		for (int k = 0; k < SAMPLES; k++)
			assert_int_equal(seen[k], 1);
	}
	s.fake.bad = 50; /* which only steps refuse */
	loader_begin_partial(loader, 0, EXTENT_DECODE);
	assert_null(loader_next(loader));
	test_ok(loader_end(loader, &err), &err);
	s.fake.fail_at = 77;
	loader_begin_partial(loader, 0, EXTENT_READ);
	assert_null(loader_next(loader));
	assert_int_equal(loader_end(loader, &err), -1);
	test_contains(err.text, "sample 77 cannot be fetched");
	loader_begin_partial(loader, 0, EXTENT_DECODE); /* ended early */
	loader_free(loader);
	tear_down(&s);
}

/* How many samples an epoch delivers, of each stream. */
static unsigned run_part(struct loader *loader, unsigned seen[STREAMS])
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned count = 0;

	memset(seen, 0, STREAMS * sizeof(*seen));
	loader_begin(loader, 0, true);
	while ((batch = loader_next(loader)))
		for (unsigned i = 0; i < batch->count; i++, count++) {
			const struct span key = batch->slots[i].key;
			char number[16] = "";

			memcpy(number, key.data, key.len);
			seen[atoi(number) / PER_STREAM]++;
		}
	test_ok(loader_end(loader, &err), &err);
	return count;
}

static void test_loader_goes_through_a_part(void **state)
{
	static const unsigned wanted[STREAMS] = { PER_STREAM, 0, PER_STREAM, 0,
		PER_STREAM, 0, 0 };
	unsigned seen[STREAMS];
	struct setup s;
	struct error err = ERROR_INIT;
	struct loader_trace trace;
	struct loader *loader;

	(void)state;
	set_up(&s, steps);
	s.plan.shuffle = 30;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	/* Three whole streams are more than a third. */
	assert_true(loader_set_part(loader, 0.34) == 3.0 / STREAMS);
	assert_int_equal(run_part(loader, seen), 3 * PER_STREAM);
	assert_memory_equal(seen, wanted, sizeof(seen));
	loader_get_trace(loader, &trace);
	assert_int_equal(trace.chain.samples, 3 * PER_STREAM);
	assert_true(loader_set_part(loader, 1e-9) == 1.0 / STREAMS);
	assert_int_equal(run_part(loader, seen), PER_STREAM);
	assert_true(loader_set_part(loader, 0.99) == 1);
	assert_int_equal(run_part(loader, seen), SAMPLES);
	loader_set_part(loader, 0.5);
	assert_true(loader_set_part(loader, 1) == 1);
	assert_int_equal(run_part(loader, seen), SAMPLES);
	loader_free(loader);
	tear_down(&s);
}

/* One shard is read by several fetchers, each block once. */
static void check_shared(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_TENSOR);
	const struct store_form form = stored_form(store, codec, kind);
	const struct manifest_note note = { .strategy = "raw/tar/none",
		.fingerprint = "f1" };
	struct setup s;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct loader_trace trace;
	struct reader *reader;
	struct loader *loader;
	struct batch *batch;

	UNUSED(arg);
	stored_write_shard(dir, &form, kind, 0, 0, STORED_SAMPLES);
	test_ok(stored_write_manifest(dir, &form, 1, &note, &err), &err);
	reader = store_open(medium, dir, &err);
	assert_non_null(reader);
	set_up(&s, "[pipeline]\nsame = identity\n");
	test_ok(pipeline_bind(&s.pipeline, reader_decoded(reader), &err), &err);
	s.plan.reader = reader;
	s.plan.fetchers = 4;
	loader = loader_new(&s.plan, &err);
	assert_non_null(loader);
	for (uint32_t epoch = 0; epoch < 4; epoch++) {
		unsigned count = 0;

		loader_begin(loader, epoch, false);
		while ((batch = loader_next(loader)))
			count += batch->count;
		test_ok(loader_end(loader, &err), &err);
		assert_int_equal(count, STORED_SAMPLES);
		if (epoch == 3)
			loader_begin_check(loader);
		else
			loader_begin_partial(loader, epoch, epoch % EXTENT_ALL);
		assert_null(loader_next(loader));
		test_ok(loader_end(loader, &err), &err);
	}
	run_traced(loader, &trace);
	assert_true((trace.chain.codec.calls > 0) == !!form.codec.transform);
	assert_int_equal(trace.phases[PHASE_DECOMPRESS].cpu_ns,
	    trace.unpack.cpu_ns + trace.chain.codec.cpu_ns);
	loader_free(loader);
	reader_free(reader);
	medium_free(medium);
	tear_down(&s);
	test_scratch_remove(dir);
}

static void test_loader_reads_one_shard_with_several_fetchers(void **state)
{
	(void)state;
	stored_each(check_shared, NULL);
	check_shared("npy", "shuffle+zstd:1", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loader_gives_every_sample_once),
		cmocka_unit_test(test_loader_counts_what_filters_drop),
		cmocka_unit_test(test_loader_reads_chosen_streams),
		cmocka_unit_test(test_loader_lets_small_batches_wait),
		cmocka_unit_test(test_loaders_share_the_batches_that_wait),
		cmocka_unit_test(test_loaders_keep_batches_of_unequal_samples),
		cmocka_unit_test(test_loader_draws_anew_each_epoch),
		cmocka_unit_test(test_loader_fixed_fields_are_contiguous),
		cmocka_unit_test(
		    test_loader_reads_one_shard_with_several_fetchers),
		cmocka_unit_test(test_loader_stops_at_a_sample_that_fails),
		cmocka_unit_test(test_loader_leaves_out_what_fails_and_says_so),
		cmocka_unit_test(test_loader_gives_the_error_of_a_fetcher),
		cmocka_unit_test(test_loader_can_be_ended_early),
		cmocka_unit_test(test_loader_traces_each_step),
		cmocka_unit_test(test_loader_finds_what_steps_cost),
		cmocka_unit_test(test_loader_gives_the_same_when_traced),
		cmocka_unit_test(test_loader_stops_at_a_level),
		cmocka_unit_test(test_loader_goes_through_a_part),
		cmocka_unit_test(test_loader_shuffles_within_its_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
