/* test_far_probe.c - the rows of a probe of far objects, without a server. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/measure/storage/far.h"
#include "lib/measure/storage/far_run.h"
#include "lib/media/medium.h"
#include "test/unit/test.h"

static void test_far_percentiles_are_values(void **state)
{
	static const double values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const struct {
		size_t count;
		double p, wanted;
	} cases[] = { { 10, 50, 5 }, { 10, 90, 9 }, { 10, 99, 10 },
		{ 10, 0, 1 }, { 1, 99, 1 }, { 2, 50, 1 }, { 3, 50, 2 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_float_equal(
		    far_percentile(values, cases[i].count, cases[i].p),
		    cases[i].wanted, 0);
	assert_true(isnan(far_percentile(values, 0, 50)));
}

struct work {
	atomic_uint done;
	unsigned fails_at; /* 0: never */
};

static int work(
    void *arg, unsigned thread, uint64_t n, uint64_t *bytes, struct error *err)
{
	struct work *w = arg;

	assert_true(thread < 4);
	atomic_fetch_add(&w->done, 1);
	*bytes = 100;
	if (w->fails_at && n + 1 >= w->fails_at)
		return error_set(
		    err, ERROR_SYSTEM, "request %u fails", (unsigned)n);
	return 0;
}

static struct far_row run(
    struct work *w, const struct far_plan *plan, uint64_t most, int wanted)
{
	const struct far_run what = {
		.plan = plan, .work = work, .arg = w, .most = most
	};
	struct error err = ERROR_INIT;
	struct far_row row = { .pattern = FAR_OF_OBJECTS };

	assert_int_equal(far_run(&what, 4, &row, &err), wanted);
	if (wanted)
		test_contains(err.text, "fails");
	return row;
}

static void test_far_rows_end_by_work_bytes_or_failure(void **state)
{
	struct far_plan plan = { .row_s = 60, .most_bytes = 1000000 };
	struct work w = { .fails_at = 0 };
	struct far_row row = run(&w, &plan, 50, 0);

	(void)state;
	assert_int_equal(row.requests, 50);
	assert_int_equal(row.bytes, 5000);
	assert_int_equal(row.request_bytes, 100);
	assert_int_equal(row.connections, 4);
	assert_true(row.p50_s <= row.p90_s && row.p90_s <= row.p99_s);
	plan.most_bytes = 1000; /* each connection may be in a request then */
	row = run(&w, &plan, 1000000, 0);
	assert_true(row.requests >= 10 && row.requests <= 13);
	plan.most_bytes = 1000000;
	w.fails_at = 20;
	row = run(&w, &plan, 1000000, -1);
	assert_true(row.requests >= 16 && row.requests <= 22);
}

/* A folder is probed in the same way, which needs no server. */
static void test_far_probe_reads_in_each_way(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	char *in = test_path(dir, "in"), *nothing = test_path(dir, "nothing");
	struct far_probe *probe = calloc(1, sizeof(*probe));
	struct far_plan plan = { .url = in,
		.medium = medium,
		.connections = { 1, 3 },
		.connection_count = 2,
		.row_s = 60,
		.most_bytes = 1 << 20,
		.least = 5,
		.seed = 1 };
	struct buf noise = BUF_INIT;

	(void)state;
	test_ok(buf_reserve(&noise, 700000, &err), &err);
	noise.len = 700000;
	memset(noise.data, 7, noise.len);
	test_write(dir, "in/small/1", "text");
	test_write(dir, "in/small/2", "more text");
	test_write(dir, "in/empty", "");
	test_write(dir, "in/large", "");
	test_write_file(in, "large", buf_span(&noise));
	test_ok(far_probe_run(&plan, probe, &err), &err);
	assert_int_equal(probe->objects, 4);
	assert_int_equal(probe->count, 6);
	assert_int_equal(probe->rows[0].pattern, FAR_OF_OBJECTS);
	assert_int_equal(probe->rows[2].pattern, FAR_OF_REQUESTS);
	assert_int_equal(probe->rows[2].request_bytes, FAR_SMALL);
	assert_int_equal(probe->rows[5].pattern, FAR_OF_STREAMS);
	assert_int_equal(probe->rows[5].connections, 3);
	plan.url = nothing;
	assert_int_equal(far_probe_run(&plan, probe, &err), -1);
	test_contains(err.text, "there is nothing at");
	free(nothing);
	free(probe);
	buf_release(&noise);
	free(in);
	test_scratch_remove(dir);
	medium_free(medium);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far_percentiles_are_values),
		cmocka_unit_test(test_far_rows_end_by_work_bytes_or_failure),
		cmocka_unit_test(test_far_probe_reads_in_each_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
