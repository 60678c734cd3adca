/*
 * far_cache.h - "cache = DIR size=500GB" of section [storage]: far files are
 * kept on a local disk while they are read (lib/media/medium.h, medium_keep).
 * Where the file says nothing, the environment may: PRESTO_CACHE has the same
 * words.
 */
#ifndef STRATEGIES_PLAN_FAR_CACHE_H
#define STRATEGIES_PLAN_FAR_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct ini;
struct medium;
struct plan_load;

struct far_cache {
	char *dir; /* owned; NULL: far files are not kept */
	uint64_t bytes;
};

#define FAR_CACHE_INIT      \
	{                   \
		.dir = NULL \
	}

/* Reads the entry, or the environment; errors begin with file and line. */
int far_cache_read(
    struct far_cache *cache, const struct ini *ini, struct error *err);
void far_cache_release(struct far_cache *cache);
/* Is `load.cache = disk` possible: a cache, and a dataset behind a URL? */
int far_cache_check(const struct plan_load *load, const struct far_cache *cache,
    bool is_far, struct error *err);
/* Lets a medium keep what it reads of far files; nothing without a folder. */
int far_cache_use(
    const struct far_cache *cache, struct medium *medium, struct error *err);

#endif
