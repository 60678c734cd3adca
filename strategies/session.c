/* session.c - see session.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/ini.h"
#include "lib/base/path.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "strategies/session_parts.h"
#include "strategies/trial.h"
#include "strategies/workdir.h"

/* ---- telling what goes on ---- */

void session_tell(struct session *session, double seconds)
{
	const struct session_plan *plan = session->plan;

	pthread_mutex_lock(&session->lock);
	session->done_s += seconds;
	if (plan->progress)
		plan->progress(
		    plan->arg, session->done_s, session->all_s, session->what);
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
	if (!known && session->warned_count < WARNED_MOST)
		session->warned[session->warned_count++] = hash;
	if (!known && session->plan->warn)
		session->plan->warn(session->plan->arg, text);
	pthread_mutex_unlock(&session->lock);
}

void session_warn(void *arg, const char *text)
{
	warn_once(arg, text, text);
}

void session_pass_over(struct session *session, const char *how,
    const char *label, const struct error *why)
{
	char text[2 * sizeof(why->text)];

	snprintf(text, sizeof(text), "%s %s: %s", how, label, why->text);
	warn_once(session, why->text, text);
}

void session_skipped(void *arg, const char *why)
{
	char text[1200];

	snprintf(text, sizeof(text), "skipped %s", why);
	session_warn(arg, text);
}

/* ---- what it will take ---- */

double session_trial_seconds(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load)
{
	const struct prediction p = model_predict(plan->model, strategy, load);
	const unsigned epochs = trial_epochs(plan->plan, load->cache);
	/* The traced epoch, and one of each run. */
	const unsigned first = 1 + (unsigned)plan->plan->runs;

	return first * p.first_epoch_s + (epochs - first) * p.epoch_s;
}

/* Predicted seconds of all trials of a strategy. */
static double trials_seconds(
    const struct session_plan *plan, const struct strategy *strategy)
{
	const uint64_t n = plan->source->samples;
	struct error ignored = ERROR_INIT;
	double seconds = 0;

	for (unsigned t = 0; t < plan->plan->thread_count; t++)
		for (unsigned c = 0; c < plan->plan->cache_count; c++) {
			const struct load load = { .samples = n,
				.threads = plan->plan->threads[t],
				.cache = plan->plan->caches[c] };

			if (load.cache == CACHE_APPLICATION &&
			    model_check_cache(plan->model, n, &ignored))
				continue; /* it will be skipped */
			seconds += session_trial_seconds(plan, strategy, &load);
		}
	return seconds;
}

static double strategy_seconds(
    const struct session_plan *plan, const struct strategy *strategy)
{
	const struct load load = { .samples = plan->source->samples,
		.threads = plan_most_threads(plan->plan) };
	const struct prediction p = model_predict(plan->model, strategy, &load);

	return p.prep_s + trials_seconds(plan, strategy);
}

double session_strategy_seconds(
    const struct session *session, const struct strategy *strategy)
{
	return strategy_seconds(session->plan, strategy);
}

double session_seconds(const struct session_plan *plan)
{
	double seconds = 0;

	for (size_t i = 0; i < plan->strategies->count; i++)
		seconds += strategy_seconds(plan, &plan->strategies->list[i]);
	return seconds;
}

double session_disk_bytes(const struct session_plan *plan)
{
	double most = 0, sum = 0;

	for (size_t i = 0; i < plan->strategies->count; i++) {
		const struct strategy *s = &plan->strategies->list[i];
		double bytes;

		if (s->unprocessed)
			continue;
		bytes =
		    model_storage_bytes(plan->model, s, plan->source->samples);
		sum += bytes;
		if (bytes > most)
			most = bytes;
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
		plan->skip_errors };

	hash = hash_bytes(numbers, sizeof(numbers), hash);
	hash = hash_bytes(&p->limits.bandwidth, sizeof(double), hash);
	hash = hash_bytes(&p->limits.latency, sizeof(double), hash);
	hash = hash_bytes(&p->limits.iops, sizeof(double), hash);
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
		.seed = plan->plan->seed,
		.batch = (unsigned)plan->plan->batch,
		.limits = plan->plan->limits,
		.machine = session->machine,
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

/* A session that was killed may have left data behind. */
static int tell_of_unfinished(struct session *session, struct error *err)
{
	char dir[4096], text[4400];
	int64_t id;
	const int found = results_find_unfinished(
	    session->results, session->fingerprint, &id, dir, sizeof(dir), err);

	if (found > 0) {
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

static int end(struct session *session, int rc, struct error *err)
{
	struct error later = ERROR_INIT;
	const char *state = "done";

	if (rc)
		state =
		    err->code == ERROR_INTERRUPTED ? "interrupted" : "failed";
	if (session->id &&
	    results_end_session(session->results, session->id, state, &later) &&
	    rc == 0) {
		*err = later;
		rc = -1;
	}
	if (session->work_dir && session->plan->keep && session->plan->note)
		note_kept(session);
	if (session->work_dir && !session->plan->keep &&
	    workdir_remove(session->work_dir, &later) && rc == 0) {
		*err = later;
		rc = -1;
	}
	path_unlock(session->lock_fd);
	outputs_release(&session->reference);
	pthread_mutex_destroy(&session->lock);
	free(session->work_dir);
	return rc;
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
	};
	int rc;

	pthread_mutex_init(&session.lock, NULL);
	machine_read(&session.machine);
	set_fingerprint(&session);
	rc = begin(&session, err);
	for (size_t i = 0; rc == 0 && i < plan->strategies->count; i++) {
		const struct strategy *strategy = &plan->strategies->list[i];

		rc = measure_strategy(&session, strategy, err);
		if (rc)
			error_prefix(err, "%s", strategy->label);
	}
	if (rc == 0 && session.failed > 0)
		rc = error_set(err, ERROR_DATA,
		    "%u of %zu strategies failed; presto report shows the "
		    "others, --resume tries again",
		    session.failed, plan->strategies->count);
	rc = end(&session, rc, err);
	*id = session.id;
	return rc;
}
