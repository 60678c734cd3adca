/*
 * cache_mode.h - what keeps samples between epochs: nothing, the page cache of
 * the system, a cache of the loader, or a local disk.
 */
#ifndef LIB_DB_CACHE_MODE_H
#define LIB_DB_CACHE_MODE_H

enum cache_mode {
	CACHE_NONE,
	CACHE_SYSTEM,
	CACHE_APPLICATION,
	CACHE_DISK, /* a local disk keeps what is read of URLs */
	CACHE_COUNT,
	CACHE_UNKNOWN = CACHE_COUNT
};
const char *cache_name(enum cache_mode cache); /* "none", "system", ... */
int cache_parse(const char *text, enum cache_mode *cache);

#endif
