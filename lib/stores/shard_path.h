/*
 * shard_path.h - paths of the files of a stored dataset. The caller owns them;
 * NULL when memory is short.
 */
#ifndef LIB_STORES_SHARD_PATH_H
#define LIB_STORES_SHARD_PATH_H

#include "lib/stores/store.h"

#define MANIFEST_NAME "presto.manifest"

/* "DIR/shard-000003.tar.gz" */
char *shard_path(const char *dir, const struct store_form *form,
    unsigned number, struct error *err);
/* "DIR/shard-000003.index" */
char *shard_index_path(const char *dir, unsigned number, struct error *err);

#endif
