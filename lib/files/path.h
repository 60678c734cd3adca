/*
 * path.h - reads, writes, lists and removes files and folders.  Files appear
 * under their name only when complete.
 */
#ifndef LIB_FILES_PATH_H
#define LIB_FILES_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

/* Joins "DIR/NAME"; an absolute NAME stays alone.  Owned by the caller. */
char *path_join(const char *dir, const char *name, struct error *err);
/* Returns the folder part of a path, "." if none; owned by the caller. */
char *path_dir(const char *path, struct error *err);
/* Returns the part behind the last '/'; points into `path`. */
const char *path_base(const char *path);
bool path_exists(const char *path);

/* Makes the folder and its parents, unless they exist. */
int path_make_dirs(const char *path, struct error *err);
/* Appends a whole file of at most `limit` bytes to `out`; see input.h. */
int path_read(
    const char *path, size_t limit, struct buf *out, struct error *err);
/* The same for a text that is read once, which may be a pipe. */
int path_read_text(const char *path, size_t limit, struct buf *out,
    bool *is_pipe, struct error *err);
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
int path_sync_dir(const char *path, struct error *err);
int path_rename(const char *from, const char *to, struct error *err);

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
 * Finds any entry of the folder other than `except` (may be NULL) and temporary
 * files.  `name` is "" when there is none, or no folder.
 */
int path_find_any(
    const char *dir, const char *except, char name[256], struct error *err);
/* Adds up the sizes of all files below `dir`. */
int path_bytes(const char *dir, uint64_t *bytes, struct error *err);
/* Removes a folder and its content, not following links; 0 if missing. */
int path_remove_tree(const char *dir, struct error *err);
/*
 * Removes the content of a folder other than `except` (may be NULL), without
 * following links; the folder stays.  Adds the sizes of the files to *bytes
 * (may be NULL).
 */
int path_remove_content(
    const char *dir, const char *except, uint64_t *bytes, struct error *err);
/* Gets the free bytes of the file system of `path` or its nearest parent. */
int path_free_bytes(const char *path, uint64_t *bytes, struct error *err);

#endif
