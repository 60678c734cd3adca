/* libraries.c - see libraries.h. */
#include "lib/measure/libraries.h"

#include <libdeflate.h>
#include <lz4.h>
#include <png.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include <jpeglib.h> /* needs size_t and FILE */

/* Functions of the optional libraries that are there, from the Makefile. */
#ifndef LIBRARY_VERSIONS
#define LIBRARY_VERSIONS
#endif

#define LIBRARY(version) void version(char text[LIBRARY_VERSION]);
LIBRARY_VERSIONS
#undef LIBRARY

#define LIBRARY(version) version,
static void (*const versions[])(
    char text[LIBRARY_VERSION]) = { LIBRARY_VERSIONS NULL };
#undef LIBRARY

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

/* Appends to `text` at `len`; returns the new length. */
__attribute__((format(printf, 3, 4))) static size_t add(
    char *text, size_t len, const char *format, ...)
{
	va_list args;
	int more;

	va_start(args, format);
	more = vsnprintf(text + len, LIBRARIES_TEXT - len, format, args);
	va_end(args);
	len += more > 0 ? (size_t)more : 0;
	return len < LIBRARIES_TEXT ? len : LIBRARIES_TEXT - 1;
}

void libraries_text(char text[LIBRARIES_TEXT])
{
	const unsigned lz4 = (unsigned)LZ4_versionNumber();
	size_t len = add(text, 0,
	    "sqlite %s, zstd %s, lz4 %u.%u.%u, libdeflate %s, zlib %s, "
	    "libjpeg-turbo %s, libpng %s",
	    sqlite3_libversion(), ZSTD_versionString(), lz4 / 10000,
	    lz4 / 100 % 100, lz4 % 100, LIBDEFLATE_VERSION_STRING,
	    zlibVersion(), TEXT(LIBJPEG_TURBO_VERSION), PNG_LIBPNG_VER_STRING);

	for (size_t i = 0; versions[i]; i++) {
		char version[LIBRARY_VERSION];

		versions[i](version);
		len = add(text, len, ", %s", version);
	}
}
