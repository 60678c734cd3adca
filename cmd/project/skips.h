/*
 * skips.h - --skipped FILE: the samples that were left out, as a list.
 */
#ifndef CMD_PROJECT_SKIPS_H
#define CMD_PROJECT_SKIPS_H

struct error;
struct skipped;

#define SKIPS_HELP                                                      \
	"list the samples that on_error = skip leaves out: name, tab, " \
	"reason"

/* Where they are collected; `path` NULL: only counted.  Owned by the caller. */
struct skipped *skips_new(const char *path, struct error *err);
/*
 * Writes the list, if one is wanted: also after an error, which stays; returns
 * -1 then, as for one of its own.
 */
int skips_write(
    struct skipped *skipped, const char *path, int rc, struct error *err);

#endif
