/* workdir.h - paths in the work folder of a session (own_folder.h). */
#ifndef STRATEGIES_SESSION_WORKDIR_H
#define STRATEGIES_SESSION_WORKDIR_H

struct error;

/*
 * Returns the path of a work folder below `parent` as the user gave that, if it
 * is the same folder; else `dir`. Owned.
 */
char *workdir_as_given(const char *parent, const char *dir, struct error *err);
/* Returns "DIR/resized-tar-gzip_6", the folder of a strategy's data; owned. */
char *workdir_data(const char *dir, const char *label, struct error *err);

#endif
