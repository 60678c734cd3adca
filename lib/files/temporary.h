/*
 * temporary.h - unfinished files and folders.  They have a name that nobody can
 * guess, or none, and get their own name when they are complete.
 *
 * If the file system permits, a file has no name at all (O_TMPFILE), so that
 * nothing is left when the process is killed.  Elsewhere, and while it replaces
 * another file, it is DIR/.presto-HOST-RANDOM.tmp.  It is opened with O_EXCL
 * and O_NOFOLLOW: no link is followed, and no file of the user is overwritten.
 * HOST is temporary_host.
 *
 * A file with such a name is locked while its process lives, so that
 * temporary_sweep recognizes those of killed processes.  Folders with such a
 * name are not locked: they lie in folders that one process uses alone.
 */
#ifndef LIB_FILES_TEMPORARY_H
#define LIB_FILES_TEMPORARY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct temporary {
	int fd;     /* open for reading and writing; -1: none */
	char *path; /* final path; owned */
	char *name; /* temporary path; NULL: the file has no name; owned */
};

#define TEMPORARY_INIT    \
	{                 \
		.fd = -1, \
	}

enum { TEMPORARY_NAME = 40 }; /* bytes of a name with its NUL */

/*
 * Begins a new file that will be at `path`, in an existing folder.  Call
 * temporary_end to undo it, also after an error.
 */
int temporary_begin(
    struct temporary *temporary, const char *path, struct error *err);
/* The same with a name: to measure the cost of files that have one. */
int temporary_begin_named(
    struct temporary *temporary, const char *path, struct error *err);
/* Appends all the bytes and syncs the file. */
int temporary_write(
    struct temporary *temporary, struct span bytes, struct error *err);
/*
 * Renames the file to its path.  An existing file or link is replaced; the link
 * is not followed.  For durability, sync the file before, and the folder after.
 */
int temporary_publish(struct temporary *temporary, struct error *err);
/* The same if nothing has the path yet: 1; 0: something has it. */
int temporary_publish_new(struct temporary *temporary, struct error *err);
/* Closes the file; if it was not published, it is gone. */
void temporary_end(struct temporary *temporary);

/* Makes a folder of such a name in `dir`; its path, owned; NULL on an error. */
char *temporary_folder(const char *dir, struct error *err);

/* Returns a path in `dir` with such a name; owned; NULL on an error. */
char *temporary_path(const char *dir, struct error *err);
/* Is this the name of such a file or folder?  Listings of files skip it. */
bool temporary_is_name(const char *name);
/* Writes eight digits that identify this host; hosts may share a folder. */
void temporary_host(char text[9]);

#endif
