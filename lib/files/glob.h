/*
 * glob.h - patterns for names of files, as shells and git have them: `*` and
 * `?` stop at a slash, `**` between slashes stands for any folders, or none.
 */
#ifndef LIB_FILES_GLOB_H
#define LIB_FILES_GLOB_H

#include <stdbool.h>

/*
 * Does the name, a relative path, match?  A pattern without a slash is
 * compared with the last part of the name only.
 */
bool glob_matches(const char *pattern, const char *name);

#endif
