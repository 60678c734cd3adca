/* work.c - see work.h. */
#include "cmd/materialize/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/project/order_words.h"
#include "cmd/project/project.h"
#include "cmd/recommend/recommend.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/files/url.h"
#include "lib/measure/system.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/shard_count.h"
#include "strategies/planfile/plan_file.h"

enum {
	OVERRIDES = 4,
	FAR_THREADS = 16, /* least threads that wait for a server by turns */
};

/* Fills in `overrides`, which the settings refer to. */
static struct project_settings set_overrides(
    const struct materialize_args *args, struct override overrides[OVERRIDES])
{
	overrides[0] = (struct override){ "measure", "seed", args->seed };
	overrides[1] =
	    (struct override){ "strategies", "shuffle", args->shuffle };
	overrides[2] = (struct override){ "dataset", "version", args->at };
	overrides[3] = (struct override){ NULL, NULL, NULL };
	return project_settings_of(&args->sets, overrides);
}

/* Chooses the strategy `label`; the project is read already. */
static int choose(
    struct materialize_work *work, const char *label, struct error *err)
{
	struct project *project = work->project;

	work->orders = orders_new(&project->pipeline, err);
	if (!work->orders ||
	    strategy_parse_ordered(&work->strategy, label, work->orders, err))
		return -1;
	if (work->strategy.unprocessed)
		return error_set(err, ERROR_USAGE,
		    "unprocessed stores nothing: train on the dataset as "
		    "it is");
	/* Only this strategy is estimated. */
	project->plan.strategies.stores[0] = work->strategy.store;
	project->plan.strategies.codecs[0] = work->strategy.codec;
	project->plan.strategies.store_count =
	    project->plan.strategies.codec_count = 1;
	return 0;
}

/*
 * Sets the number of shards: as the winner was `measured` with, or that of the
 * plan.  Of several in the plan, an option chooses one, or the size does.
 */
static int choose_shards(struct materialize_work *work,
    const struct materialize_args *args, unsigned measured, struct error *err)
{
	const struct sweep *shards = &work->project->plan.strategies.shards;

	work->strategy.shards = measured ? measured : shards->values[0];
	if (measured || args->shards || shards->count == 1)
		return 0;
	work->strategy.shards = 0;
	for (unsigned i = 0; i < shards->count; i++)
		if (shards->values[i] == 0)
			return 0;
	return error_set(err, ERROR_USAGE,
	    "strategies.shards has %u numbers: choose one, as in --shards %llu",
	    shards->count, (unsigned long long)shards->values[0]);
}

/* Checks what does not go with the file `path`, a pipeline file or a plan. */
static int check_options(
    const struct materialize_args *args, const char *path, struct error *err)
{
	if (args->session || args->db)
		return error_set(err, ERROR_USAGE,
		    "give %s or --%s, not both; a session has its own pipeline "
		    "file",
		    path, args->session ? "session" : "db");
	if (args->plan && args->strategy)
		return error_set(err, ERROR_USAGE,
		    "give --plan or --strategy, not both: a plan has its own "
		    "strategy");
	return 0;
}

int work_read_file(struct materialize_work *work,
    const struct materialize_args *args, const char *path, struct error *err)
{
	struct override overrides[OVERRIDES];
	const struct project_settings settings = set_overrides(args, overrides);
	struct project *project = work->project;
	const char *label = args->strategy;

	if (check_options(args, args->plan ? args->plan : path, err) ||
	    project_read_planned(project, path, args->plan, &settings, err))
		return -1;
	if (!label && project->planned) {
		label = project->planned->strategy;
		work->threads = plan_most_threads(&project->plan);
	}
	if (!label)
		return error_set(err, ERROR_USAGE,
		    "--strategy NAME is missing; presto recommend names one");
	project->dataset.known = work->known;
	project->keeps_far = true;
	if (project_open_noted(project, 0, false, err) ||
	    project_check_planned(project, NULL, err) ||
	    choose(work, label, err))
		return -1;
	return choose_shards(work, args, 0, err);
}

/* Finds the strategy: the one that was given, or the recommended one. */
static int find_choice(const struct materialize_args *args,
    struct results *results, int64_t session, struct recommend_choice *choice,
    struct error *err)
{
	const char *label = choice->label;

	*choice = (struct recommend_choice){ .is_settled = true };
	if (args->strategy) {
		snprintf(choice->label, RESULTS_LABEL, "%s", args->strategy);
		return 0;
	}
	if (recommend_winner(results, session, choice, err))
		return -1;
	if (!choice->is_settled)
		cmd_warn("session %lld is inconclusive: a strategy may be "
		         "twice as good as %s; presto recommend names it, and "
		         "what to measure",
		    (long long)session, label);
	if (strcmp(label, "unprocessed") == 0)
		return error_set(err, ERROR_GATE,
		    "session %lld recommends unprocessed: train on the dataset "
		    "as it is; --strategy NAME writes another strategy",
		    (long long)session);
	return 0;
}

static int recall(struct materialize_work *work,
    const struct materialize_args *args, struct results *results,
    int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	struct project *project = work->project;
	struct override overrides[OVERRIDES];
	const struct project_settings settings = set_overrides(args, overrides);
	struct recommend_choice choice;
	int rc = -1;

	if (find_choice(args, results, session, &choice, err))
		return -1;
	if (project_recall(project, results, session, &settings, err))
		return -1;
	project->dataset.known = work->known;
	project->keeps_far = true;
	if (project_open_noted(project, 0, false, err) == 0 &&
	    results_read_session(results, session, &record, err) == 0 &&
	    (work->known.inventory || /* the first part has compared it */
	        project_check_dataset(project, results, &record, err) == 0))
		rc = choose(work, choice.label, err);
	if (rc == 0)
		rc = choose_shards(work, args, choice.shards, err);
	work->threads = plan_most_threads(&project->plan);
	session_record_release(&record);
	return rc;
}

int work_read_session(struct materialize_work *work,
    const struct materialize_args *args, struct error *err)
{
	struct results *results =
	    derive_open(cmd_database(args->db), false, err);
	int64_t session = 0;
	int rc = -1;

	if (results && results_pick_session(
	                   results, (int64_t)args->session, &session, err) == 0)
		rc = recall(work, args, results, session, err);
	results_close(results);
	return rc;
}

int work_estimate(struct materialize_work *work, bool timed, struct error *err)
{
	const struct project *project = work->project;
	const struct pilot_plan how = {
		.source = project->source,
		.pipeline =
		    strategy_pipeline(&work->strategy, &project->pipeline),
		.plan = &project->plan,
		.timed = timed,
		.skip_errors = project->dataset.skip_errors,
		.stop = work->stop,
	};

	work->model = calloc(1, sizeof(*work->model));
	if (!work->model)
		return error_memory(err, sizeof(*work->model));
	if (pilot_run(work->model, &how, err))
		return project_hint(project->dataset.skip_errors, err);
	if (model_check(work->model, &work->strategy, err))
		return error_prefix(err, "strategy '%s'", work->strategy.label);
	order_warn(work->model);
	return 0;
}

unsigned work_threads(
    const struct materialize_args *args, const struct materialize_work *work)
{
	struct machine machine;

	if (args->threads)
		return (unsigned)args->threads;
	if (work->threads)
		return work->threads;
	machine_read(&machine);
	if (machine.cores < FAR_THREADS &&
	    (work->project->source->is_far || (args->out && url_is(args->out))))
		return FAR_THREADS;
	return machine.cores;
}

double work_bytes(const struct materialize_work *work)
{
	return model_storage_bytes(
	    work->model, &work->strategy, work->project->source->samples);
}

unsigned work_shards(
    const struct materialize_args *args, const struct materialize_work *work)
{
	const struct project *project = work->project;

	return shard_count(project->source, &project->plan.strategies.order,
	    args->shards ? args->shards : work->strategy.shards,
	    work_bytes(work));
}

struct footprint work_footprint(
    const struct materialize_work *work, unsigned threads, const char *dir)
{
	const struct load load = { .samples = work->project->source->samples,
		.threads = threads };

	return footprint_of_preparation(
	    work->model, &work->strategy, &load, dir);
}

int work_take_inventory(struct materialize_work *work, struct error *err)
{
	const struct pipeline *pipeline =
	    strategy_pipeline(&work->strategy, &work->project->pipeline);
	uint64_t steps = 0;

	for (unsigned i = 0; i < work->strategy.split; i++)
		steps |= UINT64_C(1) << pipeline->steps[i].given;
	return project_inventory(
	    work->project, steps, work->stop, &work->project->inventory, err);
}

void work_release(struct materialize_work *work)
{
	model_release(work->model);
	free(work->model);
	orders_free(work->orders);
	project_free(work->project);
}
