/* test_tuning.c - the ascent of `auto`, over machines that are made up. */
#include <math.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/trial/tuning.h"
#include "test/unit/test.h"

/* A machine: samples/s of a core, and of a storage. */
struct machine_model {
	double core, cores;
	double latency_s; /* of a sample, for a fetcher */
	double bandwidth; /* samples/s; 0: no limit */
	double batch_s;   /* of handing over a batch */
	unsigned most;    /* fetchers that there is memory for; 0: any */
	unsigned calls, late_after; /* 0: never */
};

static double limit(
    const struct machine_model *m, const struct trial_mode *mode, bool warm)
{
	const double chunks =
	    mode->read_ahead ? mode->read_ahead : 4 * mode->threads;
	const double cpu = m->core * fmin(mode->threads, m->cores);
	/* A batch is handed over by one thread. */
	double rate = 1 / (1 / cpu + m->batch_s / mode->batch);

	if (warm || m->latency_s <= 0)
		return rate;
	rate =
	    fmin(rate, fmin(trial_mode_fetchers(*mode), chunks) / m->latency_s);
	return m->bandwidth > 0 ? fmin(rate, m->bandwidth) : rate;
}

static int rate_of(void *arg, const struct trial_mode *mode, bool warm,
    double *rate, struct error *err)
{
	struct machine_model *m = arg;

	UNUSED(err);
	m->calls++;
	*rate = m->most && trial_mode_fetchers(*mode) > m->most
	            ? 0
	            : limit(m, mode, warm);
	return 0;
}

static bool is_late(void *arg)
{
	const struct machine_model *m = arg;

	return m->late_after && m->calls >= m->late_after;
}

static struct trial_mode find(
    struct machine_model *m, unsigned chosen, unsigned threads)
{
	const struct tuning tuning = {
		.mode = { .threads = threads, .batch = 64, .chosen = chosen },
		.samples = 10000,
		.rate = rate_of,
		.is_late = is_late,
		.arg = m
	};
	struct error err = ERROR_INIT;
	struct trial_mode found;

	test_ok(tuning_find(&tuning, &found, &err), &err);
	assert_int_equal(found.chosen, chosen);
	return found;
}

/* 1000 samples/s of 20 ms each are 20 at a time; powers of two are tried. */
static void test_tuning_hides_the_latency(void **state)
{
	struct machine_model m = { .core = 500, .cores = 2, .latency_s = 0.02 };
	const struct trial_mode found =
	    find(&m, LOAD_FETCHERS | LOAD_READ_AHEAD, 2);

	UNUSED(state);
	/* The read-ahead was the limit of the fetchers until it grew. */
	assert_true(found.fetchers >= 8);
	assert_true(limit(&m, &found, false) >= 8 / 0.02);
	m.calls = 0;
	assert_true(find(&m, LOAD_FETCHERS, 8).fetchers == 32);
	assert_true(m.calls < 12);
}

/* More fetchers than the bandwidth has work for bring nothing. */
static void test_tuning_takes_no_more_fetchers_than_help(void **state)
{
	struct machine_model m = {
		.core = 500, .cores = 2, .latency_s = 0.02, .bandwidth = 100
	};

	UNUSED(state);
	assert_int_equal(find(&m, LOAD_FETCHERS, 2).fetchers, 2);
	m.latency_s = 0; /* warm: one is enough */
	assert_int_equal(find(&m, LOAD_FETCHERS, 2).fetchers, 1);
}

static void test_tuning_takes_the_fewest_threads(void **state)
{
	struct machine_model m = { .core = 500, .cores = 5 };

	UNUSED(state);
	assert_int_equal(find(&m, LOAD_THREADS, 16).threads, 5);
	m.cores = 16;
	assert_int_equal(find(&m, LOAD_THREADS, 16).threads, 16);
	m.latency_s = 1e-6;
	m.bandwidth = 400; /* the storage feeds one core */
	assert_int_equal(find(&m, LOAD_THREADS, 16).threads, 1);
}

/* Larger batches must be worth it; a job's own one stays else. */
static void test_tuning_keeps_a_batch_that_is_fast_enough(void **state)
{
	struct machine_model m = { .core = 500, .cores = 2, .batch_s = 1e-5 };

	UNUSED(state);
	assert_int_equal(find(&m, LOAD_BATCH, 2).batch, 64);
	m.batch_s = 0.05;
	assert_true(find(&m, LOAD_BATCH, 2).batch > 64);
}

static void test_tuning_ends_in_time_and_within_memory(void **state)
{
	struct machine_model m = {
		.core = 500, .cores = 2, .latency_s = 0.02, .late_after = 2
	};
	const unsigned all =
	    LOAD_THREADS | LOAD_FETCHERS | LOAD_READ_AHEAD | LOAD_BATCH;

	UNUSED(state);
	assert_int_equal(find(&m, all, 2).fetchers, 2);
	assert_true(m.calls <= 5);
	m.late_after = 0;
	m.most = 4;
	assert_true(find(&m, LOAD_FETCHERS, 2).fetchers <= 4);
	m.most = 1; /* there is no room for the mode itself */
	assert_int_equal(find(&m, LOAD_THREADS, 4).threads, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tuning_hides_the_latency),
		cmocka_unit_test(test_tuning_takes_no_more_fetchers_than_help),
		cmocka_unit_test(test_tuning_takes_the_fewest_threads),
		cmocka_unit_test(test_tuning_keeps_a_batch_that_is_fast_enough),
		cmocka_unit_test(test_tuning_ends_in_time_and_within_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
