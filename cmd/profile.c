/* profile.c - presto profile: measures the strategies of a pipeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/private.h"
#include "cmd/program/progress.h"
#include "cmd/project/forecast.h"
#include "cmd/project/order_words.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/report.h"
#include "lib/base/error.h"
#include "lib/db/private.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/sample/skipped.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/ceilings.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/shapes.h"
#include "strategies/forecast/sync_time.h"
#include "strategies/session/session.h"
#include "strategies/session/user_loader.h"

/*
 * An epoch of the user's own loader with so many times the samples of the
 * dataset does not end.
 */
enum { EPOCHS_REPEATED = 100 };

struct args {
	const char *budget, *cache, *codec, *epochs, *loader, *runs, *samples,
	    *seed, *shards, *shuffle, *split, *store, *threads, *trial_budget,
	    *verify; /* as keys of the file */
	const char *db, *name, *skipped, *work_dir;
	uint64_t max_disk, session;
	struct option_texts sets;
	bool dry_run, keep, no_reuse, private, resume;
};

static const struct option options[] = {
	OPTION(TEXT, "budget", 'b', struct args, budget, "TIME",
	    "limit the session to TIME, such as 90s; repeat runs until they "
	    "are precise or time is up"),
	OPTION(TEXT, "cache", 0, struct args, cache, "LIST",
	    "cache modes to measure: none, system, application"),
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
	OPTION(TEXT, "name", 0, struct args, name, "TEXT",
	    "name of the pipeline in reports (default: name of the file)"),
	OPTION(FLAG, "no-reuse", 0, struct args, no_reuse, NULL,
	    "prepare each strategy from the source; reuse nothing that another "
	    "one prepared"),
	OPTION_PRIVATE(struct args),
	OPTION(FLAG, "resume", 0, struct args, resume, NULL,
	    "continue the unfinished session of this pipeline; without a file, "
	    "take the pipeline from a session"),
	OPTION(TEXT, "runs", 'r', struct args, runs, "N",
	    "number of runs of each trial"),
	OPTION(TEXT, "samples", 's', struct args, samples, "N",
	    "number of samples to take from the source"),
	OPTION(TEXT, "seed", 0, struct args, seed, "N",
	    "seed of random steps and of the shuffle"),
	OPTION_ABOVE_0(UINT, "session", struct args, session, "ID",
	    "session whose pipeline --resume takes without a file (default: "
	    "the newest)"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION(TEXT, "shards", 0, struct args, shards, "N",
	    "divide stored data into N files"),
	OPTION(TEXT, "shuffle", 0, struct args, shuffle, "SEED|no",
	    "store in a random order drawn from SEED, or in the order of the "
	    "dataset (default: SEED is measure.seed)"),
	OPTION(TEXT, "skipped", 0, struct args, skipped, "FILE", SKIPS_HELP),
	OPTION(TEXT, "split", 0, struct args, split, "LIST",
	    "representations to store, or all"),
	OPTION(TEXT, "store", 0, struct args, store, "LIST",
	    "stores to measure, such as tar,tfrecord"),
	OPTION(TEXT, "threads", 't', struct args, threads, "LIST",
	    "numbers of worker threads to measure"),
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

static int read_project(struct project *project, const struct args *args,
    const char *path, char **name, struct error *err)
{
	const struct override overrides[] = {
		{ "load", "cache", args->cache },
		{ "load", "threads", args->threads },
		{ "measure", "budget", args->budget },
		{ "measure", "epochs", args->epochs },
		{ "measure", "loader", args->loader },
		{ "measure", "reuse", args->no_reuse ? "no" : NULL },
		{ "measure", "runs", args->runs },
		{ "measure", "samples", args->samples },
		{ "measure", "seed", args->seed },
		{ "measure", "trial_budget", args->trial_budget },
		{ "measure", "verify", args->verify },
		{ "strategies", "codec", args->codec },
		{ "strategies", "shards", args->shards },
		{ "strategies", "shuffle", args->shuffle },
		{ "strategies", "split", args->split },
		{ "strategies", "store", args->store },
		{ NULL, NULL, NULL },
	};
	const struct project_settings settings =
	    project_settings_of(&args->sets, overrides);

	if (!path && !args->resume)
		return error_set(err, ERROR_USAGE,
		    "which pipeline? name its file; or --resume for the one "
		    "of the newest session");
	if (path && args->session)
		return error_set(err, ERROR_USAGE,
		    "--session is for --resume without a pipeline file");
	if (path ? project_read(project, path, &settings, err)
	         : recall(project, args, &settings, name, err))
		return -1;
	if (!*name)
		*name = project_name(project->ini.path, err);
	if (!*name)
		return -1;
	/* Computed once: free memory shrinks while loaders exist. */
	project->plan.load.cache_budget = plan_cache_budget(&project->plan);
	return project_open_noted(
	    project, project->plan.measure.samples, true, err);
}

static void show(void *arg, double done_s, double all_s, const char *what)
{
	progress_show(arg, done_s, all_s, what);
}

static void note(void *arg, const char *text)
{
	progress_clear(arg);
	cmd_note("%s", text);
}

static void warn(void *arg, const char *text)
{
	progress_clear(arg);
	cmd_warn("%s", text);
}

static int measure_session(const struct session_plan *plan,
    struct results *results, int64_t *session, struct error *err)
{
	const int rc = session_run(plan, results, session, err);

	progress_clear(plan->arg);
	if (rc && err->code == ERROR_INTERRUPTED)
		cmd_warn("finished runs are kept in %s; --resume continues",
		    results_path(results));
	if (rc)
		project_hint(plan->skip_errors, err);
	return rc;
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
    const struct args *args, const struct session_plan *plan, struct error *err)
{
	struct results *results =
	    derive_open(cmd_database(args->db), true, err);
	int64_t session = 0;
	int rc = -1;

	if (results && measure_session(plan, results, &session, err) == 0)
		rc = print_session(args, results, session, err);
	results_close(results);
	return rc;
}

static void warn_left_out(const struct strategies *strategies)
{
	for (size_t i = 0; i < strategies->left_count; i++)
		cmd_warn("left out %s: %s", strategies->left_out[i].what,
		    strategies->left_out[i].why);
}

/* Runs pilot samples through all steps and codecs. */
static int look(
    struct model *model, const struct session_plan *plan, struct error *err)
{
	const struct pilot_plan how = {
		.source = plan->source,
		.pipeline = plan->pipeline,
		.plan = plan->plan,
		.timed = true,
		.skip_errors = plan->skip_errors,
		.stop = plan->stop,
	};

	if (pilot_run(model, &how, err))
		return project_hint(plan->skip_errors, err);
	return 0;
}

/* Reads ceilings that sessions or presto probe saw in the last 24 hours. */
static int read_ceilings(
    const struct session_plan *plan, const char *path, struct error *err)
{
	struct model *model = plan->model;
	struct results *results;
	int rc = -1;

	if (!plan->plan->measure.probe || plan_emulates(plan->plan) ||
	    !path_exists(path))
		return 0;
	results = derive_open(path, false, err);
	if (results && ceilings_read(results, plan->dataset,
	                   &model->source_ceilings, err) == 0)
		rc = ceilings_read(
		    results, plan->work_dir, &model->stored_ceilings, err);
	results_close(results);
	return rc;
}

/* Prints the forecast of --dry-run. */
static int foresee(
    const struct args *args, const struct session_plan *plan, struct error *err)
{
	if (plan->warning)
		cmd_warn("%s", plan->warning);
	if (read_ceilings(plan, cmd_database(args->db), err))
		return -1;
	if (args->private) {
		private_filesystem(plan->model->source_ceilings.place.device);
		private_filesystem(plan->model->stored_ceilings.place.device);
	}
	return forecast_print(plan, stdout, err);
}

/* Finds the user's own loader, which is measured beside the strategies. */
static int add_yours(struct user_loader_plan *user, struct project *project,
    struct strategies *strategies, const atomic_bool *stop, struct error *err)
{
	const struct plan *plan = &project->plan;
	const struct pipeline *pipeline = &project->pipeline;

	if (user_loader_read(user, &project->ini, err))
		return -1;
	if (!user->given)
		return 0;
	if (plan_emulates(plan))
		return error_set(err, ERROR_USAGE,
		    "loader: [storage] slows down presto's reading only, and "
		    "your own loader cannot be compared with that; leave one "
		    "of them out");
	if (plan->load.cache_count == 1 &&
	    plan->load.caches[0] == CACHE_APPLICATION)
		return error_set(err, ERROR_USAGE,
		    "loader: your own loader is measured with cache none or "
		    "system; add one of them to --cache");
	user->dataset = project->dataset.path;
	user->stop = stop;
	user->timeout_s = plan->measure.loader_timeout_s;
	if (!pipeline_makes_many(pipeline, 0, pipeline->count))
		user->most_samples =
		    EPOCHS_REPEATED * project->source->total_samples;
	if (user_loader_look(user, err))
		return -1;
	return strategies_add_yours(strategies, err);
}

static const char last_words[] =
    "presto: ended at once; finished runs are in the database; continue with "
    "presto profile --resume, which also removes the work folder\n";

/* Leaves out what pilot samples show to be impossible, then goes to work. */
static int look_and_run(const struct args *args,
    const struct session_plan *plan, struct strategies *strategies,
    struct error *err)
{
	struct model *model = plan->model;
	int rc;

	if (look(model, plan, err) || model_leave_out(model, strategies, err))
		return -1;
	warn_left_out(strategies);
	forecast_warn(model);
	order_warn(model);
	model->sync_s = sync_time(args->work_dir);
	rc = (args->dry_run ? foresee : measure)(args, plan, err);
	if (!args->dry_run)
		rc = skips_write(plan->skipped, args->skipped, rc, err);
	return rc;
}

static int with_model(const struct args *args, struct project *project,
    struct strategies *strategies, const char *name, const atomic_bool *stop,
    struct error *err)
{
	struct user_loader_plan user = USER_LOADER_PLAN_INIT;
	char *real = project_place(project);
	const char *dataset = real ? real : "";
	struct skipped *skipped = skips_new(args->skipped, err);
	struct progress progress;
	struct session_plan plan = {
		.plan = &project->plan,
		.name = name,
		.pipeline = &project->pipeline,
		.strategies = strategies,
		.source = project->source,
		.medium = project->medium,
		.dataset = dataset,
		.inventory = &project->inventory,
		.dataset_given = project->dataset.path,
		.work_dir = args->work_dir,
		.full_samples = project->dataset.full_samples
		                    ? project->dataset.full_samples
		                    : project->source->total_samples,
		.max_disk = args->max_disk,
		.skip_errors = project->dataset.skip_errors,
		.keep = args->keep,
		.resume = args->resume,
		.stop = stop,
		.progress = show,
		.note = note,
		.warn = warn,
		.arg = &progress,
	};
	struct model *model = calloc(1, sizeof(*model));
	char *warning = project_warning(project);
	int rc = -1;

	progress_begin(&progress);
	plan.warning = warning;
	plan.model = model;
	plan.skipped = skipped;
	if (!model)
		error_memory(err, sizeof(*model));
	else if (skipped &&
	         add_yours(&user, project, strategies, stop, err) == 0) {
		plan.user_loader = user.given ? &user : NULL;
		rc = look_and_run(args, &plan, strategies, err);
	}
	user_loader_release(&user);
	skipped_free(skipped);
	free(warning);
	free(model);
	free(real);
	return rc;
}

static int profile(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct project *project = project_new(err);
	struct strategies strategies = STRATEGIES_INIT;
	char *name = args->name ? strdup(args->name) : NULL;
	int rc = -1;

	if (project &&
	    read_project(
	        project, args, count ? operands[0] : NULL, &name, err) == 0 &&
	    strategies_enumerate(
	        &strategies, &project->plan, &project->pipeline, err) == 0) {
		const atomic_bool *stop = interrupt_watch(last_words);

		if (args->dry_run ||
		    project_inventory(project, project->pipeline.count, stop,
		        &project->inventory, err) == 0)
			rc = with_model(
			    args, project, &strategies, name, stop, err);
	}
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
