/* user_loader_read.c - see user_loader.h: what the pipeline file says of it. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/path.h"
#include "lib/python/settings.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "strategies/trial/user_loader.h"

static char *copy(const char *text, size_t len, struct error *err)
{
	char *made = strndup(text, len);

	if (!made)
		error_memory(err, len + 1);
	return made;
}

/* Divides "FILE.py:FUNCTION" or "package.module:FUNCTION". */
static int read_target(struct user_loader_plan *plan, const struct ini *ini,
    const struct ini_entry *entry, struct error *err)
{
	const char *colon = strrchr(entry->value, ':');
	char *file;

	if (!colon || colon == entry->value || !colon[1]) {
		error_set(err, ERROR_USAGE,
		    "loader must be FILE.py:FUNCTION, got '%s'", entry->value);
		return ini_error_at(ini, entry, err);
	}
	file = copy(entry->value, (size_t)(colon - entry->value), err);
	plan->function = copy(colon + 1, strlen(colon + 1), err);
	if (!file || !plan->function) {
		free(file);
		return -1;
	}
	if (!span_ends_with(span_text(file), ".py")) {
		plan->file = file; /* a module */
		return 0;
	}
	plan->file = ini_resolve(ini, entry, file, err);
	free(file);
	if (!plan->file || path_exists(plan->file))
		return plan->file ? 0 : -1;
	error_set(err, ERROR_USAGE, "there is no file %s", plan->file);
	return ini_error_at(ini, entry, err);
}

int user_loader_read(
    struct user_loader_plan *plan, const struct ini *ini, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "measure");
	const struct ini_entry *entry =
	    section ? ini_entry(section, "loader") : NULL;

	if (!entry)
		return 0;
	if (read_target(plan, ini, entry, err) ||
	    python_settings_read(&plan->python, ini, err))
		return -1;
	plan->given = entry->value;
	return 0;
}

uint64_t user_loader_hash(const struct user_loader_plan *plan, uint64_t seed)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	seed = hash_bytes(plan->given, strlen(plan->given), seed);
	if (span_ends_with(span_text(plan->file), ".py") &&
	    path_read(plan->file, 1 << 24, &text, &ignored) == 0)
		seed = hash_bytes(text.data, text.len, seed);
	buf_release(&text);
	return seed;
}

void user_loader_release(struct user_loader_plan *plan)
{
	python_settings_release(&plan->python);
	free(plan->file);
	free(plan->function);
	*plan = (struct user_loader_plan)USER_LOADER_PLAN_INIT;
}
