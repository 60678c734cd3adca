/* advice.c - see advice.h. */
#include "strategies/advice.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/units.h"
#include "lib/measure/statistics.h"
#include "strategies/constraints.h"

static const double resident_limit_percent = 1;
static const double wide_percent = 10; /* of the throughput */

/* ---- whom to compare with ---- */

static bool same_load(const struct candidate *a, const struct candidate *b)
{
	return strcmp(a->cache, b->cache) == 0 && a->threads >= b->threads &&
	       a->threads <= b->threads;
}

/* Loaded in the same way first, uncompressed next, then the fastest. */
static bool is_fairer(const struct candidate *a, const struct candidate *b,
    const struct candidate *winner)
{
	const bool plain_a = strcmp(a->codec, "none") == 0;
	const bool plain_b = strcmp(b->codec, "none") == 0;

	if (same_load(a, winner) != same_load(b, winner))
		return same_load(a, winner);
	if (plain_a != plain_b)
		return plain_a;
	return a->throughput > b->throughput;
}

static const struct candidate *find_split(
    const struct ranking *ranking, const char *split)
{
	const struct candidate *winner = &ranking->list[0], *found = NULL;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!c->able || strcmp(c->split, split) != 0)
			continue;
		if (!found || is_fairer(c, found, winner))
			found = c;
	}
	return found;
}

static double speedup(
    const struct candidate *winner, const struct candidate *over)
{
	return over ? winner->full_throughput / over->full_throughput : NAN;
}

/* ---- why ---- */

static void add(char reason[ADVICE_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(char reason[ADVICE_REASON], const char *format, ...)
{
	const size_t used = strlen(reason);
	va_list args;

	va_start(args, format);
	vsnprintf(reason + used, ADVICE_REASON - used, format, args);
	va_end(args);
}

static void say_speed(struct advice *advice)
{
	const struct candidate *winner = advice->winner;
	char number[UNITS_TEXT], times[UNITS_TEXT];
	char *reason = advice->reason;

	add(reason, "%s delivers %s samples/s", winner->strategy,
	    units_number(winner->full_throughput, number));
	if (winner->outgrows_memory)
		add(reason, " of the full dataset (%s while it stays cached)",
		    units_number(winner->throughput, number));
	if (advice->unprocessed && advice->unprocessed != winner)
		add(reason, ", %.3g times unprocessed (%s)",
		    advice->speedup_over_unprocessed,
		    units_number(advice->unprocessed->full_throughput, times));
	if (advice->full == winner)
		add(reason, "; it is fully preprocessed");
	else if (advice->full)
		add(reason, "%s%.3g times fully preprocessed (%s)",
		    advice->unprocessed && advice->unprocessed != winner
		        ? " and "
		        : ", ",
		    advice->speedup_over_full, advice->full->strategy);
}

/* A tie, or what accelerators need, can put first what is not the least. */
static const char *how_little(
    const struct ranking *ranking, const struct request *request)
{
	const struct candidate *winner = &ranking->list[0];

	for (size_t i = 1; i < ranking->ranked; i++) {
		const struct candidate *c = &ranking->list[i];

		if (c->worth <= winner->worth)
			continue;
		if (c->tied)
			return ", within the intervals of the least";
		if (request->accelerators)
			return ", of those that are sufficient the least";
	}
	return ", the least";
}

static void say_objective(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	const struct candidate *winner = advice->winner;
	char time[UNITS_TEXT];

	if (request->objective == &objective_throughput)
		return;
	if (request->objective == &objective_cost)
		add(advice->reason, "; a month of %.6g epochs costs %.4g%s%s%s",
		    request->epochs, winner->cost,
		    *request->prices->currency ? " " : "",
		    request->prices->currency, how_little(ranking, request));
	else if (request->objective == &objective_time)
		add(advice->reason,
		    "; preparation and %.6g epochs of the full dataset take "
		    "%s%s",
		    request->epochs, units_time(winner->total_s, time),
		    how_little(ranking, request));
	else
		add(advice->reason,
		    "; it scores best when preparation counts %g, storage %g "
		    "and throughput %g",
		    request->weights.prep, request->weights.storage,
		    request->weights.throughput);
}

static void add_bottleneck(
    char reason[ADVICE_REASON], const struct candidate *candidate)
{
	const char *evidence = candidate->bottleneck_evidence;

	add(reason, "%s%s%s%s", candidate->bottleneck, *evidence ? " (" : "",
	    evidence, *evidence ? ")" : "");
}

static void say_bottleneck(struct advice *advice)
{
	const struct candidate *winner = advice->winner;
	const struct candidate *before = advice->unprocessed;

	if (!winner->bottleneck[0])
		return;
	if (before && before->bottleneck[0] && before != winner) {
		add(advice->reason, "; the bottleneck was ");
		add_bottleneck(advice->reason, before);
		add(advice->reason, " and is ");
	} else {
		add(advice->reason, "; the bottleneck is ");
	}
	add_bottleneck(advice->reason, winner);
}

static void say_memory(struct advice *advice)
{
	char here[UNITS_TEXT], full[UNITS_TEXT];

	if (isnan(advice->full_cache_bytes))
		return;
	add(advice->reason, "; it keeps %s in memory, %s of the full dataset",
	    units_bytes(advice->winner->cache_bytes, here),
	    units_bytes(advice->full_cache_bytes, full));
}

/* What stood against doing nothing. */
struct field {
	unsigned measured, able, ranked, better; /* better, but not allowed */
	char missed[CONSTRAINTS_TEXT];           /* constraints */
	char better_missed[CONSTRAINTS_TEXT];
};

static struct field look_at_others(
    const struct ranking *ranking, const struct request *request)
{
	const struct candidate *winner = &ranking->list[0];
	struct field field = { .missed = "" };

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (candidate_is_unprocessed(c))
			continue;
		field.measured += c->throughput > 0;
		field.able += c->able;
		field.ranked += c->rank > 0;
		if (!c->able || c->meets)
			continue;
		constraints_add_missed(c, request, field.missed);
		if (c->worth <= winner->worth)
			continue;
		field.better++;
		constraints_add_missed(c, request, field.better_missed);
	}
	return field;
}

static void say_nothing(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	const struct field others = look_at_others(ranking, request);
	char *text = advice->nothing;

	if (!candidate_is_unprocessed(advice->winner))
		return;
	if (advice->winner->sufficient)
		snprintf(text, ADVICE_NOTHING,
		    "your data is not the bottleneck: the accelerators take no "
		    "more than it delivers");
	else if (!others.measured)
		snprintf(text, ADVICE_NOTHING, "nothing else was measured");
	else if (!others.able)
		snprintf(text, ADVICE_NOTHING,
		    "nothing else that was measured can be recommended");
	else if (!others.ranked)
		snprintf(text, ADVICE_NOTHING, "nothing else meets %s",
		    others.missed);
	else if (others.better)
		snprintf(text, ADVICE_NOTHING,
		    "what is better by this objective does not meet %s",
		    others.better_missed);
	else
		snprintf(text, ADVICE_NOTHING,
		    "it is best to read the dataset as it is, since no stored "
		    "form is worth its preparation");
}

static void say_why(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	if (candidate_is_unprocessed(advice->winner))
		add(advice->reason, "do nothing: %s; ", advice->nothing);
	say_speed(advice);
	say_objective(advice, ranking, request);
	if (advice->winner->sufficient)
		add(advice->reason, "; that is enough for the accelerators");
	if (advice->tied)
		add(advice->reason, "; %u %s %s, and it %s", advice->tied,
		    advice->tied == 1 ? "other is" : "others are",
		    advice->winner->sufficient ? "enough as well"
		                               : "as good within the intervals",
		    candidate_is_unprocessed(advice->winner)
		        ? "is there already"
		        : "is the cheapest to keep");
	say_bottleneck(advice);
	say_memory(advice);
}

/* ---- what to be careful with ---- */

static void warn(struct advice *advice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void warn(struct advice *advice, const char *format, ...)
{
	va_list args;

	if (advice->warning_count == ADVICE_WARNINGS)
		return;
	va_start(args, format);
	vsnprintf(advice->warnings[advice->warning_count++], ADVICE_WARNING,
	    format, args);
	va_end(args);
}

static void warn_runs(struct advice *advice)
{
	const struct candidate *winner = advice->winner;
	const double width =
	    100 * (winner->high - winner->low) / winner->throughput;

	if (winner->runs < INTERVAL_LEAST)
		warn(advice,
		    "%s was measured in %.0f %s: too few to know how far the "
		    "throughput varies (--runs %d)",
		    winner->strategy, winner->runs,
		    winner->runs > 1 ? "runs" : "run", INTERVAL_LEAST);
	if (width > wide_percent)
		warn(advice,
		    "the interval of %s is +/- %.0f %% of its throughput: "
		    "more runs, or a quieter machine, would say more",
		    winner->strategy, width / 2);
}

static void warn_resident(struct advice *advice, const struct ranking *ranking)
{
	const struct candidate *worst = NULL;
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (strcmp(c->cache, "none") != 0 ||
		    !(c->resident_percent > resident_limit_percent))
			continue;
		count++;
		if (!worst || c->resident_percent > worst->resident_percent)
			worst = c;
	}
	if (worst)
		warn(advice,
		    "%u %s of cache none %s not cold: up to %.3g %% of the "
		    "data was in memory before a run (%s)",
		    count, count == 1 ? "trial" : "trials",
		    count == 1 ? "was" : "were", worst->resident_percent,
		    worst->strategy);
}

static void judge_memory(
    struct advice *advice, const struct surroundings *surroundings)
{
	const struct candidate *winner = advice->winner;
	const bool application = strcmp(winner->cache, "application") == 0;
	const double bytes =
	    application ? advice->full_cache_bytes : winner->full_storage_bytes;
	char full[UNITS_TEXT], memory[UNITS_TEXT];

	advice->fits_memory = bytes > surroundings->memory_bytes    ? "no"
	                      : bytes <= surroundings->memory_bytes ? "yes"
	                                                            : "";
	if (strcmp(winner->cache, "none") == 0 || *advice->fits_memory != 'n')
		return;
	units_bytes(bytes, full);
	units_bytes(surroundings->memory_bytes, memory);
	if (application)
		warn(advice,
		    "in full the application cache would take %s, more "
		    "than the %s of memory: the figures of cache none hold",
		    full, memory);
	else
		warn(advice,
		    "in full %s takes %s, more than the %s of memory: it will "
		    "not stay cached as it did here; the figures of cache "
		    "none hold",
		    winner->strategy, full, memory);
}

/* Fast here, and no longer when all of the dataset is read. */
static void warn_outgrowing(
    struct advice *advice, const struct ranking *ranking)
{
	const struct candidate *fastest = NULL;
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!c->able || !c->outgrows_memory)
			continue;
		count++;
		if (!fastest || c->throughput > fastest->throughput)
			fastest = c;
	}
	if (fastest && fastest->throughput > advice->winner->full_throughput)
		warn(advice,
		    "%u cached %s ranked as not cached: in full %s would not "
		    "stay in memory (%s)",
		    count, count == 1 ? "trial is" : "trials are",
		    count == 1 ? "it" : "they", fastest->strategy);
}

static void warn_lossy(
    struct advice *advice, const struct ranking *ranking, bool wanted)
{
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++)
		count += ranking->list[i].lossy;
	if (advice->winner->lossy)
		warn(advice,
		    "%s is lossy: its samples are not quite those of "
		    "unprocessed",
		    advice->winner->strategy);
	else if (count && !wanted)
		warn(advice,
		    "%u lossy %s left out; presto recommend --lossy takes "
		    "%s in",
		    count, count == 1 ? "trial is" : "trials are",
		    count == 1 ? "it" : "them");
}

static void warn_left_out(struct advice *advice, const struct ranking *ranking)
{
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++)
		count += !ranking->list[i].able && !ranking->list[i].lossy;
	if (count)
		warn(advice,
		    "%u %s left out: not done, or the data is not that of "
		    "unprocessed; see 'presto report'",
		    count, count == 1 ? "trial is" : "trials are");
}

static void find_next(struct advice *advice, const struct ranking *ranking)
{
	advice->break_even_next = NAN;
	for (size_t i = 1; i < ranking->ranked && !advice->next; i++)
		if (strcmp(ranking->list[i].strategy,
		        advice->winner->strategy) != 0)
			advice->next = &ranking->list[i];
	if (advice->next)
		advice->break_even_next =
		    candidate_break_even(advice->winner, advice->next);
}

static struct bill bill_of(const struct candidate *candidate,
    const struct ranking *ranking, const struct request *request)
{
	const struct workload workload = ranking_workload(ranking, request);

	if (!candidate || !request->prices || isnan(request->epochs))
		return (struct bill){ .compute = NAN };
	return prices_bill(
	    request->prices, candidate, &workload, candidate->full_throughput);
}

void advice_make(struct advice *advice, const struct ranking *ranking,
    const struct request *request, const struct surroundings *surroundings)
{
	const struct candidate *winner = &ranking->list[0];

	*advice = (struct advice){ .winner = winner };
	advice->unprocessed = find_split(ranking, "unprocessed");
	if (surroundings->last_split)
		advice->full = find_split(ranking, surroundings->last_split);
	advice->full_cache_bytes = strcmp(winner->cache, "application") == 0
	                               ? candidate_full_kept_bytes(winner)
	                               : NAN;
	advice->speedup_over_unprocessed = speedup(winner, advice->unprocessed);
	advice->speedup_over_full = speedup(winner, advice->full);
	for (size_t i = 1; i < ranking->count; i++)
		advice->tied += ranking->list[i].tied;
	find_next(advice, ranking);
	advice->bill = bill_of(winner, ranking, request);
	advice->unprocessed_bill =
	    bill_of(advice->unprocessed, ranking, request);
	say_nothing(advice, ranking, request);
	say_why(advice, ranking, request);
	if (surroundings->interrupted)
		warn(advice,
		    "the session was interrupted: what was not measured by "
		    "then may be better (presto profile --resume)");
	warn_runs(advice);
	warn_resident(advice, ranking);
	judge_memory(advice, surroundings);
	if (!winner->outgrows_memory)
		warn_outgrowing(advice, ranking);
	warn_lossy(advice, ranking, request->lossy);
	warn_left_out(advice, ranking);
}
