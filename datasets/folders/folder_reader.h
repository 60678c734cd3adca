/*
 * folder_reader.h - a reader of files below a folder. Sources differ in how
 * they find the files of samples.
 */
#ifndef DATASETS_FOLDERS_FOLDER_READER_H
#define DATASETS_FOLDERS_FOLDER_READER_H

#include <stdint.h>

#include "datasets/folders/folder_set.h"

struct error;
struct medium;
struct reader;

/* Like folder_scan, with options of the source's own type. */
typedef int folder_finder(struct folder_set *set, const char *dir,
    const void *options, struct schema *schema, struct error *err);

/* Like `open` of a source. */
struct reader *folder_reader_open(const char *path, folder_finder *find,
    const void *options, uint64_t limit, struct medium *medium,
    struct error *err);

#endif
