/* candidate.c - see candidate.h. */
#include "strategies/figures/candidate.h"

#include <math.h>
#include <string.h>

/* Two single figures closer than twice this are not told apart. */
static const double single_figure_spread = 0.025;

void candidate_set_demand(struct candidate *candidate, double samples_per_s)
{
	candidate->covers = candidate->full.throughput / samples_per_s;
	candidate->sufficient = candidate->able && candidate->covers >= 1;
}

bool candidate_is_rival(const struct candidate *c)
{
	return c->able && c->readable && c->assumed && !c->fewer;
}

bool candidate_is_ranked(const struct candidate *c)
{
	return candidate_is_rival(c) && c->meets;
}

bool candidate_is_unprocessed(const struct candidate *candidate)
{
	return figures_is_unprocessed(&candidate->trial);
}

bool candidate_is_yours(const struct candidate *candidate)
{
	return figures_is_yours(&candidate->trial);
}

bool candidate_is_cached(const struct candidate *candidate)
{
	return candidate->trial.cache != CACHE_NONE;
}

bool candidate_waits_for_storage(const struct candidate *candidate)
{
	const char *bottleneck = candidate->trial.bottleneck;

	return strcmp(bottleneck, "storage") == 0 ||
	       strcmp(bottleneck, "latency") == 0;
}

double candidate_full_kept_bytes(const struct candidate *c)
{
	if (!candidate_is_cached(c))
		return NAN;
	return c->trial.cache == CACHE_APPLICATION
	           ? c->trial.cached.bytes * c->full.epoch_samples /
	                 c->trial.profiled.samples
	           : c->full.storage_bytes;
}

double candidate_first_epoch(const struct candidate *c, double throughput)
{
	return candidate_is_cached(c) && !isnan(c->trial.throughput.first_epoch)
	           ? c->trial.throughput.first_epoch
	           : throughput;
}

double candidate_total_s(
    const struct candidate *candidate, double epochs, double throughput)
{
	const double first = candidate_first_epoch(candidate, throughput);

	return candidate->full.prep_s + candidate->full.epoch_samples / first +
	       (epochs - 1) * candidate->full.epoch_samples / throughput;
}

double candidate_break_even(
    const struct candidate *candidate, const struct candidate *base)
{
	const double first =
	    candidate_total_s(candidate, 1, candidate->full.throughput);
	const double base_first =
	    candidate_total_s(base, 1, base->full.throughput);
	const double gain =
	    base->full.epoch_samples / base->full.throughput -
	    candidate->full.epoch_samples / candidate->full.throughput;

	if (gain < 0)
		return NAN;
	if (first <= base_first)
		return 1;
	return gain > 0 ? 1 + ceil((first - base_first) / gain) : NAN;
}

static bool is_scale(double ratio)
{
	return ratio > 0 && isfinite(ratio);
}

/*
 * For a report without the numbers of samples.  Preparation is in proportion to
 * them for all trials of a session alike; storage only nearly.
 */
static double guess_scale(
    const struct figures_list *figures, const struct figures *of)
{
	for (size_t i = 0; i < figures->count; i++) {
		const struct figures *f = &figures->list[i];
		const double ratio = f->full.prep_s / f->profiled.prep_s;

		if (is_scale(ratio) && f->session == of->session)
			return ratio;
	}
	return of->full.storage_bytes / of->profiled.storage_bytes;
}

/* How many times more the full dataset is than what was profiled. */
static double find_scale(const struct figures_list *figures,
    const struct figures *of, double full_samples)
{
	const double taken =
	    number_or(of->source_samples, of->profiled.samples);
	double ratio = number_or(full_samples, of->full.samples) / taken;

	if (!is_scale(ratio))
		ratio = guess_scale(figures, of);
	return is_scale(ratio) ? ratio : 1;
}

/* As recorded, which may be better than in proportion to the samples. */
static double find_full_storage(
    const struct figures *of, double full_samples, double scaled)
{
	const double others =
	    isnan(full_samples) ? 1 : full_samples / of->full.samples;
	const double bytes = of->full.storage_bytes * others;

	return bytes >= 0 ? bytes : scaled;
}

void candidate_judge(struct candidate *candidate, enum judged_by by,
    const struct throughput *rate)
{
	struct full_figures *full = &candidate->full;
	const bool known = rate->low < rate->high;

	full->judged_by = by;
	full->throughput = rate->median;
	full->low =
	    known ? rate->low : rate->median * (1 - single_figure_spread);
	full->high =
	    known ? rate->high : rate->median * (1 + single_figure_spread);
	full->is_assumed = !known;
	full->runs = rate->counted;
}

static bool outgrew(const struct candidate *c)
{
	return candidate_is_cached(c) &&
	       c->trial.answers.fits_memory == ANSWER_NO;
}

bool candidate_ratios_hold(const struct candidate *candidate)
{
	return candidate->full.outgrows_memory == outgrew(candidate);
}

static void set_throughput(struct candidate *c)
{
	struct throughput *rate = &c->trial.throughput;

	rate->low = number_or(rate->low, rate->median);
	rate->high = number_or(rate->high, rate->median);
	candidate_judge(c, JUDGED_BY_ITS_RUNS, rate);
}

static void set_full(struct candidate *c, double scale, double full_samples)
{
	struct dataset_figures *profiled = &c->trial.profiled;

	if (candidate_is_unprocessed(c))
		profiled->prep_s = 0;
	c->full.prep_s = profiled->prep_s * scale;
	c->full.epoch_samples = profiled->samples * scale;
	c->full.requests = profiled->requests * scale;
	c->full.storage_bytes = find_full_storage(
	    &c->trial, full_samples, profiled->storage_bytes * scale);
	c->full.outgrows_memory = outgrew(c);
}

struct candidate candidate_make(
    const struct figures_list *figures, size_t n, double full_samples)
{
	const struct figures *of = &figures->list[n];
	struct candidate c = {
		.trial = *of,
		.worth = { .paired = { NAN, NAN, NAN }, .score = NAN },
		.break_even_epochs = NAN,
		.total_s = NAN,
		.cost = NAN,
		.loss = NAN,
		.unranked = "",
	};

	set_throughput(&c);
	set_full(&c, find_scale(figures, of, full_samples), full_samples);
	c.lossy = of->answers.equivalent == EQUIVALENT_LOSSY;
	c.able = of->throughput.median > 0 && of->state == TRIAL_DONE &&
	         of->answers.equivalent != EQUIVALENT_NO &&
	         !figures_is_yours(of);
	return c;
}
