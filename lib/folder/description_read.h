/* description_read.h - reads and checks dataset.json. */
#ifndef LIB_FOLDER_DESCRIPTION_READ_H
#define LIB_FOLDER_DESCRIPTION_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct description;
struct error;
struct medium;

/*
 * Reads manifest and description of a complete folder. Without dataset.json
 * only the manifest's part is set. ERROR_DATA names the file and what is wrong.
 */
int description_read(struct description *description, struct medium *medium,
    const char *dir, struct error *err);
/* The same for a version of the dataset; 0: the newest. */
int description_read_version(struct description *description,
    struct medium *medium, const char *dir, uint64_t version,
    struct error *err);
/*
 * Does the folder's dataset.json have this fingerprint? It identifies a folder
 * that lost its manifest; nothing else is checked.
 */
bool description_is_of(
    struct medium *medium, const char *dir, const char *fingerprint);
/* Parses dataset.json after the manifest; `path` is for messages. */
int description_parse(struct description *description, const char *path,
    struct span text, struct error *err);

#endif
