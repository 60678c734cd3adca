/*
 * archive_version.c - the version of libarchive, for the record of a session.
 * The source that reads archives is in a higher room.
 */
#include <archive.h>
#include <stdio.h>

#include "lib/measure/libraries.h"

void archive_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "%s", archive_version_string());
}
