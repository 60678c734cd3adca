/* plan_file.c - see plan_file.h: reads plans. */
#include "strategies/planfile/plan_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/syntax/ini_options.h"
#include "strategies/planfile/plan_rows.h"

struct plan_file plan_file_none(void)
{
	const struct plan_expected unknown = { NAN, NAN, NAN, NAN, NAN, NAN,
		NAN, NAN, NAN, NAN };
	struct plan_file plan = { .expected = unknown };

	for (unsigned i = 0; i < PLAN_FILE_RIVALS; i++)
		plan.rivals[i].expected = unknown;
	return plan;
}

void plan_file_release(struct plan_file *plan)
{
	ini_release(&plan->whole);
	free(plan->code);
	*plan = plan_file_none();
}

bool plan_file_is(const struct ini *ini)
{
	return ini_section(ini, PLAN_SECTION) != NULL;
}

/* Copies up to the first of `ends` of *text, and goes on behind it. */
static bool take_part(
    const char **text, const char *ends, char part[RESULTS_LABEL])
{
	const size_t len = strcspn(*text, ends);

	if (!len || len >= RESULTS_LABEL)
		return false;
	memcpy(part, *text, len);
	part[len] = '\0';
	*text += len + ((*text)[len] != '\0');
	return true;
}

bool plan_label_read(struct plan_label *parts, const char *label)
{
	const char *colon = strchr(label, ':'), *slash = strchr(label, '/');

	*parts = (struct plan_label){ .order = "" };
	/* A codec may have a colon as well: "resized/tar/zstd:1". */
	if (colon && (!slash || colon < slash) &&
	    !take_part(&label, ":", parts->order))
		return false;
	if (!take_part(&label, "/", parts->split))
		return false;
	if (!slash)
		return strcmp(parts->split, "unprocessed") == 0;
	return take_part(&label, "/", parts->store) &&
	       take_part(&label, "", parts->codec);
}

/* ---- the sections of the plan ---- */

/* The line of the section, for an error about all of it. */
static int error_in(
    const struct ini *ini, const char *section, struct error *err)
{
	const struct ini_section *found = ini_section(ini, section);

	return found ? error_prefix(err, "%s:%u", ini->path, found->line)
	             : error_prefix(err, "%s", ini->path);
}

static int read_rivals(struct plan_file *plan, struct error *err)
{
	static const char rival[] = PLAN_RUNNER_UP " ";
	const struct ini *ini = &plan->whole;

	for (size_t i = 0; i < ini->count; i++) {
		const struct ini_section *section = &ini->sections[i];
		struct plan_label parts;
		struct plan_rival *to = &plan->rivals[plan->rival_count];

		if (strncmp(section->name, rival, strlen(rival)) != 0)
			continue;
		if (plan->rival_count == PLAN_FILE_RIVALS) {
			error_set(err, ERROR_USAGE, "more than %d runners-up",
			    PLAN_FILE_RIVALS);
			return error_in(ini, section->name, err);
		}
		if (ini_options(ini, section, plan_rival_rows, to, err))
			return -1;
		if (!to->strategy || !plan_label_read(&parts, to->strategy)) {
			error_set(err, ERROR_USAGE,
			    "[%s] has no strategy such as resized/tar/none",
			    section->name);
			return error_in(ini, section->name, err);
		}
		plan->rival_count++;
	}
	return 0;
}

/* The lines of [code], as code_print has them. */
static int read_code(struct plan_file *plan, struct error *err)
{
	const struct ini_section *section =
	    ini_section(&plan->whole, PLAN_CODE);
	struct buf text = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && section && i < section->count; i++)
		rc = buf_printf(&text, err, "%s: %s\n", section->entries[i].key,
		    section->entries[i].value);
	plan->code = rc ? NULL : (char *)text.data;
	if (rc)
		buf_release(&text);
	return rc;
}

static uint64_t number_in(const struct ini *ini, const char *key)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, "load"), key);
	uint64_t number = 0;

	return entry && units_parse_uint(entry->value, &number) == 0 ? number
	                                                             : 0;
}

static const char *text_in(const struct ini *ini, const char *key)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, "strategies"), key);

	return entry ? entry->value : "";
}

/* Do label and [strategies] name the same strategy? */
static int check_label(const struct plan_file *plan, struct error *err)
{
	const struct ini *ini = &plan->whole;
	struct plan_label parts;

	if (!plan->strategy)
		return error_set(err, ERROR_USAGE,
		    "[" PLAN_SECTION "] has no strategy: presto recommend "
		    "--plan writes plans");
	if (!plan_label_read(&parts, plan->strategy))
		return error_set(err, ERROR_USAGE,
		    "'%s' is no strategy such as resized/tar/none",
		    plan->strategy);
	if (!*parts.store ||
	    (strcmp(text_in(ini, "split"), parts.split) == 0 &&
	        strcmp(text_in(ini, "store"), parts.store) == 0 &&
	        strcmp(text_in(ini, "codec"), parts.codec) == 0 &&
	        (!*parts.order ||
	            strcmp(text_in(ini, "order"), parts.order) == 0)))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "strategy = %s, but [strategies] has split = %s, store = %s and "
	    "codec = %s%s%s: write both alike",
	    plan->strategy, text_in(ini, "split"), text_in(ini, "store"),
	    text_in(ini, "codec"), *text_in(ini, "order") ? ", order = " : "",
	    text_in(ini, "order"));
}

static void check_seal(struct plan_file *plan)
{
	char seal[PLAN_HASH];

	snprintf(seal, sizeof(seal), "%016llx",
	    (unsigned long long)plan_seal(&plan->whole));
	plan->is_edited = !plan->seal || strcmp(plan->seal, seal) != 0;
}

static int read_own(struct plan_file *plan, struct error *err)
{
	const struct ini *ini = &plan->whole;

	for (size_t i = 0; i < PLAN_PARTS; i++)
		if (ini_options(ini, ini_section(ini, plan_parts[i].name),
		        plan_parts[i].rows, plan, err))
			return -1;
	if (plan->version > PLAN_FILE_VERSION) {
		error_set(err, ERROR_USAGE,
		    "version %llu of the format is newer than presto " //
		    PRESTO_VERSION ", which reads %d: install a later one",
		    (unsigned long long)plan->version, PLAN_FILE_VERSION);
		return error_in(ini, PLAN_SECTION, err);
	}
	if (check_label(plan, err))
		return error_in(ini, PLAN_SECTION, err);
	plan->threads = number_in(ini, "threads");
	plan->fetchers = number_in(ini, "fetchers");
	check_seal(plan);
	return read_rivals(plan, err) || read_code(plan, err) ? -1 : 0;
}

/* ---- the pipeline part ---- */

/*
 * Makes a text that has only the line ends of the plan's own sections, so that
 * all other lines keep their numbers.
 */
static int blank(const struct ini *whole, struct buf *out, struct error *err)
{
	const char *text = whole->text;
	unsigned line = 1;
	size_t next = 0;
	bool is_own = false;

	while (*text) {
		const size_t len = strcspn(text, "\n");
		const size_t all = len + (text[len] == '\n');

		if (next < whole->count && whole->sections[next].line == line)
			is_own =
			    plan_owns_section(whole->sections[next++].name);
		if (is_own ? buf_append(out, text + len, all - len, err)
		           : buf_append(out, text, all, err))
			return -1;
		text += all;
		line++;
	}
	return 0;
}

/* Lets the path of one key begin in a folder. */
static int set_folder(struct ini *ini, const struct ini_setting *setting,
    const char *folder, struct error *err)
{
	char *value = strdup(setting->value); /* ini_recall frees the old one */
	const struct ini_setting same = { setting->section, setting->key,
		value };
	const int rc = value ? ini_recall(ini, &same, folder, err)
	                     : error_memory(err, strlen(setting->value));

	free(value);
	return rc;
}

/* Lets the paths of single keys begin where [folders] says. */
static int set_folders(
    const struct ini *whole, struct ini *ini, struct error *err)
{
	const struct ini_section *folders = ini_section(whole, PLAN_FOLDERS);

	for (size_t i = 0; folders && i < folders->count; i++) {
		const struct ini_entry *folder = &folders->entries[i];
		const char *dot = strchr(folder->key, '.');
		const struct ini_entry *entry = NULL;
		struct ini_setting setting;
		char section[RESULTS_LABEL];

		if (dot && (size_t)(dot - folder->key) < sizeof(section)) {
			snprintf(section, sizeof(section), "%.*s",
			    (int)(dot - folder->key), folder->key);
			entry = ini_entry(ini_section(ini, section), dot + 1);
		}
		if (!entry) {
			error_set(err, ERROR_USAGE,
			    "there is no key '%s' in this plan", folder->key);
			return ini_error_at(whole, folder, err);
		}
		setting =
		    (struct ini_setting){ section, dot + 1, entry->value };
		if (set_folder(ini, &setting, folder->value, err))
			return -1;
	}
	return 0;
}

/* The folder in which paths of the pipeline part begin; owned. */
static char *base_folder(const struct plan_file *plan, struct error *err)
{
	const struct ini *whole = &plan->whole;
	char *dir =
	    whole->folder ? strdup(whole->folder) : path_dir(whole->path, err);
	char *joined;

	if (!dir)
		return NULL;
	if (!plan->folder || strcmp(plan->folder, ".") == 0)
		return dir;
	joined = path_join(dir, plan->folder, err);
	free(dir);
	return joined;
}

static int read_pipeline(
    const struct plan_file *plan, struct ini *ini, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = blank(&plan->whole, &text, err);

	if (rc == 0)
		rc = ini_parse_text(ini, plan->whole.path,
		    text.len ? (const char *)text.data : "", text.len, err);
	buf_release(&text);
	if (rc == 0 && !(ini->folder = base_folder(plan, err)))
		rc = -1;
	return rc == 0 ? set_folders(&plan->whole, ini, err) : rc;
}

int plan_file_take(struct plan_file *plan, struct ini *ini, struct error *err)
{
	*plan = plan_file_none();
	plan->whole = *ini;
	*ini = (struct ini)INI_INIT;
	if (read_own(plan, err))
		return -1;
	return read_pipeline(plan, ini, err);
}
