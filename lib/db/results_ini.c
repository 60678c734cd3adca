/* results_ini.c - keeps the pipeline file of a session, and reads it again. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/results_ini.h"
#include "lib/files/path.h"
#include "lib/syntax/ini.h"

/* ---- writing ---- */

/* The folder of the file. */
static char *file_folder(const struct ini *ini, struct error *err)
{
	char *dir, *resolved;

	if (ini->folder)
		return path_absolute(ini->folder, err);
	dir = path_dir(ini->path, err);
	resolved = dir ? path_absolute(dir, err) : NULL;
	free(dir);
	return resolved;
}

static int set_file(struct results *results, int64_t session,
    const struct ini *ini, struct error *err)
{
	sqlite3_stmt *s = results->stmt[SET_FILE];
	char *folder = file_folder(ini, err);

	if (!folder)
		return -1;
	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, ini->text);
	results_bind_text(s, 3, folder);
	free(folder);
	return results_run(results, SET_FILE, "store the pipeline file", err);
}

static int add_setting(struct results *results, int64_t session,
    const struct ini_setting *setting, uint64_t position, const char *folder,
    struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_SETTING];

	sqlite3_bind_int64(s, 1, session);
	results_bind_uint(s, 2, position);
	results_bind_text(s, 3, setting->section);
	results_bind_text(s, 4, setting->key);
	results_bind_text(s, 5, setting->value);
	results_bind_text(s, 6, folder);
	return results_run(results, ADD_SETTING, "store a setting", err);
}

static int add_section(struct results *results, int64_t session,
    const struct ini_section *section, const char *current, uint64_t *position,
    struct error *err)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];
		const struct ini_setting setting = { section->name, entry->key,
			entry->value };

		if (entry->line)
			continue;
		if (add_setting(results, session, &setting, ++*position,
		        entry->folder ? entry->folder : current, err))
			return -1;
	}
	return 0;
}

int results_add_ini(struct results *results, int64_t session,
    const struct ini *ini, struct error *err)
{
	char *current = path_absolute("", err);
	uint64_t position = 0;
	int rc = current ? set_file(results, session, ini, err) : -1;

	for (size_t i = 0; rc == 0 && i < ini->count; i++)
		rc = add_section(results, session, &ini->sections[i], current,
		    &position, err);
	free(current);
	return rc;
}

/* ---- reading ---- */

static const char *column(sqlite3_stmt *s, int i)
{
	const char *text = (const char *)sqlite3_column_text(s, i);

	return text ? text : "";
}

/* Reads the file: 1; 0: it was not kept. */
static int read_file(sqlite3_stmt *s, struct ini *ini, struct error *err)
{
	const char *path = column(s, 0), *text = column(s, 1);
	const char *folder = column(s, 2);

	if (!*text || !*folder)
		return 0;
	if (ini_parse_text(ini, path, text, strlen(text), err))
		return -1;
	ini->folder = strdup(folder);
	return ini->folder ? 1 : error_memory(err, strlen(folder) + 1);
}

static int read_settings(struct results *results, int64_t session,
    struct ini *ini, struct error *err)
{
	sqlite3_stmt *s = results->stmt[READ_SETTINGS];
	int rc = 0, got;

	sqlite3_bind_int64(s, 1, session);
	while (rc == 0 && (got = sqlite3_step(s)) == SQLITE_ROW) {
		const struct ini_setting setting = { column(s, 0), column(s, 1),
			column(s, 2) };

		rc = ini_recall(ini, &setting, column(s, 3), err);
	}
	if (rc == 0 && got != SQLITE_DONE)
		rc = results_error(results, "read the settings", err);
	results_reset(s);
	return rc;
}

int results_read_ini(struct results *results, int64_t session, struct ini *ini,
    struct error *err)
{
	sqlite3_stmt *s = results->stmt[READ_FILE];
	int rc = 0, got;

	*ini = (struct ini)INI_INIT;
	sqlite3_bind_int64(s, 1, session);
	got = sqlite3_step(s);
	if (got == SQLITE_ROW)
		rc = read_file(s, ini, err);
	else if (got != SQLITE_DONE)
		rc = results_error(results, "read the pipeline file", err);
	results_reset(s);
	if (rc == 1 && read_settings(results, session, ini, err))
		rc = -1;
	if (rc < 0)
		ini_release(ini);
	return rc;
}
