/* plan.c - see plan.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cmd/recommend/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "cmd/recommend/planned.h"
#include "cmd/report/session_data.h"
#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/results_ini.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/folder/inventory.h"
#include "lib/syntax/ini.h"
#include "strategies/decide/derive.h"
#include "strategies/decide/rank.h"
#include "strategies/planfile/plan_file.h"

enum { RIVALS_RANKED = 2 };

/* Everything that is kept while a plan is made. */
struct making {
	struct ini ini; /* owned: the session's file */
	struct session_record record;
	struct plan_file plan;
	struct plan_hashes hashes;
	char written[CLOCK_TEXT];
	char *folder; /* owned */
	char *asked;  /* owned: the caches that the session was asked for */
	char caches[PLAN_FILE_RIVALS][PLANNED_CACHE]; /* the runners-up's */
};

static struct plan_expected expected_of(const struct candidate *c)
{
	const struct throughput *rate = &c->trial.throughput;

	return (struct plan_expected){
		.throughput = rate->median,
		.throughput_low = rate->low,
		.throughput_high = rate->high,
		.first_epoch = rate->first_epoch,
		.first_epoch_low = rate->first_low,
		.first_epoch_high = rate->first_high,
		.prep_s = c->trial.profiled.prep_s,
		.storage_bytes = c->trial.profiled.storage_bytes,
		.full_prep_s = c->full.prep_s,
		.full_storage_bytes = c->full.storage_bytes,
	};
}

/* ---- the sections of the plan ---- */

static void add_rival(struct making *making, const struct session_data *data,
    const struct candidate *c)
{
	struct plan_file *plan = &making->plan;
	const unsigned n = plan->rival_count++;
	const struct planned_trial trial = planned_trial_of(data, &c->trial);

	planned_cache(&trial, making->asked, making->caches[n]);
	plan->rivals[n] = (struct plan_rival){
		.strategy = c->trial.strategy,
		.cache = making->caches[n],
		.threads = c->trial.threads,
		.fetchers = planned_number(&trial, "fetchers"),
		.read_ahead = planned_number(&trial, "read_ahead"),
		.shuffle = planned_number(&trial, "shuffle"),
		.batch = planned_number(&trial, "batch"),
		.expected = expected_of(c),
	};
}

static bool is_rival_already(
    const struct plan_file *plan, const struct candidate *c)
{
	if (strcmp(plan->strategy, c->trial.strategy) == 0)
		return true;
	for (unsigned i = 0; i < plan->rival_count; i++)
		if (strcmp(plan->rivals[i].strategy, c->trial.strategy) == 0)
			return true;
	return false;
}

/* The next best strategies, and unprocessed behind them. */
static void add_rivals(struct making *making, const struct session_data *data,
    const struct ranking *ranking)
{
	const struct candidate *base =
	    ranking_unprocessed(ranking, &ranking->list[0]);

	for (size_t i = 1;
	     i < ranking->ranked && making->plan.rival_count < RIVALS_RANKED;
	     i++) {
		const struct candidate *c = &ranking->list[i];

		if (!candidate_is_unprocessed(c) && !candidate_is_yours(c) &&
		    !is_rival_already(&making->plan, c))
			add_rival(making, data, c);
	}
	if (base && !is_rival_already(&making->plan, base))
		add_rival(making, data, base);
}

/* Hashes of the files that the session listed. */
static int add_files(
    struct making *making, struct results *results, struct error *err)
{
	struct plan_fingerprint *print = &making->plan.fingerprint;
	struct inventory inventory = INVENTORY_INIT;
	struct buf bytes = BUF_INIT;
	int rc =
	    results_read_inventory(results, making->record.id, &bytes, err);

	if (rc > 0 && inventory_parse(&inventory, buf_span(&bytes), err) == 0 &&
	    plan_hashes_of(&making->hashes, &inventory, err) == 0) {
		print->files = making->hashes.files;
		print->names = making->hashes.names;
		print->times = making->hashes.times;
		print->contents = making->hashes.contents;
		rc = 0;
	} else if (rc > 0) {
		rc = -1;
	}
	inventory_release(&inventory);
	buf_release(&bytes);
	return rc;
}

static int describe(struct making *making, struct results *results,
    const struct session_data *data, const struct ranking *ranking,
    struct error *err)
{
	const struct session_info *info = &making->record.info;
	struct plan_file *plan = &making->plan;

	clock_utc(making->written);
	plan->session = (uint64_t)making->record.id;
	plan->presto = PRESTO_VERSION;
	plan->written = making->written;
	plan->pipeline = info->pipeline;
	plan->strategy = ranking->list[0].trial.strategy;
	plan->folder = making->folder;
	plan->expected = expected_of(&ranking->list[0]);
	plan->fingerprint.samples = info->samples;
	plan->fingerprint.total_samples = info->total_samples;
	plan->fingerprint.total_bytes = info->total_bytes;
	plan->cpu = info->machine.cpu;
	plan->kernel = info->machine.kernel;
	plan->cores = info->machine.cores;
	plan->memory_bytes = machine_memory(&info->machine);
	plan->source_fs = info->source_fs;
	plan->work_fs = info->work_fs;
	add_rivals(making, data, ranking);
	if (info->code && *info->code && !(plan->code = strdup(info->code)))
		return error_memory(err, strlen(info->code));
	return add_files(making, results, err);
}

/* ---- the folder ---- */

/* Bytes of the longest common folder of two absolute paths. */
static size_t common_folder(const char *a, const char *b)
{
	size_t i = 0, common = 0;

	for (;; i++) {
		const bool ends =
		    (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/');

		if (ends)
			common = i;
		if (!a[i] || a[i] != b[i])
			return common;
	}
}

/*
 * Appends the way from one folder below a common one to another: "../../a".
 * Both begin with "/", or are "".
 */
static int climb(
    struct buf *text, const char *from, const char *to, struct error *err)
{
	for (; *from; from++)
		if (*from == '/' && buf_printf(text, err, "../"))
			return -1;
	if (*to)
		return buf_printf(text, err, "%s", to + 1);
	if (!text->len)
		return buf_printf(text, err, ".");
	text->data[--text->len] = '\0'; /* the last '/' */
	return 0;
}

/*
 * The folder of the pipeline file as it is found from that of the plan, so that
 * both may be moved together; absolute where they have no folder in common.
 */
static char *find_folder(
    const char *plan, const char *folder, struct error *err)
{
	char *dir = strcmp(plan, "-") == 0 ? NULL : path_dir(plan, err);
	char *from = dir ? realpath(dir, NULL) : NULL;
	char *to = realpath(folder, NULL);
	const size_t common = from && to ? common_folder(from, to) : 0;
	struct buf text = BUF_INIT;
	int rc;

	if (common)
		rc = climb(&text, from + common, to + common, err);
	else
		rc = buf_printf(&text, err, "%s", to ? to : folder);
	free(to);
	free(from);
	free(dir);
	if (rc)
		buf_release(&text);
	return (char *)text.data;
}

/* ---- writing ---- */

/* `full`: the request with what the session decides by. */
static int make(struct making *making, const struct plan_order *order,
    const struct request *full, struct results *results,
    const struct ranking *ranking, struct error *err)
{
	const struct session_data *data = order->data;
	const struct planned_trial winner =
	    planned_trial_of(data, &ranking->list[0].trial);
	struct ini *ini = &making->ini;
	const int found = results_read_ini(results, data->session, ini, err);

	if (found == 0)
		error_set(err, ERROR_USAGE,
		    "session %lld was measured by an older presto that did "
		    "not keep the pipeline file: profile it again for a plan",
		    (long long)data->session);
	if (found != 1 ||
	    results_read_session(
	        results, data->session, &making->record, err) ||
	    planned_caches(ini, &making->asked, err))
		return -1;
	making->folder = find_folder(order->path, ini->folder, err);
	if (!making->folder ||
	    planned_fill(ini, &winner, making->asked, full, err))
		return -1;
	return describe(making, results, data, ranking, err);
}

static int print_to(const void *arg, FILE *out, struct error *err)
{
	const struct making *making = arg;
	struct buf text = BUF_INIT;
	int rc = plan_file_print(&making->plan, &making->ini, &text, err);

	if (rc == 0)
		fwrite(text.data, 1, text.len, out);
	buf_release(&text);
	return rc;
}

static void release(struct making *making)
{
	plan_file_release(&making->plan);
	session_record_release(&making->record);
	ini_release(&making->ini);
	free(making->folder);
	free(making->asked);
}

static int write_winner(const struct plan_order *order,
    const struct request *full, struct results *results,
    const struct ranking *ranking, struct error *err)
{
	struct making making = { .plan = plan_file_none() };
	int rc = make(&making, order, full, results, ranking, err);

	if (rc == 0)
		rc = output_to(order->path, print_to, &making, err);
	if (rc == 0 && strcmp(order->path, "-") != 0)
		cmd_note("%s is the plan of %s; presto verify tells whether it "
		         "still wins",
		    order->path, making.plan.strategy);
	release(&making);
	return rc;
}

int recommend_plan_check(const char *path, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct ini ini = INI_INIT;
	bool is_plan;

	if (output_check(path, err))
		return -1;
	if (strcmp(path, "-") == 0 || !path_exists(path))
		return 0;
	is_plan = ini_read(&ini, path, &ignored) == 0 && plan_file_is(&ini);
	ini_release(&ini);
	return is_plan ? 0
	               : error_set(err, ERROR_USAGE,
	                     "--plan: %s is there, and is no plan: it is left "
	                     "as it is; give another name",
	                     path);
}

int recommend_plan_write(const struct plan_order *order, struct error *err)
{
	struct results *results = derive_open(order->db, false, err);
	struct ranking ranking = RANKING_INIT;
	struct request full = *order->request;
	int rc = -1;

	session_data_complete(order->data, &full);
	if (results &&
	    ranking_make(&ranking, &order->data->figures, &full, err) == 0)
		rc = write_winner(order, &full, results, &ranking, err);
	ranking_release(&ranking);
	results_close(results);
	return rc;
}
