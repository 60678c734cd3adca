/*
 * ini_options.h - turns entries of a pipeline file into values of options and
 * paths, and names their places in errors.
 */
#ifndef LIB_SYNTAX_INI_OPTIONS_H
#define LIB_SYNTAX_INI_OPTIONS_H

#include "lib/syntax/ini.h"

/*
 * Returns the folder in which relative paths of an entry begin: its own one, or
 * that of the file, or the current one when --set gave the entry.  "" stands
 * for the current folder.  The caller owns the result.
 */
char *ini_entry_folder(
    const struct ini *ini, const struct ini_entry *entry, struct error *err);
/* Resolves a path given in an entry.  The caller owns the result. */
char *ini_resolve(const struct ini *ini, const struct ini_entry *entry,
    const char *path, struct error *err);

/*
 * Checks that all section names are known.  An error names the line, or --set,
 * and suggests the nearest name.
 */
int ini_check_sections(const struct ini *ini, const char *const *names,
    size_t count, struct error *err);

/* Puts "PATH:LINE: " before the message; "command line: S.KEY: " for line 0. */
int ini_error_at(
    const struct ini *ini, const struct ini_entry *entry, struct error *err);

/*
 * Sets `values` from all entries of the section, by the option table.  A NULL
 * section is empty.  Errors for unknown keys and bad values name file and line.
 */
int ini_options(const struct ini *ini, const struct ini_section *section,
    const struct option *table, void *values, struct error *err);

#endif
