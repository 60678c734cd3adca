/* curl_library.c - see curl_library.h. */
#include "lib/media/http/curl_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/library.h"
#include "lib/media/backends/fork_lock.h"

/* The name of the library that was there when presto was built: Makefile. */
#ifndef CURL_LIBRARY
#define CURL_LIBRARY "libcurl.so.4"
#endif

_Static_assert(sizeof(CURL_LIBRARY) > 1, "scripts/soname found no name");
_Static_assert(LIBCURL_VERSION_NUM >= 0x075500, "libcurl is older than 7.85");

void curl_library_version(char text[LIBRARY_VERSION]);

static struct fork_lock lock = FORK_LOCK_INIT;
static struct curl_library only;
static bool is_loaded;

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
#define SYMBOL(name) { #name, offsetof(struct curl_library, name) },
#include "lib/media/http/curl_symbols.def"
#undef SYMBOL
};

static int find_symbols(struct error *err)
{
	void *handle = dlopen(CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(err, ERROR_SYSTEM,
		    "reading http and s3 needs %s, which cannot be loaded: "
		    "install libcurl %s (%s)",
		    CURL_LIBRARY, LIBCURL_VERSION, dlerror());
	for (size_t i = 0; i < ARRAY_LEN(symbols); i++) {
		void *symbol = dlsym(handle, symbols[i].name);

		if (!symbol)
			return error_set(err, ERROR_SYSTEM,
			    "reading http and s3 needs another %s, with %s: "
			    "install libcurl %s",
			    CURL_LIBRARY, symbols[i].name, LIBCURL_VERSION);
		memcpy(
		    (char *)&only + symbols[i].offset, &symbol, sizeof(symbol));
	}
	return 0;
}

static int load(struct error *err)
{
	const curl_version_info_data *version;

	if (find_symbols(err))
		return -1;
	version = only.curl_version_info(CURLVERSION_NOW);
	if (version->version_num < 0x075500)
		return error_set(err, ERROR_SYSTEM,
		    "reading http and s3 needs libcurl 7.85 or newer; %s is %s",
		    CURL_LIBRARY, version->version);
	if (only.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return error_set(err, ERROR_SYSTEM,
		    "libcurl %s cannot be initialized", version->version);
	return 0;
}

const struct curl_library *curl_load(struct error *err)
{
	const struct curl_library *library = NULL;

	fork_lock_take(
	    &lock); /* a child that finds it half loaded loads again */
	if (!is_loaded && load(err) == 0)
		is_loaded = true;
	if (is_loaded)
		library = &only;
	fork_lock_give(&lock);
	return library;
}

void curl_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "libcurl %s", LIBCURL_VERSION);
}
