/*
 * path.h - files and folders: what is written is complete or not there, and
 * what is removed was made by presto.
 */
#ifndef LIB_FILES_PATH_H
#define LIB_FILES_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

/* "DIR/NAME", owned by the caller; NAME alone when it is absolute. */
char *path_join(const char *dir, const char *name, struct error *err);
/* The folder part of a path, "." when there is none; owned by the caller. */
char *path_dir(const char *path, struct error *err);
/* Behind the last '/'; points into `path`. */
const char *path_base(const char *path);
bool path_exists(const char *path);

/* Makes the folder and those above it; 0 when they are there. */
int path_make_dirs(const char *path, struct error *err);
/* The whole file behind out->len, at most `limit` bytes; see input.h. */
int path_read(
    const char *path, size_t limit, struct buf *out, struct error *err);
/* The same of a text that is read once: it may be a pipe. */
int path_read_text(const char *path, size_t limit, struct buf *out,
    bool *is_pipe, struct error *err);
/*
 * Writes a temporary file (temporary.h), syncs it, gives it its path, syncs the
 * folder.  A file or a link that is there is replaced.
 */
int path_write(const char *path, struct span bytes, struct error *err);
/*
 * The same for a path that the user gave: a device or a pipe is written to, and
 * a link stays and what it leads to is replaced.  A pipe that nobody reads
 * within a second is an error.  A link that another user may have laid in a
 * folder that all may write to (/tmp) is refused.
 */
int path_write_output(const char *path, struct span bytes, struct error *err);
/* Writes all the bytes to a file that is open, and syncs. */
int path_write_open(
    int fd, const char *path, struct span bytes, struct error *err);
int path_sync_dir(const char *path, struct error *err);
int path_rename(const char *from, const char *to, struct error *err);

/*
 * Calls `visit` for each regular file below `dir`, sorted by byte order of
 * the path; `name` is relative to dir.  Links to files count (a broken one with
 * 0 bytes), links to folders are followed, but not back into one that they are
 * in.  Stops with -1 when visit does.
 */
typedef int path_visit(
    void *arg, const char *name, uint64_t bytes, struct error *err);
int path_each(const char *dir, path_visit *visit, void *arg, struct error *err);
/* The same for each name in the folder itself, whatever it leads to. */
typedef int path_name_visit(void *arg, const char *name, struct error *err);
int path_each_name(
    const char *dir, path_name_visit *visit, void *arg, struct error *err);
/*
 * The same without the folders that `leave_out` says it of; `name` is that of
 * a folder below `dir`.
 */
typedef bool path_leave_out(void *arg, const char *name);
int path_each_but(const char *dir, path_leave_out *leave_out, path_visit *visit,
    void *arg, struct error *err);
/*
 * The name of something in the folder other than `except` (NULL: anything) and
 * temporary files, or "" when there is nothing, or no folder.
 */
int path_find_any(
    const char *dir, const char *except, char name[256], struct error *err);
/* Sum of the sizes of all files below `dir`. */
int path_bytes(const char *dir, uint64_t *bytes, struct error *err);
/* Removes a folder and what is in it; not following links.  0 if absent. */
int path_remove_tree(const char *dir, struct error *err);
/*
 * Removes what is in a folder other than `except` (NULL: everything), in the
 * same way; the folder stays.  *bytes (NULL: not asked) grows by the sizes of
 * the files.
 */
int path_remove_content(
    const char *dir, const char *except, uint64_t *bytes, struct error *err);
/* Bytes that the file system of `path` (or what is above it) has free. */
int path_free_bytes(const char *path, uint64_t *bytes, struct error *err);

#endif
