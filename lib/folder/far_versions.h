/*
 * far_versions.h - the versions of the files that a far dataset is read from.
 *
 * Few files are asked for one by one.  The versions of many come from one
 * listing of their folder, a page of which has a thousand.
 */
#ifndef LIB_FOLDER_FAR_VERSIONS_H
#define LIB_FOLDER_FAR_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct far_versions;
struct inventory_plan;

/* `root`: the folder that the files are in; borrowed, as the plan is. */
struct far_versions *far_versions_new(
    const struct inventory_plan *plan, const char *root, struct error *err);
/* Sets the hash of a file's version; a missing file has none. */
int far_versions_get(struct far_versions *versions, const char *path, bool *has,
    uint64_t *version, struct error *err);
void far_versions_free(struct far_versions *versions); /* NULL is fine */

#endif
