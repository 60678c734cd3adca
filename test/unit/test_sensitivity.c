/* test_sensitivity.c - conditions under which another strategy would win. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/decide/rank.h"
#include "strategies/decide/sensitivity.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* The paper's CV pipeline, with its figures (Table 5 and Figure 6). */
static const struct fixture_row cv[] = {
	{ FIXTURE_ROW("unprocessed", 107, 0, 146.9e9) },
	{ FIXTURE_ROW("raw/tfrecord/none", 962.1, 2.62 * 3600, 146.952e9) },
	{ FIXTURE_ROW("decoded/tfrecord/none", 746.8, 3.33 * 3600, 842.5e9) },
	{ FIXTURE_ROW("resized/tfrecord/none", 1789.7, 3.39 * 3600, 347.3e9) },
	{ FIXTURE_ROW("centered/tfrecord/none", 576.5, 3.88 * 3600, 1389e9) },
	{ .strategy = NULL },
};

enum { CV_SAMPLES = 1281167 };

static void make(struct sensitivity *sensitivity, struct grid *grid,
    const struct fixture_row *rows, const struct request *request)
{
	struct error err = ERROR_INIT;

	fixture_report(grid, rows, CV_SAMPLES);
	test_ok(fixture_sensitivity(sensitivity, grid, request, &err), &err);
}

static void check_span(const struct sensitivity_axis *axis, size_t at,
    double from, const char *strategy)
{
	assert_true(at < axis->count);
	if (fabs(axis->spans[at].from - from) > 1e-6 * fmax(1, from))
		fail_msg("span %zu is from %g, not %g", at,
		    axis->spans[at].from, from);
	if (strategy)
		assert_string_equal(axis->spans[at].strategy, strategy);
	else
		assert_null(axis->spans[at].strategy);
}

/* By hand: raw is ahead by 0.77 h, and each epoch costs it 0.171 h. */
static void test_sensitivity_of_epochs(void **state)
{
	const struct request request = request_default();
	struct sensitivity sensitivity;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	make(&sensitivity, &grid, cv, &request);
	assert_int_equal(sensitivity.epochs.count, 2);
	check_span(&sensitivity.epochs, 0, 1, "raw/tfrecord/none");
	check_span(&sensitivity.epochs, 1, 5, "resized/tfrecord/none");
	assert_true(sensitivity.epochs.spans[0].to <= 4);
	assert_true(isinf(sensitivity.epochs.spans[1].to));
	grid_release(&grid);
}

static void test_sensitivity_of_storage(void **state)
{
	const struct request request = request_default();
	const struct sensitivity_axis *axis;
	struct sensitivity sensitivity;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	make(&sensitivity, &grid, cv, &request);
	axis = &sensitivity.storage;
	assert_int_equal(axis->count, 4);
	check_span(axis, 0, 0, NULL);
	check_span(axis, 1, 146.9e9, "unprocessed");
	check_span(axis, 2, 146.952e9, "raw/tfrecord/none");
	check_span(axis, 3, 347.3e9, "resized/tfrecord/none");
	for (size_t i = 0; i + 1 < axis->count; i++)
		assert_true(axis->spans[i].to >= axis->spans[i + 1].from &&
		            axis->spans[i].to <= axis->spans[i + 1].from);
	assert_true(isinf(axis->spans[3].to));
	grid_release(&grid);
}

/* A constraint that stays, and below which nothing is left. */
static void test_sensitivity_keeps_the_other_constraints(void **state)
{
	struct request request = request_default();
	struct sensitivity sensitivity;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	request.min_throughput = 1000;
	make(&sensitivity, &grid, cv, &request);
	assert_int_equal(sensitivity.epochs.count, 1);
	check_span(&sensitivity.epochs, 0, 1, "resized/tfrecord/none");
	assert_int_equal(sensitivity.storage.count, 2);
	check_span(&sensitivity.storage, 0, 0, NULL);
	check_span(&sensitivity.storage, 1, 347.3e9, "resized/tfrecord/none");
	grid_release(&grid);
}

/*
 * Alone, throughput chooses resized, and the others choose unprocessed: with
 * equal weights of the other two, by hand, the score of resized is
 * t + (1 - t) / 2 * (1 - 3.39 / 3.88 + (1389 - 347.3) / (1389 - 146.9))
 * and that of unprocessed 1 - t.
 */
static void test_sensitivity_of_weights(void **state)
{
	const struct request request = request_default();
	const double others =
	    (1 - 3.39 / 3.88 + (1389 - 347.3) / (1389 - 146.9)) / 2;
	const double turns = (1 - others) / (2 - others);
	const struct sensitivity_axis *axis;
	struct sensitivity sensitivity;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	make(&sensitivity, &grid, cv, &request);
	axis = &sensitivity.throughput;
	assert_int_equal(axis->count, 2);
	check_span(axis, 0, 0, "unprocessed");
	assert_string_equal(axis->spans[1].strategy, "resized/tfrecord/none");
	assert_true(fabs(axis->spans[1].from - turns) <= 0.02);
	assert_true(axis->spans[1].to >= 1 && axis->spans[1].to <= 1);
	grid_release(&grid);
}

static void test_sensitivity_of_a_single_one(void **state)
{
	static const struct fixture_row one[] = {
		{ FIXTURE_ROW("raw/tar/none", 10, 1, 1) },
		{ .strategy = NULL },
	};
	struct request request = request_default();
	struct sensitivity sensitivity;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	request.weights = (struct weights){ .throughput = 1 };
	make(&sensitivity, &grid, one, &request);
	assert_int_equal(sensitivity.epochs.count, 1);
	assert_int_equal(sensitivity.storage.count, 2);
	/* There is nothing to weigh it against. */
	assert_int_equal(sensitivity.throughput.count, 0);
	assert_int_equal(sensitivity.prep.count, 1);
	grid_release(&grid);
}

/* Each larger one is faster: more than the list can hold. */
static void test_sensitivity_says_where_it_was_cut(void **state)
{
	enum { STAIRS = 2 * SENSITIVITY_SPANS };
	const struct request request = request_default();
	struct fixture_row rows[STAIRS + 1] = { { .strategy = NULL } };
	char names[STAIRS][32];
	struct sensitivity sensitivity;
	const struct sensitivity_axis *axis = &sensitivity.storage;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	for (size_t i = 0; i < STAIRS; i++) {
		snprintf(names[i], sizeof(names[i]), "s%zu/tar/none", i);
		rows[i] = (struct fixture_row){ FIXTURE_ROW(
		    names[i], pow(1.2, (double)i), 1, 1e3 + (double)i) };
	}
	make(&sensitivity, &grid, rows, &request);
	assert_true(axis->is_cut);
	assert_int_equal(axis->count, SENSITIVITY_SPANS);
	/* The last one ends where the first that was cut off begins. */
	check_span(axis, SENSITIVITY_SPANS - 1, 1e3 + SENSITIVITY_SPANS - 2,
	    names[SENSITIVITY_SPANS - 2]);
	assert_true(fabs(axis->spans[SENSITIVITY_SPANS - 1].to -
	                 (1e3 + SENSITIVITY_SPANS - 1)) < 0.5);
	grid_release(&grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sensitivity_of_epochs),
		cmocka_unit_test(test_sensitivity_of_storage),
		cmocka_unit_test(test_sensitivity_keeps_the_other_constraints),
		cmocka_unit_test(test_sensitivity_of_weights),
		cmocka_unit_test(test_sensitivity_of_a_single_one),
		cmocka_unit_test(test_sensitivity_says_where_it_was_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
