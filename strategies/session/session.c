/* session.c - see session.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/derived.h"
#include "lib/db/results_write.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/loader/batch_freelist.h"
#include "lib/measure/reference.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/meeting/meeting.h"
#include "lib/sample/skipped.h"
#include "strategies/search/search.h"
#include "strategies/session/duration.h"
#include "strategies/session/group.h"
#include "strategies/session/race.h"
#include "strategies/session/session_begin.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"

/* The strategies of a group may take this fraction of the room on the disk. */
static const double group_fraction = 0.8;

/* ---- groups that fit on the disk ---- */

static double stored_bytes(
    const struct session_plan *plan, const struct strategy *strategy)
{
	if (strategy->unprocessed)
		return 0;
	return model_storage_bytes(plan->model, strategy,
	    strategy_samples(strategy, plan->source->samples));
}

/* A group may take as many bytes as were allowed, or half of what is free. */
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
 * Counts the strategies, from `first` on, that fit on the disk together; at
 * least one. Sets *bytes to what they take.
 */
static size_t group_count(
    const struct session_plan *plan, size_t first, double room, double *bytes)
{
	const struct strategies *all = plan->strategies;
	size_t i = first;

	*bytes = stored_bytes(plan, &all->list[i++]);
	for (; i < all->count; i++) {
		const double more = stored_bytes(plan, &all->list[i]);

		/* errors of predicted sizes add up */
		if (*bytes + more > group_fraction * room)
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
		most = fmax(most, bytes);
	}
	return plan->keep ? sum : most;
}

/* ---- the session ---- */

/* Keeps the first error. */
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
	session_host_release(&session->host);
	lead_release(&session->lead);
	batch_freelist_free(session->freelist);
	lock_release(&session->folder.lock);
	session_sources_release(&session->sources);
	messages_release(&session->messages);
	free(session->folder.path);
}

static void tell_kept(struct session *session)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (buf_printf(&text, &ignored, "the materialised data is in %s",
	        session->folder.path) == 0)
		messages_note(&session->messages, (const char *)text.data);
	buf_release(&text);
}

/* Warns in one line, however many samples were skipped. */
static void tell_skipped(struct session *session)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (skipped_count(session->plan->skipped) &&
	    skipped_summary(session->plan->skipped, &text, &ignored) == 0 &&
	    buf_printf(&text, &ignored, "; --skipped FILE lists them") == 0)
		messages_warn(&session->messages, (const char *)text.data);
	buf_release(&text);
}

/* Says in one line how many samples filters dropped. */
static void tell_filtered(struct session *session)
{
	const struct pipeline *pipeline = session->plan->pipeline;
	char text[128];

	if (!session->filtered)
		return;
	if (pipeline_makes_many(pipeline, 0, pipeline->count))
		snprintf(text, sizeof(text),
		    "filters dropped %llu samples in each epoch",
		    (unsigned long long)session->filtered);
	else
		snprintf(text, sizeof(text),
		    "filters dropped %llu of %llu samples in each epoch",
		    (unsigned long long)session->filtered,
		    (unsigned long long)session->plan->source->samples);
	messages_note(&session->messages, text);
}

static int end(struct session *session, int rc, struct error *err)
{
	struct error later = ERROR_INIT;
	const char *state = "done";

	if (rc)
		state =
		    err->code == ERROR_INTERRUPTED ? "interrupted" : "failed";
	tell_skipped(session);
	tell_filtered(session);
	session_host_tell(session);
	rc = also(rc,
	    messages_store(
	        &session->messages, session->results, session->id, &later),
	    &later, err);
	rc = also(rc,
	    monitor_flush(session->host.monitor, 1, session->results,
	        session->id, &later),
	    &later, err);
	if (session->id)
		rc = also(rc,
		    results_end_session(
		        session->results, session->id, state, &later) ||
		        results_derive(session->results, session->id, &later),
		    &later, err);
	messages_warn_moved(&session->messages, session->results);
	if (session->folder.path && session->plan->keep)
		tell_kept(session);
	if (session->folder.path && !session->plan->keep)
		rc = also(rc,
		    own_folder_remove(
		        session->folder.path, &session->folder.lock, &later),
		    &later, err);
	release(session);
	return rc;
}

/* Divides the time that is left among the groups, by their predicted times. */
static uint64_t group_deadline(const struct session *session,
    const double *seconds, size_t first, size_t count)
{
	const struct session_plan *plan = session->plan;
	const uint64_t now = clock_now(&clock_monotonic);
	double own = 0, all = 0;

	if (!session->times.deadline_ns)
		return 0;
	if (now >= session->times.deadline_ns)
		return now;
	for (size_t i = first; i < plan->strategies->count; i++) {
		all += seconds[i];
		if (i < first + count)
			own += seconds[i];
	}
	return now + (uint64_t)((double)(session->times.deadline_ns - now) *
	                        own / all);
}

static int measure_groups(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	const double room = group_room(plan);
	double *seconds = calloc(plan->strategies->count + 1, sizeof(*seconds));
	int rc;

	if (!seconds)
		return error_memory(
		    err, (plan->strategies->count + 1) * sizeof(*seconds));
	rc = duration_of_each(plan, plan->plan->measure.runs, seconds, err);
	for (size_t i = 0; rc == 0 && i < plan->strategies->count;) {
		double bytes;
		const size_t count = group_count(plan, i, room, &bytes);

		rc = group_measure(session, &plan->strategies->list[i], count,
		    group_deadline(session, seconds, i, count), err);
		if (rc == 0)
			rc = messages_store(&session->messages,
			    session->results, session->id, err);
		i += count;
	}
	free(seconds);
	return rc;
}

bool session_searches(const struct session_plan *plan)
{
	return plan->search && !plan->search->is_exhaustive;
}

/* Begins to count time and memory. */
static void set_limits(struct session *session)
{
	const double budget_s = session->plan->plan->measure.budget_s;
	struct session_times *times = &session->times;

	times->began_ns = clock_now(&clock_monotonic);
	if (budget_s > 0)
		times->deadline_ns =
		    times->began_ns + (uint64_t)(budget_s * 1e9);
	memory_room_begin(session);
}

/* Other processes load at the same moment. */
static int begin_together(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	const unsigned count = meeting_count(plan->together.meeting);
	char text[256];

	snprintf(text, sizeof(text),
	    "%u process%s on %s load%s at the same moment: samples/s are those "
	    "of the slowest of them",
	    count, count == 1 ? "" : "es",
	    meeting_is_one_machine(plan->together.meeting) ? "one machine"
	                                                   : "several machines",
	    count == 1 ? "s" : "");
	messages_note(&session->messages, text);
	return lead_begin(&session->lead, plan->together.meeting,
	    plan->together.dir, plan->medium, err);
}

static int measure(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct progress *progress = &session->messages.progress;

	if (session_begin(session, err))
		return -1;
	if (plan->warning)
		messages_warn(&session->messages, plan->warning);
	if (duration_of_session(plan, &progress->all_s, err) ||
	    (plan->together.meeting && begin_together(session, err)) ||
	    session_host_learn_ceilings(session, err))
		return -1;
	/* It is known better now. */
	if (duration_of_session(plan, &progress->all_s, err) ||
	    session_host_monitor(session, err) ||
	    (session_searches(plan) ? race_run : measure_groups)(
	        session, err) ||
	    lead_end(&session->lead, err))
		return -1;
	if (session->failed == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%u of %zu strategies failed; the others are in the database, "
	    "--resume tries again",
	    session->failed, plan->strategies->count);
}

int session_run(const struct session_plan *plan, struct results *results,
    int64_t *id, struct error *err)
{
	struct session session = {
		.plan = plan,
		.results = results,
		.folder.lock = LOCK_INIT,
		.threads = plan_most_threads(plan->plan),
		.freelist = batch_freelist_new(),
	};
	int rc;

	machine_read(&session.host.machine);
	set_limits(&session);
	messages_init(&session.messages, plan, session.times.began_ns);
	rc = end(&session, measure(&session, err), err);
	*id = session.id;
	return rc;
}
