/* lead.c - see lead.h. */
#include "strategies/hosts/lead.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/meeting/meeting.h"
#include "strategies/hosts/host_task.h"
#include "strategies/trial/trial.h"

static int tell(
    struct lead *lead, const struct host_task *task, struct error *err)
{
	return meeting_tell(lead->together.meeting, task, sizeof(*task), err);
}

static int done(struct lead *lead, struct error *err)
{
	return meeting_done(lead->together.meeting, err);
}

static int set_path(struct host_task *task, const char *path, struct error *err)
{
	const int len = snprintf(task->path, sizeof(task->path), "%s", path);

	if (len >= 0 && len < (int)sizeof(task->path))
		return 0;
	return error_set(err, ERROR_LIMIT, "%s: the path is too long", path);
}

/* Lets the limits of the emulated storage hold for all together. */
static int share_limits(struct lead *lead, const char *dir,
    struct medium *medium, struct error *err)
{
	struct host_task task = { .kind = HOST_TASK_SHARE };

	if (!meeting_is_one_machine(lead->together.meeting))
		return error_set(err, ERROR_USAGE,
		    "[storage] emulates a storage that the processes of one "
		    "machine share; these run on several: leave its limits "
		    "out");
	lead->limits_path = path_join(dir, "limits", err);
	if (!lead->limits_path)
		return -1;
	unlink(lead->limits_path); /* a killed session left it */
	if (medium_share_limits(medium, lead->limits_path, true, err) ||
	    set_path(&task, lead->limits_path, err) || tell(lead, &task, err))
		return -1;
	return done(lead, err);
}

int lead_begin(struct lead *lead, struct meeting *meeting, const char *dir,
    struct medium *medium, struct error *err)
{
	lead->together = (struct together){
		.meeting = meeting,
		.hosts = meeting_count(meeting),
	};
	if (!storage_limits_any(medium_limits(medium)))
		return 0;
	return share_limits(lead, dir, medium, err);
}

int lead_end(struct lead *lead, struct error *err)
{
	const struct host_task task = { .kind = HOST_TASK_END };

	if (!lead->together.meeting)
		return 0;
	return tell(lead, &task, err) || done(lead, err) ? -1 : 0;
}

void lead_release(struct lead *lead)
{
	if (lead->limits_path)
		unlink(lead->limits_path);
	free(lead->limits_path);
	free(lead->trials);
	*lead = (struct lead){ .count = 0 };
}

static struct led_trial *find(
    const struct lead *lead, const struct trial *trial)
{
	for (size_t i = 0; i < lead->count; i++)
		if (lead->trials[i].trial == trial)
			return &lead->trials[i];
	return NULL;
}

static int add(struct lead *lead, const struct trial *trial, struct error *err)
{
	struct led_trial *trials = array_grow(lead->trials, &lead->capacity,
	    lead->count + 1, sizeof(*trials), err);

	if (!trials)
		return -1;
	lead->trials = trials;
	trials[lead->count++] = (struct led_trial){ trial, ++lead->numbers };
	return 0;
}

/* Has the others open the trial. */
static int open_trial(
    struct lead *lead, struct trial *trial, const char *dir, struct error *err)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	char *real = dir ? path_absolute(dir, err) : NULL;
	struct host_task task = {
		.kind = HOST_TASK_OPEN,
		.trial = lead->numbers + 1,
		.mode = plan->loading.mode,
		.cached = plan->loading.cached,
		.share = plan->loading.share,
		.cache_budget = plan->cache_budget,
	};
	int rc = dir && !real ? -1 : 0;

	snprintf(task.label, sizeof(task.label), "%s", plan->target.label);
	if (rc == 0 && real)
		rc = set_path(&task, real, err);
	if (rc == 0)
		rc = tell(lead, &task, err);
	if (rc == 0)
		rc = done(lead, err);
	free(real);
	return rc ? -1 : add(lead, trial, err);
}

static int run_with(
    struct lead *lead, struct trial *trial, unsigned hosts, struct error *err)
{
	const struct host_task task = {
		.kind = HOST_TASK_RUN,
		.trial = find(lead, trial)->number,
		.hosts = hosts,
	};

	lead->together.hosts = hosts;
	if (tell(lead, &task, err) ||
	    trial_run_together(trial, &lead->together, err))
		return -1;
	return done(lead, err);
}

int lead_run(
    struct lead *lead, struct trial *trial, const char *dir, struct error *err)
{
	unsigned all;

	if (!lead->together.meeting)
		return trial_run(trial, err);
	all = meeting_count(lead->together.meeting);
	if (!find(lead, trial) && open_trial(lead, trial, dir, err))
		return -1;
	for (unsigned hosts = 1; hosts < all; hosts *= 2) {
		if (run_with(lead, trial, hosts, err))
			return -1;
		trial_forget_run(trial);
	}
	return run_with(lead, trial, all, err);
}

int lead_close(struct lead *lead, const struct trial *trial, struct error *err)
{
	struct led_trial *led = trial ? find(lead, trial) : NULL;
	struct host_task task = { .kind = HOST_TASK_CLOSE };

	if (!lead->together.meeting || !led)
		return 0;
	task.trial = led->number;
	*led = lead->trials[--lead->count];
	return tell(lead, &task, err) || done(lead, err) ? -1 : 0;
}
