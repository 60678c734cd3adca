/*
 * settings.h - section [python] of the pipeline file: which interpreter runs
 * the user's code, in how many processes, and for how long at most.
 */
#ifndef LIB_PYTHON_SETTINGS_H
#define LIB_PYTHON_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct ini;

struct python_settings {
	/*
	 * A name to be found in PATH, or an absolute path; owned.  Links are
	 * not followed: a virtual environment is known by the path.
	 */
	char *interpreter;
	double timeout_s; /* of one call */
	uint64_t workers; /* most processes of a step; 0: any number */
	bool shows;       /* what steps print goes to stderr */
};

/* Reads the section; without one there are defaults.  ERROR_USAGE. */
int python_settings_read(
    struct python_settings *settings, const struct ini *ini, struct error *err);
/* Checks keys and values alone, and does not look for the interpreter. */
int python_settings_check(const struct ini *ini, struct error *err);
void python_settings_release(struct python_settings *settings);

#endif
