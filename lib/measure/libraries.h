/*
 * libraries.h - which versions of which libraries this presto runs with: of
 * every session, since a figure may depend on them.
 */
#ifndef LIB_MEASURE_LIBRARIES_H
#define LIB_MEASURE_LIBRARIES_H

enum { LIBRARIES_TEXT = 512 };

/* "libarchive 3.6.2, sqlite 3.40.1, ..." */
void libraries_text(char text[LIBRARIES_TEXT]);

#endif
