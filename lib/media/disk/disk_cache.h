/*
 * disk_cache.h - parts of far objects that are kept on a local disk, shared by
 * the processes of a machine.
 *
 * They lie in DIR/presto-cache, one file a part: DISK_PART bytes of an object,
 * fewer at its end.  A file's name is of the URL, the version and the number
 * of the part; behind its bytes stands their hash, which is checked before they
 * are used.  Files appear when they are complete, and are not synced: after a
 * crash of the machine a damaged one is found out by its hash, and removed.
 *
 * What all processes keep there is counted in a shared file, and bounded: when
 * it is full, the parts that were used longest ago are removed down to nine
 * tenths.  Only files with such names are ever removed.
 *
 * Many threads and processes may use a cache at once, and be killed any time.
 * A file system without locks will do: then several may remove parts at once,
 * and remove more than they must.
 */
#ifndef LIB_MEDIA_DISK_DISK_CACHE_H
#define LIB_MEDIA_DISK_DISK_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct disk_cache;
struct error;

enum { DISK_PART = 4 << 20 };

/* An object by the hashes of its URL and of its version. */
struct disk_key {
	uint64_t url[2], version;
};

struct disk_key disk_key(const char *url, const char *version);

/* Opens the cache in a folder, which is made if it is missing. */
struct disk_cache *disk_cache_open(
    const char *dir, uint64_t bytes, struct error *err);
void disk_cache_free(struct disk_cache *cache); /* NULL is fine */

/*
 * Finds a part of `len` bytes and notes that it is used.  Its hash is checked
 * unless it `is_checked`, which this process has done before.  Returns a
 * descriptor of its bytes, which the caller closes; -1: it is not kept.
 */
int disk_cache_find(struct disk_cache *cache, const struct disk_key *key,
    uint32_t part, size_t len, bool is_checked);
/* Keeps a part if there is room; false: not kept, which is no error. */
bool disk_cache_put(struct disk_cache *cache, const struct disk_key *key,
    uint32_t part, struct span bytes);

/*
 * The size and version that an object had when a part of it was kept last:
 * false: none was.  A server must be asked whether they still hold.
 */
bool disk_cache_recall(
    struct disk_cache *cache, const uint64_t url[2], uint64_t *size);
void disk_cache_remember(
    struct disk_cache *cache, const uint64_t url[2], uint64_t size);

/* Returns the bytes that the cache holds by its count. */
uint64_t disk_cache_held(const struct disk_cache *cache);

#endif
