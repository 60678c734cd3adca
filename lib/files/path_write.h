/* path_write.h - writes files completely or not at all, and syncs folders. */
#ifndef LIB_FILES_PATH_WRITE_H
#define LIB_FILES_PATH_WRITE_H

#include "lib/files/path.h"

/*
 * Writes a temporary file (temporary.h), syncs it, renames it to `path` and
 * syncs the folder.  An existing file or link is replaced.
 */
int path_write(const char *path, struct span bytes, struct error *err);
/*
 * The same for a path that the user gave.  A device or a pipe is written to; if
 * `path` is a link, its target is replaced.  Errors: a pipe that nobody reads
 * within a second; a link that another user may have put into a folder that is
 * open to all (/tmp).
 */
int path_write_output(const char *path, struct span bytes, struct error *err);
/* Writes all the bytes to an open file and syncs it. */
int path_write_open(
    int fd, const char *path, struct span bytes, struct error *err);

#endif
