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
#include "lib/db/results_ini.h"
#include "lib/db/results_read.h"
#include "lib/syntax/ini.h"
#include "strategies/decide/asked.h"
#include "strategies/decide/derived_session.h"
#include "strategies/decide/rank.h"
#include "strategies/figures/candidate.h"
#include "strategies/figures/host_figures.h"

/* ---- figures ---- */

static int store(
    struct results *results, const struct derived_session *s, struct error *err)
{
	for (size_t i = 0; i < s->measured->trial_count; i++) {
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

static struct trial_figures *find_figures(
    const struct derived_session *s, int64_t trial)
{
	for (size_t i = 0; i < s->measured->trial_count; i++)
		if (s->measured->trials[i].id == trial)
			return &s->trials[i].figures;
	return NULL;
}

/* Adds what all hosts of each trial did together. */
static int add_hosts(
    struct results *results, struct derived_session *s, struct error *err)
{
	struct grid rows = GRID_INIT;
	size_t row = 0;
	int rc =
	    results_read(results, RESULTS_HOSTS, s->measured->id, &rows, err);

	while (rc == 0 && row < rows.row_count) {
		struct host_totals totals;
		struct trial_figures *figures;

		rc = host_figures_next(&rows, &row, &totals, err);
		figures = rc ? NULL : find_figures(s, totals.trial);
		if (!figures || totals.hosts == 0)
			continue;
		figures->hosts = (double)totals.hosts;
		figures->knee_hosts = (double)totals.knee;
		figures->total_samples_per_s = totals.samples_per_s;
		figures->total_mb_per_s = totals.mb_per_s;
		figures->slowest_samples_per_s = totals.slowest_samples_per_s;
	}
	grid_release(&rows);
	return rc;
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

		figures->list[i].answers.portable =
		    trial && trial->is_readable ? ANSWER_YES : ANSWER_NO;
	}
}

static double tolerance_db(struct results *results, int64_t session)
{
	struct error ignored = ERROR_INIT;
	struct ini ini = INI_INIT;
	double db = 0;

	if (results_read_ini(results, session, &ini, &ignored) == 1)
		db = asked_tolerance_db(&ini);
	ini_release(&ini);
	return db;
}

/* Reads the figures back as a report has them: there is one ranking. */
static int rank(struct results *results, const struct measured_session *s,
    struct error *err)
{
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct figures_list figures = { .list = NULL };
	struct grid rows = GRID_INIT;
	int rc = -1;

	if (results_read(results, RESULTS_TRIALS, s->id, &rows, err) ||
	    figures_read(&figures, &rows, err))
		goto done;
	set_portable(&figures, s);
	request.tolerance_db = tolerance_db(results, s->id);
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
	struct measured_session measured = MEASURED_SESSION_INIT;
	struct derived_session s = DERIVED_SESSION_INIT;
	int rc = measured_read(results, session, &measured, err);

	if (rc == 0)
		rc = derived_session_compute(&s, &measured, err);
	if (rc == 0)
		rc = add_hosts(results, &s, err);
	if (rc == 0)
		rc = store(results, &s, err);
	if (rc == 0)
		rc = results_set_seen(results, session, err);
	if (rc == 0 && measured.trial_count)
		rc = rank(results, &measured, err);
	derived_session_release(&s);
	measured_release(&measured);
	return rc;
}

const struct results_rule derive_rule = {
	.version = 6,
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
