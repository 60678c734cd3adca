/*
 * disk_files.h - names and removal of the files of a cache (disk_cache.h); for
 * use in lib/media/disk only.
 *
 * A part is FOLDER/UU/URL-VERSION-PART, and what is remembered of an object
 * FOLDER/UU/URL; UU are the first two of the 32 hexadecimal digits of URL, and
 * VERSION has 16, PART 8.
 */
#ifndef LIB_MEDIA_DISK_DISK_FILES_H
#define LIB_MEDIA_DISK_DISK_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/media/disk/disk_cache.h"

struct error;

enum { DISK_NAME = 80 };

/* Writes "UU/URL-VERSION-PART", and "UU/URL". */
void disk_part_name(
    const struct disk_key *key, uint32_t part, char name[DISK_NAME]);
void disk_url_name(const uint64_t url[2], char name[DISK_NAME]);
/* Is it such a name, without its folder? */
bool disk_is_name(const char *name);

/*
 * Adds up the files of the cache, and what killed processes left unfinished is
 * removed.  If they have more than `most` bytes, those used longest ago are
 * removed until `least` or fewer are left.  *bytes: what is left.
 */
int disk_files_trim(const char *folder, uint64_t most, uint64_t least,
    uint64_t *bytes, struct error *err);

#endif
