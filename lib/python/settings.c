/* settings.c - see settings.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/python/settings.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"

enum { WORKERS_MOST = 4096 };

struct values {
	const char *interpreter;
	bool output;
	double timeout_s;
	uint64_t workers;
};

static const struct option options[] = {
	OPTION(TEXT, "interpreter", 0, struct values, interpreter, "PROGRAM",
	    "program that runs python steps"),
	OPTION(FLAG, "output", 0, struct values, output, "yes|no",
	    "show what python steps print, on stderr"),
	OPTION_RANGE(TIME, "timeout", struct values, timeout_s, 1e-3, 1e6,
	    "longest time of one call"),
	OPTION_RANGE(UINT, "workers", struct values, workers, 0, WORKERS_MOST,
	    "most processes of a step"),
	OPTION_TABLE_END,
};

/* Makes a path absolute without following a link to the program. */
static char *absolute(const char *path, struct error *err)
{
	char *folder = path_dir(path, err);
	char *real = folder ? path_absolute(folder, err) : NULL;
	char *whole = real ? path_join(real, path_base(path), err) : NULL;

	free(folder);
	free(real);
	return whole;
}

static char *find_interpreter(const struct ini *ini,
    const struct ini_section *section, const char *name, struct error *err)
{
	char *path, *whole;

	if (!strchr(name, '/')) {
		whole = strdup(name);
		if (!whole)
			error_memory(err, strlen(name));
		return whole;
	}
	path = ini_resolve(ini, ini_entry(section, "interpreter"), name, err);
	whole = path ? absolute(path, err) : NULL;
	free(path);
	if (path && !whole) {
		err->code = ERROR_USAGE;
		ini_error_at(ini, ini_entry(section, "interpreter"), err);
	}
	return whole;
}

static const struct values defaults = {
	.interpreter = "python3",
	.timeout_s = 60,
};

int python_settings_check(const struct ini *ini, struct error *err)
{
	struct values values = defaults;

	return ini_options(
	    ini, ini_section(ini, "python"), options, &values, err);
}

int python_settings_read(
    struct python_settings *settings, const struct ini *ini, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "python");
	struct values values = defaults;

	*settings = (struct python_settings){ .interpreter = NULL };
	if (ini_options(ini, section, options, &values, err))
		return -1;
	settings->timeout_s = values.timeout_s;
	settings->workers = values.workers;
	settings->shows = values.output;
	settings->interpreter =
	    find_interpreter(ini, section, values.interpreter, err);
	return settings->interpreter ? 0 : -1;
}

void python_settings_release(struct python_settings *settings)
{
	free(settings->interpreter);
	*settings = (struct python_settings){ .interpreter = NULL };
}
