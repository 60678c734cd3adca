/*
 * test_rank_property.c - properties of every ranking, on 1,000 random reports;
 * values are computed here from the manual's definition of each objective.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/decide/rank.h"
#include "strategies/whatif/prices.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

enum { TABLES = 1000, ROWS = 15, NAME = 32 };

struct table {
	unsigned number;
	double spread; /* of throughputs, on a scale of logarithms */
	struct fixture_row rows[ROWS + 1];
	char names[ROWS][NAME];
	size_t count;
	struct prices prices;
	struct request request;
};

/* ---- random reports ---- */

/* 0 to 1 */
static double draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 33) / 0x1p31;
}

static size_t draw_below(uint64_t *seed, size_t count)
{
	return (size_t)(draw(seed) * (double)count);
}

static void add_row(struct table *table, const char *cache, uint64_t *seed)
{
	static const double widths[] = { 0.01, 0.02, 0.05, 0.4, 0.9 };
	static const char *const stores[] = { "tar", "tfrecord", "npy" };
	const size_t i = table->count++;
	const bool stored = i % (ROWS / 3) > 0;
	const double rate =
	    stored ? 100 * exp(table->spread * (draw(seed) - 0.4)) : 100;
	const double width = widths[draw_below(seed, ARRAY_LEN(widths))];
	const bool barred = stored && draw(seed) < 0.2;

	if (stored)
		snprintf(table->names[i], NAME, "s%zu/%s/none", i % (ROWS / 3),
		    stores[draw_below(seed, ARRAY_LEN(stores))]);
	else
		snprintf(table->names[i], NAME, "unprocessed");
	table->rows[i] = (struct fixture_row){
		.strategy = table->names[i],
		.throughput = rate,
		.low = rate * (1 - width * draw(seed)),
		.high = rate * (1 + width * draw(seed)),
		.prep_s = stored ? 0.1 + 400 * draw(seed) : 0,
		.storage_bytes = stored ? 1e9 * (5 + 400 * draw(seed)) : 40e9,
		.cache = cache,
	};
	if (barred && draw(seed) < 0.5)
		table->rows[i].portable = "no";
	else if (barred)
		table->rows[i].equivalent = "no";
}

/* Half of the reports were measured round by round, and drift wide. */
static void pair_rows(struct table *table, uint64_t *seed)
{
	for (size_t i = 0; i < table->count; i += ROWS / 3) {
		double fastest = 0;

		for (size_t k = i; k < i + ROWS / 3; k++)
			if (!table->rows[k].equivalent)
				fastest =
				    fmax(fastest, table->rows[k].throughput);
		for (size_t k = i; k < i + ROWS / 3; k++) {
			struct fixture_row *row = &table->rows[k];
			const double ratio = row->throughput / fastest;
			const bool is_it = row->throughput >= fastest;

			row->relative_low =
			    is_it ? 1 : ratio * (1 - 0.05 * draw(seed));
			row->relative_high =
			    is_it ? 1 : ratio * (1 + 0.05 * draw(seed));
		}
	}
}

static void make_table(struct table *table, unsigned number, uint64_t *seed)
{
	static const char *const caches[] = { "none", "system", "application" };
	static const double epochs[] = { 1, 20, 2000, 50000 };

	const size_t which = draw_below(seed, 8);

	*table = (struct table){ .number = number,
		.spread = draw(seed) < 0.5 ? 0.3 : 3.5,
		.prices = prices_none(),
		.request = request_default() };
	for (size_t i = 0; i < ARRAY_LEN(caches); i++)
		for (size_t k = 0; k < ROWS / 3; k++)
			add_row(table, caches[i], seed);
	if (number % 2)
		pair_rows(table, seed);
	table->prices.vcpu_hour = 1;
	table->prices.vcpus = 10;
	table->prices.gb_month = 0.02;
	/* Half by throughput, where the best median need not win. */
	table->request.objective =
	    which < 4 ? objective_at(which) : &objective_throughput;
	table->request.epochs = epochs[draw_below(seed, ARRAY_LEN(epochs))];
	table->request.prices = &table->prices;
}

/* ---- what each is worth ---- */

static bool is_rival(const struct fixture_row *row)
{
	return strcmp(row->cache, "system") == 0 && !row->portable &&
	       !row->equivalent;
}

/* 0 to 1 among the rivals; all the same: 1. */
static double place(const struct table *table, double value, size_t offset)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < table->count; i++) {
		const struct fixture_row *row = &table->rows[i];
		const double its =
		    *(const double *)(const void *)((const char *)row + offset);

		if (!is_rival(row))
			continue;
		low = fmin(low, its);
		high = fmax(high, its);
	}
	return high > low ? (value - low) / (high - low) : NAN;
}

static double share(double place, bool is_inverted)
{
	if (isnan(place))
		return 1;
	return is_inverted ? 1 - place : place;
}

static double worth(
    const struct table *table, const struct fixture_row *row, double rate)
{
	const struct objective_ops *objective = table->request.objective;
	const double hours =
	    (row->prep_s + table->request.epochs * 1000 / rate) / 3600;
	const bool stored = strcmp(row->strategy, "unprocessed") != 0;

	if (objective == &objective_throughput)
		return rate;
	if (objective == &objective_time)
		return -hours;
	if (objective == &objective_cost)
		return -(10 * hours +
		         0.02 * (40 + (stored ? row->storage_bytes / 1e9 : 0)));
	return share(place(table, row->prep_s,
	                 offsetof(struct fixture_row, prep_s)),
	           true) +
	       share(place(table, row->storage_bytes,
	                 offsetof(struct fixture_row, storage_bytes)),
	           true) +
	       share(
	           place(table, rate, offsetof(struct fixture_row, throughput)),
	           false);
}

/* ---- the properties ---- */

static const struct fixture_row *row_of(
    const struct table *table, const struct candidate *c)
{
	for (size_t i = 0; i < table->count; i++)
		if (strcmp(table->rows[i].strategy, c->trial.strategy) == 0 &&
		    strcmp(table->rows[i].cache, cache_word(c->trial.cache)) ==
		        0)
			return &table->rows[i];
	fail_msg("table %u has no %s", table->number, c->trial.strategy);
	return NULL;
}

/* By 2 %, of the ratios where there are some. */
static bool clearly_beats(const struct table *table,
    const struct fixture_row *a, const struct fixture_row *b)
{
	double fastest = 0, low = a->low, high = b->high;

	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].relative_low >= 1 &&
		    strcmp(table->rows[i].cache, a->cache) == 0)
			fastest = table->rows[i].throughput;
	if (fastest > 0) {
		low = fastest * a->relative_low;
		high = fastest * b->relative_high;
	}
	return worth(table, a, a->throughput) >
	           worth(table, b, b->throughput) &&
	       worth(table, a, low) > worth(table, b, 1.02 * high) + 1e-9;
}

static void check_winner(
    const struct table *table, const struct ranking *ranking)
{
	const struct fixture_row *winner = row_of(table, &ranking->list[0]);

	if (!is_rival(winner))
		fail_msg(
		    "table %u: %s cannot win", table->number, winner->strategy);
	for (size_t i = 0; i < table->count; i++)
		if (is_rival(&table->rows[i]) &&
		    clearly_beats(table, &table->rows[i], winner))
			fail_msg("table %u: %s is beaten by %s", table->number,
			    winner->strategy, table->rows[i].strategy);
}

static void check_ranks(
    const struct table *table, const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];
		const bool ranked = is_rival(row_of(table, c));
		const unsigned rank = !ranked   ? 0
		                      : c->tied ? 1
		                                : (unsigned)i + 1;

		if (c->rank != rank || (c->tied && i >= ranking->tied) ||
		    ranked != (i < ranking->ranked))
			fail_msg("table %u: %s has rank %u at %zu",
			    table->number, c->trial.strategy, c->rank, i);
		assert_int_equal(*c->unranked == '\0', ranked);
	}
}

/* By what the objective pays for; what is there already costs nothing. */
static double price(const struct table *table, const struct fixture_row *row)
{
	if (table->request.objective == &objective_throughput)
		return strcmp(row->strategy, "unprocessed") == 0
		           ? 0
		           : row->storage_bytes;
	return -worth(table, row, row->throughput);
}

static void check_tied(const struct table *table, const struct ranking *ranking)
{
	const struct fixture_row *winner = row_of(table, &ranking->list[0]);

	for (size_t i = 1; i < ranking->tied; i++) {
		const struct candidate *c = &ranking->list[i];
		const struct fixture_row *row = row_of(table, c);

		if (table->request.objective->is_rate && !c->as_good)
			continue;
		if (price(table, winner) > price(table, row) * (1 + 1e-9) &&
		    price(table, winner) > price(table, row) + 1e-9)
			fail_msg("table %u: %s is dearer than %s",
			    table->number, winner->strategy, row->strategy);
	}
}

static void test_rank_holds_of_random_reports(void **state)
{
	uint64_t seed = 17;
	size_t ties = 0;

	(void)state;
	for (unsigned i = 0; i < TABLES; i++) {
		struct ranking ranking = RANKING_INIT;
		struct grid grid = GRID_INIT;
		struct error err = ERROR_INIT;
		struct table table;

		make_table(&table, i, &seed);
		fixture_report(&grid, table.rows, 1000);
		test_ok(
		    fixture_rank(&ranking, &grid, &table.request, &err), &err);
		check_winner(&table, &ranking);
		check_ranks(&table, &ranking);
		check_tied(&table, &ranking);
		ties += ranking.tied > 0;
		ranking_release(&ranking);
		grid_release(&grid);
	}
	/* The properties are not empty. */
	assert_true(ties > TABLES / 10 && ties < TABLES * 9 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank_holds_of_random_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
