/* virtual_nodes_search.c - see virtual_nodes_search.h. */
#include "strategies/whatif/virtual_nodes_search.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "strategies/whatif/virtual_nodes.h"

/*
 * All sizes are multiples of a unit, their greatest common divisor.  For each
 * number of units the shortest time of each type is found; types are then added
 * one by one, as in the coin change problem.  This is exact, and takes the ways
 * of a type times the units of the batch.
 */
enum { UNITS_MOST = 1 << 16 };
static const double work_most = 1 << 28; /* a part of a second */

/* Two times are equal if they differ by less than this fraction. */
static const double same = 1e-9;

static const uint32_t none = UINT32_MAX; /* cost: impossible */

struct search {
	const struct nodes_job *job;
	const struct nodes_bounds *bounds;
	unsigned unit;
	unsigned units;    /* looked at: of the batch, or more */
	double *share_s;   /* [type][units + 1]: of one device */
	double *ways_s;    /* [units + 1]: of all devices of a type */
	double *best_s[2]; /* [units + 1]: of the types so far, before, now */
	uint32_t *cost[2];
	uint32_t *ways_cost;
	uint32_t *taken; /* [type][units + 1]: units of the last type */
};

/* ---- batches of virtual nodes ---- */

static unsigned divisor(unsigned a, unsigned b)
{
	while (b) {
		const unsigned rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool takes_part(const struct search *search, unsigned type)
{
	return search->bounds->most[type] > 0;
}

static unsigned find_unit(const struct search *search)
{
	const struct nodes_job *job = search->job;
	unsigned unit = 0;

	for (unsigned i = 0; i < job->type_count; i++) {
		const struct nodes_type *type = &job->types[i];

		for (unsigned p = 0;
		     takes_part(search, i) && p < type->point_count; p++)
			for (unsigned b = type->points[p].batch; b;
			     b = nodes_next_part(
			         type, type->points[p].batch, b))
				if (nodes_fit(job, type, b))
					unit = divisor(unit, b);
	}
	return unit;
}

static double *row_s(const struct search *search, unsigned type)
{
	return search->share_s + (size_t)type * (search->units + 1);
}

/* Adds the shares that can be made of nodes of one size. */
static void add_shares(
    const struct search *search, unsigned type, unsigned batch)
{
	const double s =
	    nodes_batch_s(search->job, &search->job->types[type], batch);
	const unsigned most = search->job->max_virtual_nodes;
	const unsigned step = batch / search->unit;
	double *row = row_s(search, type);

	if (isnan(s))
		return;
	for (unsigned v = 1; v <= search->units / step && (!most || v <= most);
	     v++)
		if (v * s < row[v * step])
			row[v * step] = v * s;
}

static void find_shares(const struct search *search, unsigned index)
{
	const struct nodes_type *type = &search->job->types[index];
	double *row = row_s(search, index);

	for (unsigned u = 0; u <= search->units; u++)
		row[u] = INFINITY;
	for (unsigned p = 0; p < type->point_count; p++)
		for (unsigned b = type->points[p].batch; b;
		     b = nodes_next_part(type, type->points[p].batch, b))
			add_shares(search, index, b);
}

/* ---- all devices of a type ---- */

/* The time for each number of units, over all devices of a type. */
static void find_ways(const struct search *search, unsigned type)
{
	const unsigned least = search->bounds->least[type];
	const unsigned most = search->bounds->most[type];
	const double *row = row_s(search, type);
	double *ways = search->ways_s;

	for (unsigned u = 0; u <= search->units; u++)
		ways[u] = INFINITY;
	if (least == 0)
		ways[0] = 0;
	for (unsigned n = least ? least : 1; n <= most; n++)
		for (unsigned u = 1; u <= search->units / n; u++)
			if (row[u] < ways[n * u])
				ways[n * u] = row[u];
}

/* The fewest devices for each number of units within `limit_s`. */
static void find_costs(
    const struct search *search, unsigned type, double limit_s)
{
	const unsigned least = search->bounds->least[type];
	const unsigned most = search->bounds->most[type];
	const double *row = row_s(search, type);
	uint32_t *ways = search->ways_cost;

	for (unsigned u = 0; u <= search->units; u++)
		ways[u] = none;
	if (least == 0)
		ways[0] = 0;
	for (unsigned n = least ? least : 1; n <= most; n++)
		for (unsigned u = 1; u <= search->units / n; u++)
			if (row[u] <= limit_s && ways[n * u] == none)
				ways[n * u] = n + COST_OF_TYPE;
}

/* ---- all types ---- */

static int check_work(
    const struct search *search, double *work, struct error *err)
{
	for (unsigned u = 0; u <= search->units; u++)
		if (search->ways_s[u] < INFINITY)
			*work += search->units - u;
	if (*work <= work_most)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "batch %u can be divided in too many ways to try them all: give "
	    "batch sizes with a larger common divisor than %u, or fewer types",
	    search->job->batch, search->unit);
}

/* Adds a type: the shortest time for each sum.  At first the sum is 0. */
static void add_ways(struct search *search, bool is_first)
{
	const double *before = search->best_s[0];
	double *now = search->best_s[1];

	for (unsigned u = 0; u <= search->units; u++)
		now[u] = INFINITY;
	for (unsigned p = 0; p <= search->units; p++) {
		const double way = search->ways_s[p];
		const unsigned end = is_first ? p : search->units;

		if (!isfinite(way))
			continue;
		for (unsigned u = p; u <= end; u++) {
			const double s =
			    before[u - p] > way ? before[u - p] : way;

			now[u] = s < now[u] ? s : now[u];
		}
	}
	search->best_s[1] = search->best_s[0];
	search->best_s[0] = now;
}

/* The shortest time for each sum, in best_s[0]. */
static int find_times(struct search *search, struct error *err)
{
	double work = 0;

	for (unsigned u = 0; u <= search->units; u++)
		search->best_s[0][u] = u ? INFINITY : 0;
	for (unsigned i = 0; i < search->job->type_count; i++) {
		if (takes_part(search, i))
			find_shares(search, i);
		find_ways(search, i);
		if (i > 0 && check_work(search, &work, err))
			return -1;
		add_ways(search, i == 0);
	}
	return 0;
}

/* Adds a type: the lowest cost for each sum, and the units taken of it. */
static void add_costs(struct search *search, unsigned type)
{
	const uint32_t *before = search->cost[0];
	uint32_t *now = search->cost[1];
	uint32_t *taken = search->taken + (size_t)type * (search->units + 1);

	for (unsigned u = 0; u <= search->units; u++)
		now[u] = none;
	for (unsigned p = 0; p <= search->units; p++) {
		const uint32_t way = search->ways_cost[p];

		for (unsigned u = p; way != none && u <= search->units; u++)
			if (before[u - p] != none &&
			    before[u - p] + way < now[u]) {
				now[u] = before[u - p] + way;
				taken[u] = p;
			}
	}
	search->cost[1] = search->cost[0];
	search->cost[0] = now;
}

/* Goes back from the sum, the last type first. */
static int collect(struct search *search, struct division *division,
    double limit_s, struct error *err)
{
	const struct nodes_job *job = search->job;
	unsigned left = job->batch / search->unit;

	*division = (struct division){ .step_s = 0 };
	for (unsigned i = job->type_count; i-- > 0;) {
		const unsigned p =
		    search->taken[(size_t)i * (search->units + 1) + left];
		struct nodes_share *share = &division->shares[i];

		left -= p;
		if (!p)
			continue;
		find_costs(search, i, limit_s);
		share->devices = search->ways_cost[p] - COST_OF_TYPE;
		share->samples = p / share->devices * search->unit;
	}
	return nodes_time(job, division, err);
}

static int find_cheapest(
    struct search *search, struct division *division, struct error *err)
{
	const unsigned units = search->job->batch / search->unit;
	const double limit_s = search->best_s[0][units] * (1 + same);

	for (unsigned u = 0; u <= search->units; u++)
		search->cost[0][u] = u ? none : 0;
	for (unsigned i = 0; i < search->job->type_count; i++) {
		find_costs(search, i, limit_s);
		add_costs(search, i);
	}
	return collect(search, division, limit_s, err);
}

/* ---- impossible batches ---- */

/* Units that one more node of each type adds: the next sum is nearer. */
static unsigned most_at_once(const struct search *search)
{
	const struct nodes_job *job = search->job;
	double units = 0;

	for (unsigned i = 0; i < job->type_count; i++)
		if (takes_part(search, i))
			units += (double)job->types[i].points[0].batch *
			         (1 + search->bounds->least[i]) / search->unit;
	return units < UNITS_MOST ? (unsigned)units : UNITS_MOST;
}

static int no_division(const struct search *search, struct error *err)
{
	const double batch = search->job->batch / (double)search->unit;
	unsigned below = 0, above = 0;

	for (unsigned u = 1; u <= search->units; u++) {
		if (!(search->best_s[0][u] < INFINITY))
			continue;
		if (u < batch)
			below = u * search->unit;
		else if (!above)
			above = u * search->unit;
	}
	if (below && above)
		return error_set(err, ERROR_USAGE,
		    "no division gives batch %u exactly; %u and %u can be "
		    "divided, or profile smaller batches",
		    search->job->batch, below, above);
	if (below || above)
		return error_set(err, ERROR_USAGE,
		    "no division gives batch %u: %s is %u", search->job->batch,
		    below ? "the most" : "the least", below ? below : above);
	return error_set(err, ERROR_USAGE,
	    "no division gives batch %u: the batches of the profiles are too "
	    "large for it, or for the memory",
	    search->job->batch);
}

/* ---- memory ---- */

static void search_release(struct search *search)
{
	free(search->share_s);
	free(search->ways_s);
	free(search->ways_cost);
	free(search->taken);
	for (unsigned i = 0; i < 2; i++) {
		free(search->best_s[i]);
		free(search->cost[i]);
	}
}

static int search_reserve(struct search *search, struct error *err)
{
	const size_t row = search->units + (size_t)1;
	const size_t all = row * search->job->type_count;
	bool is_full = true;

	search->share_s = calloc(all, sizeof(double));
	search->ways_s = calloc(row, sizeof(double));
	search->ways_cost = calloc(row, sizeof(uint32_t));
	search->taken = calloc(all, sizeof(uint32_t));
	for (unsigned i = 0; i < 2; i++) {
		search->best_s[i] = calloc(row, sizeof(double));
		search->cost[i] = calloc(row, sizeof(uint32_t));
		is_full &= search->best_s[i] && search->cost[i];
	}
	if (is_full && search->share_s && search->ways_s && search->ways_cost &&
	    search->taken)
		return 0;
	return error_memory(err, all * (sizeof(double) + sizeof(uint32_t)));
}

/* Finds the times of all sums up to `units`. */
static int search_times(
    struct search *search, unsigned units, struct error *err)
{
	search->units = units;
	if (units > UNITS_MOST)
		return error_set(err, ERROR_LIMIT,
		    "batch %u is more than %d times %u, the common divisor of "
		    "the profiled batches: give sizes with a larger one",
		    search->job->batch, UNITS_MOST, search->unit);
	if (search_reserve(search, err))
		return -1;
	return find_times(search, err);
}

/* ---- the search ---- */

int nodes_search(const struct nodes_job *job, const struct nodes_bounds *bounds,
    struct division *division, struct error *err)
{
	struct search search = { .job = job, .bounds = bounds };
	unsigned units;
	int rc = -1;

	search.unit = find_unit(&search);
	if (!search.unit)
		return error_set(err, ERROR_USAGE,
		    "no batch of a profile fits into the memory");
	units = job->batch / search.unit;
	if (search_times(&search, units, err))
		goto done;
	if (job->batch % search.unit == 0 &&
	    search.best_s[0][units] < INFINITY) {
		rc = find_cheapest(&search, division, err);
		goto done;
	}
	search_release(&search);
	search = (struct search){
		.job = job, .bounds = bounds, .unit = search.unit
	};
	units += most_at_once(&search) + 1;
	if (search_times(
	        &search, units < UNITS_MOST ? units : UNITS_MOST, err) == 0)
		no_division(&search, err);
done:
	search_release(&search);
	return rc;
}
