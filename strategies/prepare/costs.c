/* costs.c - see costs.h. */
#include "strategies/prepare/costs.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "strategies/plan/plan.h"

void shard_cost_add(struct shard_cost *sum, const struct shard_cost *cost)
{
	sum->cpu_ns += cost->cpu_ns;
	sum->read_cpu_ns += cost->read_cpu_ns;
	sum->output_cpu_ns += cost->output_cpu_ns;
	sum->read_ns += cost->read_ns;
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

/* Returns the CPU time of making samples, a part that only computes. */
static uint64_t make_cpu_ns(const struct shard_cost *cost)
{
	const uint64_t computing_ns =
	    cost->make_ns + cost->store_ns + cost->compress_ns;
	const uint64_t cpu_ns =
	    cost_rest(cost->cpu_ns, cost->read_cpu_ns + cost->output_cpu_ns);

	if (computing_ns == 0)
		return 0;
	return (uint64_t)((double)cpu_ns * (double)cost->make_ns /
	                  (double)computing_ns);
}

struct shard_cost shard_cost_of_samples(
    const struct shard_cost *own, const struct shard_cost *made, bool steps)
{
	struct shard_cost cost = *own;

	/* Without further steps, this work only made the same samples again. */
	if (!steps) {
		cost.cpu_ns = cost_rest(cost.cpu_ns, make_cpu_ns(own));
		cost.make_ns = 0;
	}
	cost.cpu_ns = cost_rest(cost.cpu_ns, own->read_cpu_ns);
	cost.cpu_ns += made->read_cpu_ns + make_cpu_ns(made);
	cost.read_ns = made->read_ns;
	cost.read_cpu_ns = made->read_cpu_ns;
	cost.make_ns += made->make_ns;
	return cost;
}

/* The frames were copied: reading is not charged, writing is. */
struct shard_cost shard_cost_of_frames(
    const struct shard_cost *own, const struct shard_cost *framed)
{
	struct shard_cost cost = *framed;

	cost.write_ns = own->write_ns;
	cost.sync_ns = own->sync_ns;
	cost.output_cpu_ns = own->output_cpu_ns;
	cost.cpu_ns = cost_rest(framed->cpu_ns, framed->output_cpu_ns) +
	              own->output_cpu_ns;
	return cost;
}

struct timed_shard {
	uint64_t ns;
	unsigned number;
};

static int compare_shards(const void *a, const void *b)
{
	const struct timed_shard *one = a, *other = b;

	if (one->ns != other->ns)
		return one->ns < other->ns ? 1 : -1;
	return one->number < other->number ? -1 : 1;
}

int shard_costs_order(const struct shard_cost *costs, unsigned count,
    unsigned *order, struct error *err)
{
	struct timed_shard *shards = calloc(count + 1, sizeof(*shards));

	if (!shards)
		return error_memory(err, count * sizeof(*shards));
	for (unsigned i = 0; i < count; i++)
		shards[i] = (struct timed_shard){ shard_cost_ns(&costs[i]), i };
	qsort(shards, count, sizeof(*shards), compare_shards);
	for (unsigned i = 0; i < count; i++)
		order[i] = shards[i].number;
	free(shards);
	return 0;
}

uint64_t shard_costs_span(const struct shard_cost *costs, unsigned count,
    const unsigned *order, unsigned threads)
{
	/* ns at which each thread is free */
	uint64_t busy[PLAN_THREADS] = { 0 };
	uint64_t span = 0;

	if (threads > PLAN_THREADS)
		threads = PLAN_THREADS;
	for (unsigned i = 0; i < count; i++) {
		unsigned next = 0;

		for (unsigned t = 1; t < threads; t++)
			if (busy[t] < busy[next])
				next = t;
		busy[next] += shard_cost_ns(&costs[order ? order[i] : i]);
		if (busy[next] > span)
			span = busy[next];
	}
	return span;
}
