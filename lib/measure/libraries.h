/*
 * libraries.h - versions of the libraries that this presto runs with. Each
 * session records them, since figures may depend on them.
 */
#ifndef LIB_MEASURE_LIBRARIES_H
#define LIB_MEASURE_LIBRARIES_H

#include "lib/base/library.h"

enum { LIBRARIES_TEXT = 512 };

/* Prints "sqlite 3.40.1, zstd 1.5.4, ...". */
void libraries_text(char text[LIBRARIES_TEXT]);

/* Its wrapper is in a higher room; not there in a build without it. */
void archive_library_version(char text[LIBRARY_VERSION]);

#endif
