/*
 * folder.h - a reader of files below a folder. Sources differ in how they find
 * the files of samples.
 */
#ifndef DATASETS_FOLDER_H
#define DATASETS_FOLDER_H

#include "datasets/folder_scan.h"

struct error;
struct medium;
struct reader;

/* Finds samples like folder_scan; `options` are the source's. */
typedef int folder_finder(struct folder_set *set, const char *dir,
    const void *options, struct schema *schema, struct error *err);

/* Like `open` of a source. */
struct reader *folder_open(const char *path, folder_finder *find,
    const void *options, uint64_t limit, struct medium *medium,
    struct error *err);

#endif
