/*
 * glob.h - matches file names against patterns like those of shells and git:
 * `*` and `?` stop at a slash, `**` between slashes matches any folders.
 */
#ifndef LIB_FILES_GLOB_H
#define LIB_FILES_GLOB_H

#include <stdbool.h>

/*
 * Does the relative path `name` match?  A pattern without a slash is compared
 * with the last part of the name only.
 */
bool glob_matches(const char *pattern, const char *name);

#endif
