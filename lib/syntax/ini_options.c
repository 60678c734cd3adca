/* ini_options.c - see ini_options.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/nearest.h"
#include "lib/syntax/option.h"

static const char *setter_of(const struct ini *ini)
{
	return ini->setter ? ini->setter : "command line";
}

int ini_error_at(
    const struct ini *ini, const struct ini_entry *entry, struct error *err)
{
	if (entry->line)
		return error_prefix(err, "%s:%u", ini->path, entry->line);
	for (size_t s = 0; s < ini->count; s++)
		for (size_t i = 0; i < ini->sections[s].count; i++)
			if (&ini->sections[s].entries[i] == entry)
				error_prefix(err, "%s.%s",
				    ini->sections[s].name, entry->key);
	return error_prefix(err, "%s", setter_of(ini));
}

int ini_options(const struct ini *ini, const struct ini_section *section,
    const struct option *table, void *values, struct error *err)
{
	for (size_t i = 0; section && i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];

		if (option_set(table, values, entry->key, entry->value, err))
			return ini_error_at(ini, entry, err);
	}
	return 0;
}

/* Returns "" for ".", so that names in the current folder stay short. */
char *ini_entry_folder(
    const struct ini *ini, const struct ini_entry *entry, struct error *err)
{
	const char *folder = entry->folder ? entry->folder
	                     : entry->line ? ini->folder
	                                   : NULL;
	char *dir = folder ? strdup(folder)
	                   : path_dir(entry->line ? ini->path : "", err);

	if (!dir && folder)
		error_memory(err, strlen(folder) + 1);
	if (dir && strcmp(dir, ".") == 0)
		dir[0] = '\0';
	return dir;
}

char *ini_resolve(const struct ini *ini, const struct ini_entry *entry,
    const char *path, struct error *err)
{
	char *dir = ini_entry_folder(ini, entry, err);
	char *resolved;

	if (!dir)
		return NULL;
	if (strcmp(path, ".") == 0 && *dir)
		return dir;
	resolved = path_join(dir, path, err);
	free(dir);
	return resolved;
}

/* Line 0 means that --set added the section. */
static int section_error(const struct ini *ini,
    const struct ini_section *section, const char *hint, struct error *err)
{
	if (section->line == 0)
		return error_set(err, ERROR_USAGE,
		    "%s: %s.%s: no section '%s'%s", setter_of(ini),
		    section->name,
		    section->count ? section->entries[0].key : "",
		    section->name, hint);
	return error_set(err, ERROR_USAGE, "%s:%u: unknown section [%s]%s",
	    ini->path, section->line, section->name, hint);
}

int ini_check_sections(const struct ini *ini, const char *const *names,
    size_t count, struct error *err)
{
	for (size_t s = 0; s < ini->count; s++) {
		const struct ini_section *section = &ini->sections[s];
		struct nearest nearest = nearest_to(section->name);
		char hint[NEAREST_HINT];
		bool known = false;

		for (size_t i = 0; i < count; i++) {
			known |= strcmp(section->name, names[i]) == 0;
			nearest_try(&nearest, names[i]);
		}
		if (!known)
			return section_error(
			    ini, section, nearest_hint(&nearest, hint), err);
	}
	return 0;
}
