/* folder_scan.h - finds the samples in the files of a folder. */
#ifndef DATASETS_FOLDERS_FOLDER_SCAN_H
#define DATASETS_FOLDERS_FOLDER_SCAN_H

#include "datasets/folders/folder_set.h"

struct medium;

/*
 * Finds the samples of `dir`, sorted by key; all keys differ. Adds the fields
 * to the schema, with unknown types. Opens no sample. No message has `dir`.
 */
int folder_scan(struct folder_set *set, struct medium *medium, const char *dir,
    const struct folder_options *options, struct schema *schema,
    struct error *err);

#endif
