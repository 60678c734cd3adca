/* judge.c - see judge.h. */
#include "strategies/compare/judge.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "strategies/compare/apart.h"
#include "strategies/compare/change.h"
#include "strategies/compare/compare.h"
#include "strategies/compare/neighbour.h"
#include "strategies/compare/rates.h"

/* A less probable explanation of the groups of rounds is not plausible. */
static const double least_p = 0.05;

/* Without a neighbour, turns scatter by less than this much. */
static const double least_gain = 0.7;

/* Explanations that differ by less are one. */
static const double least_shift = 0.01;

/* All trials that both sides have runs of, together. */
struct judging {
	struct comparison *comparison;
	const struct compare_session *from[SIDES];
	struct compared **trials; /* owned; those with runs on both sides */
	const struct figures **figures; /* owned; of these, in BASE */
	size_t count;
	struct rates sides[SIDES];
	struct neighbour neighbour;
	double apart; /* most of what others took, of any trial; logarithm */
	double range; /* of sessions that are not by turns; logarithm */
};

/* ---- what both sides have ---- */

static int find_trials(struct judging *judging, struct error *err)
{
	struct comparison *comparison = judging->comparison;

	judging->trials =
	    calloc(comparison->count + 1, sizeof(*judging->trials));
	judging->figures =
	    calloc(comparison->count + 1, sizeof(*judging->figures));
	if (!judging->trials || !judging->figures)
		return error_memory(err, comparison->count * sizeof(void *));
	for (size_t i = 0; i < comparison->count; i++) {
		struct compared *c = &comparison->list[i];

		if (!c->base.is_there || !c->new_one.is_there ||
		    !c->base.runs || !c->new_one.runs)
			continue;
		judging->figures[judging->count] = &c->base.figures;
		judging->trials[judging->count++] = c;
		judging->apart = fmax(judging->apart, fabs(log(c->left_ratio)));
	}
	return 0;
}

static int read_sides(struct judging *judging, struct error *err)
{
	for (size_t k = 0; k < SIDES; k++) {
		rates_release(&judging->sides[k]);
		if (rates_read(&judging->sides[k], judging->from[k],
		        judging->figures, judging->count, err))
			return -1;
	}
	return 0;
}

/*
 * Takes a neighbour out, unless the turns are as much alike without that: then
 * the groups of rounds are drift that both sides had.
 */
static int remove_neighbour(struct judging *judging, struct error *err)
{
	const struct rates *sides = judging->sides;
	struct change plain, lifted;

	if (read_sides(judging, err))
		return -1;
	if (!judging->comparison->turns)
		return neighbour_remove(
		    &judging->neighbour, judging->sides, err);
	if (change_by_turns(&plain, sides, ALL_TRIALS, 1, err) ||
	    neighbour_remove(&judging->neighbour, judging->sides, err) ||
	    change_by_turns(&lifted, sides, ALL_TRIALS, 1, err))
		return -1;
	if (lifted.reach < least_gain * plain.reach)
		return 0;
	judging->neighbour = neighbour_none();
	return read_sides(judging, err);
}

/* ---- the change of one trial, or of all ---- */

/* Logarithms of NEW over BASE. */
struct finding {
	double ratio, low, high;
	double least;   /* the low end by any explanation */
	double slow_to; /* it is slower by this, for sure */
	double margin;  /* and has to be by so much more, to be found */
};

static double bound_of(const struct comparison *comparison)
{
	return log(1 - comparison->threshold);
}

static bool is_plausible(const struct explanation *explanation)
{
	return explanation->p >= least_p;
}

/* What is not known of the change between sessions that are not by turns. */
static double doubt_apart(const struct judging *judging, double taken)
{
	return judging->comparison->turns ? 0 : log(apart_most) + taken;
}

/* Beyond the threshold with 97.5 %, and beyond no change with 99.75 %. */
static double reach_of(const struct change *change, double bound)
{
	return fmax(change->reach, change->far_reach + bound);
}

static void add_explanation(
    struct finding *to, const struct change *change, double shift, double bound)
{
	if (isnan(to->ratio))
		to->ratio = change->mean + shift;
	to->low = fmin(to->low, change->low + shift);
	to->high = fmax(to->high, change->high + shift);
	to->slow_to =
	    fmax(to->slow_to, change->mean + shift + reach_of(change, bound));
}

static struct finding find(
    const struct judging *judging, const struct change *change, double apart)
{
	const struct neighbour *neighbour = &judging->neighbour;
	const double bound = bound_of(judging->comparison);
	struct finding to = { NAN, INFINITY, -INFINITY, INFINITY, -INFINITY,
		change->margin };

	for (size_t i = 0; i < neighbour->count; i++) {
		const struct explanation *e = &neighbour->list[i];

		if (is_plausible(e))
			add_explanation(&to, change, e->shift, bound);
		to.least = fmin(to.least, change->low + e->shift);
	}
	if (isnan(to.ratio)) /* none is: all count */
		for (size_t i = 0; i < neighbour->count; i++)
			add_explanation(
			    &to, change, neighbour->list[i].shift, bound);
	to.slow_to += apart;
	to.low -= judging->range;
	to.high += judging->range;
	to.least -= judging->range;
	return to;
}

/* The slow-down that is found nine times out of ten. */
static double sees(
    const struct comparison *comparison, const struct finding *finding)
{
	return 1 - exp(bound_of(comparison) - finding->margin -
	               (finding->slow_to - finding->ratio));
}

static int change_of(const struct judging *judging, int trial,
    struct change *change, struct error *err)
{
	return judging->comparison->turns
	           ? change_by_turns(change, judging->sides, trial,
	                 trial == ALL_TRIALS ? 1 : judging->count, err)
	           : change_of_runs(change, judging->sides, trial, err);
}

/* How far the data is from that of unprocessed: 0 to 2; -1: not known. */
static int difference(const struct compare_side *side)
{
	switch (side->figures.answers.equivalent) {
	case EQUIVALENT_YES:
		return 0;
	case EQUIVALENT_LOSSY:
		return 1;
	case EQUIVALENT_NO:
		return 2;
	case EQUIVALENT_UNKNOWN:
		break;
	}
	return -1;
}

/* A trial that failed has no runs, unless an older presto was interrupted. */
static bool is_broken(const struct compared *c)
{
	if (c->new_one.is_there && c->new_one.figures.state == TRIAL_FAILED &&
	    c->new_one.runs == 0)
		return compare_side_is_done(&c->base);
	return difference(&c->base) >= 0 &&
	       difference(&c->new_one) > difference(&c->base);
}

static enum compare_verdict verdict_of(
    const struct compared *c, const struct finding *finding, double bound)
{
	if (is_broken(c))
		return COMPARE_BROKEN;
	if (compare_side_is_done(&c->base) && c->base.runs &&
	    (isnan(c->ratio) || !compare_side_is_done(&c->new_one)))
		return COMPARE_MISSING;
	if (isnan(c->ratio))
		return COMPARE_NONE;
	if (!c->is_tested)
		return COMPARE_UNCLEAR;
	if (finding->slow_to < bound)
		return COMPARE_SLOWER;
	return finding->least >= bound ? COMPARE_FINE : COMPARE_UNCLEAR;
}

/* ---- all of them ---- */

static int judge_trial(struct judging *judging, size_t trial, struct error *err)
{
	struct comparison *comparison = judging->comparison;
	struct compared *c = judging->trials[trial];
	struct change change;
	struct finding finding;

	if (change_of(judging, (int)trial, &change, err))
		return -1;
	finding = find(
	    judging, &change, doubt_apart(judging, fabs(log(c->left_ratio))));
	c->ratio = exp(finding.ratio);
	c->p = change.p;
	c->is_tested = c->base.runs >= COMPARE_RUNS_LEAST &&
	               c->new_one.runs >= COMPARE_RUNS_LEAST &&
	               !isnan(change.low);
	if (!isnan(change.low)) {
		c->ratio_low = exp(finding.low);
		c->ratio_high = exp(finding.high);
		c->sees = c->is_tested ? sees(comparison, &finding) : NAN;
	}
	c->verdict = verdict_of(c, &finding, bound_of(comparison));
	return 0;
}

static int judge_mean(struct judging *judging, struct error *err)
{
	struct comparison *comparison = judging->comparison;
	struct compare_mean *mean = &comparison->mean;
	double sum = 0;
	struct change change;
	struct finding finding;

	for (size_t i = 0; i < judging->count; i++)
		sum += log(judging->trials[i]->ratio);
	if (judging->count)
		mean->ratio = exp(sum / (double)judging->count);
	for (size_t i = 0; i < judging->count; i++)
		if (!judging->trials[i]->is_tested)
			return 0;
	if (judging->count < 2)
		return 0;
	if (change_of(judging, ALL_TRIALS, &change, err))
		return -1;
	if (isnan(change.low))
		return 0;
	finding = find(judging, &change, doubt_apart(judging, judging->apart));
	mean->low = exp(finding.low);
	mean->high = exp(finding.high);
	mean->p = change.p;
	mean->sees = sees(comparison, &finding);
	mean->is_slower = finding.slow_to < bound_of(comparison);
	return 0;
}

static int by_p(const void *a, const void *b)
{
	const double x = (*(struct compared *const *)a)->p;
	const double y = (*(struct compared *const *)b)->p;

	return (x > y) - (x < y);
}

/*
 * Hochberg's step-up procedure (Biometrika 75, 1988): the i-th largest of n
 * values of p counts i times, and a smaller p never counts for more than a
 * larger one.  Changes the order of the trials.
 */
static void adjust(struct judging *judging)
{
	struct compared **tested = judging->trials;
	double least = 1;
	size_t n = 0;

	for (size_t i = 0; i < judging->count; i++)
		if (judging->trials[i]->is_tested)
			tested[n++] = judging->trials[i];
	qsort(tested, n, sizeof(struct compared *), by_p);
	for (size_t i = n; i-- > 0;) {
		least = fmin(least, tested[i]->p * (double)(n - i));
		tested[i]->p_adjusted = least;
		tested[i]->differs =
		    least < 1 - COMPARE_CONFIDENCE &&
		    (tested[i]->ratio_low > 1 || tested[i]->ratio_high < 1);
	}
}

static bool is_alike(const struct neighbour *neighbour)
{
	const struct explanation *list = neighbour->list;

	return neighbour->count < 2 ||
	       fabs(list[0].shift - list[1].shift) < least_shift;
}

/* Sessions that are not by turns: nothing is fine if all of NEW is faster. */
static int doubt_fine(struct judging *judging, struct error *err)
{
	bool *is_faster = &judging->comparison->is_faster;

	if (judging->comparison->turns)
		return 0;
	if (apart_between(is_faster, judging->trials, judging->count,
	        judging->comparison->threshold, err))
		return -1;
	for (size_t i = 0; *is_faster && i < judging->count; i++)
		if (judging->trials[i]->verdict == COMPARE_FINE)
			judging->trials[i]->verdict = COMPARE_UNCLEAR;
	return 0;
}

static int find_range(struct judging *judging, struct error *err)
{
	if (judging->comparison->turns)
		return 0;
	return apart_within(&judging->range, &judging->sides[BASE], err) ||
	               apart_within(&judging->range, &judging->sides[NEW], err)
	           ? -1
	           : 0;
}

static int judge(struct judging *judging, struct error *err)
{
	struct comparison *comparison = judging->comparison;

	if (find_trials(judging, err) || remove_neighbour(judging, err) ||
	    find_range(judging, err))
		return -1;
	comparison->both = judging->count;
	comparison->is_alike = is_alike(&judging->neighbour);
	for (size_t i = 0; i < judging->count; i++)
		if (judge_trial(judging, i, err))
			return -1;
	if (judge_mean(judging, err) || doubt_fine(judging, err))
		return -1;
	adjust(judging);
	for (size_t i = 0; i < comparison->count; i++) {
		struct compared *c = &comparison->list[i];

		if (isnan(c->ratio))
			c->verdict = verdict_of(c, NULL, 0);
		comparison->verdicts[c->verdict]++;
	}
	return 0;
}

int comparison_judge(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    struct error *err)
{
	struct judging judging = { .comparison = comparison,
		.from = { base, new_one } };
	const int rc = judge(&judging, err);

	for (size_t k = 0; k < SIDES; k++)
		rates_release(&judging.sides[k]);
	free(judging.figures);
	free(judging.trials);
	return rc;
}
