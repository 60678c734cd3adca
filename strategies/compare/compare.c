/* compare.c - see compare.h. */
#include "strategies/compare/compare.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/stats/ranksum.h"
#include "lib/stats/statistics.h"
#include "strategies/compare/compare_parts.h"
#include "strategies/figures/figures.h"

/* The row of `in` that is of the same trial; else as many as it has. */
static size_t same_row(const struct grid *in, const struct grid *of, size_t row)
{
	size_t i = 0;

	while (i < in->row_count && !figures_rows_match(in, i, of, row))
		i++;
	return i;
}

/* ---- the trials of both ---- */

static struct compare_side no_side(void)
{
	return (struct compare_side){
		.status = "",
		.equivalent = "",
		.message = "",
		.emulated_storage = "",
		.throughput = NAN,
		.low = NAN,
		.high = NAN,
		.own_cores = NAN,
		.others_cores = NAN,
		.reference_ms = NAN,
		.storage_bytes = NAN,
		.prep_s = NAN,
		.cpu_us = NAN,
	};
}

static struct compare_side read_side(const struct grid *trials, size_t row)
{
	const double figures = grid_number(trials, row, "figures");

	return (struct compare_side){
		.is_there = true,
		.runs = figures > 0 ? (size_t)figures : 0,
		.own_cores = NAN,
		.others_cores = NAN,
		.reference_ms = NAN,
		.status = grid_text(trials, row, "status"),
		.equivalent = grid_text(trials, row, "equivalent"),
		.message = grid_text(trials, row, "message"),
		.emulated_storage = grid_text(trials, row, "emulated_storage"),
		.throughput =
		    grid_number(trials, row, "throughput_samples_per_s"),
		.low = grid_number(trials, row, "throughput_low_samples_per_s"),
		.high =
		    grid_number(trials, row, "throughput_high_samples_per_s"),
		.storage_bytes = grid_number(trials, row, "storage_bytes"),
		.prep_s = grid_number(trials, row, "prep_s"),
		.cpu_us = grid_number(trials, row, "cpu_us_per_sample"),
	};
}

static struct compared new_compared(const struct grid *trials, size_t row)
{
	return (struct compared){
		.strategy = grid_text(trials, row, "strategy"),
		.cache = grid_text(trials, row, "cache"),
		.threads = grid_number(trials, row, "threads"),
		.base = no_side(),
		.new_one = no_side(),
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
	double *logs; /* of the throughputs; owned, and the other two in it */
	double *own, *others;
	size_t count;
};

static int read_rates(struct rates *rates,
    const struct compare_session *session, size_t row, struct error *err)
{
	const double trial = grid_number(session->trials, row, "trial");
	const struct grid *from = session->rates;
	const size_t most = from->row_count + 1;

	*rates = (struct rates){ .logs = calloc(most, 3 * sizeof(double)) };
	if (!rates->logs)
		return error_memory(err, 3 * most * sizeof(double));
	rates->own = rates->logs + most;
	rates->others = rates->own + most;
	for (size_t i = 0; i < from->row_count; i++) {
		const double rate = grid_number(from, i, "samples_per_s");

		if (islessgreater(grid_number(from, i, "trial"), trial) ||
		    !(rate > 0))
			continue;
		rates->logs[rates->count] = log(rate);
		rates->own[rates->count] = grid_number(from, i, "own_cores");
		rates->others[rates->count++] =
		    grid_number(from, i, "others_cores");
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

/* Of the throughputs as they were measured. */
static int compare_fastest(struct compared *to, const struct rates *base,
    const struct rates *new_one, struct compare_rounds *rounds,
    struct error *err)
{
	struct compare_fastest was, is, change;

	if (compare_fastest_of(base->logs, base->count, &was, err) ||
	    compare_fastest_of(new_one->logs, new_one->count, &is, err))
		return -1;
	change = compare_fastest_change(&was, &is);
	change.mean -= log(to->fastest_speed);
	to->fastest_ratio = exp(change.mean);
	to->fastest_low = exp(change.mean - change.doubt);
	to->fastest_high = exp(change.mean + change.doubt);
	compare_fastest_add(&rounds->fastest, &change);
	return 0;
}

/* Takes the speed of the machine out of what NEW has. */
static int compare_rates(struct compared *to, const struct rates *base,
    struct rates *new_one, struct compare_rounds *rounds, struct error *err)
{
	const struct ranksum_values a = { base->logs, base->count };
	const struct ranksum_values b = { new_one->logs, new_one->count };
	const double speed = log(to->speed_ratio);
	const double doubt = to->speed_doubt;
	struct ranksum_shift shift;

	if (compare_fastest(to, base, new_one, rounds, err))
		return -1;
	for (size_t i = 0; i < new_one->count; i++)
		new_one->logs[i] -= speed;
	if (ranksum_shift(&a, &b, COMPARE_CONFIDENCE, &shift, err) ||
	    ranksum_test(&a, &b, &to->p, err))
		return -1;
	to->ratio = exp(shift.shift);
	if (isfinite(shift.low)) {
		to->ratio_low = to->ratio *
		                exp(-hypot(shift.shift - shift.low, doubt)) /
		                fmax(to->left_ratio, 1);
		to->ratio_high = to->ratio *
		                 exp(hypot(shift.high - shift.shift, doubt)) /
		                 fmin(to->left_ratio, 1);
	}
	to->is_tested =
	    a.count >= COMPARE_RUNS_LEAST && b.count >= COMPARE_RUNS_LEAST;
	return compare_rounds_add(rounds, to, &a, &b, err);
}

static int compare_trial(struct compared *to, const struct compare_pair *pair,
    struct compare_rounds *rounds, struct error *err)
{
	struct rates was = { .logs = NULL }, is = { .logs = NULL };
	int rc = -1;

	if (read_rates(&was, pair->base, pair->base_row, err) ||
	    read_rates(&is, pair->new_one, pair->new_row, err))
		goto done;
	take_rates(&to->base, &was);
	take_rates(&to->new_one, &is);
	to->left_ratio = compare_left_ratio(pair->base, pair->new_one, to);
	if (compare_set_speed(to, pair, err))
		goto done;
	to->storage_ratio =
	    quotient(to->new_one.storage_bytes, to->base.storage_bytes);
	to->prep_ratio = quotient(to->new_one.prep_s, to->base.prep_s);
	to->cpu_ratio = quotient(to->new_one.cpu_us, to->base.cpu_us);
	rc = 0;
	if (was.count && is.count)
		rc = compare_rates(to, &was, &is, rounds, err);
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

/* Hochberg: of n, the i-th largest p counts i times, and no less likely ones
 * count for more. */
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

static bool is_done(const struct compare_side *side)
{
	return strcmp(side->status, "done") == 0;
}

/* The same data as that of unprocessed: 0, nearly: 1, not: 2; not known: -1. */
static int difference(const struct compare_side *side)
{
	static const char *const words[] = { "yes", "lossy", "no" };

	for (int i = 0; i < (int)ARRAY_LEN(words); i++)
		if (strcmp(side->equivalent, words[i]) == 0)
			return i;
	return -1;
}

/* What failed has no runs, but where an older presto was interrupted. */
static bool is_broken(const struct compared *c)
{
	if (strcmp(c->new_one.status, "failed") == 0 && c->new_one.runs == 0)
		return is_done(&c->base);
	return difference(&c->base) >= 0 &&
	       difference(&c->new_one) > difference(&c->base);
}

static enum compare_verdict judge(const struct compared *c, double threshold)
{
	const double bound = 1 - threshold;

	if (is_broken(c))
		return COMPARE_BROKEN;
	if (is_done(&c->base) && c->base.runs &&
	    (isnan(c->ratio) || !is_done(&c->new_one)))
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
    struct compare_rounds *rounds, struct error *err)
{
	struct compare_pair pair = { .base = base, .new_one = new_one };

	for (size_t i = 0; i < base->trials->row_count; i++) {
		struct compared *to = &comparison->list[comparison->count++];

		pair.base_row = i;
		pair.new_row = same_row(new_one->trials, base->trials, i);
		*to = new_compared(base->trials, i);
		to->base = read_side(base->trials, i);
		if (pair.new_row == new_one->trials->row_count)
			continue;
		to->new_one = read_side(new_one->trials, pair.new_row);
		if (compare_trial(to, &pair, rounds, err))
			return -1;
	}
	for (size_t i = 0; i < new_one->trials->row_count; i++) {
		struct compared *to = &comparison->list[comparison->count];

		if (same_row(base->trials, new_one->trials, i) <
		    base->trials->row_count)
			continue;
		*to = new_compared(new_one->trials, i);
		to->new_one = read_side(new_one->trials, i);
		comparison->count++;
	}
	return 0;
}

int comparison_make(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    double threshold, struct error *err)
{
	const size_t most =
	    base->trials->row_count + new_one->trials->row_count + 1;
	struct compare_rounds rounds = COMPARE_ROUNDS_INIT;
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
	if (fill(comparison, base, new_one, &rounds, err) == 0 &&
	    adjust(comparison, err) == 0) {
		judge_all(comparison);
		rc = compare_rounds_judge(&rounds, comparison, err);
	}
	compare_rounds_release(&rounds);
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
