/*
 * test_allocation.c - the best throughput of a pipeline, compared with a search
 * over all allocations.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/db/grid.h"
#include "strategies/whatif/allocation.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static void check_near(const char *what, double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("%s: %.9g, not %.9g", what, got, want);
}

/* ---- the program ---- */

static void test_allocation_shares_cores_by_need(void **state)
{
	const struct allocation_node nodes[] = { { 1e-3, 0, INFINITY },
		{ 3e-3, 0, INFINITY } };

	UNUSED(state);
	check_near(
	    "2 cores", allocation_most(nodes, 2, 2, INFINITY), 500, 1e-9);
	check_near(
	    "8 cores", allocation_most(nodes, 2, 8, INFINITY), 2000, 1e-9);
}

/* A node that runs on one core only: its rate is all there is. */
static void test_allocation_is_held_back_by_what_is_sequential(void **state)
{
	const struct allocation_node nodes[] = { { 1e-3, 0, 1 },
		{ 3e-3, 0, INFINITY } };

	UNUSED(state);
	check_near(
	    "2 cores", allocation_most(nodes, 2, 2, INFINITY), 500, 1e-9);
	check_near(
	    "8 cores", allocation_most(nodes, 2, 8, INFINITY), 1000, 1e-9);
}

/* Plumber's own program leaves the bandwidth out of what it maximises. */
static void test_allocation_is_held_back_by_the_storage(void **state)
{
	const struct allocation_node nodes[] = { { 1e-3, 0, INFINITY } };
	const struct allocation_node held[] = { { 1e-3, 0.5, INFINITY } };

	UNUSED(state);
	check_near("closed", allocation_most(nodes, 1, 4, 123), 123, 1e-9);
	check_near("bisected", allocation_most(held, 1, 4, 123), 123, 1e-9);
}

/* What others hold is not free; and is not less than none. */
static void test_allocation_keeps_what_is_held(void **state)
{
	const struct allocation_node nodes[] = { { 1e-3, 1.5, INFINITY },
		{ 1e-3, 0, INFINITY } };
	const struct allocation_node all[] = { { 1e-3, 3, INFINITY } };

	UNUSED(state);
	check_near(
	    "2 cores", allocation_most(nodes, 2, 2, INFINITY), 500, 1e-6);
	check_near(
	    "4 cores", allocation_most(nodes, 2, 4, INFINITY), 2000, 1e-6);
	check_near("too few", allocation_most(all, 1, 2, INFINITY), 0, 0);
}

/* The largest rate of a fine grid for which cores can be given. */
static double by_trying(const struct allocation_node *nodes, size_t count,
    double cores, double storage)
{
	double best = 0;

	for (double rate = 0; rate <= storage; rate += 0.01) {
		double sum = 0;
		bool can_be = true;

		for (size_t i = 0; i < count; i++) {
			const double need =
			    fmax(nodes[i].least, rate * nodes[i].cpu_s);

			can_be &= rate * nodes[i].cpu_s <= nodes[i].most;
			sum += need;
		}
		if (can_be && sum <= cores)
			best = rate;
	}
	return best;
}

static void test_allocation_is_the_largest_rate(void **state)
{
	struct random random = random_stream(3, 0, 0, 0);

	UNUSED(state);
	for (unsigned i = 0; i < 200; i++) {
		struct allocation_node nodes[4];
		const size_t count = 1 + random_below(&random, 4);
		const double cores = 3 + 5 * random_unit(&random);
		const double storage = 20 + 80 * random_unit(&random);

		for (size_t n = 0; n < count; n++)
			nodes[n] = (struct allocation_node){
				.cpu_s = 0.02 + 0.1 * random_unit(&random),
				.least = random_below(&random, 2) *
				         random_unit(&random) * 0.7,
				.most = random_below(&random, 2)
				            ? INFINITY
				            : 1 + 2 * random_unit(&random),
			};
		check_near("rate",
		    allocation_most(nodes, count, cores, storage),
		    by_trying(nodes, count, cores, storage), 0.02);
	}
}

/* ---- a trial ---- */

static const struct trial_work decoding = {
	.activity_cpu_s = { 50e-6, 200e-6, 700e-6, 50e-6 },
	.fetch_s = 5e-3,
	.bytes = 100e3,
	.requests = 1,
	.bandwidth = 300e6,
	.requests_per_s = NAN,
	.samples_per_s = 1860,
	.cores = 2,
	.others_cores = NAN,
};

static void test_allocation_of_a_trial(void **state)
{
	struct allocation a;

	UNUSED(state);
	assert_true(allocation_make(&a, &decoding, NAN));
	check_near("cores", a.cores, 2, 0);
	check_near("cpu", a.cpu_samples_per_s, 2000, 1e-9);
	check_near("storage", a.storage_samples_per_s, 3000, 1e-9);
	check_near("most", a.samples_per_s, 2000, 1e-9);
	assert_false(a.is_storage);
	check_near("reached", a.reached, 0.93, 1e-9);
	check_near("core", a.core_gain, 0.5, 1e-9);
	check_near("storage gain", a.storage_gain, 0, 1e-9);
	check_near("steps", a.activity_cores[ACTIVITY_STEPS], 1.4, 1e-9);
	assert_int_equal(a.workers, 2);
	/* Little: 2000 a second, each 5 ms on its way. */
	check_near("read ahead", a.read_ahead_samples, 10, 1e-9);
	assert_int_equal(a.fetchers, 10);
}

/* Twice the cores would give twice as much; one more gives half as much. */
static void test_allocation_gains_by_one_core(void **state)
{
	struct trial_work fast = decoding;
	struct allocation a;

	UNUSED(state);
	fast.bandwidth = 1e12;
	assert_true(allocation_make(&a, &fast, NAN));
	check_near("core", a.core_gain, 0.5, 1e-9);
	assert_true(allocation_make(&a, &fast, 4));
	check_near("core", a.core_gain, 0.25, 1e-9);
}

static void test_allocation_of_more_cores_meets_the_storage(void **state)
{
	struct allocation a;

	UNUSED(state);
	assert_true(allocation_make(&a, &decoding, 8));
	check_near("cpu", a.cpu_samples_per_s, 8000, 1e-9);
	check_near("most", a.samples_per_s, 3000, 1e-9);
	assert_true(a.is_storage);
	assert_true(isnan(a.reached));
	check_near("core", a.core_gain, 0, 1e-9);
	check_near("storage gain", a.storage_gain, 1, 1e-9);
	assert_int_equal(a.workers, 3); /* 2.85 cores */
	/* Half way: the first half of twice the storage helps. */
	assert_true(allocation_make(&a, &decoding, 4));
	check_near("most", a.samples_per_s, 3000, 1e-9);
	check_near("storage gain", a.storage_gain, 1 / 3., 1e-9);
}

static void test_allocation_of_what_is_in_memory(void **state)
{
	struct trial_work facts = decoding;
	struct allocation a;

	UNUSED(state);
	facts.bytes = 0;
	facts.fetch_s = 1; /* another had the core */
	assert_true(allocation_make(&a, &facts, 100));
	check_near("most", a.samples_per_s, 100e3, 1e-6);
	assert_true(isinf(a.storage_samples_per_s));
	assert_int_equal(a.fetchers, 5);
	memset(facts.activity_cpu_s, 0, sizeof(facts.activity_cpu_s));
	assert_false(allocation_make(&a, &facts, NAN));
	facts.activity_cpu_s[0] = NAN;
	assert_false(allocation_make(&a, &facts, NAN));
}

/*
 * The view: 2000 samples in 4 s of 6 CPU seconds, from disk; 100 traced, in
 * 100 requests, which wait 1 ms each and cost 2 ms to open.
 */
static void test_allocation_of_a_session(void **state)
{
	static const struct storage_limits limits = {
		.bandwidth = 50e6, .latency = 1e-3, .open = 2e-3
	};
	const struct run_row runs[] = { { .run = 1,
	    .epoch = 1,
	    .wall_ns = 4000000000,
	    .samples = 2000,
	    .user_ns = 5000000000,
	    .system_ns = 1000000000,
	    .bytes_fetched = 100000000,
	    .bytes_from_storage = -1,
	    .resident_percent = -1 } };
	const struct trial_row trial = { .threads = 2,
		.cache = CACHE_NONE,
		.message = "",
		.bottleneck = "",
		.runs = runs,
		.run_count = 1,
		.phases = { [PHASE_OPEN] = { 1000000, 1000000, 50, 0 },
		    [PHASE_READ] = { 9000000, 3000000, 100, 5000000 },
		    [PHASE_PARSE] = { 1, 4000000, 100, 1 },
		    [PHASE_STEPS] = { 1, 90000000, 300, 1 },
		    [PHASE_BATCH] = { 1, 2000000, 100, 1 } } };
	const struct preparation_row preparation = { .samples = 2000 };
	struct session_work work = SESSION_WORK_INIT;
	struct trial_work facts;
	struct fixture fixture;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_session(&fixture, &limits);
	fixture_store(&fixture, "raw/tar/none", &preparation, &trial);
	test_ok(
	    session_work_read(&work, fixture.results, fixture.session, &err),
	    &err);
	assert_int_equal(work.trial_count, 1);
	facts = work.trials[0];
	check_near(
	    "cpu", facts.activity_cpu_s[ACTIVITY_STEPS], 3e-3 * 0.9, 1e-9);
	check_near(
	    "fetch", facts.activity_cpu_s[ACTIVITY_FETCH], 3e-3 * 0.04, 1e-9);
	check_near("cores", facts.cores, 4, 0);
	check_near("bytes", facts.bytes, 50e3, 1e-9);
	check_near("bandwidth", facts.bandwidth, 50e6, 1e-9);
	check_near("on the way", facts.fetch_s, 100e-6 + 1e-3 + 1e-3, 1e-9);
	assert_true(isnan(facts.requests_per_s));
	session_work_release(&work);
	fixture_close(&fixture);
}

/* Shares from the traced pass, the whole from the timed runs. */
static void test_allocation_from_the_database(void **state)
{
	static const struct {
		const char *column;
		double value;
	} cells[] = { { "fetch_cpu_s", 1e-3 }, { "decode_cpu_s", 2e-3 },
		{ "steps_cpu_s", 4e-3 }, { "batch_cpu_s", 1e-3 },
		{ "cpu_s", 16e-3 }, { "fetch_s", 3e-3 },
		{ "storage_bytes", 1e6 }, { "requests", 2 },
		{ "bandwidth", 1e8 }, { "requests_per_s", NAN },
		{ "samples_per_s", 70 }, { "cores", 2 },
		{ "others_cores", 0.5 } };
	struct session_work work = SESSION_WORK_INIT;
	struct grid *grid = &work.trial_rows;
	struct error err = ERROR_INIT;
	struct trial_work facts;
	struct allocation a;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cells); i++)
		test_ok(grid_add_column(grid, cells[i].column, &err), &err);
	test_ok(grid_add_row(grid, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(cells); i++)
		grid_set_real(grid, i, cells[i].value);
	test_ok(session_work_parse(&work, &err), &err);
	facts = work.trials[0];
	check_near("steps", facts.activity_cpu_s[ACTIVITY_STEPS], 8e-3, 1e-12);
	assert_true(allocation_make(&a, &facts, NAN));
	check_near("storage", a.storage_samples_per_s, 100, 1e-9);
	check_near("most", a.samples_per_s, 100, 1e-9);
	check_near("cpu", a.cpu_samples_per_s, 125, 1e-9);
	check_near("others", a.others_cores, 0.5, 1e-9);
	session_work_release(&work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allocation_shares_cores_by_need),
		cmocka_unit_test(
		    test_allocation_is_held_back_by_what_is_sequential),
		cmocka_unit_test(test_allocation_is_held_back_by_the_storage),
		cmocka_unit_test(test_allocation_keeps_what_is_held),
		cmocka_unit_test(test_allocation_is_the_largest_rate),
		cmocka_unit_test(test_allocation_of_a_trial),
		cmocka_unit_test(test_allocation_gains_by_one_core),
		cmocka_unit_test(
		    test_allocation_of_more_cores_meets_the_storage),
		cmocka_unit_test(test_allocation_of_what_is_in_memory),
		cmocka_unit_test(test_allocation_of_a_session),
		cmocka_unit_test(test_allocation_from_the_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
