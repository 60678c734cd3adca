/* far_cache.c - see far_cache.h. */
#include "strategies/plan/far_cache.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/media/medium.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "strategies/plan/plan.h"

static const uint64_t least_bytes = 100000000;

/* Splits "DIR size=SIZE"; *dir is owned by the caller. */
static int split(
    const char *text, char **dir, uint64_t *bytes, struct error *err)
{
	const char *space = strrchr(text, ' ');
	size_t len = space ? (size_t)(space - text) : 0;
	char size[UNITS_TEXT];

	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (len == 0 || strncmp(space + 1, "size=", 5) != 0)
		return error_set(err, ERROR_USAGE,
		    "cache must be a folder and a size, as in "
		    "/scratch/cache size=500GB, got '%s'",
		    text);
	if (units_parse_bytes(space + 6, bytes) || *bytes < least_bytes)
		return error_set(err, ERROR_USAGE,
		    "the size of the cache must be at least %s, got '%s'",
		    units_bytes((double)least_bytes, size), space + 6);
	*dir = strndup(text, len);
	return *dir ? 0 : error_memory(err, len + 1);
}

static int read_environment(struct far_cache *cache, struct error *err)
{
	const char *text = getenv("PRESTO_CACHE");

	if (!text || !*text)
		return 0;
	if (split(text, &cache->dir, &cache->bytes, err))
		return error_prefix(err, "PRESTO_CACHE");
	return 0;
}

int far_cache_read(
    struct far_cache *cache, const struct ini *ini, struct error *err)
{
	const struct ini_section *section =
	    ini ? ini_section(ini, "storage") : NULL;
	const struct ini_entry *entry =
	    section ? ini_entry(section, "cache") : NULL;
	char *dir = NULL;

	*cache = (struct far_cache)FAR_CACHE_INIT;
	if (!entry)
		return read_environment(cache, err);
	if (split(entry->value, &dir, &cache->bytes, err))
		return ini_error_at(ini, entry, err);
	cache->dir = ini_resolve(ini, entry, dir, err);
	free(dir);
	return cache->dir ? 0 : -1;
}

void far_cache_release(struct far_cache *cache)
{
	free(cache->dir);
	*cache = (struct far_cache)FAR_CACHE_INIT;
}

int far_cache_check(const struct plan_load *load, const struct far_cache *cache,
    bool is_far, struct error *err)
{
	for (unsigned i = 0; i < load->cache_count; i++) {
		if (load->caches[i] != CACHE_DISK)
			continue;
		if (!is_far)
			return error_set(err, ERROR_USAGE,
			    "cache disk keeps what is read of URLs, and this "
			    "dataset is on a local disk: leave it out");
		if (!cache->dir)
			return error_set(err, ERROR_USAGE,
			    "cache disk needs a folder: say storage.cache = "
			    "DIR size=SIZE");
	}
	return 0;
}

int far_cache_use(
    const struct far_cache *cache, struct medium *medium, struct error *err)
{
	return cache->dir ? medium_keep(medium, cache->dir, cache->bytes, err)
	                  : 0;
}
