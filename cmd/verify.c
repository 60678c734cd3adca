/* verify.c - presto verify: does a plan still win here? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/output.h"
#include "cmd/project/measuring.h"
#include "cmd/project/project.h"
#include "cmd/recommend/planned.h"
#include "cmd/report/session_data.h"
#include "cmd/verify/contest.h"
#include "cmd/verify/verified.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/results.h"
#include "lib/files/lock.h"
#include "lib/files/own_folder.h"
#include "lib/files/own_folder_sweep.h"
#include "lib/files/path.h"
#include "strategies/decide/asked.h"
#include "strategies/decide/derive.h"
#include "strategies/decide/rank.h"
#include "strategies/plan/strategies.h"
#include "strategies/planfile/plan_file.h"
#include "strategies/session/session.h"

struct args {
	const char *db, *output, *work_dir;
	double budget;
	uint64_t samples;
	unsigned format;
	struct option_texts sets;
};

static const struct option options[] = {
	OPTION(TIME, "budget", 'b', struct args, budget, "TIME",
	    "measure for TIME at most (default: 60s)"),
	OPTION(TEXT, "db", 0, struct args, db, "FILE",
	    "keep what is measured in the database FILE (default: keep "
	    "nothing)"),
	OPTION_WORDS("format", struct args, format, FORMAT_WORDS_PLAIN,
	    "print in this format (default: text)"),
	OPTION_OUTPUT(struct args),
	OPTION_ABOVE_0(UINT, "samples", struct args, samples, "N",
	    "number of samples to take from the source (default: as profiled, "
	    "or fewer for the budget)"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the pipeline; may be repeated"),
	OPTION(TEXT, "work-dir", 'w', struct args, work_dir, "DIR",
	    "materialise data in the folder DIR (default: the current one)"),
	OPTION_TABLE_END,
};

static const struct args defaults = { .budget = 60, .work_dir = "." };

static const char last_words[] =
    "presto: ended at once; the next presto verify or profile in this folder "
    "removes the data\n";

/* The budget is that of the session, less what was done before it. */
enum { SESSION_LEAST_S = 1 };

struct work {
	const struct args *args;
	const char *path;        /* the plan's */
	struct project *project; /* owned */
	struct strategies strategies;
	struct contest contest;
	uint64_t began_ns;
	/* A folder of this process: for the data, and the results if they are
	 * not kept. */
	char *folder; /* owned */
	struct lock lock;
};

/* ---- reading ---- */

static int load(struct work *work, struct error *err)
{
	const struct project *project = work->project;

	if (project_load(work->project, work->path, err))
		return -1;
	if (!project->planned)
		return error_set(err, ERROR_USAGE,
		    "%s is no plan: presto recommend --plan writes one",
		    work->path);
	if (project->planned->is_edited)
		return error_set(err, ERROR_USAGE,
		    "%s was edited after presto recommend wrote it, so its "
		    "figures are those of something else; write the plan "
		    "again, or measure the change with presto profile --plan "
		    "%s",
		    work->path, work->path);
	return 0;
}

/* The verdict is against the other runners-up. */
static void warn_unknown(struct work *work)
{
	struct contest *contest = &work->contest;
	const size_t unknown =
	    contest_leave_unknown(contest, &work->strategies);

	for (size_t i = 0; i < unknown; i++)
		cmd_warn("%s is not measured: another order of the steps "
		         "stores the same",
		    contest->labels[contest->count + i]);
}

static int open(struct work *work, struct error *err)
{
	const struct args *args = work->args;
	struct project *project = work->project;
	struct project_settings settings;

	if (load(work, err) || contest_make(&work->contest, project,
	                           args->budget, args->samples, err))
		return -1;
	settings = project_settings_of(&args->sets, work->contest.overrides);
	if (project_read_ini(project, &settings, err))
		return -1;
	project->plan.load.cache_budget = plan_cache_budget(&project->plan);
	if (project_open_noted(project,
	        sweep_most(&project->plan.measure.samples), true, err) ||
	    project_check_planned(project, NULL, err) ||
	    strategies_enumerate(
	        &work->strategies, &project->plan, &project->pipeline, err))
		return -1;
	project->plan.strategies.orders = NULL; /* no others are added later */
	warn_unknown(work);
	return strategies_keep(
	    &work->strategies, work->contest.labels, work->contest.count, err);
}

/* ---- judging ---- */

/* How much of the load is as the plan says? */
static unsigned matches(const struct plan_file *plan,
    const struct session_data *data, const struct figures *figures)
{
	static const char *const keys[] = { "fetchers", "read_ahead", "shuffle",
		"batch" };
	const struct planned_trial trial = planned_trial_of(data, figures);
	const struct ini_section *load = ini_section(&plan->whole, "load");
	const struct ini_entry *cache = ini_entry(load, "cache");
	const char *mode = cache_word(figures->cache);
	unsigned count = 0;

	count += figures->threads == plan->threads;
	count += cache && strncmp(cache->value, mode, strlen(mode)) == 0;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const struct ini_entry *entry = ini_entry(load, keys[i]);
		uint64_t number = 0;

		count +=
		    !entry || (units_parse_uint(entry->value, &number) == 0 &&
		                  number == planned_number(&trial, keys[i]));
	}
	return count;
}

/*
 * Leaves one trial of the plan's strategy: the one that is loaded as the plan
 * says.  Runners-up may have another load, and lists of both are measured.
 */
static void leave_one(const struct plan_file *plan, struct session_data *data)
{
	struct figures_list *figures = &data->figures;
	const struct figures *best = NULL;
	struct figures kept_one;
	size_t kept = 0;

	for (size_t i = 0; i < figures->count; i++) {
		const struct figures *f = &figures->list[i];

		if (strcmp(f->strategy, plan->strategy) == 0 &&
		    (!best ||
		        matches(plan, data, f) > matches(plan, data, best)))
			best = f;
	}
	if (!best)
		return;
	kept_one = *best;
	for (size_t i = 0; i < figures->count; i++)
		if (strcmp(figures->list[i].strategy, plan->strategy) != 0)
			figures->list[kept++] = figures->list[i];
	figures->list[kept++] = kept_one;
	figures->count = kept;
}

/* The plan's strategy; NULL: it was not measured. */
static const struct candidate *find_candidate(
    const struct plan_file *plan, const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (strcmp(ranking->list[i].trial.strategy, plan->strategy) ==
		    0)
			return &ranking->list[i];
	return NULL;
}

static bool lacks_time(const struct candidate *candidate)
{
	return candidate->trial.state == TRIAL_SKIPPED &&
	       strncmp(candidate->trial.message, SESSION_NO_TIME,
	           strlen(SESSION_NO_TIME)) == 0;
}

/* A trial that had no time may be the best, unless another one is better. */
static struct judgement judge_in_time(const struct ranking *ranking,
    const struct candidate *candidate, const struct request *request)
{
	struct judgement found = verdict_of(ranking, candidate, request);

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *late = &ranking->list[i];

		if (!lacks_time(late) ||
		    (found.verdict == VERDICT_BEATEN && !lacks_time(candidate)))
			continue;
		found.verdict = VERDICT_NOISE;
		found.ratio = found.risk = NAN;
		if (late != candidate)
			found.rival = late;
	}
	return found;
}

static int judge(
    const struct work *work, const struct session_data *data, struct error *err)
{
	const struct project *project = work->project;
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct verified verified = { .path = work->path,
		.plan = project->planned,
		.ranking = &ranking,
		.request = &request,
		.format = work->args->format };
	int rc = -1;

	request.session = data->session;
	if (request_ask(&request, &project->plan.decision, "", err))
		return error_prefix(err, "%s", work->path);
	session_data_complete(data, &request);
	if (ranking_make(&ranking, &data->figures, &request, err) == 0) {
		verified.candidate = find_candidate(project->planned, &ranking);
		if (!verified.candidate)
			rc = error_set(err, ERROR_INCONCLUSIVE,
			    "%s was not measured: there was no time; give a "
			    "longer --budget",
			    project->planned->strategy);
		else
			rc = 0;
	}
	if (rc == 0) {
		verified.judgement =
		    judge_in_time(&ranking, verified.candidate, &request);
		verified_say(&verified);
		rc = output_to(
		    work->args->output, verified_print, &verified, err);
	}
	ranking_release(&ranking);
	return rc;
}

/* ---- measuring ---- */

static struct results *open_results(const struct work *work, struct error *err)
{
	char *path;
	struct results *results;

	if (work->args->db)
		return derive_open(work->args->db, true, err);
	path = path_join(work->folder, "verify.db", err);
	results = path ? derive_open(path, true, err) : NULL;
	free(path);
	return results;
}

static int measure(
    void *arg, const struct session_plan *plan, struct error *err)
{
	struct work *work = arg;
	struct results *results = open_results(work, err);
	struct session_data data = SESSION_DATA_INIT;
	const double past =
	    (double)(clock_now(&clock_monotonic) - work->began_ns) / 1e9;
	const double left = work->args->budget - past;
	int64_t session = 0;
	int rc = -1;

	work->project->plan.measure.budget_s =
	    left > SESSION_LEAST_S ? left : SESSION_LEAST_S;
	if (results && measuring_once(plan, results, &session, err) == 0 &&
	    session_data_from_results(&data, results, session, err) == 0) {
		leave_one(work->project->planned, &data);
		rc = judge(work, &data, err);
	}
	session_data_release(&data);
	results_close(results);
	return rc;
}

static void note(void *arg, const char *text)
{
	UNUSED(arg);
	cmd_note("%s", text);
}

/* Measures in a folder of its own, which is removed. */
static int contend(struct work *work, struct error *err)
{
	const char *dir = work->args->work_dir;
	struct error later = ERROR_INIT;
	int rc;

	if (path_make_dirs(dir, err))
		return -1;
	own_folder_sweep(dir, note, NULL);
	work->folder =
	    own_folder_new(dir, OWN_FOLDER_WORK, false, &work->lock, err);
	if (!work->folder)
		return -1;
	rc = measuring_run(
	    &(struct measuring){
	        .project = work->project,
	        .strategies = &work->strategies,
	        .name = work->project->planned->pipeline,
	        .work_dir = work->folder,
	        .stop = interrupt_watch(last_words),
	        .run = measure,
	        .arg = work,
	    },
	    err);
	if (own_folder_remove(work->folder, &work->lock, &later) && rc == 0) {
		*err = later;
		rc = -1;
	}
	return rc;
}

static int verify(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct work work = {
		.args = args,
		.path = operands[0],
		.project = project_new(err),
		.strategies = STRATEGIES_INIT,
		.began_ns = clock_now(&clock_monotonic),
		.lock = LOCK_INIT,
	};
	int rc = -1;

	UNUSED(count);
	if (args->budget <= 0)
		error_set(err, ERROR_USAGE, "--budget must be more than 0");
	else if (work.project && output_check(args->output, err) == 0 &&
	         open(&work, err) == 0)
		rc = contend(&work, err);
	contest_release(&work.contest);
	strategies_release(&work.strategies);
	project_free(work.project);
	free(work.folder);
	return rc;
}

const struct cmd cmd_verify = {
	.name = "verify",
	.summary = "tell whether a plan still wins here",
	.usage = "PLAN",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_min = 1,
	.operands_max = 1,
	.run = verify,
};
