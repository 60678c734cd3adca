/* session_begin.c - see session_begin.h. */
#include "strategies/session/session_begin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "lib/files/own_folder.h"
#include "lib/files/own_folder_sweep.h"
#include "lib/files/path.h"
#include "lib/folder/inventory.h"
#include "lib/measure/system.h"
#include "lib/meeting/meeting.h"
#include "lib/pipeline/code_print.h"
#include "lib/syntax/ini.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/orders/orders.h"
#include "strategies/prepare/origin.h"
#include "strategies/search/search.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/user_loader.h"

enum { DIR_MAX = 4096 };

/* Hashes everything that must be the same to resume a session. */
static void set_fingerprint(struct session *session)
{
	static const char *const by_inventory[] = { "fingerprint", "path",
		NULL };
	const struct session_plan *plan = session->plan;
	const struct plan *p = plan->plan;
	uint64_t hash =
	    hash_bytes(plan->dataset.path, strlen(plan->dataset.path), 0);
	const struct ini *ini = plan->pipeline->ini;
	const uint64_t numbers[] = { sweep_most(&p->measure.samples),
		p->measure.runs, p->measure.epochs, p->measure.seed,
		plan->skip_errors, p->load.fuse, p->strategies.order.shuffled,
		p->strategies.order.seed, p->measure.reuse,
		plan->source->labels_hash };

	hash = hash_bytes(numbers, sizeof(numbers), hash);
	hash = hash_bytes(&p->measure.min_run_s, sizeof(double), hash);
	hash = hash_bytes(&p->limits.bandwidth, sizeof(double), hash);
	hash = hash_bytes(&p->limits.latency, sizeof(double), hash);
	hash = hash_bytes(&p->limits.iops, sizeof(double), hash);
	hash = hash_bytes(&p->limits.open, sizeof(double), hash);
	if (p->limits.stream > 0 || p->limits.opens > 0) { /* newer limits */
		hash = hash_bytes(&p->limits.stream, sizeof(double), hash);
		hash = hash_bytes(&p->limits.opens, sizeof(double), hash);
	}
	hash = hash_bytes(
	    session->host.machine.cpu, strlen(session->host.machine.cpu), hash);
	hash = hash_bytes(PRESTO_VERSION, strlen(PRESTO_VERSION), hash);
	hash = ini_hash(ini_section(ini, "dataset"), by_inventory, hash);
	hash = ini_hash(ini_section(ini, "pipeline"), NULL, hash);
	if (plan->user_loader)
		hash = user_loader_hash(plan->user_loader, hash);
	/* They decide which trials a search measures. */
	if (session_searches(plan)) {
		hash = hash_bytes(
		    plan->search->name, strlen(plan->search->name), hash);
		hash = ini_hash(ini_section(ini, "decision"), NULL, hash);
	}
	if (plan->together.meeting) {
		const uint64_t hosts = meeting_count(plan->together.meeting);

		hash = hash_bytes(&hosts, sizeof(hosts), hash);
	}
	/* the limit then decides which samples are skipped */
	if (plan->skip_errors)
		hash = ini_hash(ini_section(ini, "limits"), NULL, hash);
	snprintf(session->fingerprint, sizeof(session->fingerprint), "%016llx",
	    (unsigned long long)hash);
}

/* Makes the work folder; returns its real path. */
static char *make_folder(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	char *dir = path_make_dirs(plan->work_dir, err)
	                ? NULL
	                : own_folder_new(plan->work_dir, OWN_FOLDER_WORK,
	                      plan->keep, &session->folder.lock, err);

	if (dir)
		session->folder.path =
		    own_folder_as_given(plan->work_dir, dir, err);
	if (session->folder.path)
		return dir;
	free(dir);
	return NULL;
}

static int begin_anew(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct buf text = BUF_INIT, files = BUF_INIT, code = BUF_INIT,
	           costs = BUF_INIT;
	char *dir = NULL;
	int rc = -1;
	struct session_info info = {
		.pipeline = plan->name,
		.path = plan->pipeline->ini->path,
		.fingerprint = session->fingerprint,
		.dataset = plan->dataset.path,
		.dataset_given = plan->dataset.given,
		.samples = plan->source->samples,
		.total_samples = plan->source->total_samples,
		.full_samples = plan->full_samples,
		.source_bytes = plan->source->bytes,
		.total_bytes = plan->source->total_bytes,
		.seed = plan->plan->measure.seed,
		.batch = (unsigned)plan->plan->load.batch.values[0],
		.limits = plan->plan->limits,
		.budget_ns = (uint64_t)(plan->plan->measure.budget_s * 1e9),
		.cache_budget = cache_place_budget(plan->model),
		.machine = session->host.machine,
		.ini = plan->pipeline->ini,
	};

	if (plan->dataset.inventory &&
	    inventory_print(plan->dataset.inventory, &files, err))
		goto done;
	info.inventory = buf_span(&files);
	if (code_print(plan->pipeline, plan->pipeline->count, &code, err))
		goto done;
	info.code = (const char *)code.data;
	if (plan->order_costs && order_costs_print(plan->order_costs,
	                             plan->pipeline->count, &costs, err))
		goto done;
	info.order_costs = (const char *)costs.data;
	dir = make_folder(session, err);
	if (!dir)
		goto done;
	info.work_dir = dir;
	info.work_dir_given = session->folder.path;
	machine_filesystem(plan->dataset.path, info.source_fs);
	machine_filesystem(session->folder.path, info.work_fs);
	if (ini_print(plan->pipeline->ini, &text, err) == 0) {
		info.text = (const char *)text.data;
		rc = results_begin_session(
		    session->results, &info, &session->id, err);
	}
done:
	buf_release(&costs);
	buf_release(&code);
	buf_release(&files);
	buf_release(&text);
	free(dir);
	return rc;
}

/* Finds an unfinished session and its work folder; 0: there is none. */
static int find_unfinished(
    struct session *session, int64_t *id, char dir[DIR_MAX], struct error *err)
{
	return results_find_unfinished(
	    session->results, session->fingerprint, id, dir, DIR_MAX, err);
}

int session_recall_costs(const struct session_plan *plan,
    struct results *results, struct order_costs *costs, struct error *err)
{
	struct session session = { .plan = plan, .results = results };
	struct buf text = BUF_INIT;
	char dir[DIR_MAX];
	int64_t id;
	int rc;

	machine_read(&session.host.machine);
	set_fingerprint(&session);
	rc = find_unfinished(&session, &id, dir, err);
	if (rc > 0)
		rc = results_read_order_costs(results, id, &text, err);
	if (rc > 0)
		rc = order_costs_parse(
		    costs, plan->pipeline->count, (const char *)text.data);
	buf_release(&text);
	return rc;
}

/* Does the pipeline run the same code of the user's as the session did? */
static int check_code(struct session *session, int64_t id, struct error *err)
{
	const struct pipeline *pipeline = session->plan->pipeline;
	struct session_record then = SESSION_RECORD_INIT;
	struct buf now = BUF_INIT;
	char change[CODE_PRINT_TEXT];
	int rc = code_print(pipeline, pipeline->count, &now, err);

	if (rc == 0)
		rc = results_read_session(session->results, id, &then, err);
	if (rc == 0 &&
	    code_print_differs(then.info.code, (const char *)now.data, change))
		rc = error_set(err, ERROR_USAGE, "session %lld: %s",
		    (long long)id, change);
	session_record_release(&then);
	buf_release(&now);
	return rc;
}

/*
 * Trials keep what they kept before in the application cache, however much
 * memory is free now, unless load.cache_budget is given: what no longer fits is
 * skipped.
 */
static int recall_budget(struct session *session, int64_t id, struct error *err)
{
	const struct ini_section *load =
	    ini_section(session->plan->pipeline->ini, "load");
	struct session_record then = SESSION_RECORD_INIT;
	int rc;

	if (load && ini_entry(load, "cache_budget"))
		return 0;
	rc = results_read_session(session->results, id, &then, err);
	for (struct model *of = session->plan->model; of; of = of->next)
		if (rc == 0 && then.info.cache_budget > 0)
			of->machine.cache_budget = then.info.cache_budget;
	session_record_release(&then);
	return rc;
}

/* Are data and code those of the session? */
static int check_same(struct session *session, int64_t id, struct error *err)
{
	const struct session_plan *plan = session->plan;

	if (check_code(session, id, err) ||
	    origin_check_session(session->results, id, plan->dataset.inventory,
	        false, plan->medium, err))
		return error_advise(
		    err, "undo the change, or profile again without --resume");
	return 0;
}

/*
 * Takes over session `id` with folder `dir`; 0: it ended before this process
 * had the lock of the folder. The owner of the lock owns the session.
 */
static int take_session(
    struct session *session, int64_t id, const char *dir, struct error *err)
{
	const bool was_there = path_exists(dir);
	struct error ignored = ERROR_INIT;
	char still_dir[DIR_MAX];
	int64_t still;
	int found;

	if (own_folder_take(dir, OWN_FOLDER_WORK, session->plan->keep,
	        &session->folder.lock, err))
		return error_prefix(err, "session %lld", (long long)id);
	found = find_unfinished(session, &still, still_dir, err);
	if (found == 1 && still == id) {
		const struct session_plan *plan = session->plan;

		if (check_same(session, id, err)) {
			if (!was_there)
				own_folder_remove(
				    dir, &session->folder.lock, &ignored);
			return -1;
		}
		session->folder.path =
		    own_folder_as_given(plan->work_dir, dir, err);
		if (!session->folder.path ||
		    (!plan->keep && own_folder_empty(dir, err)))
			return -1;
		session->id = id;
		return recall_budget(session, id, err) ? -1 : 1;
	}
	if (found >= 0 && !was_there &&
	    own_folder_remove(dir, &session->folder.lock, err))
		found = -1;
	lock_release(&session->folder.lock);
	return found < 0 ? -1 : 0;
}

/* 1: an unfinished session is resumed; 0: there is none. */
static int begin_again(struct session *session, struct error *err)
{
	char dir[DIR_MAX];
	int64_t id;
	int rc;

	while ((rc = find_unfinished(session, &id, dir, err)) > 0) {
		rc = take_session(session, id, dir, err);
		if (rc)
			break;
	}
	return rc;
}

/* Warns of an unfinished session: killed, or still running. */
static void tell_of_unfinished(struct session *session)
{
	struct error ignored = ERROR_INIT;
	char dir[DIR_MAX], text[DIR_MAX + 300], *given;
	int64_t id;

	if (find_unfinished(session, &id, dir, &ignored) <= 0)
		return;
	if (own_folder_in_use(dir)) {
		snprintf(text, sizeof(text),
		    "session %lld of this pipeline is still running; two "
		    "sessions at a time slow each other down: stop one",
		    (long long)id);
	} else {
		const bool is_kept = path_exists(dir);

		given =
		    own_folder_as_given(session->plan->work_dir, dir, &ignored);
		if (!given)
			return; /* no memory */
		snprintf(text, sizeof(text),
		    "session %lld of this pipeline did not end; --resume "
		    "continues it%s%s",
		    (long long)id, is_kept ? "; its data is in " : "",
		    is_kept ? given : "");
		free(given);
	}
	messages_warn(&session->messages, text);
}

/* Removes what killed sessions left in the folder that this one writes in. */
static void sweep_beside(struct session *session)
{
	struct error ignored = ERROR_INIT;
	char *parent = path_dir(session->folder.path, &ignored);

	if (parent)
		own_folder_sweep(parent, messages_note, &session->messages);
	free(parent);
}

int session_begin(struct session *session, struct error *err)
{
	set_fingerprint(session);
	if (session->plan->resume) {
		const int found = begin_again(session, err);

		if (found > 0)
			sweep_beside(session);
		if (found != 0)
			return found < 0 ? -1 : 0;
		if (session->host.machine.cpu_unread)
			return error_set(err, ERROR_SYSTEM,
			    "cannot read the name of the CPU in /proc/cpuinfo: "
			    "a session is resumed on the CPU that it was "
			    "measured on; try again");
		messages_warn(&session->messages,
		    "there is no session to resume: a new one "
		    "begins");
	}
	own_folder_sweep(
	    session->plan->work_dir, messages_note, &session->messages);
	if (!session->plan->resume)
		tell_of_unfinished(session);
	return begin_anew(session, err);
}
