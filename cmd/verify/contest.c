/* contest.c - see contest.h. */
#include "cmd/verify/contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "strategies/plan/strategies.h"

enum {
	RUNS_EXPECTED = 6, /* the least for an interval, and the check */
	EPOCHS_EXPECTED = 2,
	SAMPLES_LEAST = 64,
};

/* So much of the budget is planned for; the rest is for what is slower. */
static const double budget_planned = 0.6;

/* ---- lists ---- */

static bool has_word(const struct buf *list, const char *word)
{
	const size_t len = strlen(word);
	const char *at = list->len ? (const char *)list->data : "";

	while (*at) {
		const size_t n = strcspn(at, ",");

		if (n == len && memcmp(at, word, len) == 0)
			return true;
		at += n + (at[n] == ',');
	}
	return false;
}

static int add_word(struct buf *list, const char *word, struct error *err)
{
	if (!*word || has_word(list, word))
		return 0;
	return buf_printf(list, err, "%s%s", list->len ? "," : "", word);
}

/* A number that is not known, or the default, is no word. */
static int add_number(struct buf *list, uint64_t number, struct error *err)
{
	char word[32];

	snprintf(word, sizeof(word), "%llu", (unsigned long long)number);
	return number ? add_word(list, word, err) : 0;
}

/* The lists, in the order of `keys`. */
enum list {
	LIST_CODEC,
	LIST_ORDER,
	LIST_SPLIT,
	LIST_STORE,
	LIST_BATCH,
	LIST_CACHE,
	LIST_FETCHERS,
	LIST_READ_AHEAD,
	LIST_SHUFFLE,
	LIST_THREADS
};

static const struct {
	const char *section, *key;
} keys[CONTEST_LISTS] = {
	[LIST_CODEC] = { "strategies", "codec" },
	[LIST_ORDER] = { "strategies", "order" },
	[LIST_SPLIT] = { "strategies", "split" },
	[LIST_STORE] = { "strategies", "store" },
	[LIST_BATCH] = { "load", "batch" },
	[LIST_CACHE] = { "load", "cache" },
	[LIST_FETCHERS] = { "load", "fetchers" },
	[LIST_READ_AHEAD] = { "load", "read_ahead" },
	[LIST_SHUFFLE] = { "load", "shuffle" },
	[LIST_THREADS] = { "load", "threads" },
};

/* Begins each list with what the plan itself has. */
static int add_plan(
    struct contest *contest, const struct project *project, struct error *err)
{
	for (size_t i = 0; i < CONTEST_LISTS; i++) {
		const struct ini_entry *entry = ini_entry(
		    ini_section(&project->ini, keys[i].section), keys[i].key);

		if (entry && add_word(&contest->lists[i], entry->value, err))
			return -1;
	}
	return 0;
}

static int add_strategy(
    struct buf *lists, const struct plan_label *parts, struct error *err)
{
	if (!*parts->store)
		return 0;
	if (add_word(&lists[LIST_CODEC], parts->codec, err) ||
	    add_word(&lists[LIST_STORE], parts->store, err) ||
	    add_word(&lists[LIST_SPLIT], parts->split, err))
		return -1;
	if (!*parts->order && !lists[LIST_ORDER].len)
		return 0;
	return add_word(
	    &lists[LIST_ORDER], *parts->order ? parts->order : "given", err);
}

static int add_rival(
    struct contest *contest, const struct plan_rival *rival, struct error *err)
{
	const struct {
		enum list list;
		uint64_t number;
	} numbers[] = {
		{ LIST_THREADS, rival->threads },
		{ LIST_FETCHERS, rival->fetchers },
		{ LIST_READ_AHEAD, rival->read_ahead },
		{ LIST_SHUFFLE, rival->shuffle },
		{ LIST_BATCH, rival->batch },
	};
	struct buf *lists = contest->lists;
	struct plan_label parts;

	contest->labels[contest->count++] = rival->strategy;
	plan_label_read(&parts, rival->strategy); /* checked when it was read */
	if (add_strategy(lists, &parts, err) ||
	    (rival->cache && add_word(&lists[LIST_CACHE], rival->cache, err)))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (add_number(&lists[numbers[i].list], numbers[i].number, err))
			return -1;
	return 0;
}

/*
 * The split of a plan that stores nothing is what the file would store: it is
 * replaced by those of the runners-up.
 */
static void forget_unprocessed(
    struct contest *contest, const struct plan_file *plan)
{
	if (strcmp(plan->strategy, "unprocessed") != 0)
		return;
	buf_release(&contest->lists[LIST_CODEC]);
	buf_release(&contest->lists[LIST_SPLIT]);
	buf_release(&contest->lists[LIST_STORE]);
}

/* ---- samples ---- */

/* Seconds for a strategy, with so many samples of those profiled. */
static double seconds_of(const struct plan_expected *expected, double samples)
{
	const double rate = fmin(expected->throughput,
	    isnan(expected->first_epoch) ? INFINITY : expected->first_epoch);
	const double prep = isnan(expected->prep_s) ? 0 : 2 * expected->prep_s;

	return prep + (rate > 0
	                      ? RUNS_EXPECTED * EPOCHS_EXPECTED * samples / rate
	                      : 0);
}

/* As many of the profiled samples as the budget is expected to allow. */
static uint64_t samples_for(const struct plan_file *plan, double budget_s)
{
	const double all = (double)plan->fingerprint.samples;
	double seconds = seconds_of(&plan->expected, all), fraction;

	for (unsigned i = 0; i < plan->rival_count; i++)
		seconds += seconds_of(&plan->rivals[i].expected, all);
	fraction = seconds > 0 ? budget_planned * budget_s / seconds : 1;
	if (!(fraction < 1) || all <= SAMPLES_LEAST)
		return plan->fingerprint.samples;
	return (uint64_t)fmax(SAMPLES_LEAST, floor(all * fraction));
}

/* ---- all settings ---- */

int contest_make(struct contest *contest, const struct project *project,
    double budget_s, uint64_t samples, struct error *err)
{
	static const struct override fixed[] = {
		{ "measure", "probe", "no" },
		{ "measure", "runs", "5" },
		{ "measure", "search", "all" },
		{ "measure", "trial_budget", "0" },
	};
	const struct plan_file *plan = project->planned;
	size_t count = 0;

	*contest = (struct contest){ .labels = { plan->strategy }, .count = 1 };
	if (!samples)
		samples = samples_for(plan, budget_s);
	snprintf(contest->samples, sizeof(contest->samples), "%llu",
	    (unsigned long long)samples);
	if (add_plan(contest, project, err))
		return -1;
	forget_unprocessed(contest, plan);
	for (unsigned i = 0; i < plan->rival_count; i++)
		if (add_rival(contest, &plan->rivals[i], err))
			return -1;
	for (size_t i = 0; i < CONTEST_LISTS; i++)
		if (contest->lists[i].len)
			contest->overrides[count++] =
			    (struct override){ keys[i].section, keys[i].key,
				    (const char *)contest->lists[i].data };
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		contest->overrides[count++] = fixed[i];
	/* With a budget, runs are repeated until they are precise. */
	snprintf(contest->budget, sizeof(contest->budget), "%.9gs", budget_s);
	contest->overrides[count++] =
	    (struct override){ "measure", "budget", contest->budget };
	if (samples)
		contest->overrides[count++] =
		    (struct override){ "measure", "samples", contest->samples };
	contest->overrides[count] = (struct override){ NULL, NULL, NULL };
	return 0;
}

size_t contest_leave_unknown(
    struct contest *contest, const struct strategies *strategies)
{
	const size_t all = contest->count;

	/* The first one is the plan's own. */
	for (size_t i = 1; i < contest->count;) {
		const char *label = contest->labels[i];

		if (strategies_find(strategies, label)) {
			i++;
			continue;
		}
		contest->labels[i] = contest->labels[--contest->count];
		contest->labels[contest->count] = label;
	}
	return all - contest->count;
}

void contest_release(struct contest *contest)
{
	for (size_t i = 0; i < CONTEST_LISTS; i++)
		buf_release(&contest->lists[i]);
}
