/*
 * shard_remove.h - removes shards from a folder, with all their files.
 */
#ifndef STRATEGIES_PREPARE_SHARD_REMOVE_H
#define STRATEGIES_PREPARE_SHARD_REMOVE_H

#include <stdbool.h>

struct error;
struct medium;

/*
 * Removes the shards `first` + i for which which[i] is set, i < count: every
 * file and folder with the name of such a shard. Indexes go last, so that a
 * shard whose removal was stopped is still found by its index. A shard that is
 * not there is no error.
 */
int shards_remove(struct medium *medium, const char *dir, unsigned first,
    const bool *which, unsigned count, struct error *err);

#endif
