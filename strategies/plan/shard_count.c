/* shard_count.c - see shard_count.h. */
#include "strategies/plan/shard_count.h"

#include <math.h>
#include <stdbool.h>

#include "lib/sample/reader.h"
#include "strategies/plan/stored_order.h"

enum {
	SHARDS_LEAST = 8,
	SHARDS_UNASKED = 65536,  /* most that are chosen by size */
	SHARD_BYTES = 512 << 20, /* about; for a large dataset */
};

double shards_of_size(double stored_bytes)
{
	const double shards = stored_bytes / SHARD_BYTES + 1;

	if (shards < SHARDS_LEAST)
		return SHARDS_LEAST;
	return shards > SHARDS_UNASKED ? SHARDS_UNASKED : floor(shards);
}

unsigned shard_count(const struct reader *source,
    const struct stored_order *order, uint64_t wanted, double stored_bytes)
{
	const bool apart =
	    wanted > 0 && stored_order_way(order, source) == ORDER_WHOLE;
	const double most =
	    apart ? (double)source->samples : (double)source->streams;
	double shards = shards_of_size(stored_bytes);

	if (wanted > 0)
		shards = wanted < SHARDS_MOST ? (double)wanted : SHARDS_MOST;
	if (shards > most)
		shards = most > 1 ? most : 1;
	return (unsigned)shards;
}
