/*
 * test_offload.c - offloading work: the rules of FastFlow and cedar, and the
 * decision.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/syntax/ini.h"
#include "strategies/figures/work.h"
#include "strategies/whatif/offload.h"
#include "test/unit/test.h"

static void check_near(const char *what, double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("%s: %.9g, not %.9g", what, got, want);
}

/* ---- FastFlow ---- */

/* The fixtures of its formulas: g = 1000, l = 400, r = 200, dc = 0.1. */
static void test_offload_as_fastflow(void **state)
{
	UNUSED(state);
	check_near("2 workers", offload_local_fraction(1000, 400, 2 * 200, 0.1),
	    0.5, 1e-12);
	check_near("3 workers", offload_local_fraction(1000, 400, 3 * 200, 0.1),
	    0.34, 1e-12);
	check_near("workers", offload_workers(1000, 400, 200), 3, 0);
	/* A tenth of a worker is not one more; any need is one at least. */
	check_near("little more", offload_workers(1019, 400, 200), 3, 0);
	check_near("more", offload_workers(1021, 400, 200), 4, 0);
	check_near("little", offload_workers(401, 400, 200), 1, 0);
	/* More is done elsewhere than here: half way between the two. */
	check_near("strong here", offload_local_fraction(1000, 700, 400, 0),
	    0.65, 1e-12);
	check_near("all", offload_local_fraction(1000, 100, 5000, 0), 0, 0);
}

/* ---- cedar ---- */

/*
 * Its CV pipeline: blur is 8.263 of 27.044 ms, jitter 9.056, crop 2.029; sent
 * to Ray alone, 40.298 samples/s become 65.5, 48.5 and 20.8.
 */
static void test_offload_as_cedar(void **state)
{
	const double base = 40.298, all = 27.044;

	UNUSED(state);
	assert_true(isinf(offload_part_speedup(8.263 / all, 65.5 / base)));
	check_near("jitter", offload_part_speedup(9.056 / all, 48.5 / base),
	    2.0205, 1e-3);
	check_near("crop", offload_part_speedup(2.029 / all, 20.8 / base),
	    0.0741, 1e-4);
	/* By Amdahl's law: half of it twice as fast is 4/3 of all. */
	check_near("half", offload_part_speedup(0.5, 4 / 3.), 2, 1e-12);
	check_near("nothing", offload_part_speedup(0.5, 1), 1, 1e-12);
}

/* ---- the decision ---- */

static const struct offload_facts facts = {
	.all_s = 5e-3,
	.samples_per_s = 400,
	.alone = 400,
	.capacity = 400,
	.places = { { "decoded", 3e-3, 500e3 }, { "resized", 4e-3, 150e3 },
	    { "cropped", 4.9e-3, 600e3 } },
	.count = 3,
};

static const struct offload_site site = {
	.cores = 4,
	.speed = 1,
	.rate = NAN,
	.count = 10,
	.bandwidth = INFINITY,
	.latency = 2e-3,
	.receive = INFINITY,
	.accelerator = 1000,
};

static void test_offload_takes_the_fewest_workers(void **state)
{
	struct offload offload;

	UNUSED(state);
	offload_make(&offload, &facts, &site);
	assert_non_null(offload.best);
	/* One is enough for any of them: then the fewest bytes. */
	assert_string_equal(offload.best->place->name, "resized");
	assert_int_equal(offload.best->workers, 1);
	assert_true(offload.best->is_enough);
	check_near("rate", offload.best->samples_per_s, 1000, 1e-6);
	check_near("rho", offload.points[0].left, 0.4, 1e-12);
	check_near("worker", offload.points[0].worker_rate, 4 / 3e-3, 1e-6);
	/* All decoded elsewhere: 400 / 0.4 a second is the most. */
	check_near("decoded", offload.points[0].samples_per_s, 1000, 1e-6);
	check_near("in flight", offload.in_flight,
	    1000 * (1 - offload.best->local_fraction) * 2e-3, 1e-9);
	test_contains(offload.reason, "1 worker doing all up to resized is");
}

/* 60 MB/s are 100 cropped samples, but 400 resized ones. */
static void test_offload_sends_what_the_network_carries(void **state)
{
	struct offload_site narrow = site;
	struct offload offload;

	UNUSED(state);
	narrow.bandwidth = 60e6;
	offload_make(&offload, &facts, &narrow);
	assert_non_null(offload.best);
	assert_string_equal(offload.best->place->name, "resized");
	check_near("network", offload.best->network_rate, 400, 1e-9);
	assert_int_equal(offload.best->workers, 1); /* it is full then */
	check_near("rate", offload.best->samples_per_s, 400 + 400 * 0.8, 1e-9);
	assert_false(offload.best->is_enough);
	assert_string_equal(offload.reason,
	    "1 worker doing all up to resized gives 720 of 1 000 samples/s: "
	    "the network carries no more");
	narrow.bandwidth = INFINITY;
	narrow.count = 1;
	narrow.speed = 0.1;
	offload_make(&offload, &facts, &narrow);
	test_contains(offload.reason, "there are no more workers");
	check_near("slow", offload.best->samples_per_s, 480, 1e-6);
}

static void check_stays(const struct offload_facts *of,
    const struct offload_site *with, const char *reason)
{
	struct offload offload;

	offload_make(&offload, of, with);
	assert_null(offload.best);
	test_contains(offload.reason, reason);
}

static void test_offload_stays_local(void **state)
{
	struct offload_facts some = facts;
	struct offload_site with = site;

	UNUSED(state);
	with.accelerator = 390;
	check_stays(&facts, &with, "take no more than is delivered");
	with.accelerator = 519; /* FastFlow: 1.3 times 400 are 520 */
	check_stays(&facts, &with, "pays from 1.3 times on");
	with = site;
	with.receive = 100e6; /* 5 ms for 500 kB */
	some.count = 1;
	check_stays(&some, &with, "receiving the samples takes as long");
	some.count = 0;
	check_stays(&some, &site, "hardly any work");
	some.count = 1;
	some.places[0].cpu_s = 0.2e-3; /* cedar: 4 % are too little */
	check_stays(&some, &site, "hardly any work");
	with = site;
	with.bandwidth = 1e3; /* 1 kB/s: not a sample more in 100 s */
	check_stays(&facts, &with,
	    "would give 400 of 1 000 samples/s, less than 5 % more than is "
	    "reached here: the network carries no more");
	with.bandwidth = 3e6; /* 20 resized ones, of which 0.2 is left here */
	check_stays(&facts, &with, "less than 5 % more");
}

/* 500 a second by the CPU, and 100 by the storage here. */
static void test_offload_where_the_storage_holds_back(void **state)
{
	struct offload_facts slow = facts;
	struct offload_site one = site;
	struct offload offload;

	UNUSED(state);
	slow.samples_per_s = 100;
	slow.alone = 100;
	slow.capacity = 500;
	slow.count = 1;
	one.count = 1;
	one.cores = 3;
	one.speed = 0.5; /* 500 a second, of which 0.4 is left to do */
	offload_make(&offload, &slow, &one);
	assert_non_null(offload.best);
	check_near("sent", offload.points[0].worker_rate, 500, 1e-9);
	check_near("reached", offload.best->samples_per_s, 600, 1e-9);
	test_contains(offload.reason, "there are no more workers");
	/* What takes more to receive than to make still uses what is idle. */
	one.receive = 100e6;
	slow.places[0].cpu_s = 2e-3;
	offload_make(&offload, &slow, &one);
	check_near("left", offload.points[0].left, 1.6, 1e-9);
	check_near("reached", offload.best->samples_per_s, 350, 1e-9);
	test_contains(offload.reason, "what is left to do here");
}

static void check_idle(const char *what, double threads, double cores,
    double others_cores, bool waits, const double want[2])
{
	struct offload_facts some = facts;

	some.all_s = 2.5e-3; /* 400 a second on one core */
	offload_use_idle(&some, threads, cores, others_cores, waits);
	check_near(what, some.alone, want[0], 1e-9);
	check_near(what, some.capacity, want[1], 1e-9);
}

static void test_offload_counts_idle_cores(void **state)
{
	UNUSED(state);
	check_idle("one of two", 1, 2, NAN, false, (double[]){ 800, 800 });
	check_idle("less others", 1, 2, 0.5, false, (double[]){ 600, 600 });
	check_idle("others", 1, 2, 1.5, false, (double[]){ 400, 400 });
	check_idle("both", 2, 2, 0, false, (double[]){ 400, 400 });
	check_idle("more", 3, 2, 0, false, (double[]){ 400, 400 });
	/* More threads do not make the storage faster. */
	check_idle("storage", 1, 2, 0.5, true, (double[]){ 400, 800 });
}

/* 400 a second by 1 thread, and 800 by as many as there are cores. */
static void test_offload_uses_more_threads_first(void **state)
{
	struct offload_facts idle = facts;
	struct offload_site with = site;
	struct offload offload;

	UNUSED(state);
	idle.alone = 800;
	idle.capacity = 800;
	with.accelerator = 790;
	check_stays(&idle, &with, "more threads here first");
	check_stays(&idle, &with, "at most 800 samples/s");
	with.accelerator = 1000;
	check_stays(&idle, &with, "1.25 times what is delivered then");
	with.accelerator = 2000;
	offload_make(&offload, &idle, &with);
	assert_non_null(offload.best);
	check_near("measured", offload.local, 400, 0);
	check_near("alone", offload.alone, 800, 0);
	test_contains(offload.reason, "more threads here first");
	test_contains(offload.reason, "doing all up to");
	/* Who wants no more than is delivered needs no more threads. */
	with.accelerator = 390;
	check_stays(&idle, &with, "take no more than is delivered");
}

/* A rate of all the work, as it was measured there. */
static void test_offload_by_a_measured_rate(void **state)
{
	struct offload_site measured = site;
	struct offload offload;

	UNUSED(state);
	measured.cores = NAN;
	measured.rate = 300;
	offload_make(&offload, &facts, &measured);
	check_near("worker", offload.points[1].worker_rate, 375, 1e-9);
}

/* ---- the database ---- */

static void add_columns(
    struct grid *grid, const char *const *names, size_t count)
{
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < count; i++)
		test_ok(grid_add_column(grid, names[i], &err), &err);
}

static void add_row(struct grid *grid, const char *strategy, const char *name,
    const char *step, const double *numbers)
{
	struct error err = ERROR_INIT;

	test_ok(grid_add_row(grid, &err), &err);
	test_ok(grid_set_text(grid, 0, strategy, &err), &err);
	test_ok(grid_set_text(grid, 1, "none", &err), &err);
	grid_set_real(grid, 2, 2);
	for (size_t i = 3; i < grid->column_count; i++)
		if (strcmp(grid->columns[i], "name") == 0)
			test_ok(grid_set_text(grid, i, name, &err), &err);
		else if (strcmp(grid->columns[i], "step") == 0)
			test_ok(grid_set_text(grid, i, step, &err), &err);
		else
			grid_set_real(grid, i, *numbers++);
}

/* 10 samples of 4 ms traced, of 5 ms in the timed runs. */
static void test_offload_from_the_database(void **state)
{
	static const char *const effort_columns[] = { "strategy", "cache",
		"threads", "samples_per_s", "cpu_s", "traced_samples",
		"fetch_cpu_s", "decode_cpu_s", "steps_cpu_s", "batch_cpu_s" };
	static const char *const step_columns[] = { "strategy", "cache",
		"threads", "name", "step", "cpu_s", "bytes_out" };
	struct session_work work = SESSION_WORK_INIT;
	struct grid *efforts = &work.trial_rows, *steps = &work.step_rows;
	struct error err = ERROR_INIT;
	struct offload_facts read;

	UNUSED(state);
	add_columns(efforts, effort_columns, ARRAY_LEN(effort_columns));
	add_columns(steps, step_columns, ARRAY_LEN(step_columns));
	add_row(efforts, "a", "", "",
	    (double[]){ 390, 5e-3, 10, 0.4e-3, 0.4e-3, 2.8e-3, 0.4e-3 });
	add_row(efforts, "b", "", "",
	    (double[]){ 390, NAN, 10, NAN, NAN, NAN, NAN });
	add_row(steps, "a", "unpack", "zstd", (double[]){ 2e-3, NAN });
	add_row(steps, "a", "parse", "", (double[]){ 2e-3, 1e6 });
	add_row(steps, "b", "decoded", "jpeg_decode", (double[]){ 9, 9 });
	add_row(steps, "a", "decoded", "jpeg_decode", (double[]){ 20e-3, 5e6 });
	add_row(steps, "a", "same", "identity", (double[]){ 0, NAN });
	add_row(steps, "a", "cropped", "random_crop", (double[]){ 8e-3, 2e6 });
	add_row(steps, "a", "copy", "", (double[]){ 1e-3, NAN });
	test_ok(session_work_parse(&work, &err), &err);
	assert_true(offload_facts_make(&read, "raw", &work.trials[0], &work));
	assert_int_equal(read.count, 3);
	assert_string_equal(read.places[0].name, "raw");
	check_near("raw", read.places[0].cpu_s, 0.8e-3 * 1.25, 1e-9);
	check_near("raw", read.places[0].bytes, 100e3, 1e-9);
	assert_string_equal(read.places[1].name, "decoded");
	check_near("decoded", read.places[1].cpu_s, 2.8e-3 * 1.25, 1e-9);
	check_near("cropped", read.places[2].cpu_s, 3.6e-3 * 1.25, 1e-9);
	check_near("cropped", read.places[2].bytes, 200e3, 1e-9);
	assert_false(offload_facts_make(&read, "raw", &work.trials[1], &work));
	session_work_release(&work);
}

/* ---- the file ---- */

static int parse(struct offload_site *to, const char *text, struct error *err)
{
	struct ini ini = INI_INIT;
	int rc = ini_parse_text(&ini, "o.conf", text, strlen(text), err);

	if (rc == 0)
		rc = offload_parse(to, &ini, err);
	ini_release(&ini);
	return rc;
}

static void test_offload_from_a_file(void **state)
{
	struct offload_site s;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(parse(&s,
	            "[remote]\ncores = 8\nspeed = 0.8\ncount = 4\n"
	            "[network]\nbandwidth = 1.25GB/s\nlatency = 200us\n"
	            "[accelerator]\nrate = 5000\n",
	            &err),
	    &err);
	check_near("cores", s.cores, 8, 0);
	check_near("speed", s.speed, 0.8, 0);
	check_near("count", s.count, 4, 0);
	check_near("bandwidth", s.bandwidth, 1.25e9, 0);
	check_near("latency", s.latency, 200e-6, 1e-12);
	check_near("receive", s.receive, 1e9, 0);
	check_near("needed", s.accelerator, 5000, 0);
	test_ok(parse(&s, "[remote]\nrate = 100\n", &err), &err);
	assert_true(isinf(s.bandwidth) && isnan(s.accelerator));
	check_near("one", s.count, 1, 0);
}

static void test_offload_says_where_the_file_is_wrong(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "o.conf: [remote] needs cores, or rate" },
		{ "[remote]\ncores = 8\nrate = 8\n", "cores and rate: one" },
		{ "[remote]\ncores = 0\n", "o.conf:2: cores must be" },
		{ "[remote]\ncpus = 0\n", "o.conf:2: " },
		{ "[remotes]\ncores = 1\n",
		    "o.conf:1: unknown section [remotes]; did you mean "
		    "'remote'?" },
		{ "[remote]\ncores = 1\n[network]\nbandwidth = fast\n",
		    "o.conf:4: " },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct offload_site s;
		struct error err = ERROR_INIT;

		assert_int_equal(parse(&s, cases[i].text, &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, cases[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offload_as_fastflow),
		cmocka_unit_test(test_offload_as_cedar),
		cmocka_unit_test(test_offload_takes_the_fewest_workers),
		cmocka_unit_test(test_offload_sends_what_the_network_carries),
		cmocka_unit_test(test_offload_stays_local),
		cmocka_unit_test(test_offload_where_the_storage_holds_back),
		cmocka_unit_test(test_offload_counts_idle_cores),
		cmocka_unit_test(test_offload_uses_more_threads_first),
		cmocka_unit_test(test_offload_by_a_measured_rate),
		cmocka_unit_test(test_offload_from_the_database),
		cmocka_unit_test(test_offload_from_a_file),
		cmocka_unit_test(test_offload_says_where_the_file_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
