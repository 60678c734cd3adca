/* shard_count.h - how many shards a strategy is stored in. */
#ifndef STRATEGIES_PLAN_SHARD_COUNT_H
#define STRATEGIES_PLAN_SHARD_COUNT_H

#include <stdint.h>

enum { SHARDS_MOST = 1000000 }; /* "shard-999999" */

struct reader;
struct stored_order;

/* The number by the size alone, as if the source had any number of streams. */
double shards_of_size(double stored_bytes);
/*
 * Counts the shards; the number depends on the data and its order only.
 * `wanted` shards, but no more than can be told apart: one a stream, or one a
 * sample where all samples are permuted.  With `wanted` 0 the number follows
 * `stored_bytes`: at least 8, and no more than the source has streams.
 */
unsigned shard_count(const struct reader *source,
    const struct stored_order *order, uint64_t wanted, double stored_bytes);

#endif
