/*
 * test_virtual_nodes.c - dividing a batch over unequal accelerators, compared
 * with VirtualFlow's logs and with exhaustive search.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "strategies/whatif/virtual_nodes.h"
#include "test/unit/test.h"

static void check_near(const char *what, double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("%s: %.9g, not %.9g", what, got, want);
}

/*
 * ResNet-50 at batch 8192 on V100 and P100 of 16 GB, one host of each.  The
 * profiles are not published: these rates follow from the predictions of
 * VirtualFlow's solver and its all-reduce of 1.061 s, for all of them but that
 * of a V100 at 2048, of which only that it is no less follows.  The all-reduce
 * of two V100 on one host follows from the 1969 images/s that they reached.
 */
static struct nodes_job paper(unsigned v100, unsigned p100)
{
	return (struct nodes_job){
		.batch = 8192,
		.allreduce_s = 1.061,
		.allreduce_host_s = 8192 / 1969.0 - 4096 / 1131.36,
		.sample_bytes = NAN,
		.type_count = 2,
		.types = { { .type = "V100",
		               .host = "a",
		               .count = v100,
		               .memory_bytes = 16e9,
		               .points = { { 2048, 1132.8 },
		                   { 3072, 1131.36 } },
		               .point_count = 2 },
		    { .type = "P100",
		        .host = "b",
		        .count = p100,
		        .memory_bytes = 16e9,
		        .points = { { 512, 283.195 }, { 1024, 283.195 },
		            { 2048, 283.195 } },
		        .point_count = 3 } },
	};
}

static struct division split(
    unsigned v100, unsigned of_v100, unsigned p100, unsigned of_p100)
{
	return (struct division){
		.shares = { { .devices = v100, .samples = of_v100 },
		    { .devices = p100, .samples = of_p100 } }
	};
}

/* ---- what VirtualFlow found ---- */

static void test_virtual_nodes_predict_as_the_paper(void **state)
{
	static const struct {
		unsigned p100, of_v100, of_p100;
		double images_per_s;
	} cases[] = {
		{ 2, 2048, 2048, 987.9 },  /* H1, even */
		{ 2, 3072, 1024, 1751.6 }, /* H1 */
		{ 4, 3072, 512, 2169.3 },  /* H2 */
		{ 8, 2048, 512, 2855.4 },  /* H3 */
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct nodes_job job = paper(2, cases[i].p100);
		struct division division =
		    split(2, cases[i].of_v100, cases[i].p100, cases[i].of_p100);
		struct error err = ERROR_INIT;

		test_ok(nodes_time(&job, &division, &err), &err);
		check_near("images/s", 8192 / division.step_s,
		    cases[i].images_per_s, 0.06);
	}
}

static void check_division(const struct division *division, unsigned of_v100,
    unsigned p100, unsigned of_p100)
{
	assert_int_equal(division->shares[0].devices, 2);
	assert_int_equal(division->shares[0].samples, of_v100);
	assert_int_equal(division->shares[1].devices, p100);
	assert_int_equal(division->shares[1].samples, of_p100);
}

/* H1: two V100 alone are faster; H2 and H3: the P100 help. */
static void test_virtual_nodes_choose_as_the_paper(void **state)
{
	struct nodes_job job = paper(2, 2);
	struct nodes_bounds bounds = nodes_unbound(&job);
	struct error err = ERROR_INIT;
	struct division division;

	UNUSED(state);
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	check_division(&division, 4096, 0, 0);
	check_near("2 V100", 8192 / division.step_s, 1969, 3);
	bounds.least[1] = 1;
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	check_division(&division, 3072, 2, 1024);
	check_near("H1", 8192 / division.step_s, 1751.6, 0.1);

	job = paper(2, 4);
	bounds = nodes_unbound(&job);
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	check_division(&division, 3072, 4, 512);
	check_near("H2", 8192 / division.step_s, 2169.3, 0.1);

	job = paper(2, 8);
	bounds = nodes_unbound(&job);
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	check_division(&division, 2048, 8, 512);
	check_near("H3", 8192 / division.step_s, 2855.4, 0.1);
}

/* Were an all-reduce free on one host, still fewer would be worth it. */
static void test_virtual_nodes_all_reduce_decides(void **state)
{
	struct nodes_job job = paper(2, 2);
	const struct nodes_bounds bounds = nodes_unbound(&job);
	struct error err = ERROR_INIT;
	struct division division;

	UNUSED(state);
	job.allreduce_host_s = 0;
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	check_division(&division, 4096, 0, 0);
	check_near("step", division.step_s, division.shares[0].compute_s, 1e-9);
	/* Did it take as long as over hosts, the P100 would do no harm. */
	job.allreduce_host_s = job.allreduce_s;
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	check_near("images/s", 8192 / division.step_s, 1751.6, 0.1);
}

/* ---- against trying everything ---- */

static struct nodes_type random_type(struct random *random, unsigned number)
{
	static const unsigned sizes[] = { 2, 3, 4, 6, 8, 12, 16 };
	struct nodes_type type = {
		.count = 1 + (unsigned)random_below(random, 3),
		.memory_bytes = NAN,
	};
	double s = 0.5 + random_unit(random);

	snprintf(type.type, sizeof(type.type), "T%u", number);
	snprintf(type.host, sizeof(type.host), "h%u",
	    (unsigned)random_below(random, 2));
	for (size_t i = random_below(random, 4); i < ARRAY_LEN(sizes);
	     i += 1 + random_below(random, 4)) {
		s += random_unit(random);
		type.points[type.point_count++] =
		    (struct nodes_point){ .batch = sizes[i],
			    .samples_per_s = sizes[i] / s };
	}
	return type;
}

struct trying {
	const struct nodes_job *job;
	struct division division;
	double best_s;
};

static void try_types(struct trying *trying, unsigned type, unsigned left)
{
	struct nodes_share *share = &trying->division.shares[type];
	struct error ignored = ERROR_INIT;

	if (type == trying->job->type_count) {
		if (left == 0 &&
		    nodes_time(trying->job, &trying->division, &ignored) == 0 &&
		    trying->division.step_s < trying->best_s)
			trying->best_s = trying->division.step_s;
		return;
	}
	*share = (struct nodes_share){ .devices = 0 };
	try_types(trying, type + 1, left);
	for (unsigned n = 1; n <= trying->job->types[type].count; n++)
		for (unsigned samples = 1; n * samples <= left; samples++) {
			*share = (struct nodes_share){ .devices = n,
				.samples = samples };
			try_types(trying, type + 1, left - n * samples);
		}
	*share = (struct nodes_share){ .devices = 0 };
}

static void test_virtual_nodes_find_the_best(void **state)
{
	struct random random = random_stream(7, 0, 0, 0);
	unsigned found = 0;

	UNUSED(state);
	for (unsigned i = 0; i < 150; i++) {
		struct nodes_job job = { .sample_bytes = NAN };
		struct trying trying = { .job = &job, .best_s = INFINITY };
		struct error err = ERROR_INIT;
		struct nodes_bounds bounds;
		struct division division;

		job.batch = 8 + (unsigned)random_below(&random, 40);
		job.max_virtual_nodes = (unsigned)random_below(&random, 5);
		job.allreduce_s = random_unit(&random);
		job.allreduce_host_s = job.allreduce_s * random_unit(&random);
		job.type_count = 1 + (unsigned)random_below(&random, 3);
		for (unsigned t = 0; t < job.type_count; t++)
			job.types[t] = random_type(&random, t);
		bounds = nodes_unbound(&job);
		try_types(&trying, 0, job.batch);
		if (!(trying.best_s < INFINITY)) {
			assert_int_equal(
			    nodes_divide(&job, &bounds, &division, &err), -1);
			assert_int_equal(err.code, ERROR_USAGE);
			continue;
		}
		found++;
		test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
		check_near("step", division.step_s, trying.best_s, 1e-6);
	}
	assert_true(found > 75);
}

/* ---- what is not so simple ---- */

static struct nodes_job simple(unsigned batch, unsigned count, unsigned size)
{
	return (struct nodes_job){ .batch = batch,
		.sample_bytes = NAN,
		.type_count = 1,
		.types = { { .type = "A",
		    .host = "h",
		    .count = count,
		    .memory_bytes = NAN,
		    .points = { { size, 100 } },
		    .point_count = 1 } } };
}

/* As few devices as are as fast, and one alone does not wait for others. */
static void test_virtual_nodes_leave_devices_out(void **state)
{
	struct nodes_job job = simple(64, 4, 32);
	const struct nodes_bounds bounds = nodes_unbound(&job);
	struct error err = ERROR_INIT;
	struct division division;

	UNUSED(state);
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	assert_int_equal(division.shares[0].devices, 2);
	check_near("step", division.step_s, 0.32, 1e-12);
	job.allreduce_s = job.allreduce_host_s = 1;
	test_ok(nodes_divide(&job, &bounds, &division, &err), &err);
	assert_int_equal(division.shares[0].devices, 1);
	assert_int_equal(division.shares[0].virtual_nodes, 2);
	assert_int_equal(division.shares[0].node_batch, 32);
	check_near("alone", division.step_s, 0.64, 1e-12);
}

static void test_virtual_nodes_interpolate_time(void **state)
{
	struct nodes_job job = simple(64, 1, 16);
	struct nodes_type *type = &job.types[0];

	UNUSED(state);
	type->points[1] = (struct nodes_point){ 64, 200 };
	type->point_count = 2;
	/* 0.16 s and 0.32 s; half way in samples is half way in time. */
	check_near("16", nodes_batch_s(&job, type, 16), 0.16, 1e-12);
	check_near("40", nodes_batch_s(&job, type, 40), 0.24, 1e-12);
	assert_true(isnan(nodes_batch_s(&job, type, 15)));
	assert_true(isnan(nodes_batch_s(&job, type, 65)));
	/* 1 GB of the model and 100 MB a sample: 40 are too many of 16. */
	job.sample_bytes = 100e6;
	job.model_bytes = 1e9;
	type->memory_bytes = 4e9;
	check_near("16", nodes_batch_s(&job, type, 16), 0.16, 1e-12);
	assert_true(isnan(nodes_batch_s(&job, type, 40)));
	/* A model of 40 GB fits with no sample, however large these are. */
	job.sample_bytes = NAN;
	assert_true(nodes_fit(&job, type, 16));
	job.model_bytes = 40e9;
	assert_false(nodes_fit(&job, type, 16));
	type->memory_bytes = NAN;
	assert_true(nodes_fit(&job, type, 16));
}

static void check_error(
    const struct nodes_job *job, enum error_code code, const char *part)
{
	const struct nodes_bounds bounds = nodes_unbound(job);
	struct error err = ERROR_INIT;
	struct division division;

	assert_int_equal(nodes_divide(job, &bounds, &division, &err), -1);
	assert_int_equal(err.code, code);
	test_contains(err.text, part);
}

static void test_virtual_nodes_say_what_cannot_be(void **state)
{
	struct nodes_job job = simple(100, 2, 32);

	UNUSED(state);
	check_error(&job, ERROR_USAGE, "96 and 128 can be divided");
	job = simple(16, 2, 32);
	check_error(&job, ERROR_USAGE, "the least is 32");
	job = simple(1 << 20, 4, 3);
	check_error(&job, ERROR_LIMIT, "larger");
	job = simple(128, 1, 32);
	job.max_virtual_nodes = 2;
	check_error(&job, ERROR_USAGE, "the most is 64");
	job = simple(64, 1, 32);
	job.types[0].memory_bytes = 1;
	job.sample_bytes = 1;
	check_error(&job, ERROR_USAGE, "memory");
	/* Nothing is tried for minutes. */
	job = simple(65536, 4096, 1);
	job.type_count = NODES_TYPES;
	for (unsigned i = 1; i < NODES_TYPES; i++)
		job.types[i] = job.types[0];
	check_error(&job, ERROR_LIMIT, "too many ways");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_virtual_nodes_predict_as_the_paper),
		cmocka_unit_test(test_virtual_nodes_choose_as_the_paper),
		cmocka_unit_test(test_virtual_nodes_all_reduce_decides),
		cmocka_unit_test(test_virtual_nodes_find_the_best),
		cmocka_unit_test(test_virtual_nodes_leave_devices_out),
		cmocka_unit_test(test_virtual_nodes_interpolate_time),
		cmocka_unit_test(test_virtual_nodes_say_what_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
