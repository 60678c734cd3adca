/*
 * group.c - several strategies of a session at a time: all are prepared and
 * checked, then the runs of all their trials are made in rounds.
 */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/rounds.h"

struct group {
	struct session *session;
	struct subject *subjects;
	size_t count;
	struct scheduled_trial *scheduled; /* one a trial */
	size_t scheduled_count;
	struct subject **owners; /* [scheduled] */
	uint64_t deadline_ns;
};

/* Seconds that a run of each trial will take, of all opened so far. */
static double one_round(const struct group *group)
{
	double seconds = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct subject *subject = &group->subjects[i];

		for (unsigned t = 0; !subject->over && t < subject->trial_count;
		     t++) {
			const struct trial_plan *plan =
			    trial_get_plan(subject->trials[t]);
			const struct load load = {
				.samples = plan->reader->samples,
				.threads = plan->loading.threads,
				.cache = plan->loading.cache,
			};

			seconds += session_run_seconds(
			    group->session->plan, subject->strategy, &load);
		}
	}
	return seconds;
}

/* Is there time to prepare it, and to run everything once? */
static int check_time(
    const struct group *group, const struct subject *subject, struct error *err)
{
	const struct session_plan *plan = group->session->plan;
	const uint64_t now = clock_now(&clock_monotonic);
	const double need =
	    session_strategy_seconds(plan, subject->strategy, 1) +
	    one_round(group);
	char budget[UNITS_TEXT];

	if (!group->deadline_ns || subject->strategy->unprocessed ||
	    (double)now + need * 1e9 <= (double)group->deadline_ns)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "no time is left of the budget of %s: allow more, or fewer "
	    "strategies or samples",
	    units_time(plan->plan->measure.budget_s, budget));
}

static int open_subject(struct group *group, size_t i,
    const struct strategy *strategy, struct error *err)
{
	struct subject *subject = &group->subjects[i];

	if (subject_begin(subject, group->session, strategy, err))
		return -1;
	group->count = i + 1;
	if (subject->over)
		return 0;
	if (check_time(group, subject, err))
		return subject_skip(subject, err);
	return subject_open(subject, group->subjects, i, err);
}

static int schedule_trials(struct group *group, struct error *err)
{
	size_t count = 0, next = 0;

	for (size_t i = 0; i < group->count; i++)
		count += group->subjects[i].trial_count;
	group->scheduled = calloc(count + 1, sizeof(*group->scheduled));
	group->owners = calloc(count + 1, sizeof(*group->owners));
	if (!group->scheduled || !group->owners)
		return error_memory(err, count * sizeof(*group->scheduled));
	group->scheduled_count = count;
	for (size_t i = 0; i < group->count; i++) {
		struct subject *subject = &group->subjects[i];

		for (unsigned t = 0; t < subject->trial_count; t++) {
			group->owners[next] = subject;
			group->scheduled[next++].trial = subject->trials[t];
		}
	}
	return 0;
}

static int run_scheduled(
    void *arg, struct scheduled_trial *trial, double *rate, struct error *err)
{
	const struct group *group = arg;
	struct subject *subject = group->owners[trial - group->scheduled];

	if (!subject->over && subject_run(subject, trial->trial, err))
		return error_prefix(err, "%s", subject->strategy->label);
	if (subject->over) {
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

	group->session->rounds_ns = clock_unix_ns();
	if (schedule_trials(group, err) ||
	    rounds_run(&rounds, group->scheduled, group->scheduled_count, err))
		return -1;
	for (size_t i = 0; i < group->scheduled_count; i++)
		if (subject_end_trial(group->owners[i],
		        group->scheduled[i].trial, group->scheduled[i].ended,
		        err))
			return -1;
	return 0;
}

int group_measure(struct session *session, const struct strategy *strategies,
    size_t count, uint64_t deadline_ns, struct error *err)
{
	struct group group = {
		.session = session,
		.subjects = calloc(count, sizeof(*group.subjects)),
		.deadline_ns = deadline_ns,
	};
	const double done_before = session->done_s;
	double seconds = 0;
	int rc = 0;

	if (!group.subjects)
		return error_memory(err, count * sizeof(*group.subjects));
	for (size_t i = 0; rc == 0 && i < count; i++) {
		rc = open_subject(&group, i, &strategies[i], err);
		if (rc)
			error_prefix(err, "%s", strategies[i].label);
	}
	if (rc == 0)
		rc = run_all(&group, err);
	for (size_t i = 0; i < group.count; i++) {
		rc = subject_close(&group.subjects[i], rc, err);
		seconds += session_strategy_seconds(session->plan,
		    &strategies[i], session->plan->plan->measure.runs);
	}
	session->done_s = done_before + seconds;
	free(group.subjects);
	free(group.scheduled);
	free(group.owners);
	return rc;
}
