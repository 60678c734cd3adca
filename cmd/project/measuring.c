/* measuring.c - see measuring.h. */
#include "cmd/project/measuring.h"

#include <stdlib.h>
#include <unistd.h>

#include "cmd/program/cmd.h"
#include "cmd/program/progress.h"
#include "cmd/project/forecast.h"
#include "cmd/project/meet.h"
#include "cmd/project/order_words.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"
#include "lib/sample/skipped.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/order_models.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/shapes.h"
#include "strategies/session/session.h"
#include "strategies/trial/user_loader.h"

/*
 * An epoch of the user's own loader with so many times the samples of the
 * dataset does not end.
 */
enum { EPOCHS_REPEATED = 100 };

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

int measuring_once(const struct session_plan *plan, struct results *results,
    int64_t *session, struct error *err)
{
	const int rc = session_run(plan, results, session, err);

	progress_clear(plan->callbacks.arg);
	return rc ? project_hint(plan->skip_errors, err) : 0;
}

int measuring_session(const struct session_plan *plan, struct results *results,
    int64_t *session, struct error *err)
{
	const int rc = measuring_once(plan, results, session, err);

	if (rc && err->code == ERROR_INTERRUPTED)
		cmd_warn("finished runs are kept in %s; --resume continues",
		    results_path(results));
	return rc;
}

static void warn_left_out(const struct strategies *strategies)
{
	for (size_t i = 0; i < strategies->left_count; i++)
		cmd_warn("left out %s: %s", strategies->left_out[i].what,
		    strategies->left_out[i].why);
}

/* Takes the costs of a session that is resumed: it had orders chosen so. */
static int recall_costs(const struct measuring *measuring,
    const struct session_plan *plan, struct order_costs *costs,
    struct error *err)
{
	struct results *results;
	int rc;

	if (!measuring->resume || !measuring->db || !path_exists(measuring->db))
		return 0;
	results = derive_open(measuring->db, false, err);
	rc = results ? session_recall_costs(plan, results, costs, err) : -1;
	results_close(results);
	return rc;
}

/* Adds strategies in other orders, if the plan asks for them. */
static int add_orders(const struct measuring *measuring,
    const struct session_plan *plan, const struct pilot_plan *how,
    struct order_costs *costs, struct error *err)
{
	int found;

	if (!strategies_want_all_orders(plan->plan))
		return 0;
	found = recall_costs(measuring, plan, costs, err);
	if (found < 0 || (!found && order_costs_find(costs, how, err)))
		return -1;
	return strategies_add_orders(
	    measuring->strategies, plan->plan, plan->pipeline, costs, err);
}

/*
 * Adds strategies in other orders, and runs pilot samples through all steps and
 * codecs.
 */
static int look(const struct measuring *measuring,
    const struct session_plan *plan, struct order_costs *costs,
    struct error *err)
{
	const struct pilot_plan how = {
		.source = plan->source,
		.pipeline = plan->pipeline,
		.plan = plan->plan,
		.strategies = plan->strategies,
		.timed = true,
		.rehearse_s = pilot_rehearse_s,
		/* A forecast writes no samples to the disk. */
		.work_dir = measuring->dry_run ? NULL : plan->work_dir,
		.medium = plan->medium,
		.skip_errors = plan->skip_errors,
		.stop = plan->stop,
	};

	if (isatty(STDERR_FILENO))
		plan->callbacks.progress(plan->callbacks.arg, 0,
		    2 * pilot_rehearse_s, "pilot samples");
	if (add_orders(measuring, plan, &how, costs, err) ||
	    pilot_run(plan->model, &how, err) ||
	    order_models_make(plan->model, measuring->strategies, &how, err))
		return project_hint(plan->skip_errors, err);
	return 0;
}

/* Finds the user's own loader, which is measured beside the strategies. */
static int add_yours(struct user_loader_plan *user,
    const struct measuring *measuring, struct error *err)
{
	const struct project *project = measuring->project;
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
	user->stop = measuring->stop;
	user->timeout_s = plan->measure.loader_timeout_s;
	if (!pipeline_makes_many(pipeline, 0, pipeline->count))
		user->most_samples =
		    EPOCHS_REPEATED * project->source->total_samples;
	if (user_loader_look(user, err))
		return -1;
	return strategies_add_yours(measuring->strategies, err);
}

/* Leaves out what pilot samples show to be impossible, then goes to work. */
static int look_and_run(const struct measuring *measuring,
    struct session_plan *plan, struct error *err)
{
	struct strategies *strategies = measuring->strategies;
	struct model *model = plan->model;
	struct order_costs costs;
	int rc = look(measuring, plan, &costs, err);

	progress_clear(plan->callbacks.arg);
	if (rc || model_leave_out(model, strategies, err))
		return -1;
	warn_left_out(strategies);
	forecast_warn(model);
	order_warn(model);
	model->sync = sync_cost_measure(
	    measuring->work_dir, plan_most_threads(plan->plan));
	if (strategies_want_all_orders(plan->plan))
		plan->order_costs = &costs;
	if (measuring->meet) {
		plan->together.meeting = measuring->meet->meeting;
		plan->together.dir = measuring->meet->dir;
	}
	rc = measuring->run(measuring->arg, plan, err);
	plan->order_costs = NULL;
	if (!measuring->dry_run)
		rc = skips_write(plan->skipped, measuring->skipped, rc, err);
	return rc;
}

static struct reader *open_source(
    void *arg, uint64_t samples, struct error *err)
{
	struct project *project = arg;
	struct reader *source;

	/* An emulated storage does not slow down listing. */
	medium_set_warm(project->medium, true);
	source = dataset_open(&project->dataset, samples, project->medium, err);
	medium_set_warm(project->medium, false);
	return source;
}

/* The inventory is in the project. */
static int with_model(const struct measuring *measuring, struct error *err)
{
	struct user_loader_plan user = USER_LOADER_PLAN_INIT;
	struct project *project = measuring->project;
	char *real = project_place(project);
	struct skipped *skipped = skips_new(measuring->skipped, err);
	char *warning = project_warning(project);
	struct progress progress;
	struct session_plan plan = {
		.plan = &project->plan,
		.name = measuring->name,
		.pipeline = &project->pipeline,
		.strategies = measuring->strategies,
		.search = measuring->search,
		.request = measuring->request,
		.model = calloc(1, sizeof(struct model)),
		.source = project->source,
		.fewer = { .open = open_source, .arg = project },
		.medium = project->medium,
		.dataset = {
			.path = real ? real : "",
			.given = project->dataset.path,
			.inventory = &project->inventory,
		},
		.work_dir = measuring->work_dir,
		.full_samples = project->dataset.full_samples
		                    ? project->dataset.full_samples
		                    : project->source->total_samples,
		.max_disk = measuring->max_disk,
		.warning = warning,
		.skip_errors = project->dataset.skip_errors,
		.skipped = skipped,
		.keep = measuring->keep,
		.resume = measuring->resume,
		.stop = measuring->stop,
		.callbacks = {
			.progress = show,
			.note = note,
			.warn = warn,
			.arg = &progress,
		},
	};
	int rc = -1;

	progress_begin(&progress);
	if (!plan.model)
		error_memory(err, sizeof(struct model));
	else if (skipped && add_yours(&user, measuring, err) == 0) {
		plan.user_loader = user.given ? &user : NULL;
		rc = look_and_run(measuring, &plan, err);
	}
	user_loader_release(&user);
	skipped_free(skipped);
	order_models_release(plan.model);
	model_release(plan.model);
	free(plan.model);
	free(warning);
	free(real);
	return rc;
}

/* Tells what the mode system means for a far dataset. */
static void tell_far(const struct project *project)
{
	const struct plan *plan = &project->plan;

	for (unsigned i = 0; i < plan->load.cache_count; i++)
		if (project->source->is_far &&
		    plan->load.caches[i] == CACHE_SYSTEM)
			cmd_note(
			    "no page cache here has the bytes of a server: "
			    "unprocessed reads them anew in every epoch, with "
			    "cache system as with none; load.fetchers=auto "
			    "finds how many readers hide the latency");
}

int measuring_run(const struct measuring *measuring, struct error *err)
{
	struct project *project = measuring->project;

	if (url_is(measuring->work_dir))
		return error_set(err, ERROR_USAGE,
		    "--work-dir %s: measuring needs a local folder; presto "
		    "materialize --out writes to s3://BUCKET/PREFIX",
		    measuring->work_dir);
	if (!measuring->dry_run &&
	    project_inventory(project, PROJECT_STEPS, measuring->stop,
	        &project->inventory, err))
		return -1;
	tell_far(project);
	return with_model(measuring, err);
}
