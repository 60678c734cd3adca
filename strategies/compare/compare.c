/* compare.c - see compare.h. */
#include "strategies/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "strategies/compare/judge.h"
#include "strategies/compare/machine.h"

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
		.load = any->load,
		.base = make_side(base),
		.new_one = make_side(new_one),
		.ratio = NAN,
		.ratio_low = NAN,
		.ratio_high = NAN,
		.left_ratio = 1,
		.speed_ratio = 1,
		.sees = NAN,
		.p = NAN,
		.p_adjusted = NAN,
		.storage_ratio = NAN,
		.prep_ratio = NAN,
		.cpu_ratio = NAN,
		.verdict = COMPARE_NONE,
	};
}

bool compare_side_is_done(const struct compare_side *side)
{
	return side->is_there && side->figures.state == TRIAL_DONE;
}

const char *compare_side_state(const struct compare_side *side)
{
	return side->is_there ? trial_state_word(side->figures.state) : "";
}

/* ---- the comparison ---- */

static double quotient(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* Compares the figures of a trial that need no statistics. */
static int compare_trial(struct compared *to,
    const struct compare_session *base, const struct compare_session *new_one,
    struct error *err)
{
	const struct figures *was = &to->base.figures;
	const struct figures *is = &to->new_one.figures;

	if (compare_machine_read(&to->base, base, was->trial, err) ||
	    compare_machine_read(&to->new_one, new_one, is->trial, err))
		return -1;
	compare_machine_change(to, base, new_one);
	to->storage_ratio =
	    quotient(is->profiled.storage_bytes, was->profiled.storage_bytes);
	to->prep_ratio = quotient(is->profiled.prep_s, was->profiled.prep_s);
	to->cpu_ratio = quotient(is->cpu_us, was->cpu_us);
	return 0;
}

static int fill(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    struct error *err)
{
	for (size_t i = 0; i < base->trials->count; i++) {
		const struct figures *was = &base->trials->list[i];
		const struct figures *is = figures_find(new_one->trials, was);
		struct compared *to = &comparison->list[comparison->count++];

		*to = new_compared(was, is);
		if (is && compare_trial(to, base, new_one, err))
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

int compare_turn_order(
    const struct compare_turn *a, const struct compare_turn *b)
{
	const int order = strcmp(a->started, b->started);

	if (order || strcmp(a->database, b->database) != 0)
		return order;
	return (a->session > b->session) - (a->session < b->session);
}

/*
 * Returns the number of turns: each side has a session in each, and all of a
 * turn began no later than those of the next.  0: not by turns.
 */
static size_t count_turns(
    const struct compare_session *base, const struct compare_session *new_one)
{
	const size_t count = base->turn_count;

	if (count < 2 || count != new_one->turn_count)
		return 0;
	for (size_t i = 0; i + 1 < count; i++) {
		const struct compare_turn *const is[] = { &base->turns[i],
			&new_one->turns[i] };

		for (size_t k = 0; k < 2; k++)
			if (compare_turn_order(is[k], &base->turns[i + 1]) >
			        0 ||
			    compare_turn_order(is[k], &new_one->turns[i + 1]) >
			        0)
				return 0;
	}
	return count;
}

int comparison_make(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    double threshold, struct error *err)
{
	const size_t most = base->trials->count + new_one->trials->count + 1;

	*comparison = (struct comparison){
		.list = calloc(most, sizeof(struct compared)),
		.threshold = threshold,
		.base_state = base->state,
		.new_state = new_one->state,
		.turns = count_turns(base, new_one),
		.is_alike = true,
		.mean = { .ratio = NAN,
		    .low = NAN,
		    .high = NAN,
		    .p = NAN,
		    .sees = NAN },
	};
	if (!comparison->list)
		return error_memory(err, most * sizeof(struct compared));
	return fill(comparison, base, new_one, err) ||
	               comparison_judge(comparison, base, new_one, err)
	           ? -1
	           : 0;
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

double comparison_sees(const struct comparison *comparison)
{
	double sees = comparison->both ? 0 : NAN;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compared *c = &comparison->list[i];

		if (!isnan(c->ratio) && !(c->sees <= sees))
			sees = c->sees;
	}
	return sees;
}
