/* test_footprint.c - estimating memory before it is allocated. */
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/loader.h"
#include "lib/measure/memory.h"
#include "strategies/forecast/footprint.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

static const char photos[] = "[pipeline]\n"
                             "large = resize size=100x100\n"
                             "centered = center\n"
                             "cropped = random_crop size=90\n"
                             "[strategies]\n"
                             "store = tar\n"
                             "codec = none, zstd:1\n"
                             "[load]\n"
                             "batch = 50\n";

enum { SAMPLES = 100000 };

struct setup {
	struct planned planned;
	struct fake fake;
	struct model *model;
};

static void set_up(struct setup *s, const char *text)
{
	struct error err = ERROR_INIT;

	fake_init(&s->fake, 8, 6);
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->model = calloc(1, sizeof(*s->model));
	assert_non_null(s->model);
	test_ok(pilot_run(s->model,
	            &(struct pilot_plan){ .source = &s->fake.reader,
	                .pipeline = &s->planned.pipeline,
	                .plan = &s->planned.plan },
	            &err),
	    &err);
	s->model->machine.cache_budget = UINT64_MAX;
}

static void tear_down(struct setup *s)
{
	free(s->model);
	planned_release(&s->planned);
}

static struct footprint of(const struct setup *s, const char *label,
    unsigned threads, enum cache_mode cache)
{
	struct strategy strategy;
	struct error err = ERROR_INIT;

	test_ok(
	    strategy_parse(&strategy, label, &s->planned.pipeline, &err), &err);
	return footprint_of_load(s->model, &strategy,
	    &(struct load){
	        .samples = SAMPLES, .threads = threads, .cache = cache });
}

/* Samples of 90 x 90 x 3 floats: 97 kB, a batch of 50 of them 4.9 MB. */
static void test_footprint_has_all_that_a_loader_holds(void **state)
{
	const double batch = 50 * 90 * 90 * 3 * 4;
	struct setup s;
	struct footprint one, four, packed, cached;

	(void)state;
	set_up(&s, photos);
	one = of(&s, "large/tar/none", 1, CACHE_NONE);
	four = of(&s, "large/tar/none", 4, CACHE_NONE);
	packed = of(&s, "large/tar/zstd:1", 4, CACHE_NONE);
	cached = of(&s, "large/tar/none", 4, CACHE_APPLICATION);
	/* Open and waiting ones of each thread, and the consumer's. */
	assert_true(one.batches > 3 * batch && one.batches < 5 * batch);
	assert_true(four.batches > 9 * batch && four.batches < 11 * batch);
	assert_true(four.threads > 3 * one.threads);
	/* 24 blocks of 2 MiB, or of 1 MiB with what they are unpacked into. */
	assert_true(four.blocks >= 24.0 * (2 << 20));
	assert_true(packed.blocks >= 28.0 * (1 << 20));
	/* Floats of 100 x 100 x 3 for each sample. */
	assert_true(cached.cache > SAMPLES * 120000.0);
	assert_true(footprint_bytes(&cached) > footprint_bytes(&four) + 12e9);
	tear_down(&s);
}

/* Samples of 3 bytes: what is kept of each is far more than its pixels. */
static void test_footprint_has_the_fixed_part_of_samples(void **state)
{
	const double batch = 50.0 * sizeof(struct sample);
	struct footprint one, four;
	struct setup s;

	(void)state;
	set_up(&s, "[pipeline]\nsmall = resize size=1x1\n"
	           "[strategies]\nstore = tar\ncodec = none\n"
	           "[load]\nbatch = 50\n");
	one = of(&s, "small/tar/none", 1, CACHE_NONE);
	four = of(&s, "small/tar/none", 4, CACHE_NONE);
	/* Each thread more has one open, and one that waits. */
	assert_true(four.batches - one.batches >= 5 * batch);
	tear_down(&s);
}

static void test_footprint_of_a_preparation_grows_with_threads(void **state)
{
	struct error err = ERROR_INIT;
	struct strategy strategy;
	struct footprint one, eight;
	struct load load = { .samples = SAMPLES, .threads = 1 };
	struct setup s;

	(void)state;
	set_up(&s, photos);
	test_ok(strategy_parse(
	            &strategy, "large/tar/none", &s.planned.pipeline, &err),
	    &err);
	one = footprint_of_preparation(s.model, &strategy, &load, "/");
	load.threads = 8;
	eight = footprint_of_preparation(s.model, &strategy, &load, NULL);
	assert_true(one.blocks > 0 && one.threads > 0);
	assert_true(fabs(eight.blocks - 8 * one.blocks) < 1);
	assert_true(one.files == 0);
	tear_down(&s);
}

static void test_footprint_that_does_not_fit_says_what_to_do(void **state)
{
	const struct footprint large = { .batches = 1e9 };
	const struct footprint cache = { .cache = 1e9 };
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(footprint_check(&large, 2000000000, true, &err), &err);
	assert_int_equal(footprint_check(&large, 1200000000, true, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	test_contains(err.text, "needs about 1.16 GB of memory, 1.05 GB are");
	test_contains(err.text, "a smaller batch (--set load.batch=N)");
	assert_int_equal(footprint_check(&cache, 1000, true, &err), -1);
	test_contains(err.text, "--samples");
	assert_int_equal(footprint_check(&large, 0, false, &err), -1);
	test_contains(err.text, "fewer threads (--threads)");
}

/* ulimit -v */
static void test_memory_ends_with_the_address_space(void **state)
{
	const struct rlimit narrow = { (rlim_t)1 << 20, (rlim_t)1 << 20 };
	int status;
	pid_t child;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* it takes address space for itself */
#endif
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(
		    setrlimit(RLIMIT_AS, &narrow) || memory_available("") != 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_footprint_has_all_that_a_loader_holds),
		cmocka_unit_test(test_footprint_has_the_fixed_part_of_samples),
		cmocka_unit_test(
		    test_footprint_of_a_preparation_grows_with_threads),
		cmocka_unit_test(
		    test_footprint_that_does_not_fit_says_what_to_do),
		cmocka_unit_test(test_memory_ends_with_the_address_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
