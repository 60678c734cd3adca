/* combine.c - see combine.h. */
#include "strategies/compare/combine.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stats/statistics.h"
#include "strategies/figures/figures.h"
#include "strategies/figures/runs.h"

/* Time between two sessions on the common time line: 11 days. */
static const double apart_ns = 1e15;

struct work {
	const struct combine_part *parts;
	size_t count;
	struct figures_list *trials;
	struct timed_runs *runs;
	double *values; /* for medians: as many as there are runs, or parts */
};

/* ---- one trial ---- */

/* From the best to the worst. */
enum condition { SAME_DATA, LOSSY, OTHER_DATA, NOT_DONE, FAILED };

static enum condition condition_of(const struct figures *trial)
{
	if (trial->state == TRIAL_FAILED)
		return FAILED;
	if (trial->state != TRIAL_DONE)
		return NOT_DONE;
	if (trial->answers.equivalent == EQUIVALENT_NO)
		return OTHER_DATA;
	return trial->answers.equivalent == EQUIVALENT_LOSSY ? LOSSY
	                                                     : SAME_DATA;
}

/* The trial in a part; NULL: it is not there. */
static const struct figures *find_in(
    const struct combine_part *part, const struct figures *trial)
{
	return figures_find(part->trials, trial);
}

/* Makes the runs of a part's trial those of trial `id`. */
static void add_runs(
    const struct work *work, size_t part, int64_t trial, int64_t id)
{
	const struct timed_runs *from = work->parts[part].runs;

	for (size_t i = 0; i < from->count; i++) {
		struct timed_run *to = &work->runs->list[work->runs->count];

		if (from->list[i].trial != trial)
			continue;
		*to = from->list[i];
		to->trial = id;
		to->started_ns += (double)part * apart_ns;
		work->runs->count++;
	}
}

/* From the runs that were added from `first` on. */
static void set_throughput(
    const struct work *work, struct figures *trial, size_t first)
{
	struct interval interval;
	size_t n = 0;

	for (size_t i = first; i < work->runs->count; i++)
		if (work->runs->list[i].samples_per_s > 0)
			work->values[n++] = work->runs->list[i].samples_per_s;
	trial->throughput.counted = (double)n;
	if (n == 0)
		return;
	interval = interval_of(work->values, n);
	trial->throughput.median = interval.median;
	trial->throughput.low = interval.low;
	trial->throughput.high = interval.high;
}

/* The median over the parts that know it. */
static double median_over(const struct work *work, const struct figures *trial,
    double (*figure)(const struct figures *trial))
{
	size_t n = 0;

	for (size_t i = 0; i < work->count; i++) {
		const double value = figure(find_in(&work->parts[i], trial));

		if (!isnan(value))
			work->values[n++] = value;
	}
	return n > 0 ? interval_of(work->values, n).median : NAN;
}

static double prep_s_of(const struct figures *trial)
{
	return trial->profiled.prep_s;
}

static double cpu_us_of(const struct figures *trial)
{
	return trial->cpu_us;
}

/* `trial` is in all parts. */
static void add_trial(const struct work *work, const struct figures *trial)
{
	struct figures *all = &work->trials->list[work->trials->count++];
	const struct figures *worst = trial;
	const size_t first = work->runs->count;

	for (size_t i = 1; i < work->count; i++) {
		const struct figures *its = find_in(&work->parts[i], trial);

		if (condition_of(its) >= condition_of(worst))
			worst = its;
	}
	*all = *worst;
	all->trial = (int64_t)work->trials->count;
	all->profiled.prep_s = median_over(work, trial, prep_s_of);
	all->cpu_us = median_over(work, trial, cpu_us_of);
	if (condition_of(worst) == FAILED)
		return;
	for (size_t i = 0; i < work->count; i++)
		add_runs(work, i, find_in(&work->parts[i], trial)->trial,
		    all->trial);
	set_throughput(work, all, first);
}

/* ---- all trials ---- */

static int lacks(const struct figures *trial, struct error *err)
{
	char load[LOAD_FIGURES_TEXT];

	return error_set(err, ERROR_USAGE,
	    "sessions that are taken together must have the same trials: %s, "
	    "%u thread%s, cache %s%s, is not in all of them",
	    trial->strategy, trial->threads, trial->threads == 1 ? "" : "s",
	    cache_word(trial->cache), load_figures_words(&trial->load, load));
}

/* Each trial of part `a` must be in part `b`. */
static int check_in(const struct combine_part *a, const struct combine_part *b,
    struct error *err)
{
	for (size_t i = 0; i < a->trials->count; i++)
		if (!find_in(b, &a->trials->list[i]))
			return lacks(&a->trials->list[i], err);
	return 0;
}

static int reserve(struct work *work, struct error *err)
{
	size_t runs = work->count + 1; /* nothing is no error */

	for (size_t i = 0; i < work->count; i++)
		runs += work->parts[i].runs->count;
	work->values = calloc(runs, sizeof(*work->values));
	work->runs->list = calloc(runs, sizeof(*work->runs->list));
	work->trials->list = calloc(
	    work->parts[0].trials->count + 1, sizeof(*work->trials->list));
	return work->values && work->runs->list && work->trials->list
	           ? 0
	           : error_memory(err, runs * sizeof(*work->runs->list));
}

int combine_sessions(const struct combine_part *parts, size_t count,
    struct figures_list *trials, struct timed_runs *runs, struct error *err)
{
	struct work work = { parts, count, trials, runs, NULL };
	int rc = reserve(&work, err);

	/* If neighbours have the same trials, all have. */
	for (size_t i = 0; rc == 0 && i + 1 < count; i++)
		if (check_in(&parts[i], &parts[i + 1], err) ||
		    check_in(&parts[i + 1], &parts[i], err))
			rc = -1;
	for (size_t i = 0; rc == 0 && i < parts[0].trials->count; i++)
		add_trial(&work, &parts[0].trials->list[i]);
	free(work.values);
	return rc;
}
