/* derived_session.c - see derived_session.h. */
#include "strategies/decide/derived_session.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stats/statistics.h"
#include "strategies/decide/intervals.h"

/* ---- the full dataset ---- */

/* But for the cache.  Numbers that `auto` has found in both may differ. */
static bool is_loaded_alike(
    const struct measured_trial *a, const struct measured_trial *b)
{
	const unsigned found = a->chosen & b->chosen;

	return (a->threads == b->threads || (found & LOAD_THREADS)) &&
	       (a->fetchers == b->fetchers || (found & LOAD_FETCHERS)) &&
	       (a->read_ahead == b->read_ahead || (found & LOAD_READ_AHEAD)) &&
	       (a->batch == b->batch || (found & LOAD_BATCH)) &&
	       a->shuffle == b->shuffle;
}

static const struct derived_trial *find_cold(
    const struct derived_session *s, const struct measured_trial *like)
{
	for (size_t i = 0; i < s->measured->trial_count; i++) {
		const struct measured_trial *trial = s->trials[i].measured;

		if (trial->strategy == like->strategy &&
		    is_loaded_alike(trial, like) &&
		    trial->cache == CACHE_NONE &&
		    s->trials[i].figures.throughput > 0)
			return &s->trials[i];
	}
	return NULL;
}

static struct judged by_runs(const struct derived_trial *trial)
{
	return (struct judged){ .runs = &trial->runs,
		.rounds_ns = trial->measured->rounds_ns,
		.median = trial->figures.throughput,
		.low = trial->figures.low };
}

static struct judged by_first_epochs(const struct derived_trial *trial)
{
	return (struct judged){ .runs = &trial->firsts,
		.rounds_ns = trial->measured->rounds_ns,
		.median = trial->figures.first_samples_per_s,
		.low = trial->figures.first_low };
}

/* No run tells how fast it is: it has no rounds, and is no reference. */
static struct judged by_nothing(const struct derived_trial *trial)
{
	return (struct judged){ .runs = &trial->runs,
		.median = trial->figures.throughput };
}

static struct judged judge(
    const struct derived_session *s, const struct derived_trial *trial)
{
	const struct derived_trial *cold;

	/* A local disk has its own bound, which is not that of the memory. */
	if (trial->measured->cache == CACHE_NONE ||
	    trial->measured->cache == CACHE_DISK || !(trial->figures.fits <= 0))
		return by_runs(trial);
	cold = find_cold(s, trial->measured);
	if (cold)
		return by_runs(cold);
	return trial->firsts.count ? by_first_epochs(trial) : by_nothing(trial);
}

/* ---- ratios to the reference ---- */

static bool is_able(const struct derived_trial *trial)
{
	return trial->measured->is_done && trial->measured->has_same_data &&
	       trial->figures.throughput > 0;
}

/* Few runs have a narrow range by chance, and too few rounds in common. */
static bool is_surer(
    const struct derived_trial *a, const struct derived_trial *b)
{
	const bool enough_a = a->judged.runs->count >= INTERVAL_LEAST;
	const bool enough_b = b->judged.runs->count >= INTERVAL_LEAST;

	if (enough_a != enough_b)
		return enough_a;
	return a->judged.low > b->judged.low;
}

static struct derived_trial *find_reference(
    const struct derived_session *s, enum cache_mode cache)
{
	struct derived_trial *reference = NULL;

	for (size_t i = 0; i < s->measured->trial_count; i++) {
		struct derived_trial *trial = &s->trials[i];

		/* Trials with fewer samples are not ranked beside others. */
		if (is_able(trial) && trial->measured->cache == cache &&
		    trial->measured->source_samples >= s->measured->samples &&
		    trial->judged.low > 0 &&
		    (!reference || is_surer(trial, reference)))
			reference = trial;
	}
	return reference;
}

static bool have_rounds_in_common(
    const struct derived_trial *a, const struct derived_trial *b)
{
	return a->judged.rounds_ns &&
	       a->judged.rounds_ns == b->judged.rounds_ns;
}

/* Both lists of runs are in their order. */
static int set_relative(struct derived_trial *trial,
    const struct derived_trial *reference, struct error *err)
{
	const struct run_list *own = trial->judged.runs;
	const struct run_list *base = reference->judged.runs;
	double *ratios = malloc((own->count + 1) * sizeof(*ratios));
	struct interval interval;
	size_t n = 0;

	if (!ratios)
		return error_memory(err, own->count * sizeof(*ratios));
	for (size_t i = 0, k = 0; i < own->count; i++) {
		while (k < base->count && base->runs[k].run < own->runs[i].run)
			k++;
		if (k < base->count && base->runs[k].run == own->runs[i].run)
			ratios[n++] = own->runs[i].samples_per_s /
			              base->runs[k].samples_per_s;
	}
	if (ratio_interval(ratios, n, &interval)) {
		trial->figures.relative_low = interval.low;
		trial->figures.relative_high = interval.high;
	}
	free(ratios);
	return 0;
}

static int compare_with_reference(
    const struct derived_session *s, enum cache_mode cache, struct error *err)
{
	struct derived_trial *reference = find_reference(s, cache);

	for (size_t i = 0; reference && i < s->measured->trial_count; i++) {
		struct derived_trial *trial = &s->trials[i];

		if (!is_able(trial) || trial->measured->cache != cache ||
		    trial == reference ||
		    !have_rounds_in_common(trial, reference))
			continue;
		if (set_relative(trial, reference, err))
			return -1;
	}
	if (reference)
		reference->figures.relative_low =
		    reference->figures.relative_high = 1;
	return 0;
}

/* ---- intervals ---- */

/* `trials` and `found` have room for all trials. */
static int set_intervals_in(const struct derived_session *s,
    struct interval_trial *trials, struct rate_interval *found,
    struct error *err)
{
	const size_t count = s->measured->trial_count;

	for (size_t i = 0; i < count; i++)
		trials[i] = (struct interval_trial){ &s->trials[i].runs,
			s->trials[i].measured->rounds_ns };
	if (intervals_find(found, trials, count, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		s->trials[i].figures.low = found[i].low;
		s->trials[i].figures.high = found[i].high;
		s->trials[i].figures.drift = found[i].drift;
		trials[i].runs = &s->trials[i].firsts;
	}
	if (intervals_find(found, trials, count, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		s->trials[i].figures.first_low = found[i].low;
		s->trials[i].figures.first_high = found[i].high;
	}
	return 0;
}

static int set_intervals(const struct derived_session *s, struct error *err)
{
	const size_t count = s->measured->trial_count;
	struct interval_trial *trials = calloc(count + 1, sizeof(*trials));
	struct rate_interval *found = calloc(count + 1, sizeof(*found));
	const int rc = trials && found
	                   ? set_intervals_in(s, trials, found, err)
	                   : error_memory(err, (count + 1) * sizeof(*found));

	free(found);
	free(trials);
	return rc;
}

/* ---- a session ---- */

int derived_session_compute(struct derived_session *s,
    const struct measured_session *measured, struct error *err)
{
	const size_t count = measured->trial_count;

	s->measured = measured;
	s->trials = calloc(count + 1, sizeof(*s->trials));
	if (!s->trials)
		return error_memory(err, (count + 1) * sizeof(*s->trials));
	for (size_t i = 0; i < count; i++) {
		s->trials[i].measured = &measured->trials[i];
		if (trial_figures_compute(measured, s->trials[i].measured,
		        &s->trials[i].figures, &s->trials[i].runs, err) ||
		    trial_first_epochs(
		        s->trials[i].measured, &s->trials[i].firsts, err))
			return -1;
	}
	if (set_intervals(s, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		s->trials[i].judged = judge(s, &s->trials[i]);
		s->trials[i].figures.full_samples_per_s =
		    s->trials[i].judged.median;
	}
	for (unsigned cache = 0; cache < CACHE_COUNT; cache++)
		if (compare_with_reference(s, cache, err))
			return -1;
	return 0;
}

void derived_session_release(struct derived_session *s)
{
	for (size_t i = 0; s->trials && i < s->measured->trial_count; i++) {
		run_list_release(&s->trials[i].runs);
		run_list_release(&s->trials[i].firsts);
	}
	free(s->trials);
	*s = (struct derived_session)DERIVED_SESSION_INIT;
}
