/* summary.c - see print.h: writes the sentence. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/compare/print.h"

enum { NAMED = 3 }; /* trials, at most, in a sentence */

struct sentence {
	char *text;
	size_t used;
};

static void say(struct sentence *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct sentence *to, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(
	    to->text + to->used, COMPARE_SUMMARY - to->used, format, args);
	va_end(args);
	if (len > 0)
		to->used += (size_t)len;
	if (to->used >= COMPARE_SUMMARY)
		to->used = COMPARE_SUMMARY - 1; /* it was cut */
}

static void say_trial(struct sentence *to, const struct compared *c)
{
	char load[LOAD_FIGURES_TEXT];

	say(to, "%s, %u thread%s, cache %s%s", c->strategy, c->threads,
	    c->threads == 1 ? "" : "s", cache_word(c->cache),
	    load_figures_words(&c->load, load));
	if (c->verdict == COMPARE_BROKEN || c->verdict == COMPARE_MISSING)
		return;
	if (!isnan(c->ratio))
		say(to, ": %.3f", c->ratio);
	if (!isnan(c->ratio_low))
		say(to, " (%.3f to %.3f)", c->ratio_low, c->ratio_high);
}

/* "; A; B; and 2 more" */
static void say_trials(struct sentence *to, const struct comparison *comparison,
    enum compare_verdict verdict)
{
	size_t named = 0;

	for (size_t i = 0; i < comparison->count && named < NAMED; i++) {
		if (comparison->list[i].verdict != verdict)
			continue;
		say(to, named++ ? "; " : ": ");
		say_trial(to, &comparison->list[i]);
	}
	if (comparison->verdicts[verdict] > named)
		say(to, "; and %zu more",
		    comparison->verdicts[verdict] - named);
}

/* Counts trials with too few runs to be tested. */
static size_t count_few(const struct comparison *comparison)
{
	size_t few = 0;

	for (size_t i = 0; i < comparison->count; i++)
		few += comparison->list[i].verdict == COMPARE_UNCLEAR &&
		       !comparison->list[i].is_tested;
	return few;
}

static void say_advice(struct sentence *to, const struct comparison *comparison)
{
	if (count_few(comparison))
		say(to,
		    "; too few runs: measure at least %d of each, better %d "
		    "(--runs)",
		    COMPARE_RUNS_LEAST, COMPARE_RUNS_ADVISED);
	else if (comparison->is_faster)
		say(to,
		    "; all of NEW is faster, and so may be the machine: "
		    "measure %d of each by turns (presto-ci-gate)",
		    COMPARE_TURNS_ADVISED);
	else if (!comparison->turns)
		say(to,
		    "; the machine may have changed between sessions: measure "
		    "%d of each by turns (presto-ci-gate)",
		    COMPARE_TURNS_ADVISED);
	else if (!comparison->is_alike)
		say(to, "; other work slowed one of them all the time, or the "
		        "other never: measure more turns");
	else
		say(to, "; measure more turns, or on a quieter machine");
}

static void say_verdict(struct sentence *to,
    const struct comparison *comparison, enum compare_verdict verdict)
{
	const size_t count = comparison->verdicts[verdict];
	const double percent = 100 * comparison->threshold;
	const size_t all = comparison->both;

	if (!count)
		return;
	if (to->used)
		say(to, "; ");
	if (verdict == COMPARE_BROKEN)
		say(to, "%zu failed, or gave other data than before", count);
	else if (verdict == COMPARE_SLOWER)
		say(to, "%zu of %zu trial%s %s slower by more than %.3g %%",
		    count, all, all == 1 ? "" : "s", count == 1 ? "is" : "are",
		    percent);
	else if (verdict == COMPARE_MISSING)
		say(to, "%zu trial%s of BASE %s not measured in NEW", count,
		    count == 1 ? "" : "s", count == 1 ? "was" : "were");
	else
		say(to, "%zu of %zu trial%s may be slower by more than %.3g %%",
		    count, all, all == 1 ? "" : "s", percent);
	say_trials(to, comparison, verdict);
	if (verdict == COMPARE_UNCLEAR)
		say_advice(to, comparison);
}

static void say_mean(struct sentence *to, const struct comparison *comparison)
{
	const struct compare_mean *mean = &comparison->mean;

	say(to,
	    "%sall %zu trials together are slower by more than %.3g %%: "
	    "%.3f (%.3f to %.3f)",
	    to->used ? "; " : "", comparison->both, 100 * comparison->threshold,
	    mean->ratio, mean->low, mean->high);
}

static void say_state(struct sentence *to, const char *name, const char *state)
{
	if (!compare_is_cut(state))
		return;
	say(to, "%s%s %s", to->used ? "; " : "", name,
	    strcmp(state, "interrupted") == 0 ? "was interrupted"
	    : strcmp(state, "running") == 0   ? "has not ended, or was killed"
	                                      : state);
}

/* Sizes have no noise, and no threshold. */
static void say_storage(
    struct sentence *to, const struct comparison *comparison)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->count; i++)
		if (islessgreater(comparison->list[i].storage_ratio, 1))
			count++;
	if (count)
		say(to, "; %zu need%s a different amount of storage", count,
		    count == 1 ? "s" : "");
}

void compare_summarize(
    const struct comparison *comparison, char summary[COMPARE_SUMMARY])
{
	struct sentence to = { .text = summary };

	*summary = '\0';
	say_verdict(&to, comparison, COMPARE_BROKEN);
	say_verdict(&to, comparison, COMPARE_SLOWER);
	/* If all are slower together, single unclear trials do not matter. */
	if (comparison_is_slower_together(comparison))
		say_mean(&to, comparison);
	else
		say_verdict(&to, comparison, COMPARE_UNCLEAR);
	say_state(&to, "BASE", comparison->base_state);
	say_state(&to, "NEW", comparison->new_state);
	if (!comparison->may_lack)
		say_verdict(&to, comparison, COMPARE_MISSING);
	if (!to.used)
		say(&to, "none of %zu trial%s is slower by more than %.3g %%",
		    comparison->both, comparison->both == 1 ? "" : "s",
		    100 * comparison->threshold);
	say_storage(&to, comparison);
}
