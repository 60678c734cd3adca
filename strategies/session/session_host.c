/* session_host.c - see session_host.h. */
#include "strategies/session/session_host.h"
#include "strategies/monitor/noise_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/measure/reference.h"
#include "lib/measure/system.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/bottleneck.h"
#include "strategies/trial/trial.h"

/* ---- the storage ---- */

/* The probe writes at most so many bytes. */
enum { PROBE_DISK = 256000000 };

/* A search takes about so much of the time of all strategies. */
static const double searched = 0.25;

/* Seconds for measuring: a small part of the session, but enough to do it. */
static double seconds_for(const struct session *session)
{
	const double budget_s = session->plan->plan->measure.budget_s;
	double all_s = session->messages.progress.all_s;

	if (session_searches(session->plan))
		all_s *= searched;
	if (budget_s > 0 && budget_s < all_s)
		all_s = budget_s;
	return fmin(fmax(0.05 * all_s, fmin(0.1 * all_s, 0.5)), 10);
}

int session_host_learn_ceilings(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct error why = ERROR_INIT;
	char text[sizeof(why.text) + 64];
	bool cold = false;

	if (accuracy_learn(&plan->model->accuracy, session->results,
	        session->host.machine.cpu, err))
		return -1;
	for (unsigned i = 0; i < plan->plan->load.cache_count; i++)
		cold |= plan->plan->load.caches[i] == CACHE_NONE;
	if (!cold || !plan->plan->measure.probe || plan_emulates(plan->plan) ||
	    (plan->max_disk && plan->max_disk < PROBE_DISK))
		return 0;
	messages_begin(&session->messages, 0, "measuring the storage");
	messages_advance(&session->messages, 0);
	if (ceilings_of(session->results, session->folder.path,
	        plan_fetchers(plan->plan, plan_most_threads(plan->plan)),
	        seconds_for(session), plan->stop, &plan->model->stored_ceilings,
	        &why)) {
		if (why.code == ERROR_INTERRUPTED) {
			*err = why;
			return -1;
		}
		snprintf(text, sizeof(text), "the storage was not measured: %s",
		    why.text);
		messages_warn(&session->messages, text);
	}
	return ceilings_read(session->results, plan->dataset.path,
	    &plan->model->source_ceilings, err);
}

/* ---- disturbances ---- */

int session_host_monitor(struct session *session, struct error *err)
{
	struct session_host *host = &session->host;

	host->monitor = monitor_new("", session->times.began_ns);
	host->noise = (struct noise){
		.cores = host->machine.cores,
		.emulated = plan_emulates(session->plan->plan),
	};
	frequency_read("", &host->frequency);
	host->workload = reference_new(&clock_monotonic, err);
	return host->workload ? 0 : -1;
}

void session_host_release(struct session_host *host)
{
	monitor_free(host->monitor);
	reference_free(host->workload);
}

/* An emulated storage has its limits in place of ceilings. */
static int learn_from(struct session *session, const struct strategy *strategy,
    struct trial *trial, double *passes, struct error *err)
{
	const struct ceilings *ceilings =
	    model_ceilings(session->plan->model, strategy);
	const struct ceilings_reading reading =
	    bottleneck_reading(trial_get_plan(trial), trial_get_result(trial));

	*passes = 0;
	if (plan_emulates(session->plan->plan))
		return 0;
	*passes = ceilings_passed(ceilings, &reading);
	return ceilings_raise(session->results, ceilings, &reading, err);
}

int session_host_judge(struct session *session, const struct strategy *strategy,
    struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	const struct trial_result *result = trial_get_result(trial);
	char filesystem[128];
	struct bottleneck bottleneck;
	struct noise_trial how = {
		.label = strategy->label,
		.threads = plan->loading.mode.threads,
		.cache = plan->loading.mode.cache,
		.filesystem = filesystem,
		.runs = result->runs,
		.run_count = result->run_count,
		.residency = &result->residency,
		.beaten = session->search &&
		          result->runs_made < plan->loading.plan->measure.runs,
	};

	machine_filesystem(strategy->unprocessed ? session->plan->dataset.path
	                                         : session->folder.path,
	    filesystem);
	bottleneck_find(plan, result, session->host.machine.cores,
	    model_ceilings(session->plan->model, strategy), &bottleneck);
	how.waits = strcmp(bottleneck.word, "storage") == 0 ||
	            strcmp(bottleneck.word, "latency") == 0;
	if (learn_from(session, strategy, trial, &how.passes, err))
		return -1;
	noise_add(&session->host.noise, &how);
	return 0;
}

int session_host_relearn_ceilings(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct model *model = plan->model;

	if (model->stored_ceilings.count &&
	    ceilings_read(session->results, session->folder.path,
	        &model->stored_ceilings, err))
		return -1;
	if (model->source_ceilings.count &&
	    ceilings_read(session->results, plan->dataset.path,
	        &model->source_ceilings, err))
		return -1;
	return 0;
}

void session_host_tell(struct session *session)
{
	struct noise_machine machine = { .virtual =
		                             session->host.machine.virtual,
		.before = session->host.frequency };
	const struct noise_listener listener = { .note = messages_note,
		.warn = messages_warn,
		.arg = &session->messages };

	frequency_read("", &machine.after);
	machine.monitored = monitor_runs(session->host.monitor, &machine.runs);
	noise_tell(&session->host.noise, &machine, &listener);
}
