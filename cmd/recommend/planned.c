/* planned.c - see planned.h. */
#include "cmd/recommend/planned.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/session_data.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/stores/readable.h"
#include "lib/syntax/ini.h"
#include "strategies/decide/rank.h"
#include "strategies/planfile/plan_file.h"

/* As in the lists of a pipeline file (plan.h). */
static const char separators[] = ", \t\n";

/* ---- rows ---- */

struct planned_trial planned_trial_of(
    const struct session_data *data, const struct figures *figures)
{
	const struct grid *rows = &data->trials;
	const int64_t number = figures->trial;
	struct planned_trial found = { rows, figures, -1 };

	for (size_t row = 0; row < rows->row_count && found.row < 0; row++)
		if (number ? grid_integer(rows, row, "trial") == number
		           : figures_are_of(figures, rows, row))
			found.row = (long)row;
	return found;
}

uint64_t planned_number(const struct planned_trial *trial, const char *column)
{
	double number;

	if (trial->row < 0 || grid_column(trial->rows, column) < 0)
		return 0;
	number = grid_number(trial->rows, (size_t)trial->row, column);
	return number > 0 ? (uint64_t)number : 0;
}

/* ---- caches ---- */

int planned_caches(const struct ini *ini, char **asked, struct error *err)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, "load"), "cache");
	const char *list = entry ? entry->value : "";

	*asked = strdup(list);
	return *asked ? 0 : error_memory(err, strlen(list));
}

/*
 * The place in a row is where that strategy kept its samples, which another
 * order need not allow: the word that asked for it does.
 */
void planned_cache(const struct planned_trial *trial, const char *asked,
    char text[PLANNED_CACHE])
{
	const enum cache_mode cache = trial->figures->cache;
	const size_t len = strlen(cache_word(cache));
	char exact[PLANNED_CACHE];

	snprintf(exact, sizeof(exact), "%s:%s", cache_word(cache),
	    trial->row >= 0 && grid_column(trial->rows, "cache_place") >= 0
	        ? grid_text(trial->rows, (size_t)trial->row, "cache_place")
	        : "");
	*text = '\0';
	while (*(asked += strspn(asked, separators))) {
		const size_t size = strcspn(asked, separators);
		const bool is_mode = size >= len && size < PLANNED_CACHE &&
		                     strncmp(asked, exact, len) == 0;
		const bool is_exact = is_mode && size == strlen(exact) &&
		                      strncmp(asked, exact, size) == 0;

		/* The exact word is the best, then the plain one. */
		if (is_exact || (is_mode && strcmp(text, exact) != 0 &&
		                    (size == len || !*text)))
			snprintf(text, PLANNED_CACHE, "%.*s", (int)size, asked);
		asked += size;
	}
	if (!*text)
		snprintf(text, PLANNED_CACHE, "%s", cache_word(cache));
}

/* ---- the pipeline part ---- */

static bool is_single(const char *value)
{
	return !strpbrk(value, separators) && strcmp(value, "auto") != 0;
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
    struct ini *ini, const struct planned_trial *trial, struct error *err)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, "strategies"), "shards");

	if (!entry || is_single(entry->value))
		return 0;
	return put_number(
	    ini, "strategies", "shards", planned_number(trial, "shards"), err);
}

static int put_load(struct ini *ini, const struct planned_trial *trial,
    const char *asked, struct error *err)
{
	static const char *const keys[] = { "fetchers", "read_ahead", "shuffle",
		"batch" };
	char cache[PLANNED_CACHE];

	planned_cache(trial, asked, cache);
	if (ini_put(ini, "load", "cache", cache, err) ||
	    put_number(ini, "load", "threads", trial->figures->threads, err))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (put_number(ini, "load", keys[i],
		        planned_number(trial, keys[i]), err))
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

int planned_fill(struct ini *ini, const struct planned_trial *winner,
    const char *asked, const struct request *request, struct error *err)
{
	if (put_strategy(ini, winner->figures->strategy, err) ||
	    put_shards(ini, winner, err) ||
	    put_number(ini, "measure", "samples",
	        planned_number(winner, "source_samples"), err) ||
	    put_load(ini, winner, asked, err))
		return -1;
	return put_request(ini, request, err);
}
