/*
 * workdir.h - what is in the folder that a session materialises in, which is an
 * own_folder of OWN_FOLDER_WORK.
 */
#ifndef STRATEGIES_SESSION_WORKDIR_H
#define STRATEGIES_SESSION_WORKDIR_H

struct error;

/*
 * The path of a work folder below PARENT as that was given, where it is the
 * same folder; else as it is.  Owned.
 */
char *workdir_as_given(const char *parent, const char *dir, struct error *err);
/* "DIR/resized-tar-gzip_6" for a strategy's data; owned. */
char *workdir_data(const char *dir, const char *label, struct error *err);

#endif
