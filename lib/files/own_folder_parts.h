/* own_folder_parts.h - shared by own_folder.c and own_folder_sweep.c only. */
#ifndef LIB_FILES_OWN_FOLDER_PARTS_H
#define LIB_FILES_OWN_FOLDER_PARTS_H

#include <stdint.h>

#include "lib/files/lock.h"
#include "lib/files/own_folder.h"

/*
 * May a folder with this first line of its mark be removed when its process is
 * dead?  On a storage that hosts share, only its own host can know which
 * processes are dead.  Elsewhere the lock tells, and host names are not
 * compared: containers on one machine have different ones.
 */
bool own_folder_may_go(const char *text, bool is_shared);
/*
 * Removes the content, then the mark, whose lock is released, then the folder.
 * Adds the sizes of the files to *bytes (may be NULL).
 */
int own_folder_clear(
    const char *dir, struct lock *lock, uint64_t *bytes, struct error *err);

#endif
