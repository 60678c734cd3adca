/* test_host_figures.c - how the throughput grows with the number of hosts. */
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/figures/host_figures.h"
#include "test/unit/test.h"

static const char *const columns[] = { "session", "strategy", "threads",
	"cache", "trial", "hosts", "run", "epoch", "rank", "host", "samples",
	"wall_s", "bytes" };

struct seen {
	int trial, hosts, run, epoch, rank;
	double samples, wall_s;
};

static void add(struct grid *rows, const struct seen *seen)
{
	struct error err = ERROR_INIT;
	const double numbers[] = { seen->trial, seen->hosts, seen->run,
		seen->epoch, seen->rank };
	char host[16];

	test_ok(grid_add_row(rows, &err), &err);
	grid_set_integer(rows, 0, 3);
	test_ok(grid_set_text(rows, 1, "raw/tar/none", &err), &err);
	grid_set_integer(rows, 2, 2);
	test_ok(grid_set_text(rows, 3, "none", &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		grid_set_integer(rows, 4 + i, (int64_t)numbers[i]);
	snprintf(host, sizeof(host), "node%d", seen->rank);
	test_ok(grid_set_text(rows, 9, host, &err), &err);
	grid_set_real(rows, 10, seen->samples);
	grid_set_real(rows, 11, seen->wall_s);
	grid_set_real(rows, 12, 1e6 * seen->samples);
}

static void make(
    const struct seen *seen, size_t count, bool hide, struct grid *table)
{
	struct grid rows = GRID_INIT;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		test_ok(grid_add_column(&rows, columns[i], &err), &err);
	for (size_t i = 0; i < count; i++)
		add(&rows, &seen[i]);
	test_ok(host_figures_table(&rows, hide, table, &err), &err);
	grid_release(&rows);
}

static void check(
    const struct grid *table, size_t row, const char *column, double value)
{
	assert_float_equal(grid_number(table, row, column), value, 1e-6);
}

/*
 * One host: 100 samples in 1 s.  Two: the slower one takes 1.25 s, and in the
 * other run 1 s.  Four take 2 s.
 */
static const struct seen grown[] = {
	{ 1, 1, 1, 1, 0, 100, 1 },
	{ 1, 1, 2, 1, 0, 100, 1 },
	{ 1, 2, 1, 1, 0, 100, 1 },
	{ 1, 2, 1, 1, 1, 100, 1.25 },
	{ 1, 2, 2, 1, 0, 100, 1 },
	{ 1, 2, 2, 1, 1, 100, 1 },
	{ 1, 4, 1, 1, 0, 100, 2 },
	{ 1, 4, 1, 1, 1, 100, 2 },
	{ 1, 4, 1, 1, 2, 100, 2 },
	{ 1, 4, 1, 1, 3, 100, 2 },
};

static void test_host_figures_count_until_the_slowest_has_ended(void **state)
{
	struct grid table = GRID_INIT;

	UNUSED(state);
	make(grown, ARRAY_LEN(grown), false, &table);
	assert_int_equal(table.row_count, 3);
	assert_int_equal(grid_integer(&table, 0, "session"), 3);
	assert_string_equal(grid_text(&table, 0, "strategy"), "raw/tar/none");
	check(&table, 0, "total_samples_per_s", 100);
	check(&table, 0, "efficiency_percent", 100);
	check(&table, 1, "hosts", 2);
	check(&table, 1, "runs", 2);
	/* the median of 160 and 200 */
	check(&table, 1, "total_samples_per_s", 180);
	check(&table, 1, "total_low_samples_per_s", 160);
	check(&table, 1, "total_high_samples_per_s", 200);
	check(&table, 1, "total_mb_per_s", 180);
	check(&table, 1, "efficiency_percent", 90);
	check(&table, 1, "slowest_samples_per_s", 200 / 2.25);
	assert_string_equal(grid_text(&table, 1, "slowest_host"), "node1");
	check(&table, 2, "total_samples_per_s", 200);
	check(&table, 2, "host_samples_per_s", 50);
	check(&table, 2, "efficiency_percent", 50);
	grid_release(&table);
}

/* 180 is nine tenths of 200: two hosts are enough. */
static void test_host_figures_find_the_knee(void **state)
{
	struct grid table = GRID_INIT;

	UNUSED(state);
	make(grown, ARRAY_LEN(grown), false, &table);
	for (size_t i = 0; i < table.row_count; i++)
		check(&table, i, "knee_hosts", 2);
	grid_release(&table);
}

/* All epochs of a run count, each with its own slowest host. */
static void test_host_figures_add_the_epochs_of_a_run(void **state)
{
	static const struct seen seen[] = {
		{ 1, 2, 1, 2, 0, 100, 1 },
		{ 1, 2, 1, 2, 1, 100, 3 },
		{ 1, 2, 1, 3, 0, 100, 3 },
		{ 1, 2, 1, 3, 1, 100, 1 },
		{ 2, 1, 1, 1, 0, 50, 1 },
	};
	struct grid table = GRID_INIT;

	UNUSED(state);
	make(seen, ARRAY_LEN(seen), true, &table);
	assert_int_equal(table.row_count, 2);
	check(&table, 0, "total_samples_per_s", 400 / 6.0);
	check(&table, 0, "host_samples_per_s", 50);
	/* without one host alone, nothing is known of the efficiency */
	assert_string_equal(grid_text(&table, 0, "efficiency_percent"), "");
	assert_string_equal(grid_text(&table, 0, "slowest_host"), "rank 0");
	check(&table, 1, "total_samples_per_s", 50);
	check(&table, 1, "knee_hosts", 1);
	grid_release(&table);
}

/* A database may say anything. */
static void test_host_figures_pass_over_what_cannot_be(void **state)
{
	static const struct seen seen[] = {
		{ 1, 2000000000, 1, 1, 0, 100, 1 },
		{ 1, 2000000001, 1, 1, -1, 100, 0 },
		{ 2, 2, 1, 1, 7, 100, 1 },
		{ 2, 2, 1, 1, 8, 100, 0 },
	};
	struct grid table = GRID_INIT;

	UNUSED(state);
	make(seen, ARRAY_LEN(seen), false, &table);
	assert_int_equal(table.row_count, 1);
	check(&table, 0, "total_samples_per_s", 200);
	check(&table, 0, "host_samples_per_s", 0);
	grid_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_host_figures_count_until_the_slowest_has_ended),
		cmocka_unit_test(test_host_figures_find_the_knee),
		cmocka_unit_test(test_host_figures_add_the_epochs_of_a_run),
		cmocka_unit_test(test_host_figures_pass_over_what_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
