/* session_host.c - see session_state.h: the machine beside a session. */
#include "lib/measure/system.h"
#include "strategies/session/bottleneck.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial.h"

void session_watch(struct session *session)
{
	const struct storage_limits *limits = &session->plan->plan->limits;

	session->monitor = monitor_new("", session->origin_ns);
	session->noise = (struct noise){
		.cores = session->machine.cores,
		.emulated = limits->bandwidth > 0 || limits->latency > 0 ||
		            limits->iops > 0 || limits->open > 0,
	};
	frequency_read("", &session->frequency);
}

void session_judge(struct session *session, const struct strategy *strategy,
    struct trial *trial)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	const struct trial_result *result = trial_get_result(trial);
	char filesystem[128];
	const struct noise_trial how = {
		.label = strategy->label,
		.threads = plan->loading.threads,
		.cache = plan->loading.cache,
		.filesystem = filesystem,
		.runs = result->runs,
		.run_count = result->run_count,
		.passes =
		    bottleneck_passes(plan, result, session->machine.cores,
		        model_ceilings(session->plan->model, strategy)),
	};

	machine_filesystem(
	    strategy->unprocessed ? session->plan->dataset : session->work_dir,
	    filesystem);
	noise_add(&session->noise, &how);
}

static void note(void *arg, const char *text)
{
	const struct session *session = arg;

	if (session->plan->note)
		session->plan->note(session->plan->arg, text);
}

void session_tell_noise(struct session *session)
{
	struct noise_machine machine = { .virtual = session->machine.virtual,
		.before = session->frequency };
	const struct noise_listener listener = {
		.note = note, .warn = session_warn, .arg = session
	};

	frequency_read("", &machine.after);
	machine.watched = monitor_runs(session->monitor, &machine.runs);
	noise_tell(&session->noise, &machine, &listener);
}
