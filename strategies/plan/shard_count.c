/* shard_count.c - see shard_count.h. */
#include "strategies/plan/shard_count.h"

#include <stdbool.h>

#include "lib/sample/reader.h"
#include "strategies/plan/stored_order.h"

enum {
	SHARDS_LEAST = 8,
	SHARDS_UNASKED = 65536,  /* most that are chosen by size */
	SHARD_BYTES = 512 << 20, /* about; for a large dataset */
};

unsigned shard_count(const struct reader *source,
    const struct stored_order *order, uint64_t wanted, double stored_bytes)
{
	const bool apart =
	    wanted > 0 && stored_order_way(order, source) == ORDER_WHOLE;
	const double most =
	    apart ? (double)source->samples : (double)source->streams;
	double shards = stored_bytes / SHARD_BYTES + 1;

	if (shards < SHARDS_LEAST)
		shards = SHARDS_LEAST;
	if (shards > SHARDS_UNASKED)
		shards = SHARDS_UNASKED;
	if (wanted > 0)
		shards = wanted < SHARDS_MOST ? (double)wanted : SHARDS_MOST;
	if (shards > most)
		shards = most > 1 ? most : 1;
	return (unsigned)shards;
}
