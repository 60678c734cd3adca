/*
 * libraries.h - versions of the libraries that this presto runs with. Each
 * session records them, since figures may depend on them.
 */
#ifndef LIB_MEASURE_LIBRARIES_H
#define LIB_MEASURE_LIBRARIES_H

enum { LIBRARIES_TEXT = 512 };

/* Prints "libarchive 3.6.2, sqlite 3.40.1, ...". */
void libraries_text(char text[LIBRARIES_TEXT]);

#endif
