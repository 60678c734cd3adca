/* tuned_mode.c - see tuned_mode.h. */
#include "strategies/session/tuned_mode.h"

#include <math.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/memory_room.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"
#include "strategies/trial/trial_load.h"
#include "strategies/trial/tuning.h"

enum { LOADS = 3, LEAST_SAMPLES = 64 };

/* Seconds: for one trial; of a part of an epoch; of the loads of one mode. */
static const double all_s = 1, part_s = 0.06, mode_s = 0.2;

struct loads {
	struct measured_strategy *measured;
	const struct trial_plan *plan;
	double fraction; /* of the samples, in a load */
	uint64_t end_ns;
};

static bool is_late(void *arg)
{
	const struct loads *loads = arg;

	return clock_now(&clock_monotonic) > loads->end_ns ||
	       (loads->plan->stop && atomic_load(loads->plan->stop));
}

/* Loads once; *rate is that of the delivered samples. */
static int load_once(struct loader *loader, double *rate, struct error *err)
{
	const uint64_t start = clock_now(&clock_monotonic);
	const struct batch *batch;
	uint64_t samples = 0, wall_ns;

	loader_begin(loader, 0, false);
	while ((batch = loader_next(loader)))
		samples += batch->count;
	wall_ns = clock_now(&clock_monotonic) - start;
	*rate = wall_ns ? 1e9 * (double)samples / (double)wall_ns : 0;
	return loader_end(loader, err);
}

static int load_cold(const struct trial_plan *plan, struct loader *loader,
    double *rate, struct error *err)
{
	struct residency found;
	int rc;

	if (residency_drop(plan->reader, plan->drop_failed, &found, err))
		return -1;
	medium_set_warm(plan->medium, false);
	rc = load_once(loader, rate, err);
	medium_set_warm(plan->medium, true);
	return rc;
}

/* The fastest of a few loads, behind one that lets buffers grow. */
static int load_some(const struct loads *loads, const struct trial_plan *plan,
    bool cold, double *fastest, struct error *err)
{
	const uint64_t end =
	    clock_now(&clock_monotonic) + (uint64_t)(mode_s * 1e9);
	struct trial_load load = { .loader = NULL };
	double rate;
	int rc = trial_load_open(plan, &load, err);

	if (rc == 0) {
		loader_set_part(load.loader, loads->fraction);
		rc = load_once(load.loader, &rate, err);
	}
	for (unsigned i = 0; rc == 0 && i < LOADS &&
	                     (i == 0 || clock_now(&clock_monotonic) < end);
	     i++) {
		rc = cold ? load_cold(plan, load.loader, &rate, err)
		          : load_once(load.loader, &rate, err);
		*fastest = fmax(*fastest, rate);
	}
	trial_load_close(&load);
	return rc;
}

/* A run fills the application cache, and delivers from it. */
static int run_trial(
    const struct trial_plan *plan, double *rate, struct error *err)
{
	struct trial *trial = trial_open(plan, err);
	int rc = trial ? trial_run(trial, err) : -1;

	if (rc == 0)
		*rate = trial_last_rate(trial);
	trial_close(trial);
	return rc;
}

static int rate_of(void *arg, const struct trial_mode *mode, bool warm,
    double *rate, struct error *err)
{
	const struct loads *loads = arg;
	struct trial_plan plan = *loads->plan;
	struct error no_room = ERROR_INIT;
	int rc;

	*rate = 0;
	if (memory_room_check_load(loads->measured, *mode, &no_room))
		return 0;
	plan.loading.mode = *mode;
	if (mode->cache == CACHE_APPLICATION) {
		rc = run_trial(&plan, rate, &no_room);
		if (rc && no_room.code != ERROR_LIMIT)
			*err = no_room;
		return no_room.code == ERROR_LIMIT ? 0 : rc;
	}
	medium_set_warm(plan.medium, true);
	rc = load_some(
	    loads, &plan, mode->cache == CACHE_NONE && !warm, rate, err);
	medium_set_warm(plan.medium, false);
	if (rc == 0 && plan.stop && atomic_load(plan.stop))
		rc = error_set(err, ERROR_INTERRUPTED, "interrupted");
	return rc;
}

/* A load is a part of a long epoch, but has some samples. */
static double part_of(const struct trial_plan *plan)
{
	const double epoch_s = plan->check.epoch_s;
	const double some =
	    (double)LEAST_SAMPLES / (double)plan->reader->samples;

	if (!(epoch_s > part_s))
		return 1;
	return fmin(1, fmax(part_s / epoch_s, some));
}

int tuned_mode_find(struct measured_strategy *measured,
    const struct trial_plan *trial, struct trial_mode *mode, struct error *err)
{
	const struct session *session = measured->session;
	const uint64_t now = clock_now(&clock_monotonic);
	const uint64_t deadline = session->times.deadline_ns;
	struct trial_plan plan = *trial;
	struct loads loads = { .measured = measured,
		.plan = &plan,
		.fraction = part_of(trial),
		.end_ns = now + (uint64_t)(all_s * 1e9) };
	const struct tuning tuning = { .mode = trial->loading.mode,
		.samples = trial->reader->samples,
		.rate = rate_of,
		.is_late = is_late,
		.arg = &loads };

	if (deadline && deadline < loads.end_ns)
		loads.end_ns = deadline;
	/* These loads are no runs, and nobody is told of them. */
	plan.host.monitor = NULL;
	plan.host.workload = NULL;
	plan.skipped = NULL;
	plan.progress = NULL;
	plan.cold_rate = NULL;
	return tuning_find(&tuning, mode, err);
}
