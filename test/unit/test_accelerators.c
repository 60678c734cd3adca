/* test_accelerators.c - parsing a file of accelerators and their needs. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "strategies/whatif/accelerators.h"
#include "test/unit/test.h"

static void check_near(const char *what, double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("%s: %.9g, not %.9g", what, got, want);
}

static int parse(
    struct accelerators *accelerators, const char *text, struct error *err)
{
	struct ini ini = INI_INIT;
	int rc = ini_parse_text(&ini, "a.conf", text, strlen(text), err);

	if (rc == 0)
		rc = accelerators_parse(accelerators, &ini, err);
	ini_release(&ini);
	return rc;
}

/* ---- the demand ---- */

/* VirtualFlow's H1 as it was measured: a step took 4.693 s. */
static void test_accelerators_demand_of_the_paper(void **state)
{
	struct accelerators a = {
		.job = { .batch = 8192,
		    .type_count = 2,
		    .types = { { .host = "a" }, { .host = "b" } } },
		.division = { .step_s = 4.693,
		    .shares = { { .devices = 2, .samples = 3072 },
		        { .devices = 2, .samples = 1024 } } },
	};

	UNUSED(state);
	accelerators_demand(&a);
	check_near("all", a.samples_per_s, 1745.5, 0.1);
	assert_int_equal(a.host_count, 2);
	check_near("a V100", a.hosts[0].samples_per_s / 2, 654.6, 0.05);
	check_near("a P100", a.hosts[1].samples_per_s / 2, 218.2, 0.05);
	assert_int_equal(a.most, 0);
	check_near("most", accelerators_most(&a), 1309.2, 0.1);
}

/* ---- the file ---- */

static const char two_hosts[] = "[job]\n"
                                "batch = 8192\n"
                                "allreduce = 1.061s\n"
                                "[V100]\n"
                                "count = 2\n"
                                "host = a\n"
                                "memory = 16GB\n"
                                "throughput = 256:984, 1024:984, 3072:984\n"
                                "[P100]\n"
                                "count = 2\n"
                                "host = b\n"
                                "throughput = 256:266, 1024:266\n";

static void test_accelerators_from_a_file(void **state)
{
	struct accelerators a;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(parse(&a, two_hosts, &err), &err);
	assert_int_equal(a.job.type_count, 2);
	assert_string_equal(a.job.types[1].type, "P100");
	assert_string_equal(a.job.types[1].host, "b");
	check_near("memory", a.job.types[0].memory_bytes, 16e9, 0);
	assert_true(isnan(a.job.types[1].memory_bytes));
	check_near("one host", a.job.allreduce_host_s, 1.061, 0);
	test_ok(accelerators_solve(&a, &err), &err);
	assert_int_equal(a.left_out_count, 0);
	assert_int_equal(a.division.shares[0].samples, 3328);
	assert_int_equal(a.division.shares[1].samples, 768);
	check_near("step", a.division.step_s, 3328 / 984. + 1.061, 1e-9);
	check_near("rate", a.samples_per_s, 8192 / a.division.step_s, 1e-9);
	check_near("hosts", a.hosts[0].samples_per_s + a.hosts[1].samples_per_s,
	    a.samples_per_s, 1e-9);
	/* Only the V100 have three sizes, all of one throughput. */
	assert_int_equal(a.warning_count, 1);
	test_contains(a.warnings[0], "V100 has the same throughput");
}

/* The same type on two hosts; and one of them does harm. */
static void test_accelerators_are_left_out(void **state)
{
	struct accelerators a;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(parse(&a,
	            "[job]\nbatch = 512\nallreduce = 1s\n"
	            "allreduce_host = 10ms\n"
	            "[here]\ntype = A\nhost = a\ncount = 3\n"
	            "throughput = 64:100, 128:120, 256:130\n"
	            "[there]\ntype = A\nhost = b\ncount = 1\n"
	            "throughput = 64:100, 128:120, 256:130\n",
	            &err),
	    &err);
	test_ok(accelerators_solve(&a, &err), &err);
	assert_string_equal(a.job.types[0].type, "A");
	/* 512 does not come to thirds. */
	assert_int_equal(a.division.shares[0].devices, 2);
	assert_int_equal(a.division.shares[1].devices, 0);
	check_near("step", a.division.step_s, 256 / 130. + 0.01, 1e-9);
	assert_int_equal(a.left_out_count, 2);
	assert_int_equal(a.left_out[0].devices, 1);
	assert_int_equal(a.left_out[1].type, 1);
	check_near("with it", a.left_out[1].step_s, 128 / 120. + 1, 1e-9);
	assert_string_equal(a.left_out[1].why,
	    "a step would take 4.42 % longer with it: 2.067 s");
	assert_int_equal(a.host_count, 1);
}

static void test_accelerators_profiles_are_doubted(void **state)
{
	struct accelerators a;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(parse(&a,
	            "[job]\nbatch = 64\nsample_memory = 1MB\n"
	            "[A]\nthroughput = 16:100, 32:200, 64:400\n"
	            "[B]\nmemory = 40MB\nthroughput = 16:100, 32:210, 64:300\n",
	            &err),
	    &err);
	test_ok(accelerators_solve(&a, &err), &err);
	assert_int_equal(a.warning_count, 3);
	test_contains(a.warnings[0], "A takes the same time for any batch");
	test_contains(a.warnings[1], "B takes less time for 32 samples");
	test_contains(a.warnings[2], "the memory of 40 MB");
}

static void test_accelerators_say_where_the_file_is_wrong(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "[A]\nthroughput = 1:1\n", "a.conf: [job] batch is missing" },
		{ "[job]\nbatch = 0\n", "a.conf:2: " },
		{ "[job]\nbatch = 8\nbatches = 8\n", "did you mean 'batch'" },
		{ "[job]\nbatch = 8\n", "a.conf: no accelerators" },
		{ "[job]\nbatch = 8\n[A]\ncount = 1\n",
		    "a.conf:3: [A]: throughput is missing" },
		{ "[job]\nbatch = 8\n[A]\nthroughput = 8\n",
		    "a.conf:4: throughput must be BATCH:SAMPLES_PER_S" },
		{ "[job]\nbatch = 8\n[A]\nthroughput = 8:0\n", "got '8:0'" },
		{ "[job]\nbatch = 8\n[A]\nthroughput = 8:nan\n",
		    "got '8:nan'" },
		{ "[job]\nbatch = 8\n[A]\nthroughput = ,\n", "got ','" },
		{ "[job]\nbatch = 8\n[A]\nthroughput = 8:1, 4:1\n",
		    "batches must rise, got 4 after 8" },
		{ "[job]\nbatch = 8\n[A]\ncount = 4097\nthroughput = 8:1\n",
		    "a.conf:4: count must be 1 to 4096" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct accelerators a;
		struct error err = ERROR_INIT;

		assert_int_equal(parse(&a, cases[i].text, &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, cases[i].says);
	}
}

static void test_accelerators_hide_hosts_by_numbers(void **state)
{
	static const char *const wanted[] = { "1", "2", "1", "3", "2" };
	struct accelerators a = {
		.job = { .type_count = ARRAY_LEN(wanted),
		    .types = { { .host = "x" }, { .host = "y" },
		        { .host = "x" }, { .host = "z" }, { .host = "y" } } },
	};

	UNUSED(state);
	accelerators_hide_hosts(&a);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_string_equal(a.job.types[i].host, wanted[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accelerators_demand_of_the_paper),
		cmocka_unit_test(test_accelerators_from_a_file),
		cmocka_unit_test(test_accelerators_are_left_out),
		cmocka_unit_test(test_accelerators_profiles_are_doubted),
		cmocka_unit_test(test_accelerators_hide_hosts_by_numbers),
		cmocka_unit_test(test_accelerators_say_where_the_file_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
