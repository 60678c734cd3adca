/* tar_find.h - finds the archives that the key `path` means. */
#ifndef DATASETS_ARCHIVES_TAR_FIND_H
#define DATASETS_ARCHIVES_TAR_FIND_H

#include "datasets/archives/tar_set.h"

struct error;
struct medium;

/*
 * Adds the archives of `path`: one archive, the files of a folder that match,
 * those of a pattern, or those of each path in a list (lib/files/braces.h). The
 * pattern of a URL has the wildcards of lib/files/glob.h.
 * Archives are not opened.
 */
int tar_find_archives(struct tar_set *set, struct medium *medium,
    const char *path, const char *match, struct error *err);

#endif
