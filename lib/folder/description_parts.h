/*
 * description_parts.h - memory of a description that is being filled; used by
 * the description files only.
 */
#ifndef LIB_FOLDER_DESCRIPTION_PARTS_H
#define LIB_FOLDER_DESCRIPTION_PARTS_H

#include "lib/folder/description.h"

/* Copies a text that lives as long as the description; NULL: no memory. */
const char *description_keep(
    struct description *description, struct span text, struct error *err);
/* Make room for `count` zeroed steps, or for a step's options. */
int description_take_steps(
    struct description *description, size_t count, struct error *err);
int description_take_options(struct description *description,
    struct described_step *step, size_t count, struct error *err);

#endif
