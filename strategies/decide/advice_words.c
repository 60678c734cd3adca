/* advice_words.c - see advice_words.h. */
#include "strategies/decide/advice_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/units.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/constraints.h"
#include "strategies/decide/order.h"

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

	add(reason, "%s delivers %s samples/s", winner->trial.strategy,
	    units_number(winner->full.throughput, number));
	if (winner->full.outgrows_memory)
		add(reason, " of the full dataset (%s while it stays cached)",
		    units_number(winner->trial.throughput.median, number));
	if (advice->unprocessed && advice->unprocessed != winner)
		add(reason, ", %.3g times unprocessed (%s)",
		    advice->speedup_over_unprocessed,
		    units_number(advice->unprocessed->full.throughput, times));
	if (advice->yours.candidate)
		add(reason, ", %.3g times yours (%s)", advice->yours.speedup,
		    units_number(
		        advice->yours.candidate->trial.throughput.median,
		        number));
	if (advice->full == winner)
		add(reason, "; it is fully preprocessed");
	else if (advice->full)
		add(reason, "%s%.3g times fully preprocessed (%s)",
		    (advice->unprocessed && advice->unprocessed != winner) ||
		            advice->yours.candidate
		        ? " and "
		        : ", ",
		    advice->speedup_over_full, advice->full->trial.strategy);
}

/* The winner may not be the least, since accelerators need enough. */
static const char *how_little(
    const struct ranking *ranking, const struct request *request)
{
	const struct candidate *winner = &ranking->list[0];

	for (size_t i = 1; request->accelerators && i < ranking->ranked; i++)
		if (ranking->list[i].worth.value > winner->worth.value)
			return ", the least of the sufficient ones";
	return ", the least";
}

static struct scales scales_of(const struct request *request)
{
	return (struct scales){ .weights = request->weights,
		.epochs = request->epochs,
		.prices = request->prices };
}

static void say_objective(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	const struct objective_ops *objective = request->objective;
	const struct scales scales = scales_of(request);
	char text[OBJECTIVE_TEXT];

	if (!objective->say_best)
		return;
	objective->say_best(advice->winner, &scales, text);
	add(advice->reason, "; %s%s", text,
	    objective->least ? how_little(ranking, request) : "");
}

static void add_bottleneck(
    char reason[ADVICE_REASON], const struct candidate *candidate)
{
	const char *evidence = candidate->trial.evidence;

	add(reason, "%s%s%s%s", candidate->trial.bottleneck,
	    *evidence ? " (" : "", evidence, *evidence ? ")" : "");
}

static void say_bottleneck(struct advice *advice)
{
	const struct candidate *winner = advice->winner;
	const struct candidate *before = advice->unprocessed;

	if (!winner->trial.bottleneck[0])
		return;
	if (before && before->trial.bottleneck[0] && before != winner) {
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
	const char *place = advice->winner->trial.cached.place;
	char here[UNITS_TEXT], full[UNITS_TEXT];

	if (isnan(advice->full_cache_bytes))
		return;
	add(advice->reason,
	    "; it keeps %s%s%s in memory, %s of the full dataset",
	    units_bytes(advice->winner->trial.cached.bytes, here),
	    place && *place ? " of " : "", place ? place : "",
	    units_bytes(advice->full_cache_bytes, full));
}

/* The number of other trials that are not unprocessed. */
struct field {
	unsigned measured, able, ranked;
	unsigned better; /* than the winner, but missing a constraint */
	char missed[CONSTRAINTS_TEXT]; /* the constraints */
	char better_missed[CONSTRAINTS_TEXT];
};

static struct field look_at_others(
    const struct ranking *ranking, const struct request *request)
{
	const struct candidate *winner = &ranking->list[0];
	struct field field = { .missed = "" };

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (candidate_is_unprocessed(c) || candidate_is_yours(c))
			continue;
		field.measured += c->trial.throughput.median > 0;
		field.able += candidate_is_rival(c);
		field.ranked += c->rank > 0;
		if (!candidate_is_rival(c) || c->meets)
			continue;
		constraints_add_missed(c, request, field.missed);
		if (c->worth.value <= winner->worth.value)
			continue;
		field.better++;
		constraints_add_missed(c, request, field.better_missed);
	}
	return field;
}

/* ---- undecided winners ---- */

/*
 * "raw/tar/none", or "raw/tar/none with 4 threads" if the winner has others;
 * and what else tells its load apart.
 */
static const char *name_of(const struct candidate *c,
    const struct candidate *winner, char name[ADVICE_NAME])
{
	char load[LOAD_FIGURES_TEXT];

	load_figures_words(&c->trial.load, load);
	snprintf(name, ADVICE_NAME, "%s%.60s", c->trial.strategy, load);
	if (c->trial.threads != winner->trial.threads)
		snprintf(name, ADVICE_NAME, "%s with %u thread%s%.60s",
		    c->trial.strategy, c->trial.threads,
		    c->trial.threads == 1 ? "" : "s", load);
	return name;
}

/* The number of others that may be better by more than is allowed. */
static size_t count_rivals(const struct advice *advice,
    const struct ranking *ranking, const struct request *request)
{
	size_t count = 0;

	for (size_t i = 1; i < ranking->tied; i++)
		count += candidate_gain(&ranking->list[i], advice->winner,
		             request) > gain_allowed;
	return count;
}

/* "it may be up to 1.3 times as fast" */
static void add_gain(struct advice *advice, const struct request *request)
{
	const size_t used = strlen(advice->open);
	const char *what = request->objective->gain;
	char *text = advice->open + used;

	if (advice->rival->full.judged_by == JUDGED_BY_NOTHING)
		snprintf(text, ADVICE_OPEN - used,
		    "; it was measured only while its data stayed in memory");
	else if (what && isinf(advice->winner->loss))
		snprintf(text, ADVICE_OPEN - used,
		    "; nothing tells how fast the first is with data that is "
		    "not in memory");
	else if (what)
		snprintf(text, ADVICE_OPEN - used,
		    "; the latter may be up to %.3g times as %s",
		    advice->winner->loss, what);
}

static void say_open(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	const size_t count = count_rivals(advice, ranking, request);
	char name[ADVICE_NAME], more[40] = "";

	if (!count)
		return;
	if (count > 1)
		snprintf(more, sizeof(more), " (and %zu more)", count - 1);
	snprintf(advice->open, ADVICE_OPEN,
	    "these runs cannot tell %s from %s%s",
	    advice->winner->trial.strategy,
	    name_of(advice->rival, advice->winner, name), more);
	add_gain(advice, request);
}

/* ---- why unprocessed wins ---- */

static void say_nothing(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	const struct field others = look_at_others(ranking, request);
	const struct scales scales = scales_of(request);
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
		    "nothing else that was measured can be recommended%s",
		    advice->unread ? " for this reader" : "");
	else if (!others.ranked)
		snprintf(text, ADVICE_NOTHING, "nothing else meets %s",
		    others.missed);
	else if (others.better)
		snprintf(text, ADVICE_NOTHING,
		    "a strategy that is better by this objective does not "
		    "meet %s",
		    others.better_missed);
	else if (*advice->open && request->objective->is_rate)
		snprintf(text, ADVICE_NOTHING,
		    "a stored form may be faster, but these runs cannot tell; "
		    "this one needs no preparation");
	else if (advice->tied && request->objective->is_rate)
		snprintf(text, ADVICE_NOTHING,
		    "no stored form is clearly faster, and this one needs "
		    "no preparation");
	else
		request->objective->say_nothing(&scales, text);
}

/* ---- all ---- */

static const char *why_of_tied(
    const struct advice *advice, const struct request *request)
{
	if (!request->objective->is_rate)
		return "is the best by the medians";
	if (candidate_is_unprocessed(advice->winner))
		return "is there already";
	return advice->as_good || advice->winner->sufficient
	           ? "is the cheapest to keep"
	           : "is known best";
}

static void say_tied(struct advice *advice, const struct request *request)
{
	const unsigned unsure = advice->tied - advice->as_good;
	const unsigned count = unsure ? unsure : advice->as_good;
	const char *how = "as good within 5 %";

	if (!advice->tied)
		return;
	if (advice->winner->sufficient && request->objective->is_rate)
		how = "sufficient, too";
	else if (unsure)
		how = "too close to tell from it with these runs";
	add(advice->reason, "; it wins by a tie: %u %s %s, and it %s", count,
	    count == 1 ? "other is" : "others are", how,
	    why_of_tied(advice, request));
}

static void say_unread(struct advice *advice, const struct request *request)
{
	const struct candidate *c = advice->unread;
	const char *whose = c && c->trial.answers.portable == ANSWER_NO
	                        ? "presto's own reader"
	                        : "another reader";

	if (!c)
		return;
	if (request->objective->is_rate)
		snprintf(advice->unread_words, ADVICE_OPEN,
		    "%.3g times faster with %s: %s",
		    c->full.throughput / advice->winner->full.throughput, whose,
		    c->trial.strategy);
	else
		snprintf(advice->unread_words, ADVICE_OPEN,
		    "better by objective %s, with %s: %s",
		    request->objective->name, whose, c->trial.strategy);
	add(advice->reason, "; one strategy is %s", advice->unread_words);
}

void advice_say(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	say_open(advice, ranking, request);
	say_nothing(advice, ranking, request);
	if (candidate_is_unprocessed(advice->winner))
		add(advice->reason, "do nothing: %s; ", advice->nothing);
	say_speed(advice);
	say_objective(advice, ranking, request);
	if (advice->winner->sufficient)
		add(advice->reason, "; that is enough for the accelerators");
	say_tied(advice, request);
	if (*advice->open)
		add(advice->reason, "; %s", advice->open);
	say_unread(advice, request);
	say_bottleneck(advice);
	say_memory(advice);
}
