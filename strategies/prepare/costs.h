/*
 * costs.h - the time that each shard of a preparation takes, and how much of it
 * a strategy is charged.
 *
 * A strategy may start from data that another one has stored: gzip from the
 * samples of `none`, for example. It is then charged as if it had started from
 * the dataset: the time that reading the dataset and the shared steps took the
 * other strategy replaces the time of reading stored data. A strategy that
 * copies compressed frames is charged the time that making them took, and its
 * own writing.
 */
#ifndef STRATEGIES_PREPARE_COSTS_H
#define STRATEGIES_PREPARE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

struct error;

/*
 * Wall time, except the first three.  Reading, writing and syncing wait for the
 * storage, so their CPU time is measured.  Reading the CPU clock takes too long
 * to do it for each sample: the other parts only compute, and divide the rest
 * of the CPU time in proportion to their wall time.
 */
struct shard_cost {
	uint64_t cpu_ns;        /* CPU time of all parts */
	uint64_t read_cpu_ns;   /* CPU time of reading */
	uint64_t output_cpu_ns; /* CPU time of writing and syncing */
	uint64_t read_ns;       /* opening and fetching from the source */
	uint64_t make_ns;       /* unpacking, parsing, steps */
	uint64_t store_ns;      /* records and checksums */
	uint64_t compress_ns;   /* codecs, and their transforms */
	uint64_t write_ns;      /* creating files, and writing into them */
	uint64_t sync_ns;       /* syncing files and giving them their names */
};

/* Returns `all` without `part`; at least 0. */
static inline uint64_t cost_rest(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

void shard_cost_add(struct shard_cost *sum, const struct shard_cost *cost);
/* Returns the sum of its wall time. */
uint64_t shard_cost_ns(const struct shard_cost *cost);

/*
 * Charges a shard that started from the samples of another one. `made` is the
 * cost of that one; `steps`: more steps ran on the samples.
 */
struct shard_cost shard_cost_of_samples(
    const struct shard_cost *own, const struct shard_cost *made, bool steps);
/* Charges a shard that copied frames; `framed` is the cost of making them. */
struct shard_cost shard_cost_of_frames(
    const struct shard_cost *own, const struct shard_cost *framed);

/*
 * Orders shards, longest first, so that threads which take one after the other
 * end at about the same time.
 */
int shard_costs_order(const struct shard_cost *costs, unsigned count,
    unsigned *order, struct error *err);
/*
 * Returns the time until the last shard is done, if each free thread takes the
 * next in this order. NULL: in order of their numbers.
 */
uint64_t shard_costs_span(const struct shard_cost *costs, unsigned count,
    const unsigned *order, unsigned threads);

#endif
