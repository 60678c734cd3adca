/* same_work.c - see same_work.h. */
#include "strategies/update/same_work.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/pipeline/code_print.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "strategies/prepare/fingerprint.h"
#include "strategies/prepare/prepare.h"

enum { VALUE_SHOWN = 160 };

/* Keys that may differ: where the dataset is, and how large it is. */
static bool may_differ(const char *section, const char *key)
{
	static const char *const of_dataset[] = { "fingerprint", "path" };

	for (size_t i = 0; i < ARRAY_LEN(of_dataset); i++)
		if (strcmp(section, "dataset") == 0 &&
		    strcmp(key, of_dataset[i]) == 0)
			return true;
	return false;
}

/* Finds a key of `a` that `b` has not, or with another value: 1. */
static int find_difference(
    const struct ini_section *a, const struct ini_section *b, const char **key)
{
	for (size_t i = 0; a && i < a->count; i++) {
		const struct ini_entry *is = &a->entries[i];
		const struct ini_entry *was = b ? ini_entry(b, is->key) : NULL;

		if (may_differ(a->name, is->key) ||
		    (was && strcmp(was->value, is->value) == 0))
			continue;
		*key = is->key;
		return 1;
	}
	return 0;
}

static const char *value_of(const struct ini_section *section, const char *key)
{
	const struct ini_entry *entry =
	    section ? ini_entry(section, key) : NULL;

	return entry ? entry->value : "not there";
}

/* Names the first key that differs: 1; 0: none does. */
static int name_key(const struct ini *then, const struct ini *now,
    const char *dir, struct error *err)
{
	static const char *const sections[] = { "dataset", "pipeline",
		"limits" };

	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		const struct ini_section *was = ini_section(then, sections[i]);
		const struct ini_section *is = ini_section(now, sections[i]);
		const char *key;

		if (!find_difference(is, was, &key) &&
		    !find_difference(was, is, &key))
			continue;
		error_set(err, ERROR_USAGE,
		    "%s: holds another pipeline: [%s] %s was '%.*s', and is "
		    "'%.*s'; undo that, or materialize to another folder",
		    dir, sections[i], key, VALUE_SHOWN, value_of(was, key),
		    VALUE_SHOWN, value_of(is, key));
		return 1;
	}
	return 0;
}

/* Names code of the user's that has changed: 1; 0: none has. */
static int name_code(const struct prepare_plan *plan,
    const struct description *then, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct buf now = BUF_INIT;
	char change[CODE_PRINT_TEXT];
	int named = 0;

	if (then->code &&
	    code_print(plan->pipeline, plan->pipeline->count, &now, &ignored) ==
	        0 &&
	    now.len &&
	    code_print_differs(then->code, (const char *)now.data, change)) {
		error_set(err, ERROR_USAGE,
		    "%s: %s; undo that, or materialize to another folder",
		    plan->folder.dir, change);
		named = 1;
	}
	buf_release(&now);
	return named;
}

static int blame(const struct prepare_plan *plan,
    const struct description *then, struct error *err)
{
	const char *text = then->pipeline;
	struct error ignored = ERROR_INIT;
	struct ini ini = INI_INIT;
	int named = name_code(plan, then, err);

	if (!named &&
	    ini_parse_text(&ini, "", text, strlen(text), &ignored) == 0)
		named =
		    name_key(&ini, plan->pipeline->ini, plan->folder.dir, err);
	ini_release(&ini);
	if (named)
		return -1;
	return error_set(err, ERROR_USAGE,
	    "%s: was made with other labels, options or seed than these, or "
	    "by an earlier presto; materialize to another folder",
	    plan->folder.dir);
}

int same_work_check(const struct prepare_plan *plan,
    const struct description *then, struct error *err)
{
	const struct manifest *manifest = &then->manifest;
	struct prepare_plan own = *plan;
	char text[FINGERPRINT];

	own.shards = (unsigned)(manifest->history.count
	                            ? manifest->history.rows[0].shards
	                            : manifest->count);
	fingerprint_set(&own, false, text);
	return strcmp(text, manifest->fingerprint) == 0
	           ? 0
	           : blame(plan, then, err);
}
