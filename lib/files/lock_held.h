/*
 * lock_held.h - a lock by a name, for file systems that have no locks (NFS and
 * Lustre mounted so, some of FUSE); for use in lib/files only.
 *
 * While PATH is held, PATH.held exists, and says which process holds it.  It
 * is made by O_EXCL, so one process wins.  The file of a killed process stays:
 * a process of the same host that sees it ended takes it over, once
 * (PATH.held-N.taken exists meanwhile).  A process of another host cannot be
 * seen: the error says which file to remove.
 */
#ifndef LIB_FILES_LOCK_HELD_H
#define LIB_FILES_LOCK_HELD_H

#include <stdbool.h>

#include "lib/base/host.h"

struct error;

/* Begins what follows the name in those of its files. */
#define HELD_SUFFIX ".held"

enum { HOLDER_TEXT = HOST_NAME + 128 };

/* Writes "process 12 on HOST since DATE UTC", in printable characters. */
void holder_line(char line[HOLDER_TEXT]);
/* Does the line name a process of this host that has ended? */
bool holder_has_ended(const char *line);

/* Is it what a lock fails with where the file system has none? */
bool held_is_needed(int error_number);
/* ERROR_SYSTEM says which process holds it. */
int held_take(const char *path, struct error *err);
void held_give(const char *path);
/* Does a process hold it that may be alive? */
bool held_is(const char *path);

#endif
