/*
 * costs.h - what each shard of a preparation took its thread, and what it would
 * have taken from the dataset where part of it was taken over from another
 * strategy.
 *
 * A strategy that is made of what another one stored, such as gzip of what
 * `none` holds, is not charged for reading that, but for what reading the
 * dataset and the steps took the other; the steps behind the other's split it
 * runs itself.  One that takes over compressed frames is charged what it took
 * to make them, but writes them itself.
 */
#ifndef STRATEGIES_PREPARE_COSTS_H
#define STRATEGIES_PREPARE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

struct error;

struct shard_cost {           /* wall time, but for the first two */
	uint64_t cpu_ns;      /* CPU time of all */
	uint64_t read_cpu_ns; /* CPU time of reading */
	uint64_t read_ns;     /* opening and fetching from the source */
	uint64_t make_ns;     /* unpacking, parsing, steps */
	uint64_t store_ns;    /* records and checksums */
	uint64_t compress_ns; /* codecs, and their transforms */
	uint64_t write_ns;    /* creating files, and writing into them */
	uint64_t sync_ns;     /* until they are safe, and have their names */
};

/* What is left of `all` without `part`. */
static inline uint64_t cost_rest(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

void shard_cost_add(struct shard_cost *sum, const struct shard_cost *cost);
/* All of its time. */
uint64_t shard_cost_ns(const struct shard_cost *cost);

/*
 * The cost of a shard whose samples are those that `made` took the making of;
 * `steps`: more steps ran on them.
 */
struct shard_cost shard_cost_of_samples(
    const struct shard_cost *own, const struct shard_cost *made, bool steps);
/* ... whose frames are those of the shard that `framed` is the whole cost of.
 */
struct shard_cost shard_cost_of_frames(
    const struct shard_cost *own, const struct shard_cost *framed);

/*
 * An order in which threads that take one after the other end at about the same
 * time: the longest first.
 */
int shard_costs_order(const struct shard_cost *costs, unsigned count,
    unsigned *order, struct error *err);
/*
 * Until the last is done, where whichever thread is free takes the next in this
 * order; NULL: as they are numbered.
 */
uint64_t shard_costs_span(const struct shard_cost *costs, unsigned count,
    const unsigned *order, unsigned threads);

#endif
