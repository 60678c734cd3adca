/*
 * folder_check_shard.h - compares the files of one shard with the manifest.
 * Findings are lines, which begin with FOLDER_KIND plus their kind.
 */
#ifndef LIB_STORES_FOLDER_CHECK_SHARD_H
#define LIB_STORES_FOLDER_CHECK_SHARD_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/stores/folder_check.h"

struct buf;
struct error;
struct file_sum;
struct stored;

enum { FOLDER_KIND = '0' };

/* Appends a finding as a line; control bytes of names are escaped. */
int folder_say(struct buf *lines, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err);
/* Checks a file: ERROR_DATA if it is not as the manifest says. */
int folder_compare(const struct folder_check_plan *plan, const char *path,
    const struct file_sum *wanted, bool is_whole, struct error *err);
/*
 * Checks a shard: appends lines and sets *is_damaged.  `stored` has the folder
 * and the manifest.  Many threads may check, each another shard.
 */
int folder_check_shard(const struct folder_check_plan *plan,
    const struct stored *stored, size_t shard, struct buf *lines,
    bool *is_damaged, struct error *err);

#endif
