/* session.c - see session.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/loader/spare.h"
#include "lib/measure/reference.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/sample/skipped.h"
#include "lib/syntax/ini.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial.h"

/* Of the room on the disk: what strategies may take together. */
static const double group_share = 0.8;

/* ---- telling what goes on ---- */

/* With a budget runs are repeated until it ends. */
static void show(const struct session *session)
{
	const struct session_plan *plan = session->plan;
	const uint64_t now = clock_now(&clock_monotonic);

	if (session->deadline_ns)
		plan->progress(plan->arg,
		    (double)(now - session->origin_ns) / 1e9,
		    plan->plan->measure.budget_s, session->what);
	else
		plan->progress(
		    plan->arg, session->done_s, session->all_s, session->what);
}

void session_tell(struct session *session, double seconds)
{
	pthread_mutex_lock(&session->lock);
	session->done_s += seconds;
	if (session->plan->progress)
		show(session);
	pthread_mutex_unlock(&session->lock);
}

/* Warns of `text`, unless it was warned of `reason` before. */
static void warn_once(
    struct session *session, const char *reason, const char *text)
{
	const uint64_t hash = hash_bytes(reason, strlen(reason), 0);
	bool known = false;

	pthread_mutex_lock(&session->lock);
	for (unsigned i = 0; i < session->warned_count; i++)
		known |= session->warned[i] == hash;
	if (!known && session->warned_count < WARNED_MOST) {
		session->warnings[session->warned_count] = strdup(text);
		session->warned[session->warned_count++] = hash;
	}
	if (!known && session->plan->warn)
		session->plan->warn(session->plan->arg, text);
	pthread_mutex_unlock(&session->lock);
}

void session_warn(void *arg, const char *text)
{
	warn_once(arg, text, text);
}

static void tell_moved(struct session *session)
{
	const char *from = results_moved_from(session->results);
	const char *to = results_path(session->results);
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (from && buf_printf(&text, &ignored,
	                "the result database %s was removed or replaced while "
	                "this session ran: all that was in it is in %s now, "
	                "written anew",
	                from, to) == 0)
		session_warn(session, (const char *)text.data);
	buf_release(&text);
}

int session_add_trial(struct session *session, int64_t strategy,
    const struct trial_row *row, struct error *err)
{
	const int rc = results_add_trial(session->results, strategy, row, err);

	tell_moved(session);
	return rc;
}

int session_store_warnings(struct session *session, struct error *err)
{
	int rc = 0;

	pthread_mutex_lock(&session->lock);
	for (unsigned i = 0; rc == 0 && i < session->warned_count; i++) {
		if (!session->warnings[i] || !session->id)
			continue;
		rc = results_add_warning(
		    session->results, session->id, session->warnings[i], err);
		free(session->warnings[i]);
		session->warnings[i] = NULL;
	}
	pthread_mutex_unlock(&session->lock);
	return rc;
}

void session_pass_over(struct session *session, const char *how,
    const char *label, const struct error *why)
{
	char text[2 * sizeof(why->text)];

	snprintf(text, sizeof(text), "%s %s: %s", how, label, why->text);
	warn_once(session, why->text, text);
}

/* ---- groups: what is on disk at one time ---- */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double stored_bytes(
    const struct session_plan *plan, const struct strategy *strategy)
{
	return strategy->unprocessed ? 0
	                             : model_storage_bytes(plan->model,
	                                   strategy, plan->source->samples);
}

/* The data of a group may take what was allowed, or half of what is free. */
static double group_room(const struct session_plan *plan)
{
	struct error ignored = ERROR_INIT;
	uint64_t room = 0;

	if (path_free_bytes(plan->work_dir, &room, &ignored))
		return 0;
	room /= 2;
	if (plan->max_disk && plan->max_disk < room)
		room = plan->max_disk;
	return (double)room;
}

/*
 * As many strategies from `first` on as fit on the disk together, so that
 * their runs can be interleaved; at least one.  *bytes: what they take.
 */
static size_t group_count(
    const struct session_plan *plan, size_t first, double room, double *bytes)
{
	const struct strategies *all = plan->strategies;
	size_t i = first;

	*bytes = stored_bytes(plan, &all->list[i++]);
	for (; i < all->count; i++) {
		const double more = stored_bytes(plan, &all->list[i]);

		/* Sizes are predicted: what is wrong with some adds up. */
		if (*bytes + more > group_share * room)
			break;
		*bytes += more;
	}
	return i - first;
}

double session_disk_bytes(const struct session_plan *plan)
{
	const double room = group_room(plan);
	double most = 0, sum = 0;

	for (size_t i = 0; i < plan->strategies->count;) {
		double bytes;

		i += group_count(plan, i, room, &bytes);
		sum += bytes;
		most = larger(most, bytes);
	}
	return plan->keep ? sum : most;
}

/* ---- the session ---- */

static void note_kept(const struct session *session)
{
	char text[4200];

	snprintf(text, sizeof(text), "the materialised data is in %s",
	    session->work_dir);
	session->plan->note(session->plan->arg, text);
}

/* The first error is the one that is told. */
static int also(
    int rc, int failed, const struct error *later, struct error *err)
{
	if (!failed || rc)
		return rc;
	*err = *later;
	return -1;
}

static void release(struct session *session)
{
	monitor_free(session->monitor);
	spare_free(session->spare);
	reference_free(session->workload);
	lock_release(&session->work_lock);
	outputs_release(&session->expected);
	for (unsigned i = 0; i < session->warned_count; i++)
		free(session->warnings[i]);
	pthread_mutex_destroy(&session->lock);
	free(session->work_dir);
}

/* One line, whatever their number. */
static void tell_skipped(struct session *session)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (skipped_count(session->plan->skipped) &&
	    skipped_summary(session->plan->skipped, &text, &ignored) == 0 &&
	    buf_printf(&text, &ignored, "; --skipped FILE lists them") == 0)
		session_warn(session, (const char *)text.data);
	buf_release(&text);
}

static int end(struct session *session, int rc, struct error *err)
{
	struct error later = ERROR_INIT;
	const char *state = "done";

	if (rc)
		state =
		    err->code == ERROR_INTERRUPTED ? "interrupted" : "failed";
	tell_skipped(session);
	session_tell_noise(session);
	rc = also(rc, session_store_warnings(session, &later), &later, err);
	rc = also(rc,
	    monitor_flush(
	        session->monitor, 1, session->results, session->id, &later),
	    &later, err);
	if (session->id)
		rc = also(rc,
		    results_end_session(
		        session->results, session->id, state, &later),
		    &later, err);
	tell_moved(session);
	if (session->work_dir && session->plan->keep && session->plan->note)
		note_kept(session);
	if (session->work_dir && !session->plan->keep)
		rc = also(rc,
		    own_folder_remove(
		        session->work_dir, &session->work_lock, &later),
		    &later, err);
	release(session);
	return rc;
}

/* Its share of the time that is left, by what the groups are to take. */
static uint64_t group_deadline(
    const struct session *session, size_t first, size_t count)
{
	const struct session_plan *plan = session->plan;
	const uint64_t now = clock_now(&clock_monotonic);
	double own = 0, all = 0;

	if (!session->deadline_ns)
		return 0;
	if (now >= session->deadline_ns)
		return now;
	for (size_t i = first; i < plan->strategies->count; i++) {
		const double seconds = session_strategy_seconds(
		    plan, &plan->strategies->list[i], plan->plan->measure.runs);

		all += seconds;
		if (i < first + count)
			own += seconds;
	}
	return now +
	       (uint64_t)((double)(session->deadline_ns - now) * own / all);
}

static int measure_groups(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	const double room = group_room(plan);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->strategies->count;) {
		double bytes;
		const size_t count = group_count(plan, i, room, &bytes);

		rc = group_measure(session, &plan->strategies->list[i], count,
		    group_deadline(session, i, count), err);
		if (rc == 0)
			rc = session_store_warnings(session, err);
		i += count;
	}
	return rc;
}

static void set_limits(struct session *session)
{
	const struct plan *plan = session->plan->plan;

	session->origin_ns = clock_now(&clock_monotonic);
	session->base_bytes = usage_resident();
	session->base_anonymous = usage_anonymous();
	session_limit_waiting(session);
	if (plan->measure.budget_s > 0)
		session->deadline_ns = session->origin_ns +
		                       (uint64_t)(plan->measure.budget_s * 1e9);
}

int session_run(const struct session_plan *plan, struct results *results,
    int64_t *id, struct error *err)
{
	struct session session = {
		.plan = plan,
		.results = results,
		.work_lock = LOCK_INIT,
		.threads = plan_most_threads(plan->plan),
		.all_s = session_seconds(plan),
		.spare = spare_new(),
	};
	int rc;

	pthread_mutex_init(&session.lock, NULL);
	machine_read(&session.machine);
	set_limits(&session);
	rc = session_begin(&session, err);
	if (rc == 0 && plan->warning)
		session_warn(&session, plan->warning);
	if (rc == 0)
		rc = session_learn_ceilings(&session, err);
	if (rc == 0) {
		session.all_s = session_seconds(plan); /* better known */
		session_watch(&session);
		session.workload = reference_new(&clock_monotonic, err);
		rc = session.workload ? measure_groups(&session, err) : -1;
	}
	if (rc == 0 && session.failed > 0)
		rc = error_set(err, ERROR_DATA,
		    "%u of %zu strategies failed; the others are in the "
		    "database, --resume tries again",
		    session.failed, plan->strategies->count);
	rc = end(&session, rc, err);
	*id = session.id;
	return rc;
}
