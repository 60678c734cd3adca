/*
 * curl_library.h - libcurl; for use in lib/media/http only.
 *
 * The library is loaded when it is first needed, and not linked: it needs
 * thirty others, and most runs of presto read local files only.  It stays
 * loaded until the process ends.
 */
#ifndef LIB_MEDIA_HTTP_CURL_LIBRARY_H
#define LIB_MEDIA_HTTP_CURL_LIBRARY_H

/* Its checks of types are macros, which would hide the members below. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

struct error;

struct curl_library {
/* Its functions, by the library's names. */
#define SYMBOL(name) __typeof__(name) *name;
#include "lib/media/http/curl_symbols.def"
#undef SYMBOL
};

/* Loads and initializes the library, once; NULL: it cannot be loaded. */
const struct curl_library *curl_load(struct error *err);

#endif
