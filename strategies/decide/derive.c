/* derive.c - see derive.h. */
#include "strategies/decide/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/derived.h"
#include "lib/db/grid.h"
#include "lib/db/measured.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/stats/statistics.h"
#include "strategies/decide/intervals.h"
#include "strategies/decide/rank.h"
#include "strategies/decide/trial_figures.h"
#include "strategies/figures/candidate.h"

struct derived_trial {
	const struct measured_trial *measured;
	struct trial_figures figures;
	struct run_list runs;
	bool outgrows; /* the memory, with the full dataset */
};

struct derived_session {
	struct measured_session measured;
	struct derived_trial *trials; /* owned; as in measured */
};

/* ---- the full dataset ---- */

static const struct derived_trial *find_cold(
    const struct derived_session *s, const struct measured_trial *like)
{
	for (size_t i = 0; i < s->measured.trial_count; i++) {
		const struct measured_trial *trial = s->trials[i].measured;

		if (trial->strategy == like->strategy &&
		    trial->threads == like->threads &&
		    trial->cache == CACHE_NONE &&
		    s->trials[i].figures.throughput > 0)
			return &s->trials[i];
	}
	return NULL;
}

/*
 * Data that does not fit in a cache is dropped before it is read again, so each
 * epoch is like a cold one.
 */
static void set_full(
    const struct derived_session *s, struct derived_trial *trial)
{
	struct trial_figures *f = &trial->figures;
	const struct derived_trial *cold;

	f->full_samples_per_s = f->throughput;
	trial->outgrows = trial->measured->cache != CACHE_NONE && f->fits <= 0;
	if (!trial->outgrows)
		return;
	cold = find_cold(s, trial->measured);
	if (cold)
		f->full_samples_per_s = cold->figures.throughput;
	else if (!isnan(f->first_samples_per_s))
		f->full_samples_per_s = f->first_samples_per_s;
}

/* ---- ratios to the fastest ---- */

static bool is_able(const struct derived_trial *trial)
{
	return trial->measured->is_done && trial->measured->has_same_data &&
	       trial->figures.throughput > 0;
}

/* With equal medians, the one with the wider interval. */
static bool is_faster(
    const struct trial_figures *a, const struct trial_figures *b)
{
	if (islessgreater(a->full_samples_per_s, b->full_samples_per_s))
		return a->full_samples_per_s > b->full_samples_per_s;
	return islessgreater(a->low, b->low) ? a->low < b->low
	                                     : a->high > b->high;
}

static struct derived_trial *find_fastest(
    const struct derived_session *s, enum cache_mode cache)
{
	struct derived_trial *fastest = NULL;

	for (size_t i = 0; i < s->measured.trial_count; i++) {
		struct derived_trial *trial = &s->trials[i];

		if (is_able(trial) && trial->measured->cache == cache &&
		    (!fastest || is_faster(&trial->figures, &fastest->figures)))
			fastest = trial;
	}
	return fastest;
}

static bool have_rounds_in_common(
    const struct derived_trial *a, const struct derived_trial *b)
{
	return a->measured->rounds_ns &&
	       a->measured->rounds_ns == b->measured->rounds_ns &&
	       !a->outgrows && !b->outgrows;
}

/* Both lists of runs are in their order. */
static int set_relative(struct derived_trial *trial,
    const struct derived_trial *fastest, struct error *err)
{
	const struct run_list *own = &trial->runs, *best = &fastest->runs;
	double *ratios = malloc((own->count + 1) * sizeof(*ratios));
	struct interval interval;
	size_t n = 0;

	if (!ratios)
		return error_memory(err, own->count * sizeof(*ratios));
	for (size_t i = 0, k = 0; i < own->count; i++) {
		while (k < best->count && best->runs[k].run < own->runs[i].run)
			k++;
		if (k < best->count && best->runs[k].run == own->runs[i].run)
			ratios[n++] = own->runs[i].samples_per_s /
			              best->runs[k].samples_per_s;
	}
	if (ratio_interval(ratios, n, &interval)) {
		trial->figures.relative_low = interval.low;
		trial->figures.relative_high = interval.high;
	}
	free(ratios);
	return 0;
}

static int compare_with_fastest(
    const struct derived_session *s, enum cache_mode cache, struct error *err)
{
	struct derived_trial *fastest = find_fastest(s, cache);

	for (size_t i = 0; fastest && i < s->measured.trial_count; i++) {
		struct derived_trial *trial = &s->trials[i];

		if (!is_able(trial) || trial->measured->cache != cache ||
		    trial == fastest || !have_rounds_in_common(trial, fastest))
			continue;
		if (set_relative(trial, fastest, err))
			return -1;
	}
	if (fastest)
		fastest->figures.relative_low = fastest->figures.relative_high =
		    1;
	return 0;
}

/* ---- a session ---- */

static int set_intervals(const struct derived_session *s, struct error *err)
{
	const size_t count = s->measured.trial_count;
	struct interval_trial *trials = calloc(count + 1, sizeof(*trials));
	int rc;

	if (!trials)
		return error_memory(err, (count + 1) * sizeof(*trials));
	for (size_t i = 0; i < count; i++)
		trials[i] = (struct interval_trial){
			.figures = &s->trials[i].figures,
			.runs = &s->trials[i].runs,
			.rounds_ns = s->trials[i].measured->rounds_ns,
		};
	rc = intervals_set(trials, count, err);
	free(trials);
	return rc;
}

static int compute(struct derived_session *s, struct error *err)
{
	const size_t count = s->measured.trial_count;

	s->trials = calloc(count + 1, sizeof(*s->trials));
	if (!s->trials)
		return error_memory(err, (count + 1) * sizeof(*s->trials));
	for (size_t i = 0; i < count; i++) {
		s->trials[i].measured = &s->measured.trials[i];
		if (trial_figures_compute(&s->measured, s->trials[i].measured,
		        &s->trials[i].figures, &s->trials[i].runs, err))
			return -1;
	}
	if (set_intervals(s, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		set_full(s, &s->trials[i]);
	for (unsigned cache = 0; cache < CACHE_COUNT; cache++)
		if (compare_with_fastest(s, cache, err))
			return -1;
	return 0;
}

static int store(
    struct results *results, const struct derived_session *s, struct error *err)
{
	for (size_t i = 0; i < s->measured.trial_count; i++) {
		const struct derived_trial *trial = &s->trials[i];

		if (results_set_figures(results, &trial->figures, err))
			return -1;
		for (size_t k = 0; k < trial->runs.count; k++)
			if (results_set_run_figures(
			        results, &trial->runs.runs[k], err))
				return -1;
	}
	return 0;
}

static void release(struct derived_session *s)
{
	for (size_t i = 0; s->trials && i < s->measured.trial_count; i++)
		run_list_release(&s->trials[i].runs);
	free(s->trials);
	measured_release(&s->measured);
}

/* ---- the ranking ---- */

static const struct measured_trial *find_measured(
    const struct measured_session *s, int64_t id)
{
	for (size_t i = 0; i < s->trial_count; i++)
		if (s->trials[i].id == id)
			return &s->trials[i];
	return NULL;
}

static int store_ranking(
    struct results *results, const struct ranking *ranking, struct error *err)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];
		const struct rank_row row = {
			.trial = c->trial.trial,
			.score = c->worth.score,
			.rank = c->rank ? (double)c->rank : NAN,
			.tied = c->able ? c->tied : NAN,
			.place = c->able ? (double)(i + 1) : NAN,
			.break_even_epochs = c->trial.throughput.median > 0
			                         ? c->break_even_epochs
			                         : NAN,
		};

		if (results_set_rank(results, &row, err))
			return -1;
	}
	return 0;
}

/* The ranking is for the reader of the session: portable is what that reads. */
static void set_portable(
    struct figures_list *figures, const struct measured_session *s)
{
	for (size_t i = 0; i < figures->count; i++) {
		const struct measured_trial *trial =
		    find_measured(s, figures->list[i].trial);

		figures->list[i].portable =
		    trial && trial->is_readable ? ANSWER_YES : ANSWER_NO;
	}
}

/* Reads the figures back as a report has them: there is one ranking. */
static int rank(struct results *results, const struct measured_session *s,
    struct error *err)
{
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct figures_list figures = { .list = NULL };
	struct grid rows = GRID_INIT;
	int rc = -1;

	if (results_read(results, RESULTS_TRIALS, s->id, &rows, err) ||
	    figures_read(&figures, &rows, err))
		goto done;
	set_portable(&figures, s);
	if (ranking_place(&ranking, &figures, &request, err) == 0)
		rc = store_ranking(results, &ranking, err);
done:
	ranking_release(&ranking);
	figures_release(&figures);
	grid_release(&rows);
	return rc;
}

static int derive(struct results *results, int64_t session, struct error *err)
{
	struct derived_session s = { .measured = MEASURED_SESSION_INIT };
	int rc = measured_read(results, session, &s.measured, err);

	if (rc == 0)
		rc = compute(&s, err);
	if (rc == 0)
		rc = store(results, &s, err);
	if (rc == 0 && s.measured.trial_count)
		rc = rank(results, &s.measured, err);
	release(&s);
	return rc;
}

const struct results_rule derive_rule = {
	.version = 2,
	.derive = derive,
};

struct results *derive_open(const char *path, bool create, struct error *err)
{
	struct results *results = results_open(path, create, err);

	if (!results)
		return NULL;
	results_set_rule(results, &derive_rule);
	if (create && results_derive(results, 0, err)) {
		results_close(results);
		return NULL;
	}
	return results;
}
