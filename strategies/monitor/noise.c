/*
 * noise.c - see noise.h.
 *
 * A trial is to be known to 2 % (doc/design.md 6.4). The limits follow from
 * that: a disturbance that cannot move a figure so far is not reported.
 *
 * Two rules keep false alarms rare.  On 400 generated trials of a quiet machine
 * with 2 cores and runs of 60 ms, subtracting the error of ticks lowers them
 * from 18 % to 3 %. If another program disturbs one run of five, the median of
 * the runs lowers them from 99 % to 9 %. A program that takes 15 % of the cores
 * is still found in 92 % of trials with runs of 200 ms, and in all of 1 s.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/measure/storage/probe.h"
#include "lib/stats/dependence.h"
#include "lib/stats/statistics.h"
#include "strategies/monitor/noise.h"

enum { RUNS_LEAST = INTERVAL_LEAST };

/* The kernel counts ticks, so a core's time in an epoch may be one off. */
static const double tick_s = 0.01;
/*
 * Limit of other programs: 5 % of all cores, but at most a fifth of a core, and
 * at least 1 % of all cores. Daemons of a quiet machine take less than a
 * hundredth of a core.
 */
static const double others_fraction = 0.05, others_most = 0.2,
                    others_fine = 0.01;
/* Cold reading has interrupts and kernel threads of its own: a higher limit. */
static const double others_cold = 2;
static const double stolen_fraction = 0.02;
/* Starting threads, and one tick, take at most 2 % of so many seconds. */
static const double shortest_s = 0.05;
/* A storage does not become so much faster, unless it is cached in memory. */
static const double host_ratio = 1.5;

const double noise_widest = 0.1;

/* ---- a trial ---- */

static bool counts(const struct noise_trial *trial, const struct run_row *row)
{
	return !row->warmup && (trial->cache == CACHE_NONE || row->epoch > 1);
}

static double seconds(uint64_t ns)
{
	return 1e-9 * (double)ns;
}

static void find(struct noise *noise, enum noise_kind kind, double value,
    const struct noise_trial *trial)
{
	struct noise_found *found = &noise->found[kind];
	const bool less = kind == NOISE_SHORT || kind == NOISE_FEW;
	const bool worse = less ? value < found->worst : value > found->worst;

	if (found->trials++ > 0 && !worse)
		return;
	found->worst = value;
	snprintf(found->name, sizeof(found->name), "%s, %u thread%s, cache %s",
	    trial->label, trial->threads, trial->threads == 1 ? "" : "s",
	    cache_name(trial->cache));
	snprintf(found->filesystem, sizeof(found->filesystem), "%s",
	    trial->filesystem ? trial->filesystem : "");
	snprintf(found->unseen, sizeof(found->unseen), "%s",
	    trial->residency ? trial->residency->unseen : "");
}

double noise_cores_taken(double taken, double cores)
{
	return taken > cores ? cores : taken;
}

double noise_others_limit(unsigned cores, enum cache_mode cache)
{
	const double limit = fmax(
	    fmin(others_fraction * cores, others_most), others_fine * cores);

	return cache == CACHE_NONE ? others_cold * limit : limit;
}

bool noise_is_short(double run_s)
{
	return run_s < shortest_s;
}

struct sums { /* over counted epochs */
	double others_s, stolen_s, wall_s, samples;
	unsigned epochs;
};

struct runs {                    /* the arrays share one block of memory */
	double *others, *stolen; /* cores taken for sure */
	double *rates, *times;
	size_t count;
	struct sums all;
};

static void add_row(struct sums *sums, const struct run_row *row)
{
	sums->others_s += 1e-9 * (double)row->cores.others_ns;
	sums->stolen_s += seconds(row->cores.stolen_ns);
	sums->wall_s += seconds(row->wall_ns);
	sums->samples += (double)row->samples;
	sums->epochs++;
}

/* Cores taken for sure: errors of ticks are random, one for each core. */
static double certain(
    const struct noise *noise, double cpu_s, const struct sums *sums)
{
	const double error_s = tick_s * sqrt(noise->cores) * sums->epochs;

	return cpu_s > error_s ? (cpu_s - error_s) / sums->wall_s : 0;
}

static void sum_runs(const struct noise *noise, const struct noise_trial *trial,
    struct runs *runs)
{
	for (size_t i = 0; i < trial->run_count;) {
		const unsigned run = trial->runs[i].run;
		struct sums sums = { .epochs = 0 };

		for (; i < trial->run_count && trial->runs[i].run == run; i++)
			if (counts(trial, &trial->runs[i])) {
				add_row(&sums, &trial->runs[i]);
				add_row(&runs->all, &trial->runs[i]);
			}
		if (sums.wall_s <= 0)
			continue;
		runs->others[runs->count] =
		    certain(noise, sums.others_s, &sums);
		runs->stolen[runs->count] =
		    certain(noise, sums.stolen_s, &sums);
		runs->rates[runs->count] = sums.samples / sums.wall_s;
		runs->times[runs->count++] = sums.wall_s;
	}
}

/* Were more cores than `limit` taken in the median run? */
static bool judge_taken(struct noise *noise, enum noise_kind kind,
    const struct noise_trial *trial, const struct runs *runs, double limit)
{
	const bool others = kind == NOISE_OTHERS;
	const double taken_s = others ? runs->all.others_s : runs->all.stolen_s;

	if (median_of(others ? runs->others : runs->stolen, runs->count) <=
	    limit)
		return false;
	find(noise, kind,
	    noise_cores_taken(taken_s / runs->all.wall_s, noise->cores), trial);
	noise->found[kind].taken_s += taken_s;
	noise->found[kind].wall_s += runs->all.wall_s;
	return true;
}

/* Was the trial disturbed by others? */
static bool judge_cores(struct noise *noise, const struct noise_trial *trial,
    const struct runs *runs)
{
	const bool others = judge_taken(noise, NOISE_OTHERS, trial, runs,
	    noise_others_limit(noise->cores, trial->cache));

	return judge_taken(noise, NOISE_STOLEN, trial, runs,
	           stolen_fraction * noise->cores) ||
	       others;
}

static void judge_runs(struct noise *noise, const struct noise_trial *trial,
    const struct runs *runs)
{
	const double middle = median_of(runs->times, runs->count);
	const struct rate_series series = { runs->rates, runs->count };
	struct error ignored = ERROR_INIT;
	struct dependence dependence;
	struct interval interval;

	if (noise_is_short(middle))
		find(noise, NOISE_SHORT, middle, trial);
	if (runs->count < RUNS_LEAST && !trial->beaten)
		find(noise, NOISE_FEW, (double)runs->count, trial);
	if (runs->count < RUNS_LEAST)
		return; /* their interval says little */
	if (dependence_of(&dependence, &series, 1, &ignored))
		return;
	interval = interval_inflated(
	    runs->rates, runs->count, dependence_inflation(&dependence));
	if (interval_width(&interval) > noise_widest)
		find(noise, NOISE_WIDE, interval_width(&interval), trial);
}

static void judge_resident(struct noise *noise, const struct noise_trial *trial)
{
	const bool cold = trial->cache == CACHE_NONE;
	double resident = 0;

	for (size_t i = 0; i < trial->run_count; i++)
		resident = fmax(resident, trial->runs[i].resident_percent);
	if (resident > COLD_PERCENT)
		find(noise, NOISE_RESIDENT, resident, trial);
	if (cold && trial->residency && trial->residency->cold == COLD_UNKNOWN)
		find(noise, NOISE_UNSEEN, 0, trial);
}

/* Judges cold epochs. On a noisy host a first run may be slow by chance. */
static void judge_cold(struct noise *noise, const struct noise_trial *trial,
    bool noisy, double *later)
{
	double first = 0, ratio;
	size_t n = 0;

	for (size_t i = 0; i < trial->run_count; i++) {
		const struct run_row *row = &trial->runs[i];

		if (trial->cache != CACHE_NONE && row->epoch > 1)
			continue; /* a warm one */
		if (first <= 0)
			first = row->bytes_from_storage > 0
			            ? seconds(row->wall_ns)
			            : NAN;
		else
			later[n++] = seconds(row->wall_ns);
	}
	if (noisy || noise->emulated || n < 2 || isnan(first))
		return;
	ratio = first / median_of(later, n);
	if (ratio > host_ratio && first > shortest_s)
		find(noise, NOISE_HOST, ratio, trial);
}

/*
 * Judges the rates within cold epochs.  Where the cores hold a trial back, its
 * first bytes fill the queues: that is fast for another reason.
 */
static void judge_early(struct noise *noise, const struct noise_trial *trial,
    bool noisy, double *ratios)
{
	size_t n = 0;
	double ratio;

	for (size_t i = 0; i < trial->run_count; i++) {
		const struct run_row *row = &trial->runs[i];
		const uint64_t late_ns = row->wall_ns - row->early_ns;

		if (!row->early_ns || !late_ns ||
		    seconds(row->wall_ns) < shortest_s ||
		    (trial->cache != CACHE_NONE && row->epoch > 1))
			continue;
		ratios[n++] = (double)row->early_bytes / (double)row->early_ns /
		              ((double)(row->bytes_fetched - row->early_bytes) /
		                  (double)late_ns);
	}
	if (noisy || noise->emulated || !trial->waits || n == 0)
		return;
	ratio = median_of(ratios, n);
	if (ratio > probe_cached_least)
		find(noise, NOISE_EARLY, ratio, trial);
}

void noise_add(struct noise *noise, const struct noise_trial *trial)
{
	const size_t n = trial->run_count;
	double *values = n ? calloc(n, 4 * sizeof(*values)) : NULL;
	struct runs runs = { .count = 0 };
	bool noisy = false;

	if (!values)
		return; /* no runs, or no memory */
	runs.others = values;
	runs.stolen = values + n;
	runs.rates = values + 2 * n;
	runs.times = values + 3 * n;
	sum_runs(noise, trial, &runs);
	noise->trials++;
	if (runs.count > 0) {
		judge_runs(noise, trial, &runs);
		noisy = judge_cores(noise, trial, &runs);
	}
	judge_resident(noise, trial);
	judge_cold(noise, trial, noisy, values);
	judge_early(noise, trial, noisy, values);
	if (trial->passes > 0)
		find(noise, NOISE_CEILING, trial->passes, trial);
	free(values);
}
