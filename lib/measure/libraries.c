/* libraries.c - see libraries.h. */
#include "lib/measure/libraries.h"

#include <archive.h>
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

#ifdef WITH_HDF5
#include <hdf5.h>
#endif
#ifdef WITH_SNDFILE
#include <sndfile.h>
#endif
#ifdef WITH_SOXR
#include <soxr.h>
#endif
#ifdef WITH_UTF8PROC
#include <utf8proc.h>
#endif
#ifdef WITH_XML
#include <libxml/xmlversion.h>
#endif

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
	    "%s, sqlite %s, zstd %s, lz4 %u.%u.%u, libdeflate %s, zlib %s, "
	    "libjpeg-turbo %s, libpng %s",
	    archive_version_string(), sqlite3_libversion(),
	    ZSTD_versionString(), lz4 / 10000, lz4 / 100 % 100, lz4 % 100,
	    LIBDEFLATE_VERSION_STRING, zlibVersion(),
	    TEXT(LIBJPEG_TURBO_VERSION), PNG_LIBPNG_VER_STRING);

#ifdef WITH_HDF5
	len = add(text, len, ", hdf5 %u.%u.%u", H5_VERS_MAJOR, H5_VERS_MINOR,
	    H5_VERS_RELEASE);
#endif
#ifdef WITH_SNDFILE
	len = add(text, len, ", %s", sf_version_string());
#endif
#ifdef WITH_SOXR
	len = add(text, len, ", soxr %s", SOXR_THIS_VERSION_STR);
#endif
#ifdef WITH_UTF8PROC
	len = add(text, len, ", utf8proc %s", utf8proc_version());
#endif
#ifdef WITH_XML
	len = add(text, len, ", libxml2 %s", LIBXML_DOTTED_VERSION);
#endif
	(void)len;
}
