/* profile.c - presto profile: measures the strategies of a pipeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/private.h"
#include "cmd/project/forecast.h"
#include "cmd/project/measuring.h"
#include "cmd/project/meet.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/report.h"
#include "lib/base/error.h"
#include "lib/db/private.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/syntax/ini_options.h"
#include "strategies/decide/asked.h"
#include "strategies/decide/derive.h"
#include "strategies/planfile/plan_file.h"
#include "strategies/search/search.h"
#include "strategies/session/session.h"

struct args {
	const char *budget, *cache, *codec, *epochs, *loader, *max_prep,
	    *max_storage, *min_throughput, *objective, *order, *runs, *samples,
	    *search, *seed, *shards, *shuffle, *split, *store, *threads, *trace,
	    *trial_budget, *verify; /* as keys of the file */
	const char *db, *name, *plan, *skipped, *work_dir;
	uint64_t max_disk, session;
	struct option_texts sets;
	bool dry_run, keep, no_reuse, private, resume, together;
};

static const struct option options[] = {
	OPTION(TEXT, "budget", 'b', struct args, budget, "TIME",
	    "limit the session to TIME, such as 90s; repeat runs until they "
	    "are precise or time is up"),
	OPTION(TEXT, "cache", 0, struct args, cache, "LIST",
	    "cache modes to measure: none, system, application, disk"),
	OPTION(TEXT, "codec", 0, struct args, codec, "LIST",
	    "codecs to measure, such as none,zstd:1, or auto"),
	OPTION_DB(struct args, "keep results in"),
	OPTION(FLAG, "dry-run", 'n', struct args, dry_run, NULL,
	    "print what would be measured, with time and space; write nothing"),
	OPTION(TEXT, "epochs", 0, struct args, epochs, "N",
	    "number of epochs of a run with a cache"),
	OPTION(FLAG, "keep", 'k', struct args, keep, NULL,
	    "keep the materialised data"),
	OPTION(TEXT, "loader", 0, struct args, loader, "FILE.py:FUNCTION",
	    "measure your own loader as well, which the function returns"),
	OPTION(BYTES, "max-disk", 0, struct args, max_disk, "SIZE",
	    "limit materialised data to SIZE"),
	OPTION(TEXT, "max-prep", 0, struct args, max_prep, "TIME",
	    "look for a strategy that prepares the full dataset in TIME"),
	OPTION(TEXT, "max-storage", 0, struct args, max_storage, "SIZE",
	    "look for a strategy of at most SIZE with the full dataset"),
	OPTION(TEXT, "min-throughput", 0, struct args, min_throughput, "N",
	    "look for a strategy with at least N samples per second"),
	OPTION(TEXT, "name", 0, struct args, name, "TEXT",
	    "name of the pipeline in reports (default: name of the file)"),
	OPTION(FLAG, "no-reuse", 0, struct args, no_reuse, NULL,
	    "prepare each strategy from the source; reuse nothing that another "
	    "one prepared"),
	OPTION(TEXT, "objective", 0, struct args, objective, "WORD",
	    "look for the best strategy by this objective of presto list "
	    "objectives (default: throughput)"),
	OPTION(TEXT, "order", 0, struct args, order, "LIST",
	    "orders of the steps to measure: given, all, or labels such as o1"),
	OPTION(TEXT, "plan", 0, struct args, plan, "FILE",
	    "measure the strategy of the plan FILE, and unprocessed"),
	OPTION_PRIVATE(struct args),
	OPTION(FLAG, "resume", 0, struct args, resume, NULL,
	    "continue the unfinished session of this pipeline; without a file, "
	    "take the pipeline from a session"),
	OPTION(TEXT, "runs", 'r', struct args, runs, "N",
	    "number of runs of each trial"),
	OPTION(TEXT, "samples", 's', struct args, samples, "LIST",
	    "numbers of samples to take from the source"),
	OPTION(TEXT, "search", 0, struct args, search, "WORD",
	    "measure all strategies, or those that can win: all, auto or "
	    "random (default: all)"),
	OPTION(TEXT, "seed", 0, struct args, seed, "N",
	    "seed of random steps and of the shuffle"),
	OPTION_ABOVE_0(UINT, "session", struct args, session, "ID",
	    "session whose pipeline --resume takes without a file (default: "
	    "the newest)"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION(TEXT, "shards", 0, struct args, shards, "LIST",
	    "numbers of files to divide stored data into"),
	OPTION(TEXT, "shuffle", 0, struct args, shuffle, "SEED|no",
	    "store in a random order drawn from SEED, or in the order of the "
	    "dataset (default: SEED is measure.seed)"),
	OPTION(TEXT, "skipped", 0, struct args, skipped, "FILE", SKIPS_HELP),
	OPTION(TEXT, "split", 0, struct args, split, "LIST",
	    "representations to store, or all"),
	OPTION(TEXT, "store", 0, struct args, store, "LIST",
	    "stores to measure, such as tar,tfrecord"),
	OPTION(TEXT, "threads", 't', struct args, threads, "LIST|auto",
	    "numbers of worker threads to measure, or the fewest that do"),
	OPTION(FLAG, "together", 0, struct args, together, NULL,
	    "load in all processes that srun or mpirun has started, at the "
	    "same moment; the first one prepares the data and prints"),
	OPTION(TEXT, "trace", 0, struct args, trace, PLAN_TRACE_WORDS,
	    "trials whose events are kept for presto report --trace "
	    "(default: best)"),
	OPTION(TEXT, "trial-budget", 0, struct args, trial_budget, "TIME",
	    "limit the runs of each trial to TIME"),
	OPTION(TEXT, "verify", 0, struct args, verify, "auto|all",
	    "compare all of the output in each trial, or a part where that is "
	    "enough (default: auto)"),
	OPTION(TEXT, "work-dir", 'w', struct args, work_dir, "DIR",
	    "materialise data in the folder DIR (default: the current one)"),
	OPTION_TABLE_END,
};

static const struct args defaults = { .work_dir = "." };

/* Reads the pipeline of a session, with its settings; the name is owned. */
static int recall(struct project *project, const struct args *args,
    const struct project_settings *settings, char **name, struct error *err)
{
	struct results *results =
	    derive_open(cmd_database(args->db), false, err);
	struct session_record record = SESSION_RECORD_INIT;
	int64_t session = 0;
	int rc = -1;

	if (results && results_pick_begun(
	                   results, (int64_t)args->session, &session, err) == 0)
		rc = project_recall(project, results, session, settings, err);
	if (rc == 0)
		rc = results_read_session(results, session, &record, err);
	if (rc == 0 && !*name) {
		*name = strdup(record.info.pipeline);
		rc = *name ? 0 : error_memory(err, RESULTS_LABEL);
	}
	session_record_release(&record);
	results_close(results);
	return rc;
}

/* The name of a plan's pipeline, or that of the file; it may be given. */
static int find_name(
    const struct project *project, char **name, struct error *err)
{
	const struct plan_file *plan = project->planned;

	if (*name)
		return 0;
	*name = project_name(
	    plan && plan->pipeline ? plan->pipeline : project->ini.path, err);
	return *name ? 0 : -1;
}

static int read_project(struct project *project, const struct args *args,
    const char *path, char **name, struct error *err)
{
	const struct override overrides[] = {
		{ "decision", "max_prep", args->max_prep },
		{ "decision", "max_storage", args->max_storage },
		{ "decision", "min_throughput", args->min_throughput },
		{ "decision", "objective", args->objective },
		{ "load", "cache", args->cache },
		{ "load", "threads", args->threads },
		{ "measure", "budget", args->budget },
		{ "measure", "epochs", args->epochs },
		{ "measure", "loader", args->loader },
		{ "measure", "reuse", args->no_reuse ? "no" : NULL },
		{ "measure", "runs", args->runs },
		{ "measure", "samples", args->samples },
		{ "measure", "search", args->search },
		{ "measure", "seed", args->seed },
		{ "measure", "trace", args->trace },
		{ "measure", "trial_budget", args->trial_budget },
		{ "measure", "verify", args->verify },
		{ "strategies", "codec", args->codec },
		{ "strategies", "order", args->order },
		{ "strategies", "shards", args->shards },
		{ "strategies", "shuffle", args->shuffle },
		{ "strategies", "split", args->split },
		{ "strategies", "store", args->store },
		{ NULL, NULL, NULL },
	};
	const struct project_settings settings =
	    project_settings_of(&args->sets, overrides);

	if (!path && !args->plan && !args->resume)
		return error_set(err, ERROR_USAGE,
		    "which pipeline? name its file; or --resume for the one "
		    "of the newest session");
	if ((path || args->plan) && args->session)
		return error_set(err, ERROR_USAGE,
		    "--session is for --resume without a pipeline file");
	if (path || args->plan ? project_read_planned(
	                             project, path, args->plan, &settings, err)
	                       : recall(project, args, &settings, name, err))
		return -1;
	if (find_name(project, name, err))
		return -1;
	/* The plan's strategy is measured, even if it cannot win any more. */
	if (project->planned)
		project->plan.measure.search = "all";
	/* Computed once: free memory shrinks while loaders exist. */
	project->plan.load.cache_budget = plan_cache_budget(&project->plan);
	return project_open_noted(
	    project, sweep_most(&project->plan.measure.samples), true, err);
}

static int print_session(const struct args *args, struct results *results,
    int64_t session, struct error *err)
{
	int rc = args->private ? results_hide(results, err) : 0;

	if (rc == 0)
		rc = report_print(results, session, stdout, err);
	if (rc == 0)
		rc = recommend_print(results, session, stdout, err);
	/* Measuring succeeded, even if nothing can be recommended. */
	if (rc == 0 || err->code != ERROR_GATE)
		return rc;
	cmd_warn("%s", err->text);
	return 0;
}

/* Measures, then prints the table and the winner. */
static int measure(
    void *values, const struct session_plan *plan, struct error *err)
{
	const struct args *args = values;
	struct results *results =
	    derive_open(cmd_database(args->db), true, err);
	int64_t session = 0;
	int rc = -1;

	if (results && measuring_session(plan, results, &session, err) == 0)
		rc = print_session(args, results, session, err);
	results_close(results);
	return rc;
}

/* Prints the forecast of --dry-run. */
static int foresee(
    void *values, const struct session_plan *plan, struct error *err)
{
	const struct args *args = values;

	if (plan->warning)
		cmd_warn("%s", plan->warning);
	if (forecast_read_known(plan, cmd_database(args->db), err))
		return -1;
	if (args->private) {
		private_filesystem(plan->model->source_ceilings.place.device);
		private_filesystem(plan->model->stored_ceilings.place.device);
	}
	return forecast_print(plan, stdout, err);
}

/* A plan has one strategy, and only that is measured, beside unprocessed. */
static int enumerate(
    struct strategies *strategies, struct project *project, struct error *err)
{
	if (strategies_enumerate(
	        strategies, &project->plan, &project->pipeline, err))
		return -1;
	if (!project->planned)
		return 0;
	if (project_check_planned(project, NULL, err))
		return -1;
	project->plan.strategies.orders = NULL; /* no others are added later */
	return strategies_keep(strategies, &project->planned->strategy, 1, err);
}

static const char last_words[] =
    "presto: ended at once; finished runs are in the database; continue with "
    "presto profile --resume, which also removes the work folder\n";

/* Puts the place of the key in front of the error. */
static int blame(const struct project *project, const char *section,
    const char *key, struct error *err)
{
	const struct ini_section *s = ini_section(&project->ini, section);
	const struct ini_entry *entry = s ? ini_entry(s, key) : NULL;

	return entry ? ini_error_at(&project->ini, entry, err)
	             : error_prefix(err, "[%s]", section);
}

/* Finds out which strategies are to be measured, and what is the best one. */
static int read_aim(const struct project *project,
    const struct search_ops **search, struct request *request,
    struct error *err)
{
	*request = request_default();
	*search = search_parse(project->plan.measure.search, err);
	if (!*search)
		return blame(project, "measure", "search", err);
	if (request_ask(request, &project->plan.decision, "", err))
		return blame(project, "decision", "objective", err);
	if (!request->objective->needs_prices)
		return 0;
	error_set(err, ERROR_USAGE,
	    "objective %s needs prices, which only presto recommend takes",
	    request->objective->name);
	return blame(project, "decision", "objective", err);
}

/* Measures, or does what the first of several processes tells. */
static int work(struct args *args, struct project *project,
    struct measuring *measuring, struct error *err)
{
	struct meet meet = { .dir = NULL };
	int rc = 0;

	if (args->together && !args->dry_run)
		rc = meet_join(&meet, project, cmd_database(args->db),
		    measuring->stop, err);
	measuring->meet = &meet;
	if (rc == 0 && meet_follows(&meet))
		rc = meet_follow(&meet, project, measuring->strategies,
		    measuring->stop, err);
	else if (rc == 0)
		rc = measuring_run(measuring, err);
	meet_leave(&meet, rc, err);
	measuring->meet = NULL;
	return rc;
}

static int profile(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct args own = *args; /* for `run`, whose argument is not const */
	struct project *project = project_new(err);
	struct strategies strategies = STRATEGIES_INIT;
	char *name = args->name ? strdup(args->name) : NULL;
	const struct search_ops *search;
	struct request request;
	int rc = -1;

	if (project &&
	    read_project(
	        project, args, count ? operands[0] : NULL, &name, err) == 0 &&
	    read_aim(project, &search, &request, err) == 0 &&
	    enumerate(&strategies, project, err) == 0)
		rc = work(&own, project,
		    &(struct measuring){
		        .project = project,
		        .strategies = &strategies,
		        .name = name,
		        .work_dir = args->work_dir,
		        .skipped = args->skipped,
		        .max_disk = args->max_disk,
		        .keep = args->keep,
		        .resume = args->resume,
		        .db = cmd_database(args->db),
		        .search = search,
		        .request = &request,
		        .dry_run = args->dry_run,
		        .stop = interrupt_watch(last_words),
		        .run = args->dry_run ? foresee : measure,
		        .arg = &own,
		    },
		    err);
	strategies_release(&strategies);
	project_free(project);
	free(name);
	return rc;
}

const struct cmd cmd_profile = {
	.name = "profile",
	.summary = "measure every strategy of a pipeline, and rank them",
	.usage = "[PIPELINE.conf]",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_max = 1,
	.run = profile,
};
