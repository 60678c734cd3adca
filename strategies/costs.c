/* costs.c - see costs.h. */
#include "strategies/costs.h"

#include <stddef.h>

enum { THREADS_MOST = 1024 };

void shard_cost_add(struct shard_cost *sum, const struct shard_cost *cost)
{
	sum->read_ns += cost->read_ns;
	sum->read_cpu_ns += cost->read_cpu_ns;
	sum->make_ns += cost->make_ns;
	sum->store_ns += cost->store_ns;
	sum->compress_ns += cost->compress_ns;
	sum->write_ns += cost->write_ns;
	sum->sync_ns += cost->sync_ns;
}

uint64_t shard_cost_ns(const struct shard_cost *cost)
{
	return cost->read_ns + cost->make_ns + cost->store_ns +
	       cost->compress_ns + cost->write_ns + cost->sync_ns;
}

struct shard_cost shard_cost_charge(const struct shard_cost *own,
    const struct shard_cost *made, const struct shard_cost *framed)
{
	struct shard_cost cost = *own;

	if (made) {
		cost.read_ns = made->read_ns;
		cost.read_cpu_ns = made->read_cpu_ns;
		cost.make_ns = made->make_ns;
	}
	if (framed)
		cost.compress_ns = framed->compress_ns;
	return cost;
}

uint64_t shard_costs_span(
    const struct shard_cost *costs, unsigned count, unsigned threads)
{
	uint64_t busy[THREADS_MOST] = { 0 }; /* until then */
	uint64_t span = 0;

	if (threads > THREADS_MOST)
		threads = THREADS_MOST;
	for (unsigned i = 0; i < count; i++) {
		unsigned next = 0;

		for (unsigned t = 1; t < threads; t++)
			if (busy[t] < busy[next])
				next = t;
		busy[next] += shard_cost_ns(&costs[i]);
		if (busy[next] > span)
			span = busy[next];
	}
	return span;
}
