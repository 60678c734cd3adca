/* plan.c - see plan.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cmd/recommend/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "cmd/report/session_data.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_ini.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/folder/inventory.h"
#include "lib/stores/readable.h"
#include "lib/syntax/ini.h"
#include "strategies/decide/derive.h"
#include "strategies/decide/rank.h"
#include "strategies/planfile/plan_file.h"

enum { CELL = 256, RIVALS_RANKED = 2 };

/* Everything that is kept while a plan is made. */
struct making {
	struct ini ini; /* owned: the session's file */
	struct session_record record;
	struct plan_file plan;
	struct plan_hashes hashes;
	char written[CLOCK_TEXT];
	char *folder; /* owned */
	/* Caches of the runners-up, with their places. */
	char caches[PLAN_FILE_RIVALS][CELL];
};

/* ---- rows ---- */

/* The row of a candidate; -1: none. */
static long row_of(const struct session_data *data, const struct figures *trial)
{
	for (size_t row = 0; row < data->trials.row_count; row++)
		if (figures_are_of(trial, &data->trials, row))
			return (long)row;
	return -1;
}

/* A number of a row; 0: it has none, or the column is not there. */
static uint64_t cell(const struct grid *trials, long row, const char *column)
{
	double number;

	if (row < 0 || grid_column(trials, column) < 0)
		return 0;
	number = grid_number(trials, (size_t)row, column);
	return number > 0 ? (uint64_t)number : 0;
}

/* "application:resized": the cache with its place. */
static void cache_text(
    const struct grid *trials, long row, enum cache_mode cache, char text[CELL])
{
	const char *place = row >= 0 && grid_column(trials, "cache_place") >= 0
	                        ? grid_text(trials, (size_t)row, "cache_place")
	                        : "";

	snprintf(
	    text, CELL, "%s%s%s", cache_word(cache), *place ? ":" : "", place);
}

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

/* ---- the pipeline part ---- */

static bool is_single(const char *value)
{
	return !strchr(value, ',') && strcmp(value, "auto") != 0;
}

/*
 * Sets a number as it was measured.  0: it is not in the row, and the key of
 * the file stays, unless that is a list: then it has no one value.
 */
static int put_number(struct ini *ini, const char *section, const char *key,
    uint64_t number, struct error *err)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, section), key);
	char text[32];

	if (!number && (!entry || is_single(entry->value)))
		return 0;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	return ini_put(ini, section, key, text, err);
}

/* Shards are kept where they were asked for; else the full size says. */
static int put_shards(
    struct ini *ini, const struct grid *trials, long row, struct error *err)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, "strategies"), "shards");

	if (!entry || is_single(entry->value))
		return 0;
	return put_number(
	    ini, "strategies", "shards", cell(trials, row, "shards"), err);
}

static int put_load(struct ini *ini, const struct grid *trials, long row,
    const struct candidate *winner, struct error *err)
{
	static const char *const keys[] = { "fetchers", "read_ahead", "shuffle",
		"batch" };
	char cache[CELL];

	cache_text(trials, row, winner->trial.cache, cache);
	if (ini_put(ini, "load", "cache", cache, err) ||
	    put_number(ini, "load", "threads", winner->trial.threads, err))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (put_number(
		        ini, "load", keys[i], cell(trials, row, keys[i]), err))
			return -1;
	return 0;
}

/* `unprocessed` is no split: the file keeps what it would store. */
static int put_strategy(struct ini *ini, const char *label, struct error *err)
{
	struct plan_label parts;

	if (!plan_label_read(&parts, label))
		return error_set(err, ERROR_USAGE,
		    "%s cannot be a plan: only strategies of presto can",
		    label);
	if (!*parts.store)
		return 0;
	if (ini_put(ini, "strategies", "split", parts.split, err) ||
	    ini_put(ini, "strategies", "store", parts.store, err) ||
	    ini_put(ini, "strategies", "codec", parts.codec, err))
		return -1;
	if (!*parts.order &&
	    !ini_entry(ini_section(ini, "strategies"), "order"))
		return 0;
	return ini_put(ini, "strategies", "order",
	    *parts.order ? parts.order : "given", err);
}

static int put_real(
    struct ini *ini, const char *key, double value, struct error *err)
{
	char text[32];

	if (isnan(value))
		return 0;
	snprintf(text, sizeof(text), "%.15g", value);
	return ini_put(ini, "decision", key, text, err);
}

static int put_weights(
    struct ini *ini, const struct weights *weights, struct error *err)
{
	char text[128];

	snprintf(text, sizeof(text), "prep=%.6g,storage=%.6g,throughput=%.6g",
	    weights->prep, weights->storage, weights->throughput);
	return ini_put(ini, "decision", "weights", text, err);
}

/* Keeps what was wanted, so that presto verify asks the same. */
static int put_request(
    struct ini *ini, const struct request *request, struct error *err)
{
	const struct objective_ops *objective = request->objective;

	if (ini_put(ini, "decision", "objective", objective->name, err) ||
	    (objective->uses_weights &&
	        put_weights(ini, &request->weights, err)) ||
	    put_real(ini, "epochs", request->epochs, err) ||
	    put_real(ini, "max_prep", request->max_prep_s, err) ||
	    put_real(ini, "max_storage", request->max_storage_bytes, err) ||
	    put_real(ini, "min_throughput", request->min_throughput, err))
		return -1;
	if (request->lossy && ini_put(ini, "decision", "lossy", "yes", err))
		return -1;
	if (!isnan(request->full_samples) &&
	    put_number(ini, "dataset", "full_samples",
	        (uint64_t)request->full_samples, err))
		return -1;
	return request->reader ? ini_put(ini, "decision", "readable_by",
	                             request->reader->name, err)
	                       : 0;
}

/* ---- the sections of the plan ---- */

static void add_rival(struct making *making, const struct session_data *data,
    const struct candidate *c)
{
	struct plan_file *plan = &making->plan;
	const unsigned n = plan->rival_count++;
	const long row = row_of(data, &c->trial);
	struct plan_rival *rival = &plan->rivals[n];

	cache_text(&data->trials, row, c->trial.cache, making->caches[n]);
	*rival = (struct plan_rival){
		.strategy = c->trial.strategy,
		.cache = making->caches[n],
		.threads = c->trial.threads,
		.fetchers = cell(&data->trials, row, "fetchers"),
		.read_ahead = cell(&data->trials, row, "read_ahead"),
		.shuffle = cell(&data->trials, row, "shuffle"),
		.batch = cell(&data->trials, row, "batch"),
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
	const struct candidate *winner = &ranking->list[0];
	const long row = row_of(data, &winner->trial);
	struct ini *ini = &making->ini;
	const int found = results_read_ini(results, data->session, ini, err);

	if (found == 0)
		error_set(err, ERROR_USAGE,
		    "session %lld was measured by an older presto that did "
		    "not keep the pipeline file: profile it again for a plan",
		    (long long)data->session);
	if (found != 1 ||
	    results_read_session(results, data->session, &making->record, err))
		return -1;
	making->folder = find_folder(order->path, ini->folder, err);
	if (!making->folder || put_strategy(ini, winner->trial.strategy, err) ||
	    put_shards(ini, &data->trials, row, err) ||
	    put_number(ini, "measure", "samples",
	        cell(&data->trials, row, "source_samples"), err) ||
	    put_load(ini, &data->trials, row, winner, err) ||
	    put_request(ini, full, err))
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
