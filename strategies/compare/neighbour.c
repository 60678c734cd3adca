/* neighbour.c - see neighbour.h. */
#include "strategies/compare/neighbour.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stats/ranksum.h"
#include "lib/stats/statistics.h"
#include "strategies/compare/rates.h"

/* A gap between two groups of rounds, at least: logarithm, and deviations. */
static const double least_gap = 0.06, least_deviations = 5;

/* So many sessions of a side show what drift is. */
enum { SESSIONS_ENOUGH = 4 };

/* The median absolute deviation of a normal distribution. */
static const double normal_mad = 0.6745;

/* The rounds of one side, session by session.  Owns all memory by `effects`. */
struct side {
	const struct rates *rates;
	double *effects; /* NAN: no trial has a run */
	double *slowed;  /* 1 if the neighbour was there, else 0 */
	double *parts;   /* the fraction of each session that it was there */
	double *scratch;
	size_t count; /* of rounds */
	double limit; /* effects below are those of slowed rounds; NAN: none */
};

static int make_side(
    struct side *side, const struct rates *rates, struct error *err)
{
	const size_t count = rates->sessions * rates->rounds;
	const size_t most = 3 * count + rates->sessions + rates->trials + 1;

	*side = (struct side){ .rates = rates,
		.effects = calloc(most, sizeof(double)),
		.count = count,
		.limit = NAN };
	if (!side->effects)
		return error_memory(err, most * sizeof(double));
	side->slowed = side->effects + count;
	side->parts = side->slowed + count;
	side->scratch = side->parts + rates->sessions;
	return 0;
}

/* ---- the effects of rounds ---- */

/* Sets levels[t] to the median of a trial. */
static int set_levels(
    double *levels, const struct side *side, struct error *err)
{
	double *values = malloc((side->count + 1) * sizeof(*values));

	if (!values)
		return error_memory(err, (side->count + 1) * sizeof(*values));
	for (size_t t = 0; t < side->rates->trials; t++)
		levels[t] =
		    median_of(values, rates_of_trial(side->rates, t, values));
	free(values);
	return 0;
}

static void set_effects(struct side *side, const double *levels)
{
	const struct rates *rates = side->rates;

	for (size_t i = 0; i < side->count; i++) {
		size_t n = 0;

		for (size_t t = 0; t < rates->trials; t++) {
			const double rate = rates->logs[i * rates->trials + t];

			if (!isnan(rate))
				side->scratch[n++] = rate - levels[t];
		}
		side->effects[i] = median_of(side->scratch, n);
	}
}

/* Adds what changes from each round of a session to the next. */
static size_t add_steps(const struct side *side, double *to)
{
	size_t n = 0;

	for (size_t i = 1; i < side->count; i++) {
		const double step = side->effects[i] - side->effects[i - 1];

		if (i % side->rates->rounds && !isnan(step))
			to[n++] = fabs(step);
	}
	return n;
}

/* Returns the standard deviation of rounds, without what lasts. */
static int set_deviation(
    double *deviation, const struct side *sides, struct error *err)
{
	const size_t most = sides[BASE].count + sides[NEW].count + 1;
	double *steps = malloc(most * sizeof(*steps));
	size_t n;

	if (!steps)
		return error_memory(err, most * sizeof(*steps));
	n = add_steps(&sides[BASE], steps);
	n += add_steps(&sides[NEW], steps + n);
	*deviation = n ? median_of(steps, n) / normal_mad / sqrt(2) : 0;
	free(steps);
	return 0;
}

/* ---- the two groups ---- */

/* Finds the largest gap; it parts the rounds if it is wide enough. */
static void part_rounds(struct side *side, double deviation)
{
	double widest = fmax(least_gap, least_deviations * deviation);
	size_t n = 0;

	for (size_t i = 0; i < side->count; i++)
		if (!isnan(side->effects[i]))
			side->scratch[n++] = side->effects[i];
	values_sort(side->scratch, n);
	for (size_t i = 1; i < n; i++) {
		const double below = side->scratch[i - 1];
		const double gap = side->scratch[i] - below;

		if (gap < widest)
			continue;
		widest = gap;
		side->limit = below + gap / 2;
	}
	for (size_t i = 0; i < side->count; i++)
		side->slowed[i] = side->effects[i] < side->limit;
}

/* The median of the effects of one group. */
static double middle_of(struct side *side, bool slowed)
{
	size_t n = 0;

	for (size_t i = 0; i < side->count; i++)
		if (!isnan(side->effects[i]) && (side->slowed[i] > 0) == slowed)
			side->scratch[n++] = side->effects[i];
	return median_of(side->scratch, n);
}

static void set_parts(struct side *side)
{
	const size_t rounds = side->rates->rounds;

	for (size_t s = 0; s < side->rates->sessions; s++) {
		double sum = 0, n = 0;

		for (size_t i = s * rounds; i < (s + 1) * rounds; i++) {
			sum += side->slowed[i];
			n += !isnan(side->effects[i]);
		}
		side->parts[s] = n > 0 ? sum / n : 0;
	}
}

static void lift_slowed(const struct side *side, double gap)
{
	const size_t trials = side->rates->trials;

	for (size_t i = 0; i < side->count; i++)
		for (size_t t = 0; side->slowed[i] > 0 && t < trials; t++)
			side->rates->logs[i * trials + t] += gap;
}

/* ---- explanations ---- */

static int explain(struct neighbour *neighbour, const struct side *sides,
    double shift, struct error *err)
{
	const struct ranksum_values base = { sides[BASE].parts,
		sides[BASE].rates->sessions };
	const struct ranksum_values new_one = { sides[NEW].parts,
		sides[NEW].rates->sessions };
	struct explanation *to = &neighbour->list[neighbour->count++];

	to->shift = shift;
	return ranksum_test(&base, &new_one, &to->p, err);
}

/* Takes the side without groups for one that was slowed all the time. */
static int explain_as_slow(struct neighbour *neighbour, struct side *sides,
    size_t whole, struct error *err)
{
	const double gap = neighbour->gaps[!whole];

	for (size_t s = 0; s < sides[whole].rates->sessions; s++)
		sides[whole].parts[s] = 1;
	return explain(neighbour, sides, whole == NEW ? gap : -gap, err);
}

static int explain_groups(
    struct neighbour *neighbour, struct side *sides, struct error *err)
{
	const double *gaps = neighbour->gaps;

	if (explain(neighbour, sides, 0, err))
		return -1;
	if (gaps[BASE] > 0 && gaps[NEW] > 0)
		return explain(neighbour, sides, gaps[BASE] - gaps[NEW], err);
	if (gaps[BASE] > 0 || gaps[NEW] > 0)
		return explain_as_slow(
		    neighbour, sides, gaps[BASE] > 0 ? NEW : BASE, err);
	return 0;
}

struct neighbour neighbour_none(void)
{
	return (struct neighbour){ .list = { { 0, 1 } }, .count = 1 };
}

/*
 * Are the groups those of rounds?  A session has both, or there are many
 * sessions; else they may be drift.
 */
static bool is_of_rounds(const struct side *side)
{
	if (side->rates->sessions >= SESSIONS_ENOUGH)
		return true;
	for (size_t s = 0; s < side->rates->sessions; s++)
		if (side->parts[s] > 0 && side->parts[s] < 1)
			return true;
	return false;
}

static int find_groups(
    struct neighbour *neighbour, struct side *sides, struct error *err)
{
	double deviation = 0;

	if (set_deviation(&deviation, sides, err))
		return -1;
	for (size_t k = 0; k < SIDES; k++) {
		part_rounds(&sides[k], deviation);
		set_parts(&sides[k]);
	}
	if (!is_of_rounds(&sides[BASE]) && !is_of_rounds(&sides[NEW])) {
		*neighbour = neighbour_none();
		return 0;
	}
	for (size_t k = 0; k < SIDES; k++) {
		if (isnan(sides[k].limit))
			continue;
		neighbour->gaps[k] =
		    middle_of(&sides[k], false) - middle_of(&sides[k], true);
		lift_slowed(&sides[k], neighbour->gaps[k]);
	}
	return explain_groups(neighbour, sides, err);
}

int neighbour_remove(
    struct neighbour *neighbour, struct rates *rates, struct error *err)
{
	double *levels = calloc(rates[BASE].trials + 1, sizeof(*levels));
	struct side sides[SIDES] = { { .effects = NULL } };
	int rc = -1;

	*neighbour = (struct neighbour){ .count = 0 };
	if (!levels)
		return error_memory(err, rates[BASE].trials * sizeof(*levels));
	for (size_t k = 0; k < SIDES; k++) {
		if (make_side(&sides[k], &rates[k], err) ||
		    set_levels(levels, &sides[k], err))
			goto done;
		set_effects(&sides[k], levels);
	}
	rc = find_groups(neighbour, sides, err);
done:
	free(sides[BASE].effects);
	free(sides[NEW].effects);
	free(levels);
	return rc;
}
