/* rates.c - see rates.h. */
#include "cmd/scale/rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/project/project.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/session_data.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results_ini.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/option.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/footprint.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

/* A session times a preparation once: its interval is assumed. */
static const double once = 0.1;

struct search {
	const struct scale_question *question;
	struct scale_evidence *evidence;
	struct project *project;
	struct strategies strategies;
	struct model *model;
	const struct strategy *strategy; /* one of the list */
	struct figures measured;         /* by the session, if is_measured */
	bool is_measured;
};

/* ---- the session ---- */

/* Has the session the dataset and the steps of the file? */
static int is_of_pipeline(struct search *search, struct results *results,
    int64_t session, struct error *err)
{
	static const char *const no_matter[] = { "fingerprint", "full_samples",
		"path", NULL };
	const struct ini *now = &search->project->ini;
	struct ini then = INI_INIT;
	int rc = results_read_ini(results, session, &then, err);

	if (rc > 0)
		rc = ini_hash(ini_section(&then, "pipeline"), NULL, 0) ==
		         ini_hash(ini_section(now, "pipeline"), NULL, 0) &&
		     ini_hash(ini_section(&then, "dataset"), no_matter, 0) ==
		         ini_hash(ini_section(now, "dataset"), no_matter, 0);
	ini_release(&then);
	return rc;
}

/* Chooses the recommended strategy, unless one was asked for. */
static int choose_label(struct search *search, struct results *results,
    int64_t session, struct error *err)
{
	struct scale_evidence *evidence = search->evidence;
	struct recommend_choice choice = { .is_settled = true };

	if (search->question->strategy)
		return 0;
	if (recommend_winner(results, session, &choice, err))
		return -1;
	if (strcmp(choice.label, "unprocessed") != 0)
		snprintf(evidence->strategy, RESULTS_LABEL, "%s", choice.label);
	return 0;
}

/* Takes the preparation of the strategy: numbers only, the texts end here. */
static int take_figures(struct search *search, struct results *results,
    int64_t session, struct error *err)
{
	struct scale_evidence *evidence = search->evidence;
	struct session_data data = SESSION_DATA_INIT;
	int rc = session_data_from_results(&data, results, session, err);

	for (size_t i = 0; rc == 0 && i < data.figures.count; i++) {
		const struct figures *of = &data.figures.list[i];

		if (strcmp(of->strategy, evidence->strategy) != 0 ||
		    !(of->profiled.prep_s > 0) || !(of->source_samples > 0) ||
		    of->search.predicted)
			continue;
		search->measured.profiled = of->profiled;
		search->measured.source_samples = of->source_samples;
		search->is_measured = true;
		evidence->session = session;
		break;
	}
	session_data_release(&data);
	return rc;
}

static int read_session(
    struct search *search, struct results *results, struct error *err)
{
	const int64_t wanted = search->question->session;
	int64_t session = 0;
	int same;

	if (results_pick_session(results, wanted, &session, err))
		return -1;
	same = is_of_pipeline(search, results, session, err);
	if (same < 0)
		return -1;
	if (same)
		return choose_label(search, results, session, err) ||
		               take_figures(search, results, session, err)
		           ? -1
		           : 0;
	if (wanted)
		return error_set(err, ERROR_USAGE,
		    "session %lld is not of %s: its dataset or its steps "
		    "differ",
		    (long long)session, search->question->path);
	cmd_note("session %lld is of another pipeline: the rates are a "
	         "forecast; presto profile %s measures them",
	    (long long)session, search->question->path);
	return 0;
}

/* Looks for measured rates; without a database there are none. */
static int find_measured(struct search *search, struct error *err)
{
	const struct scale_question *question = search->question;
	const char *path = cmd_database(question->db);
	struct results *results;
	int rc;

	if (!question->db && !question->session && !path_exists(path))
		return 0;
	results = derive_open(path, false, err);
	rc = results ? read_session(search, results, err) : -1;
	results_close(results);
	return rc;
}

/* ---- the forecast ---- */

static unsigned threads_of(const struct search *search)
{
	return search->question->threads ? search->question->threads
	                                 : search->model->machine.cores;
}

static struct load load_of(const struct search *search)
{
	return (struct load){
		.samples = search->project->source->samples,
		.threads = threads_of(search),
	};
}

static int run_pilot(struct search *search, struct error *err)
{
	struct project *project = search->project;
	const struct pilot_plan how = {
		.source = project->source,
		.pipeline = &project->pipeline,
		.plan = &project->plan,
		.strategies = &search->strategies,
		.timed = true,
		.skip_errors = project->dataset.skip_errors,
		.stop = search->question->stop,
	};

	search->model = memory_zeroed(sizeof(*search->model), err);
	if (!search->model)
		return -1;
	if (pilot_run(search->model, &how, err))
		return project_hint(project->dataset.skip_errors, err);
	search->model->sync = sync_cost_measure(NULL, 1);
	return 0;
}

/* Finds the strategy by its label, or the one that is loaded the fastest. */
static int find_strategy(struct search *search, struct error *err)
{
	const struct strategies *all = &search->strategies;
	const char *label = search->evidence->strategy;
	const struct load load = load_of(search);
	struct error why = ERROR_INIT;
	double best = -1;

	for (size_t i = 0; i < all->count; i++) {
		const struct strategy *strategy = &all->list[i];
		struct prediction p;

		if (strategy->unprocessed ||
		    (*label && strcmp(label, strategy->label) != 0) ||
		    model_check(search->model, strategy, &why))
			continue;
		p = model_predict(search->model, strategy, &load);
		if (p.samples_per_s <= best)
			continue;
		best = p.samples_per_s;
		search->strategy = strategy;
	}
	if (search->strategy)
		return 0;
	if (why.code != ERROR_NONE)
		*err = why;
	else
		error_set(err, ERROR_USAGE,
		    "%s: there is no strategy '%s' to store: presto profile "
		    "--dry-run lists them",
		    search->question->path, label);
	return -1;
}

static struct amount per_second(
    double samples, double s, double low_s, double high_s)
{
	return (struct amount){
		samples / s,
		samples / (high_s > 0 ? high_s : s),
		samples / (low_s > 0 ? low_s : s),
	};
}

static void set_forecast(struct search *search)
{
	const struct load load = load_of(search);
	const struct prediction p =
	    model_predict(search->model, search->strategy, &load);
	const double samples = (double)load.samples;
	struct scale_rates *rates = &search->evidence->rates;

	rates->prep_per_s =
	    per_second(samples, p.prep_s, p.low_prep_s, p.high_prep_s);
	rates->stored_bytes = (struct amount){
		p.storage_bytes / samples,
		(p.high_storage_bytes > 0 ? p.low_storage_bytes
		                          : p.storage_bytes) /
		    samples,
		(p.high_storage_bytes > 0 ? p.high_storage_bytes
		                          : p.storage_bytes) /
		    samples,
	};
}

static void set_measured(struct search *search)
{
	const struct figures *measured = &search->measured;
	const double samples = measured->source_samples;
	const double prep_s = measured->profiled.prep_s;
	const double bytes = measured->profiled.storage_bytes / samples;
	struct scale_rates *rates = &search->evidence->rates;

	rates->prep_per_s = per_second(
	    samples, prep_s, prep_s * (1 - once), prep_s * (1 + once));
	rates->stored_bytes =
	    (struct amount){ bytes, bytes * (1 - once), bytes * (1 + once) };
	search->evidence->measured = samples;
}

static void set_rates(struct search *search)
{
	const struct project *project = search->project;
	const struct reader *source = project->source;
	const struct load load = load_of(search);
	const struct footprint footprint = footprint_of_preparation(
	    search->model, search->strategy, &load, NULL);
	struct scale_evidence *evidence = search->evidence;
	struct scale_rates *rates = &evidence->rates;

	snprintf(
	    evidence->strategy, RESULTS_LABEL, "%s", search->strategy->label);
	evidence->threads = load.threads;
	evidence->full_samples = (double)(project->dataset.full_samples
	                                      ? project->dataset.full_samples
	                                      : source->total_samples);
	rates->cores = search->model->machine.cores;
	rates->source_bytes = (double)source->bytes / (double)source->samples;
	rates->source_files = source->files_each;
	rates->memory_bytes = footprint_bytes(&footprint);
	rates->shuffled = project->plan.strategies.order.shuffled;
	set_forecast(search);
	if (search->is_measured)
		set_measured(search);
}

static int open_project(struct search *search, struct error *err)
{
	const struct scale_question *question = search->question;
	struct project *project = search->project;
	const struct project_settings settings =
	    project_settings_of(question->sets, NULL);

	return project_read(project, question->path, &settings, err) ||
	               project_open_noted(project, 0, false, err)
	           ? -1
	           : 0;
}

int scale_find_rates(struct scale_evidence *evidence,
    const struct scale_question *question, struct error *err)
{
	struct search search = {
		.question = question,
		.evidence = evidence,
		.project = project_new(err),
		.strategies = STRATEGIES_INIT,
		.measured = figures_none(),
	};
	int rc = -1;

	if (question->strategy)
		snprintf(evidence->strategy, RESULTS_LABEL, "%s",
		    question->strategy);
	if (search.project && open_project(&search, err) == 0 &&
	    find_measured(&search, err) == 0 &&
	    strategies_enumerate(&search.strategies, &search.project->plan,
	        &search.project->pipeline, err) == 0 &&
	    run_pilot(&search, err) == 0 && find_strategy(&search, err) == 0) {
		set_rates(&search);
		rc = 0;
	}
	model_release(search.model);
	free(search.model);
	strategies_release(&search.strategies);
	project_free(search.project);
	return rc;
}
