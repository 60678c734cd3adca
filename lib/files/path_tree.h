/* path_tree.h - lists and removes the content of folders. */
#ifndef LIB_FILES_PATH_TREE_H
#define LIB_FILES_PATH_TREE_H

#include "lib/files/path.h"

/*
 * Calls `visit` for each regular file below `dir`, sorted by the bytes of its
 * path; `name` is relative to `dir`.  Links to files count; a broken one has 0
 * bytes.  Links to folders are followed, but not back into a parent folder.
 * Stops with -1 when `visit` returns -1.
 */
typedef int path_visit(
    void *arg, const char *name, uint64_t bytes, struct error *err);
int path_each(const char *dir, path_visit *visit, void *arg, struct error *err);
/* Calls `visit` for each name in the folder itself, whatever its type. */
typedef int path_name_visit(void *arg, const char *name, struct error *err);
int path_each_name(
    const char *dir, path_name_visit *visit, void *arg, struct error *err);
/*
 * Visits files as path_each does, except those in folders for which `leave_out`
 * returns true; `name` is the folder's path relative to `dir`.
 */
typedef bool path_leave_out(void *arg, const char *name);
int path_each_but(const char *dir, path_leave_out *leave_out, path_visit *visit,
    void *arg, struct error *err);
/*
 * Finds any entry of the folder other than `except` (may be NULL), the files
 * that lock it (lock_held.h), and temporary files.  `name` is "" when there is
 * none, or no folder.
 */
int path_find_any(
    const char *dir, const char *except, char name[256], struct error *err);
/* Adds up the sizes of all files below `dir`. */
int path_bytes(const char *dir, uint64_t *bytes, struct error *err);
/* Removes a folder and its content, not following links; 0 if missing. */
int path_remove_tree(const char *dir, struct error *err);
/*
 * Removes the content of a folder other than `except` (may be NULL) and the
 * files that lock it, without following links; the folder stays.  Adds the
 * sizes of the files to *bytes (may be NULL).
 */
int path_remove_content(
    const char *dir, const char *except, uint64_t *bytes, struct error *err);

#endif
