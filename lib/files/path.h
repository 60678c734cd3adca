/*
 * path.h - reads, writes, lists and removes files and folders.  Files appear
 * under their name only when complete.
 *
 * path_join, path_dir, path_base and path_absolute take URLs, too (url.h); all
 * others are for local paths only: a medium (lib/media) takes both.
 */
#ifndef LIB_FILES_PATH_H
#define LIB_FILES_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

/* Joins "DIR/NAME"; an absolute NAME or a URL stays alone.  Owned by the
 * caller.
 */
char *path_join(const char *dir, const char *name, struct error *err);
/* Returns the folder part of a path, "." if none; owned by the caller.  That of
 * "s3://BUCKET" is itself. */
char *path_dir(const char *path, struct error *err);
/* Returns the part behind the last '/'; points into `path`.  Of a URL it has
 * the query, too. */
const char *path_base(const char *path);
/*
 * Returns the absolute path of something that exists, links resolved; "" is the
 * current folder.  A URL is copied as it is.  Owned by the caller.
 */
char *path_absolute(const char *path, struct error *err);
bool path_exists(const char *path);
bool path_is_folder(const char *path);

/* Makes the folder and its parents, unless they exist. */
int path_make_dirs(const char *path, struct error *err);
/* Appends a whole file of at most `limit` bytes to `out`; see input.h. */
int path_read(
    const char *path, size_t limit, struct buf *out, struct error *err);
/* The same for a text that is read once, which may be a pipe. */
int path_read_text(const char *path, size_t limit, struct buf *out,
    bool *is_pipe, struct error *err);
int path_sync_dir(const char *path, struct error *err);
int path_rename(const char *from, const char *to, struct error *err);

/* Gets the free bytes of the file system of `path` or its nearest parent. */
int path_free_bytes(const char *path, uint64_t *bytes, struct error *err);

#endif
