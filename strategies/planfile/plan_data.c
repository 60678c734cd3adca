/* plan_data.c - see plan_file.h: the data and the code that a plan is for. */
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/units.h"
#include "lib/folder/inventory.h"
#include "lib/folder/inventory_compare.h"
#include "lib/pipeline/code_print.h"
#include "lib/sample/reader.h"
#include "strategies/planfile/plan_file.h"

#define PLAN_ANEW                                                              \
	"profile it again, and write a plan with presto recommend --plan; or " \
	"undo the change"

/* ---- hashes ---- */

static void print_hash(char text[PLAN_HASH], uint64_t hash)
{
	snprintf(text, PLAN_HASH, "%016llx", (unsigned long long)hash);
}

int plan_hashes_of(struct plan_hashes *hashes,
    const struct inventory *inventory, struct error *err)
{
	struct inventory_cursor cursor = INVENTORY_CURSOR_INIT;
	struct inventory_file file;
	uint64_t names = 0, times = 0, contents = 0;
	bool has_contents = true;
	int got;

	*hashes = (struct plan_hashes){ .files = 0 };
	inventory_cursor_begin(&cursor, inventory);
	while ((got = inventory_cursor_next(&cursor, &file, err)) > 0) {
		names = hash_bytes(file.name, strlen(file.name) + 1, names);
		names = hash_bytes(&file.bytes, sizeof(file.bytes), names);
		times =
		    hash_bytes(&file.mtime_ns, sizeof(file.mtime_ns), times);
		if (file.has_version)
			times = hash_bytes(
			    &file.version, sizeof(file.version), times);
		contents = hash_bytes(&file.hash, sizeof(file.hash), contents);
		has_contents &= file.has_hash;
		hashes->files++;
	}
	inventory_cursor_release(&cursor);
	if (got < 0)
		return -1;
	print_hash(hashes->names, names);
	print_hash(hashes->times, times);
	if (has_contents && hashes->files)
		print_hash(hashes->contents, contents);
	return 0;
}

/* ---- comparisons ---- */

int plan_file_check_totals(const struct plan_file *plan,
    const struct reader *source, struct error *err)
{
	const struct plan_fingerprint *then = &plan->fingerprint;
	char old[UNITS_TEXT], now[UNITS_TEXT];

	if (then->total_samples && then->total_samples != source->total_samples)
		return error_set(err, ERROR_USAGE,
		    "%s is the plan for %llu samples, and the dataset has "
		    "%llu; " PLAN_ANEW,
		    plan->whole.path, (unsigned long long)then->total_samples,
		    (unsigned long long)source->total_samples);
	if (!then->total_bytes || !source->total_bytes ||
	    then->total_bytes == source->total_bytes)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s is the plan for a dataset of %s (%llu bytes), and this one has "
	    "%s (%llu bytes); " PLAN_ANEW,
	    plan->whole.path, units_bytes((double)then->total_bytes, old),
	    (unsigned long long)then->total_bytes,
	    units_bytes((double)source->total_bytes, now),
	    (unsigned long long)source->total_bytes);
}

static int error_files(
    const struct plan_file *plan, const char *what, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "%s is the plan for other data: %s of the dataset's files differ; "
	    "%s",
	    plan->whole.path, what, PLAN_ANEW);
}

int plan_file_check_files(const struct plan_file *plan,
    const struct inventory *now, struct error *err)
{
	const struct plan_fingerprint *then = &plan->fingerprint;
	struct plan_hashes hashes;

	if (!then->names)
		return 0; /* older sessions kept no list of files */
	if (plan_hashes_of(&hashes, now, err))
		return -1;
	if (strcmp(then->names, hashes.names) != 0)
		return error_files(plan, "names or sizes", err);
	if (now->mode == INVENTORY_CONTENTS && then->contents &&
	    *hashes.contents)
		return strcmp(then->contents, hashes.contents) == 0
		           ? 0
		           : error_files(plan, "the contents", err);
	if (now->mode == INVENTORY_SIZES || !then->times ||
	    strcmp(then->times, hashes.times) == 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s is the plan for other data: files of the dataset were changed "
	    "since, or copied; if their bytes are the same, give --set "
	    "dataset.fingerprint=sizes",
	    plan->whole.path);
}

int plan_file_check_code(
    const struct plan_file *plan, const char *now, struct error *err)
{
	char change[CODE_PRINT_TEXT];

	if (!code_print_differs(plan->code, now, change))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s is the plan for other code: %s; %s", plan->whole.path, change,
	    PLAN_ANEW);
}
