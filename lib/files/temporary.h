/*
 * temporary.h - files and folders that are not finished: they have no name that
 * anybody can guess, and get their own when they are whole.
 *
 * A file has no name at all where the file system can do that (O_TMPFILE): then
 * nothing of it is left when the process is killed.  Elsewhere, and for the
 * moment in which it takes the place of another file, it is
 * DIR/.presto-HOST-RANDOM.tmp, made with O_EXCL and O_NOFOLLOW: no link is
 * followed, and no file of the user is written over.  HOST is temporary_host.
 *
 * Such a name is locked while its process lives, so that temporary_sweep can
 * tell what a killed one left.  Folders of such a name have no lock: they are
 * made in folders that one process has for itself.
 */
#ifndef LIB_FILES_TEMPORARY_H
#define LIB_FILES_TEMPORARY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct temporary {
	int fd;     /* to read and write; -1: there is none */
	char *path; /* that it will have; owned */
	char *name; /* its path until then; NULL: it has none; owned */
};

#define TEMPORARY_INIT    \
	{                 \
		.fd = -1, \
	}

enum { TEMPORARY_NAME = 40 }; /* bytes of a name, with the end */

/*
 * Begins a new file that will be at `path`, in a folder that is there.
 * temporary_end undoes it, also after an error.
 */
int temporary_begin(
    struct temporary *temporary, const char *path, struct error *err);
/* The same with a name, for who measures what files with names cost. */
int temporary_begin_named(
    struct temporary *temporary, const char *path, struct error *err);
/* Appends all the bytes, and syncs. */
int temporary_write(
    struct temporary *temporary, struct span bytes, struct error *err);
/*
 * The file gets its path.  A file or link that is there is replaced, and a link
 * is not followed.  Who needs it safe syncs the file before, and the folder
 * after.
 */
int temporary_publish(struct temporary *temporary, struct error *err);
/* The same where nothing has the path yet: 1, or 0 when something has it. */
int temporary_publish_new(struct temporary *temporary, struct error *err);
/* Closes it; a file that has not got its path is gone. */
void temporary_end(struct temporary *temporary);

/* Makes a folder of such a name in `dir`; its path, owned; NULL on an error. */
char *temporary_folder(const char *dir, struct error *err);

/* Is this the name of such a file or folder?  Who lists files passes it over.
 */
bool temporary_is_name(const char *name);
/* Eight digits that say which host this is; hosts may share a folder. */
void temporary_host(char text[9]);
/* Is the open file on a storage that other hosts may share? */
bool temporary_is_shared(int fd);

struct swept {
	uint64_t count, bytes;
};

/*
 * Removes from `dir` the temporary files of this user that no living process
 * has; with `own` - the caller has the folder for itself - folders, too, and
 * files where the file system has no locks.  On a storage that hosts share,
 * only what this host made.  *swept grows by what is removed.
 */
int temporary_sweep(
    const char *dir, bool own, struct swept *swept, struct error *err);

/* "removed 2 temporary files (8 kB) in DIR, left by a run that was killed" */
enum { SWEPT_TEXT = 4400 };
void swept_words(
    const struct swept *swept, const char *dir, char text[SWEPT_TEXT]);

#endif
