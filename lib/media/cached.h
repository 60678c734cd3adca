/*
 * cached.h - far files whose parts are kept on a local disk (disk_cache.h); for
 * use in lib/media only.
 *
 * The first time that a process opens a file, the server tells its size and
 * version.  Later openings take them from memory, so that files that are kept
 * need no request.  Parts that are not kept are fetched whole, and kept.  A
 * file without a version, or with a weak one (backend.h), is never kept.
 */
#ifndef LIB_MEDIA_CACHED_H
#define LIB_MEDIA_CACHED_H

#include <stdint.h>

#include "lib/media/backends/backend.h"

struct cached;
struct place;

extern const struct backend backend_cached;

/* A cache for a medium; `bytes` is what it may hold. */
struct cached *cached_new(
    struct medium *medium, const char *dir, uint64_t bytes, struct error *err);
/* Counts a user; the last one that leaves frees it.  NULL is fine. */
struct cached *cached_join(struct cached *cached);
void cached_leave(struct cached *cached);
/* Forgets the version of a file that is written anew. */
void cached_forget(struct cached *cached, const char *path);

#endif
