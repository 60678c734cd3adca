/* group.c - see group.h. */
#include "strategies/session/group.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "strategies/session/duration.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/rounds.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"

struct group {
	struct session *session;
	struct measured_strategy *measured;
	size_t count;
	struct scheduled_trial *scheduled; /* one entry a trial */
	size_t scheduled_count;
	struct measured_strategy **owners; /* [scheduled] */
	uint64_t deadline_ns;
};

/* Predicts the seconds of one run of each trial opened so far. */
static double one_round(const struct group *group)
{
	double seconds = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct measured_strategy *one = &group->measured[i];

		for (unsigned t = 0; !one->over && t < one->trial_count; t++) {
			const struct load load =
			    duration_trial_load(trial_get_plan(one->trials[t]));

			seconds += duration_of_run(
			    group->session->plan, one->strategy, &load);
		}
	}
	return seconds;
}

/* Is there time to prepare the strategy, and to run all trials once? */
static int check_time(const struct group *group,
    const struct measured_strategy *one, struct error *err)
{
	const struct session_plan *plan = group->session->plan;
	const uint64_t now = clock_now(&clock_monotonic);
	const double need =
	    duration_of_strategy(plan, one->strategy, 1) + one_round(group);
	char budget[UNITS_TEXT];

	if (!group->deadline_ns || one->strategy->unprocessed ||
	    (double)now + need * 1e9 <= (double)group->deadline_ns)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    SESSION_NO_TIME "%s: raise --budget, or measure fewer strategies "
	                    "or samples",
	    units_time(plan->plan->measure.budget_s, budget));
}

static int open_strategy(struct group *group, size_t i,
    const struct strategy *strategy, struct error *err)
{
	struct measured_strategy *one = &group->measured[i];

	if (measured_strategy_begin(one, group->session, strategy, err))
		return -1;
	group->count = i + 1;
	if (one->over)
		return 0;
	if (check_time(group, one, err))
		return measured_strategy_skip(one, err);
	return measured_strategy_open(one, group->measured, i, err);
}

static int schedule_trials(struct group *group, struct error *err)
{
	size_t count = 0, next = 0;

	for (size_t i = 0; i < group->count; i++)
		count += group->measured[i].trial_count;
	group->scheduled = calloc(count + 1, sizeof(*group->scheduled));
	group->owners = calloc(count + 1, sizeof(*group->owners));
	if (!group->scheduled || !group->owners)
		return error_memory(err, count * sizeof(*group->scheduled));
	group->scheduled_count = count;
	for (size_t i = 0; i < group->count; i++) {
		struct measured_strategy *one = &group->measured[i];

		for (unsigned t = 0; t < one->trial_count; t++) {
			group->owners[next] = one;
			group->scheduled[next++].trial = one->trials[t];
		}
	}
	return 0;
}

static int run_scheduled(
    void *arg, struct scheduled_trial *trial, double *rate, struct error *err)
{
	const struct group *group = arg;
	struct measured_strategy *one = group->owners[trial - group->scheduled];

	if (!one->over && measured_strategy_run(one, trial->trial, err))
		return error_prefix(err, "%s", one->strategy->label);
	if (one->over) {
		trial->ended = rounds_enough;
		return 1;
	}
	*rate = trial_last_rate(trial->trial);
	return 0;
}

static int run_all(struct group *group, struct error *err)
{
	const struct plan *plan = group->session->plan->plan;
	const struct rounds_plan rounds = {
		.least = (unsigned)plan->measure.runs,
		.most = (unsigned)plan->measure.most_runs,
		.precision = plan->measure.precision,
		.seed = plan->measure.seed,
		.clock = &clock_monotonic,
		.deadline_ns = group->deadline_ns,
		.trial_ns = (uint64_t)(plan->measure.trial_budget_s * 1e9),
		.twice = true,
		.run = run_scheduled,
		.arg = group,
	};

	group->session->times.rounds_ns = clock_unix_ns();
	if (schedule_trials(group, err) ||
	    rounds_run(&rounds, group->scheduled, group->scheduled_count, err))
		return -1;
	for (size_t i = 0; i < group->scheduled_count; i++)
		if (measured_strategy_end_trial(group->owners[i],
		        group->scheduled[i].trial, group->scheduled[i].ended,
		        err))
			return -1;
	return session_host_relearn_ceilings(group->session, err);
}

int group_measure(struct session *session, const struct strategy *strategies,
    size_t count, uint64_t deadline_ns, struct error *err)
{
	struct group group = {
		.session = session,
		.measured = calloc(count, sizeof(*group.measured)),
		.deadline_ns = deadline_ns,
	};
	const double done_before = session->messages.progress.done_s;
	double seconds = 0;
	int rc = 0;

	if (!group.measured)
		return error_memory(err, count * sizeof(*group.measured));
	for (size_t i = 0; rc == 0 && i < count; i++) {
		rc = open_strategy(&group, i, &strategies[i], err);
		if (rc)
			error_prefix(err, "%s", strategies[i].label);
	}
	if (rc == 0)
		rc = run_all(&group, err);
	for (size_t i = 0; i < group.count; i++) {
		rc = measured_strategy_close(&group.measured[i], rc, err);
		seconds += duration_of_strategy(session->plan, &strategies[i],
		    session->plan->plan->measure.runs);
	}
	messages_set_done(&session->messages, done_before + seconds);
	free(group.measured);
	free(group.scheduled);
	free(group.owners);
	return rc;
}
