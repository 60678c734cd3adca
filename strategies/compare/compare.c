/* compare.c - see compare.h. */
#include "strategies/compare/compare.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stats/ranksum.h"
#include "lib/stats/statistics.h"
#include "strategies/compare/all_trials.h"
#include "strategies/compare/fastest_runs.h"
#include "strategies/compare/machine_change.h"
#include "strategies/figures/runs.h"

/* ---- the trials of both ---- */

static struct compare_side make_side(const struct figures *figures)
{
	const double counted = figures ? figures->throughput.counted : 0;

	return (struct compare_side){
		.is_there = figures != NULL,
		.figures = figures ? *figures : figures_none(),
		.runs = counted > 0 ? (size_t)counted : 0,
		.own_cores = NAN,
		.others_cores = NAN,
		.reference_ms = NAN,
	};
}

/* Either may be NULL: the trial is not there. */
static struct compared new_compared(
    const struct figures *base, const struct figures *new_one)
{
	const struct figures *any = base ? base : new_one;

	return (struct compared){
		.strategy = any->strategy,
		.cache = any->cache,
		.threads = any->threads,
		.base = make_side(base),
		.new_one = make_side(new_one),
		.ratio = NAN,
		.ratio_low = NAN,
		.ratio_high = NAN,
		.left_ratio = 1,
		.speed_ratio = 1,
		.fastest_ratio = NAN,
		.fastest_low = NAN,
		.fastest_high = NAN,
		.fastest_speed = 1,
		.p = NAN,
		.p_adjusted = NAN,
		.storage_ratio = NAN,
		.prep_ratio = NAN,
		.cpu_ratio = NAN,
		.verdict = COMPARE_NONE,
	};
}

/* ---- the runs of a trial ---- */

struct rates {
	double *logs; /* logarithms of the throughputs; owns all three */
	double *own, *others;
	size_t count;
};

static int read_rates(struct rates *rates,
    const struct compare_session *session, int64_t trial, struct error *err)
{
	const struct timed_runs *from = session->runs;
	const size_t most = from->count + 1;

	*rates = (struct rates){ .logs = calloc(most, 3 * sizeof(double)) };
	if (!rates->logs)
		return error_memory(err, 3 * most * sizeof(double));
	rates->own = rates->logs + most;
	rates->others = rates->own + most;
	for (size_t i = 0; i < from->count; i++) {
		const struct timed_run *run = &from->list[i];

		if (run->trial != trial || !(run->samples_per_s > 0))
			continue;
		rates->logs[rates->count] = log(run->samples_per_s);
		rates->own[rates->count] = run->own_cores;
		rates->others[rates->count++] = run->others_cores;
	}
	return 0;
}

static void take_rates(struct compare_side *side, struct rates *rates)
{
	side->runs = rates->count;
	side->own_cores = median_of(rates->own, rates->count);
	side->others_cores = median_of(rates->others, rates->count);
}

/* ---- one trial ---- */

static double quotient(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* Compares the throughputs as they were measured. */
static int compare_fastest(struct compared *to, const struct rates *base,
    const struct rates *new_one, struct all_trials *all, struct error *err)
{
	struct fastest_runs was, is, change;

	if (fastest_runs_of(base->logs, base->count, &was, err) ||
	    fastest_runs_of(new_one->logs, new_one->count, &is, err))
		return -1;
	change = fastest_runs_change(&was, &is);
	change.mean -= log(to->fastest_speed);
	to->fastest_ratio = exp(change.mean);
	to->fastest_low = exp(change.mean - change.doubt);
	to->fastest_high = exp(change.mean + change.doubt);
	fastest_sum_add(&all->fastest, &change);
	return 0;
}

/* Divides the speed of the machine out of the rates of NEW. */
static int compare_rates(struct compared *to, const struct rates *base,
    struct rates *new_one, struct all_trials *all, struct error *err)
{
	const struct ranksum_values a = { base->logs, base->count };
	const struct ranksum_values b = { new_one->logs, new_one->count };
	const double speed = log(to->speed_ratio);
	struct ranksum_shift shift;

	if (compare_fastest(to, base, new_one, all, err))
		return -1;
	for (size_t i = 0; i < new_one->count; i++)
		new_one->logs[i] -= speed;
	if (ranksum_shift(&a, &b, COMPARE_CONFIDENCE, &shift, err) ||
	    ranksum_test(&a, &b, &to->p, err))
		return -1;
	to->ratio = exp(shift.shift);
	if (isfinite(shift.low)) {
		to->ratio_low = to->ratio * exp(shift.low - shift.shift) /
		                fmax(to->left_ratio, 1);
		to->ratio_high = to->ratio * exp(shift.high - shift.shift) /
		                 fmin(to->left_ratio, 1);
	}
	to->is_tested =
	    a.count >= COMPARE_RUNS_LEAST && b.count >= COMPARE_RUNS_LEAST;
	return all_trials_add(all, to, &a, &b, err);
}

static int compare_trial(struct compared *to, const struct matched_trial *trial,
    struct all_trials *all, struct error *err)
{
	const struct figures *base = &to->base.figures;
	const struct figures *new_one = &to->new_one.figures;
	struct rates was = { .logs = NULL }, is = { .logs = NULL };
	int rc = -1;

	if (read_rates(&was, trial->base, trial->base_trial, err) ||
	    read_rates(&is, trial->new_one, trial->new_trial, err))
		goto done;
	take_rates(&to->base, &was);
	take_rates(&to->new_one, &is);
	to->left_ratio = compare_left_ratio(trial->base, trial->new_one, to);
	if (compare_set_speed(to, trial, err))
		goto done;
	to->storage_ratio = quotient(
	    new_one->profiled.storage_bytes, base->profiled.storage_bytes);
	to->prep_ratio =
	    quotient(new_one->profiled.prep_s, base->profiled.prep_s);
	to->cpu_ratio = quotient(new_one->cpu_us, base->cpu_us);
	rc = 0;
	if (was.count && is.count)
		rc = compare_rates(to, &was, &is, all, err);
done:
	free(was.logs);
	free(is.logs);
	return rc;
}

/* ---- the family ---- */

static int by_p(const void *a, const void *b)
{
	const double x = (*(struct compared *const *)a)->p;
	const double y = (*(struct compared *const *)b)->p;

	return (x > y) - (x < y);
}

/* Hochberg: the i-th largest of n values of p counts i times, and a smaller p
 * never counts for more than a larger one. */
static int adjust(struct comparison *comparison, struct error *err)
{
	struct compared **tested =
	    calloc(comparison->count + 1, sizeof(*tested));
	double least = 1;
	size_t n = 0;

	if (!tested)
		return error_memory(err, comparison->count * sizeof(*tested));
	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->list[i].is_tested)
			tested[n++] = &comparison->list[i];
	qsort(tested, n, sizeof(struct compared *), by_p);
	for (size_t i = n; i-- > 0;) {
		least = fmin(least, tested[i]->p * (double)(n - i));
		tested[i]->p_adjusted = least;
		tested[i]->differs =
		    least < 1 - COMPARE_CONFIDENCE &&
		    (tested[i]->ratio_low > 1 || tested[i]->ratio_high < 1);
	}
	free(tested);
	return 0;
}

unsigned compare_runs_needed(size_t tests)
{
	unsigned n = COMPARE_RUNS_LEAST;
	double p = 2.0 / 252; /* all of 5 above all of 5 */

	while (p * (double)tests >= 1 - COMPARE_CONFIDENCE) {
		n++; /* C(2n, n) = C(2n - 2, n - 1) * 2 (2n - 1) / n */
		p *= n / (2.0 * (2 * n - 1));
	}
	return n;
}

bool compare_side_is_done(const struct compare_side *side)
{
	return side->is_there && side->figures.state == TRIAL_DONE;
}

const char *compare_side_state(const struct compare_side *side)
{
	return side->is_there ? trial_state_word(side->figures.state) : "";
}

/* How far the data is from that of unprocessed: 0 to 2; -1: not known. */
static int difference(const struct compare_side *side)
{
	switch (side->figures.equivalent) {
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

static enum compare_verdict judge(const struct compared *c, double threshold)
{
	const double bound = 1 - threshold;

	if (is_broken(c))
		return COMPARE_BROKEN;
	if (compare_side_is_done(&c->base) && c->base.runs &&
	    (isnan(c->ratio) || !compare_side_is_done(&c->new_one)))
		return COMPARE_MISSING;
	if (isnan(c->ratio))
		return COMPARE_NONE;
	if (!c->is_tested)
		return COMPARE_UNCLEAR;
	if (c->differs && c->ratio_high < bound && !(c->fastest_high >= bound))
		return COMPARE_SLOWER;
	return c->ratio_low >= bound ? COMPARE_FINE : COMPARE_UNCLEAR;
}

static void judge_all(struct comparison *comparison)
{
	double sum = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		struct compared *c = &comparison->list[i];

		c->verdict = judge(c, comparison->threshold);
		comparison->verdicts[c->verdict]++;
		if (isnan(c->ratio))
			continue;
		comparison->both++;
		sum += log(c->ratio);
	}
	if (comparison->both)
		comparison->mean.ratio = exp(sum / (double)comparison->both);
}

/* ---- the comparison ---- */

static int fill(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    struct all_trials *all, struct error *err)
{
	for (size_t i = 0; i < base->trials->count; i++) {
		const struct figures *was = &base->trials->list[i];
		const struct figures *is = figures_find(new_one->trials, was);
		struct compared *to = &comparison->list[comparison->count++];

		*to = new_compared(was, is);
		if (is && compare_trial(to,
		              &(struct matched_trial){
		                  base, new_one, was->trial, is->trial },
		              all, err))
			return -1;
	}
	for (size_t i = 0; i < new_one->trials->count; i++) {
		const struct figures *is = &new_one->trials->list[i];

		if (!figures_find(base->trials, is))
			comparison->list[comparison->count++] =
			    new_compared(NULL, is);
	}
	return 0;
}

int comparison_make(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    double threshold, struct error *err)
{
	const size_t most = base->trials->count + new_one->trials->count + 1;
	struct all_trials all = ALL_TRIALS_INIT;
	int rc = -1;

	*comparison = (struct comparison){
		.list = calloc(most, sizeof(struct compared)),
		.threshold = threshold,
		.base_state = base->state,
		.new_state = new_one->state,
		.mean = { .ratio = NAN,
		    .low = NAN,
		    .high = NAN,
		    .p = NAN,
		    .fastest_ratio = NAN,
		    .fastest_low = NAN,
		    .fastest_high = NAN },
	};
	if (!comparison->list)
		return error_memory(err, most * sizeof(struct compared));
	if (fill(comparison, base, new_one, &all, err) == 0 &&
	    adjust(comparison, err) == 0) {
		judge_all(comparison);
		rc = all_trials_judge(&all, comparison, err);
	}
	all_trials_release(&all);
	return rc;
}

void comparison_release(struct comparison *comparison)
{
	free(comparison->list);
	*comparison = (struct comparison)COMPARISON_INIT;
}

const char *compared_word(const struct compared *compared)
{
	if (isnan(compared->ratio))
		return "";
	if (!compared->is_tested)
		return "?";
	if (!compared->differs)
		return "~";
	return compared->ratio < 1 ? "slower" : "faster";
}

bool compare_is_cut(const char *state)
{
	return strcmp(state, "done") != 0;
}

bool comparison_is_slower_together(const struct comparison *comparison)
{
	return comparison->mean.is_slower &&
	       !comparison->verdicts[COMPARE_SLOWER];
}

enum compare_verdict comparison_verdict(const struct comparison *comparison)
{
	const size_t *verdicts = comparison->verdicts;

	if (verdicts[COMPARE_BROKEN])
		return COMPARE_BROKEN;
	if (verdicts[COMPARE_SLOWER] || comparison->mean.is_slower)
		return COMPARE_SLOWER;
	if (verdicts[COMPARE_UNCLEAR] ||
	    compare_is_cut(comparison->base_state) ||
	    compare_is_cut(comparison->new_state))
		return COMPARE_UNCLEAR;
	if (!comparison->both)
		return COMPARE_NONE;
	return verdicts[COMPARE_MISSING] && !comparison->may_lack
	           ? COMPARE_MISSING
	           : COMPARE_FINE;
}
