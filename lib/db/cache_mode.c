/* cache_mode.c - see cache_mode.h. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/db/cache_mode.h"

static const char *const cache_names[CACHE_COUNT] = {
	[CACHE_NONE] = "none",
	[CACHE_SYSTEM] = "system",
	[CACHE_APPLICATION] = "application",
	[CACHE_DISK] = "disk",
};

const char *cache_name(enum cache_mode cache)
{
	return cache_names[cache];
}

int cache_parse(const char *text, enum cache_mode *cache)
{
	for (size_t i = 0; i < ARRAY_LEN(cache_names); i++) {
		if (strcmp(cache_names[i], text) != 0)
			continue;
		*cache = (enum cache_mode)i;
		return 0;
	}
	return -1;
}
