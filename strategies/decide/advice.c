/* advice.c - see advice.h. */
#include "strategies/decide/advice.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/units.h"
#include "lib/stats/statistics.h"
#include "strategies/decide/advice_words.h"
#include "strategies/decide/order.h"

static const double wide_percent = 10; /* interval over throughput */

/* ---- the trials to compare with ---- */

static bool same_threads(const struct candidate *a, const struct candidate *b)
{
	return a->trial.threads == b->trial.threads && a->fewer == b->fewer &&
	       load_figures_alike(&a->trial.load, &b->trial.load);
}

/* Prefers the same threads, then no compression, then the fastest. */
static bool is_fairer(const struct candidate *a, const struct candidate *b,
    const struct candidate *winner)
{
	const bool plain_a = strcmp(a->trial.codec, "none") == 0;
	const bool plain_b = strcmp(b->trial.codec, "none") == 0;

	if (same_threads(a, winner) != same_threads(b, winner))
		return same_threads(a, winner);
	if (plain_a != plain_b)
		return plain_a;
	return a->trial.throughput.median > b->trial.throughput.median;
}

/* Only in the winner's cache mode: warm and cold do not compare. */
static const struct candidate *find_split(
    const struct ranking *ranking, const char *split)
{
	const struct candidate *winner = &ranking->list[0], *found = NULL;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!c->able || strcmp(c->trial.split, split) != 0 ||
		    c->trial.cache != winner->trial.cache)
			continue;
		if (!found || is_fairer(c, found, winner))
			found = c;
	}
	return found;
}

/*
 * Its output is not compared, so it is not `able`.  Both are taken as they were
 * measured: nobody knows what the user's loader keeps in memory.
 */
static void find_yours(struct advice *advice, const struct ranking *ranking)
{
	const struct candidate *winner = advice->winner, *found = NULL;
	struct candidate alike;

	advice->yours.break_even = advice->yours.speedup = NAN;
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (candidate_is_yours(c) && c->trial.throughput.median > 0 &&
		    c->trial.cache == winner->trial.cache &&
		    (!found || is_fairer(c, found, winner)))
			found = c;
	}
	if (!found)
		return;
	advice->yours.candidate = found;
	advice->yours.speedup =
	    winner->trial.throughput.median / found->trial.throughput.median;
	/* Its epoch may have other samples: as many are compared. */
	alike = *found;
	alike.full.epoch_samples = winner->full.epoch_samples;
	advice->yours.break_even = candidate_break_even(winner, &alike);
}

static double speedup(
    const struct candidate *winner, const struct candidate *over)
{
	return over ? winner->full.throughput / over->full.throughput : NAN;
}

/* ---- warnings ---- */

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

/* About the runs by which the winner is judged. */
static void warn_runs(struct advice *advice)
{
	const struct candidate *winner = advice->winner;
	const struct full_figures *full = &winner->full;
	const double width = 100 * (full->high - full->low) / full->throughput;

	if (full->judged_by == JUDGED_BY_NOTHING) {
		warn(advice,
		    "%s was measured only while its data stayed in memory; "
		    "measure it with --cache none",
		    winner->trial.strategy);
		return;
	}
	if (full->runs < INTERVAL_LEAST)
		warn(advice,
		    "%s has only %.0f %s, too few to know how far its "
		    "throughput varies; measure with --runs %d",
		    winner->trial.strategy, full->runs,
		    full->runs > 1 ? "runs" : "run", INTERVAL_LEAST);
	if (winner->trial.answers.drifts == ANSWER_YES)
		warn(advice,
		    "the machine changed its speed while %s was measured, so "
		    "later runs may lie outside its interval; measure longer, "
		    "with --budget",
		    winner->trial.strategy);
	else if (width > wide_percent)
		warn(advice,
		    "the throughput of %s is known to +/- %.0f %% only; "
		    "measure more runs, or on a quieter machine",
		    winner->trial.strategy, width / 2);
}

static void warn_resident(struct advice *advice, const struct ranking *ranking)
{
	const struct candidate *worst = NULL;
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (candidate_is_cached(c) ||
		    !(c->trial.warmth.resident_percent > COLD_PERCENT))
			continue;
		count++;
		if (!worst || c->trial.warmth.resident_percent >
		                  worst->trial.warmth.resident_percent)
			worst = c;
	}
	if (worst)
		warn(advice,
		    "%u %s of cache none %s not cold: up to %.3g %% of the "
		    "data was in memory before a run (%s)",
		    count, count == 1 ? "trial" : "trials",
		    count == 1 ? "was" : "were",
		    worst->trial.warmth.resident_percent,
		    worst->trial.strategy);
}

/*
 * Does the decision rest on figures that may be those of memory?  It does where
 * the full dataset will be read cold.
 */
static void warn_unseen(struct advice *advice, const struct ranking *ranking)
{
	const struct candidate *winner = advice->winner, *first = NULL;
	unsigned count = 0;

	if (candidate_is_cached(winner) && !winner->full.outgrows_memory)
		return;
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (c->trial.warmth.cold != COLD_UNKNOWN)
			continue;
		count++;
		if (!first)
			first = c;
	}
	if (first)
		warn(advice,
		    "it is not known whether %u %s of cache none %s cold, "
		    "such as %s: the full dataset may be read more slowly; "
		    "measure with the data on a local disk, or with more "
		    "samples than a memory below it can hold",
		    count, count == 1 ? "trial" : "trials",
		    count == 1 ? "was" : "were", first->trial.strategy);
}

static void judge_memory(
    struct advice *advice, const struct surroundings *surroundings)
{
	const struct candidate *winner = advice->winner;
	const bool application = winner->trial.cache == CACHE_APPLICATION;
	const double bytes =
	    application ? advice->full_cache_bytes : winner->full.storage_bytes;
	char full[UNITS_TEXT], memory[UNITS_TEXT];

	advice->fits_memory = bytes > surroundings->memory_bytes ? ANSWER_NO
	                      : bytes <= surroundings->memory_bytes
	                          ? ANSWER_YES
	                          : ANSWER_UNKNOWN;
	if (!candidate_is_cached(winner) || advice->fits_memory != ANSWER_NO)
		return;
	units_bytes(bytes, full);
	units_bytes(surroundings->memory_bytes, memory);
	if (application)
		warn(advice,
		    "the application cache of the full dataset would take "
		    "%s, more than the %s of memory; rely on the figures "
		    "of cache none",
		    full, memory);
	else
		warn(advice,
		    "the full dataset as %s takes %s, more than the %s of "
		    "memory, and will not stay cached; rely on the figures "
		    "of cache none",
		    winner->trial.strategy, full, memory);
}

/* Trials that are fast only because a part of the dataset fits. */
static void warn_outgrowing(
    struct advice *advice, const struct ranking *ranking)
{
	const struct candidate *fastest = NULL;
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!c->able || !c->full.outgrows_memory)
			continue;
		count++;
		if (!fastest || c->trial.throughput.median >
		                    fastest->trial.throughput.median)
			fastest = c;
	}
	if (fastest &&
	    fastest->trial.throughput.median > advice->winner->full.throughput)
		warn(advice,
		    "%u cached %s would not stay in memory with the full "
		    "dataset and %s as not cached (%s)",
		    count, count == 1 ? "trial" : "trials",
		    count == 1 ? "counts" : "count", fastest->trial.strategy);
}

static const char *options_of(const struct surroundings *surroundings)
{
	return surroundings->options ? surroundings->options : "";
}

enum { PSNR_WORDS = 48 };

/* Writes " (PSNR 48.1 dB)"; "" if it is not known. */
static const char *psnr_words(
    const struct figures *figures, char words[PSNR_WORDS])
{
	*words = '\0';
	if (isfinite(figures->psnr_db))
		snprintf(
		    words, PSNR_WORDS, " (PSNR %.1f dB)", figures->psnr_db);
	return words;
}

static void warn_lossy(struct advice *advice, const struct ranking *ranking,
    bool wanted, const struct surroundings *surroundings)
{
	char words[PSNR_WORDS];
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++)
		count += ranking->list[i].lossy && !ranking->list[i].able;
	if (advice->winner->lossy)
		warn(advice,
		    "%s is lossy: its samples differ slightly from those of "
		    "unprocessed%s",
		    advice->winner->trial.strategy,
		    psnr_words(&advice->winner->trial, words));
	else if (count && !wanted)
		warn(advice,
		    "%u lossy %s left out; include %s with presto "
		    "recommend%s --lossy",
		    count, count == 1 ? "trial is" : "trials are",
		    count == 1 ? "it" : "them", options_of(surroundings));
}

static void warn_left_out(struct advice *advice, const struct ranking *ranking,
    const struct surroundings *surroundings)
{
	unsigned count = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];
		const bool is_fine =
		    candidate_is_yours(c) && c->trial.throughput.median > 0;

		count += !c->able && !c->lossy && !is_fine &&
		         !c->trial.search.predicted;
	}
	if (count)
		warn(advice,
		    "%u %s left out: not done, or with other data than "
		    "unprocessed%s%s",
		    count, count == 1 ? "trial is" : "trials are",
		    surroundings->in_database ? "; see presto report" : "",
		    surroundings->in_database ? options_of(surroundings) : "");
}

static void warn_yours(struct advice *advice)
{
	char number[UNITS_TEXT];

	if (advice->yours.speedup < 1)
		warn(advice,
		    "your own loader is faster, with %s samples/s: keep it, if "
		    "it delivers the same samples",
		    units_number(
		        advice->yours.candidate->trial.throughput.median,
		        number));
}

static void find_next(struct advice *advice, const struct ranking *ranking)
{
	advice->break_even_next = NAN;
	for (size_t i = 1; i < ranking->ranked && !advice->next; i++)
		if (strcmp(ranking->list[i].trial.strategy,
		        advice->winner->trial.strategy) != 0)
			advice->next = &ranking->list[i];
	if (advice->next)
		advice->break_even_next =
		    candidate_break_even(advice->winner, advice->next);
}

/* Finds the best trial that only another reader could use. */
static void find_unread(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (c->able && c->assumed && c->meets && !c->readable &&
		    candidate_beats(c, advice->winner, request) &&
		    (!advice->unread ||
		        c->worth.value > advice->unread->worth.value))
			advice->unread = c;
	}
}

/* Finds the tied one that may be better than the winner by most. */
static void find_rival(struct advice *advice, const struct ranking *ranking,
    const struct request *request)
{
	double most = 0;

	for (size_t i = 1; i < ranking->tied; i++) {
		const struct candidate *c = &ranking->list[i];
		const double gain = candidate_gain(c, advice->winner, request);

		if (gain <= most || isnan(gain))
			continue;
		most = gain;
		advice->rival = c;
	}
	advice->is_inconclusive = advice->winner->loss >= gain_decisive;
}

static void count_tied(struct advice *advice, const struct ranking *ranking)
{
	for (size_t i = 0; i == 0 || i < ranking->tied; i++) {
		const struct candidate *c = &ranking->list[i];

		advice->tied += i > 0;
		advice->as_good += i > 0 && c->as_good;
		advice->needs_cold |=
		    c->full.judged_by == JUDGED_BY_FIRST_EPOCHS ||
		    c->full.judged_by == JUDGED_BY_NOTHING;
	}
}

static struct bill bill_of(const struct candidate *candidate,
    const struct ranking *ranking, const struct request *request)
{
	const struct workload workload = ranking_workload(ranking, request);

	if (!candidate || !request->prices || isnan(request->epochs))
		return (struct bill){ .compute = NAN };
	return prices_bill(
	    request->prices, candidate, &workload, candidate->full.throughput);
}

void advice_make(struct advice *advice, const struct ranking *ranking,
    const struct request *request, const struct surroundings *surroundings)
{
	const struct candidate *winner = &ranking->list[0];

	*advice = (struct advice){ .winner = winner };
	advice->unprocessed = find_split(ranking, "unprocessed");
	if (surroundings->last_split)
		advice->full = find_split(ranking, surroundings->last_split);
	advice->full_cache_bytes = winner->trial.cache == CACHE_APPLICATION
	                               ? candidate_full_kept_bytes(winner)
	                               : NAN;
	advice->speedup_over_unprocessed = speedup(winner, advice->unprocessed);
	advice->speedup_over_full = speedup(winner, advice->full);
	find_yours(advice, ranking);
	count_tied(advice, ranking);
	find_rival(advice, ranking, request);
	find_next(advice, ranking);
	find_unread(advice, ranking, request);
	advice->bill = bill_of(winner, ranking, request);
	advice->unprocessed_bill =
	    bill_of(advice->unprocessed, ranking, request);
	advice_say(advice, ranking, request);
	if (surroundings->interrupted)
		warn(advice,
		    "the session was interrupted, and a strategy that was "
		    "not measured may be better; continue with %s%s",
		    surroundings->in_database ? "presto profile --resume"
		                              : "--resume",
		    surroundings->in_database ? options_of(surroundings) : "");
	warn_runs(advice);
	warn_resident(advice, ranking);
	warn_unseen(advice, ranking);
	judge_memory(advice, surroundings);
	if (!winner->full.outgrows_memory)
		warn_outgrowing(advice, ranking);
	warn_yours(advice);
	warn_lossy(advice, ranking, request->lossy, surroundings);
	warn_left_out(advice, ranking, surroundings);
}
