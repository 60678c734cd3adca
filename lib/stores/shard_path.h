/*
 * shard_path.h - what the files of a stored dataset are called.  The paths
 * are owned by the caller; NULL when there is no memory.
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
