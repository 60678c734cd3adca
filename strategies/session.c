/* session.c - see session.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/ini.h"
#include "lib/base/path.h"
#include "lib/loader/spare.h"
#include "lib/measure/memory.h"
#include "lib/measure/reference.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/sample/skipped.h"
#include "strategies/session_parts.h"
#include "strategies/trial.h"
#include "strategies/workdir.h"

/* Of the memory that is free: what loaders that wait may take. */
enum { OPEN_SHARE = 4 };
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
		    plan->plan->budget_s, session->what);
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

/* What must be the same for a session to be taken up again. */
static void set_fingerprint(struct session *session)
{
	const struct session_plan *plan = session->plan;
	const struct plan *p = plan->plan;
	uint64_t hash = hash_bytes(plan->dataset, strlen(plan->dataset), 0);
	const struct ini *ini = plan->pipeline->ini;
	const uint64_t numbers[] = { plan->source->samples, plan->source->bytes,
		p->runs, p->epochs, p->seed, p->batch, p->shuffle, p->shards,
		plan->skip_errors, p->fetchers, p->read_ahead, p->fuse,
		p->order.shuffled, p->order.seed, p->reuse,
		plan->source->labels_hash };

	hash = hash_bytes(numbers, sizeof(numbers), hash);
	hash = hash_bytes(&p->min_run_s, sizeof(double), hash);
	hash = hash_bytes(&p->limits.bandwidth, sizeof(double), hash);
	hash = hash_bytes(&p->limits.latency, sizeof(double), hash);
	hash = hash_bytes(&p->limits.iops, sizeof(double), hash);
	hash = hash_bytes(&p->limits.open, sizeof(double), hash);
	hash = hash_bytes(
	    session->machine.cpu, strlen(session->machine.cpu), hash);
	hash = hash_bytes(PRESTO_VERSION, strlen(PRESTO_VERSION), hash);
	hash = ini_hash(ini_section(ini, "dataset"), "path", hash);
	hash = ini_hash(ini_section(ini, "pipeline"), NULL, hash);
	snprintf(session->fingerprint, sizeof(session->fingerprint), "%016llx",
	    (unsigned long long)hash);
}

static int begin_anew(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct buf text = BUF_INIT;
	int rc = -1;
	struct session_info info = {
		.pipeline = plan->name,
		.path = plan->pipeline->ini->path,
		.fingerprint = session->fingerprint,
		.dataset = plan->dataset,
		.samples = plan->source->samples,
		.total_samples = plan->source->total_samples,
		.full_samples = plan->full_samples,
		.source_bytes = plan->source->bytes,
		.total_bytes = plan->source->total_bytes,
		.seed = plan->plan->seed,
		.batch = (unsigned)plan->plan->batch,
		.limits = plan->plan->limits,
		.budget_ns = (uint64_t)(plan->plan->budget_s * 1e9),
		.machine = session->machine,
		.ini = plan->pipeline->ini,
	};

	session->work_dir = workdir_new(plan->work_dir, &session->lock_fd, err);
	if (!session->work_dir)
		return -1;
	info.work_dir = session->work_dir;
	machine_filesystem(plan->dataset, info.source_fs);
	machine_filesystem(session->work_dir, info.work_fs);
	if (ini_print(plan->pipeline->ini, &text, err) == 0) {
		info.text = (const char *)text.data;
		rc = results_begin_session(
		    session->results, &info, &session->id, err);
	}
	buf_release(&text);
	return rc;
}

/*
 * 1: an unfinished session goes on, 0: there is none.  Only who has the lock of
 * the work folder has the session.
 */
static int begin_again(struct session *session, struct error *err)
{
	char dir[4096];
	int64_t id;
	const int found = results_find_unfinished(
	    session->results, session->fingerprint, &id, dir, sizeof(dir), err);

	if (found <= 0)
		return found;
	if (workdir_renew(dir, session->plan->keep, &session->lock_fd, err))
		return error_prefix(err, "session %lld", (long long)id);
	session->id = id;
	session->work_dir = strdup(dir);
	return session->work_dir ? 1 : error_memory(err, strlen(dir));
}

/* A session that was killed may have left data behind; or it is at work. */
static int tell_of_unfinished(struct session *session, struct error *err)
{
	char dir[4096], text[4400];
	int64_t id;
	const int found = results_find_unfinished(
	    session->results, session->fingerprint, &id, dir, sizeof(dir), err);

	if (found > 0 && workdir_in_use(dir)) {
		snprintf(text, sizeof(text),
		    "session %lld of this pipeline is still running; two "
		    "sessions at a time slow each other down: stop one",
		    (long long)id);
		session_warn(session, text);
	} else if (found > 0) {
		snprintf(text, sizeof(text),
		    "session %lld of this pipeline did not end; --resume goes "
		    "on with it; its data, if any is left, is in %s",
		    (long long)id, dir);
		session_warn(session, text);
	}
	return found < 0 ? -1 : 0;
}

static int begin(struct session *session, struct error *err)
{
	if (session->plan->resume) {
		const int found = begin_again(session, err);

		if (found != 0)
			return found < 0 ? -1 : 0;
		session_warn(session,
		    "there is no session to resume: a new one "
		    "begins");
	} else if (tell_of_unfinished(session, err)) {
		return -1;
	}
	return begin_anew(session, err);
}

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
	watch_free(session->watch);
	spare_free(session->spare);
	reference_free(session->piece);
	path_unlock(session->lock_fd);
	outputs_release(&session->reference);
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
	    watch_flush(
	        session->watch, 1, session->results, session->id, &later),
	    &later, err);
	if (session->id)
		rc = also(rc,
		    results_end_session(
		        session->results, session->id, state, &later),
		    &later, err);
	if (session->work_dir && session->plan->keep && session->plan->note)
		note_kept(session);
	if (session->work_dir && !session->plan->keep)
		rc = also(
		    rc, workdir_remove(session->work_dir, &later), &later, err);
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
		    plan, &plan->strategies->list[i], plan->plan->runs);

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
	session->open_bytes = memory_available("") / OPEN_SHARE;
	if (plan->budget_s > 0)
		session->deadline_ns =
		    session->origin_ns + (uint64_t)(plan->budget_s * 1e9);
}

int session_run(const struct session_plan *plan, struct results *results,
    int64_t *id, struct error *err)
{
	struct session session = {
		.plan = plan,
		.results = results,
		.lock_fd = -1,
		.threads = plan_most_threads(plan->plan),
		.all_s = session_seconds(plan),
		.spare = spare_new(),
	};
	int rc;

	pthread_mutex_init(&session.lock, NULL);
	machine_read(&session.machine);
	set_limits(&session);
	set_fingerprint(&session);
	rc = begin(&session, err);
	if (rc == 0 && plan->warning)
		session_warn(&session, plan->warning);
	if (rc == 0)
		rc = session_learn_ceilings(&session, err);
	if (rc == 0) {
		session.all_s = session_seconds(plan); /* better known */
		session_watch(&session);
		session.piece = reference_new(&clock_monotonic, err);
		rc = session.piece ? measure_groups(&session, err) : -1;
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
