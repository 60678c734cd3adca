/*
 * shard_path.h - paths of the files of a stored dataset. The caller owns them;
 * NULL when memory is short.
 */
#ifndef LIB_STORES_SHARD_PATH_H
#define LIB_STORES_SHARD_PATH_H

#include "lib/stores/store.h"

#define MANIFEST_NAME "presto.manifest"

enum { SHARD_NAME = 32 };

/* "shard-000003": the names of all files of a shard begin so. */
const char *shard_name(unsigned number, char name[SHARD_NAME]);
/* Does the name begin as those of shards do? */
bool shard_is_name(const char *name);
/* 3 for "shard-000003"; -1 for any other name. */
int64_t shard_number(const char *name);

/*
 * ".gz": what the codec adds to the name of a shard; "" if the codec is inside:
 * of the files of a folder, or of the pages of a format.
 */
const char *shard_codec_suffix(const struct store_form *form);
/* "DIR/shard-000003.tar.gz" */
char *shard_path(const char *dir, const struct store_form *form,
    unsigned number, struct error *err);
/* "DIR/shard-000003.index" */
char *shard_index_path(const char *dir, unsigned number, struct error *err);

#endif
