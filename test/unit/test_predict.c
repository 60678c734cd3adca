/*
 * test_predict.c - predicted bottlenecks: cores or storage, measured or
 * emulated, for known figures.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "strategies/forecast/load_time.h"
#include "strategies/forecast/predict.h"
#include "test/unit/modelled.h"
#include "test/unit/test.h"

enum { CORES = 2, SAMPLES = 1000, FILE_BYTES = 200000 };

/* A storage: 1 GB/s, and 1000 files/s, of which 0.8 ms are opening each. */
static const struct ceilings storage = {
	.list = { { CEILING_SEQUENTIAL, .threads = CORES, .bytes_per_s = 1e9,
	              .cold = true },
	    { CEILING_FILES, .threads = CORES, .bytes_per_s = 1000 * FILE_BYTES,
	        .requests_per_s = 1000, .file_bytes = FILE_BYTES,
	        .cold = true } },
	.count = 2,
};

/* One step, of 1 ms if nothing else is said, and one shard. */
static void set_up(struct modelled *s, const char *emulated)
{
	struct model *model;
	char text[256];

	snprintf(text, sizeof(text),
	    "[strategies]\nstore = tar\nshards = 1\n[storage]\n%s\n"
	    "[pipeline]\nsame = identity\n",
	    emulated);
	modelled_init(s, text, SAMPLES, 1, 0);
	model = s->model;
	model->machine.cores = CORES;
	model->machine.memory = UINT64_MAX;
	model->machine.cache_budget = UINT64_MAX;
	model->source_bytes = 1;
	for (unsigned i = 0; i <= s->planned.pipeline.count; i++) {
		model->online_s[i] = 1e-3;
		model->packing[i][0][0].bytes = 1;
	}
}

static struct prediction predict(
    const struct modelled *s, bool stored, enum cache_mode cache)
{
	const struct strategies *all = &s->planned.strategies;
	const struct load load = {
		.samples = SAMPLES, .threads = CORES, .cache = cache
	};

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].unprocessed != stored)
			return model_predict(s->model, &all->list[i], &load);
	fail_msg("no such strategy");
	return (struct prediction){ .limit = "" };
}

static void check(const char *name, const struct prediction *p, double wanted,
    const char *limit)
{
	if (fabs(p->samples_per_s / wanted - 1) > 0.05 ||
	    strcmp(p->limit, limit) != 0)
		fail_msg("%s: %g samples/s by %s, not %g by %s", name,
		    p->samples_per_s, p->limit, wanted, limit);
}

static void test_predict_takes_the_lesser_of_cores_and_storage(void **state)
{
	static const struct {
		const char *name;
		bool stored;
		double cpu_s, bytes;
		enum cache_mode cache;
		double samples_per_s;
		const char *limit;
	} cases[] = {
		/* 2 cores; 1 GB/s of 0.1 MB are 10,000. */
		{ "busy cores", true, 1e-3, 1e5, CACHE_NONE, 2000, "cpu" },
		{ "large samples", true, 1e-4, 1e6, CACHE_NONE, 1000,
		    "storage" },
		{ "large, in memory", true, 1e-4, 1e6, CACHE_SYSTEM, 20000,
		    "cpu" },
		{ "cached as tensors", true, 1e-3, 1e6, CACHE_APPLICATION, 2000,
		    "cpu" },
		/* Files: as the probe's; all but opening; and hardly that. */
		{ "probe's files", false, 1e-5, FILE_BYTES, CACHE_NONE, 1000,
		    "latency" },
		{ "small files", false, 1e-5, 1e4, CACHE_NONE,
		    1 / (0.8e-3 + 1e-5), "latency" },
		{ "large files", false, 1e-5, 1e7, CACHE_NONE,
		    1 / (0.8e-3 + 1e-2), "storage" },
		{ "small, stored", true, 1e-6, 1e4, CACHE_NONE,
		    1 / (2 * 0.8e-6 + 1e-5), "storage" },
		{ "small, in memory", false, 1e-4, 1e4, CACHE_SYSTEM, 20000,
		    "cpu" },
	};
	struct modelled s;

	UNUSED(state);
	set_up(&s, "");
	s.model->source_ceilings = s.model->stored_ceilings = storage;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct prediction p;

		for (unsigned r = 0; r <= s.planned.pipeline.count; r++) {
			s.model->online_s[r] = cases[i].cpu_s;
			s.model->packing[r][0][0].bytes = cases[i].bytes;
		}
		s.model->source_bytes = cases[i].bytes;
		p = predict(&s, cases[i].stored, cases[i].cache);
		check(
		    cases[i].name, &p, cases[i].samples_per_s, cases[i].limit);
	}
	modelled_release(&s);
}

/* Of 1 GB of data. */
static void test_predict_reads_again_what_memory_cannot_keep(void **state)
{
	struct modelled s;
	struct prediction p;

	UNUSED(state);
	set_up(&s, "");
	s.model->stored_ceilings = storage;
	s.model->packing[0][0][0].bytes = s.model->packing[1][0][0].bytes = 1e6;
	s.model->machine.memory = 1100000000;
	p = predict(&s, true, CACHE_SYSTEM);
	check("fits", &p, 2000, "cpu");
	assert_true(p.first_epoch_s > 1.99 * p.epoch_s);
	assert_true(p.untimed_s < 1.01 * p.epoch_s);
	s.model->machine.memory = 900000000;
	p = predict(&s, true, CACHE_SYSTEM);
	check("does not fit", &p, 1000, "storage");
	modelled_release(&s);
}

/* The dataset may lie elsewhere than what is made of it. */
static void test_predict_knows_two_storages(void **state)
{
	struct modelled s;
	struct prediction p;

	UNUSED(state);
	set_up(&s, "");
	s.model->source_bytes = 1e7;
	s.model->packing[0][0][0].bytes = s.model->packing[1][0][0].bytes = 1e7;
	s.model->stored_ceilings = storage;
	p = predict(&s, false, CACHE_NONE);
	check("not known", &p, 2000, "cpu");
	p = predict(&s, true, CACHE_NONE);
	check("known", &p, 100, "storage");
	/* What was not cold is no storage's. */
	s.model->stored_ceilings.list[0].cold = false;
	p = predict(&s, true, CACHE_NONE);
	check("from memory", &p, 2000, "cpu");
	modelled_release(&s);
}

static void test_predict_knows_an_emulated_storage(void **state)
{
	static const struct {
		const char *storage;
		double samples_per_s; /* of files of 1 MB */
		const char *limit;
	} cases[] = {
		{ "bandwidth = 500MB/s", 500, "storage" },
		{ "bandwidth = 5GB/s", 2000, "cpu" },
		{ "latency = 10ms", CORES / 10e-3, "latency" },
		{ "iops = 300", 300, "latency" },
		{ "open = 30ms", CORES / 30e-3, "latency" },
		{ "bandwidth = 500MB/s\niops = 300", 300, "latency" },
		{ "bandwidth = 200MB/s\niops = 300", 200, "storage" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct modelled s;
		struct prediction p;

		set_up(&s, cases[i].storage);
		s.model->source_bytes = 1e6;
		p = predict(&s, false, CACHE_NONE);
		check(cases[i].storage, &p, cases[i].samples_per_s,
		    cases[i].limit);
		p = predict(&s, false, CACHE_SYSTEM);
		check("cached", &p, 2000, "cpu");
		modelled_release(&s);
	}
}

/* Two cores rehearsed eight threads; a machine with eight is asked about. */
static void test_predict_gives_threads_the_cores_of_a_machine(void **state)
{
	enum { MANY = 8 };
	struct rehearsed list[] = {
		{ .unprocessed = true, .threads = 1, .sample_s = 1e-3 },
		{ .unprocessed = true, .threads = MANY, .sample_s = 5e-4 },
		{ .rep = 0, .threads = MANY, .sample_s = 5e-4 },
	};
	const struct load load = {
		.samples = SAMPLES, .threads = MANY, .cache = CACHE_SYSTEM
	};
	struct modelled s;

	UNUSED(state);
	set_up(&s, "");
	s.model->rehearsed.list = list;
	s.model->rehearsed.count = ARRAY_LEN(list);
	s.model->machine.own_cores = CORES;
	s.model->machine.cores = MANY;
	assert_true(fabs(load_time_stretch(s.model, MANY) - 1) < 1e-9);
	for (size_t i = 0; i < s.planned.strategies.count; i++) {
		const struct prediction p = model_predict(
		    s.model, &s.planned.strategies.list[i], &load);

		if (s.planned.strategies.list[i].split == 0)
			check("more cores", &p, 8000, "cpu");
	}
	modelled_release(&s);
}

/*
 * A thread waits and computes in turn: 1000 samples of 1 ms of CPU time behind
 * requests of 2 ms take 3 s with one shard, not 2 s.
 */
static void test_predict_prepares_in_turn(void **state)
{
	struct modelled s;
	struct prediction p;

	UNUSED(state);
	set_up(&s, "latency = 2ms");
	s.fake.reader.files_each = 1;
	s.model->step_s[0] = 2e-3; /* on two cores */
	s.model->sync.file_s = s.model->sync.byte_s = 0;
	for (size_t i = 0; i < s.planned.strategies.count; i++) {
		const struct strategy *strategy = &s.planned.strategies.list[i];
		const struct load load = { .samples = SAMPLES,
			.threads = CORES };

		if (strategy->unprocessed || strategy->split != 1)
			continue;
		p = model_predict(s.model, strategy, &load);
		assert_true(p.prep_s > 2.95 && p.prep_s < 3.1);
		/* Steps that run as one take less than each by itself. */
		s.model->fused[1] = 0.5;
		p = model_predict(s.model, strategy, &load);
		assert_true(p.prep_s > 2.45 && p.prep_s < 2.6);
	}
	modelled_release(&s);
}

/* A block ends with the sample that fills it. */
static void test_predict_counts_whole_samples_in_blocks(void **state)
{
	struct modelled s;
	const struct strategy *stored = NULL;
	double block;

	UNUSED(state);
	set_up(&s, "");
	for (size_t i = 0; i < s.planned.strategies.count; i++)
		if (!s.planned.strategies.list[i].unprocessed)
			stored = &s.planned.strategies.list[i];
	assert_non_null(stored);
	s.model->many[stored->split] = 1;
	s.model->field_bytes[stored->split] = 1.5e6;
	block = model_block_bytes(s.model, stored);
	/* 2 MiB: two samples, or a half of one more where sizes differ. */
	assert_true(block == 3e6 || block == (2 << 20) + 0.75e6);
	s.model->field_bytes[stored->split] = 0;
	assert_true(model_block_bytes(s.model, stored) == 2 << 20);
	modelled_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_predict_takes_the_lesser_of_cores_and_storage),
		cmocka_unit_test(
		    test_predict_reads_again_what_memory_cannot_keep),
		cmocka_unit_test(test_predict_knows_two_storages),
		cmocka_unit_test(test_predict_knows_an_emulated_storage),
		cmocka_unit_test(
		    test_predict_gives_threads_the_cores_of_a_machine),
		cmocka_unit_test(test_predict_prepares_in_turn),
		cmocka_unit_test(test_predict_counts_whole_samples_in_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
