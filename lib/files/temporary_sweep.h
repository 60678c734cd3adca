/* temporary_sweep.h - removes temporary files that killed processes left. */
#ifndef LIB_FILES_TEMPORARY_SWEEP_H
#define LIB_FILES_TEMPORARY_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct swept {
	uint64_t count, bytes;
	/* A far folder could not be searched, which does no harm; or none. */
	struct error failed;
};

/* Is the open file on a storage that other hosts may share? */
bool temporary_is_shared(int fd);

/*
 * Removes from `dir` this user's temporary files that no living process holds.
 * On a storage that hosts share, only those of this host.  With `own` the
 * caller uses the folder alone: then folders are removed, too, and files where
 * the file system has no locks.  Adds to *swept.
 */
int temporary_sweep(
    const char *dir, bool own, struct swept *swept, struct error *err);

/* Writes "removed 2 temporary files (8 kB) in DIR, left by a killed run". */
enum { SWEPT_TEXT = 4400 };
void swept_words(
    const struct swept *swept, const char *dir, char text[SWEPT_TEXT]);

#endif
