/* shard_count.c - see shard_count.h. */
#include "strategies/plan/shard_count.h"

#include <stdbool.h>

#include "lib/sample/reader.h"
#include "strategies/plan/stored_order.h"

enum {
	SHARDS_LEAST = 8,
	SHARD_BYTES = 512 << 20, /* about; for a large dataset */
	SHARDS_MOST = 65536,
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
	if (wanted > 0)
		shards = (double)wanted;
	if (shards > SHARDS_MOST)
		shards = SHARDS_MOST;
	if (shards > most)
		shards = most > 1 ? most : 1;
	return (unsigned)shards;
}
