/* skips.h - the option --skipped FILE: a list of the samples left out. */
#ifndef CMD_PROJECT_SKIPS_H
#define CMD_PROJECT_SKIPS_H

struct error;
struct skipped;

#define SKIPS_HELP                                                      \
	"list the samples that on_error = skip leaves out: name, tab, " \
	"reason"

/* Collects the samples; with `path` NULL counts them.  Owned by the caller. */
struct skipped *skips_new(const char *path, struct error *err);
/* Writes the list if a path was given; after an error, returns that one. */
int skips_write(
    struct skipped *skipped, const char *path, int rc, struct error *err);
/* Warns in one line, however many samples were skipped. */
void skips_tell(const struct skipped *skipped, const char *path);

#endif
