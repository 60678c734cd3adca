/* meter.h - counts and times what a loader's thread does when traced. */
#ifndef LIB_LOADER_METER_H
#define LIB_LOADER_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/clock.h"
#include "lib/loader/queue.h"
#include "lib/measure/event_log.h"
#include "lib/measure/stopwatch.h"
#include "lib/pipeline/chain.h"

struct chunk;
struct loader;

struct meter {
	bool is_on;
	struct stopwatch watch;
	/* Rounds: get a chunk, prepare or begin samples, make, put a batch. */
	struct sampling get, prepare, begin, make, put;
	struct activity_cost open, read, unpack, parse, hand;
	struct chain_trace chain;
	uint64_t delivered; /* bytes delivered */
	struct waits for_data, for_room;
	uint64_t cpu_ns, wall_ns; /* totals; during an epoch: when it began */
};

/* Called when a thread begins and ends an epoch; `thread` is its number. */
void meter_begin(
    struct meter *meter, const struct loader *loader, uint32_t thread);
void meter_end(struct meter *meter);

static inline bool meter_is_on(const struct meter *meter)
{
	return TRACES && meter->is_on;
}

static inline void meter_start(struct meter *meter, struct sampling *sampling)
{
	if (meter_is_on(meter))
		stopwatch_start(&meter->watch, sampling);
}

static inline void meter_lap(struct meter *meter, struct activity_cost *cost)
{
	if (meter_is_on(meter))
		stopwatch_lap(&meter->watch, cost);
}

/* Adds the lap to the loader's own work. */
static inline void meter_hand(struct meter *meter)
{
	if (meter_is_on(meter))
		stopwatch_add(&meter->watch, &meter->hand);
}

static inline void meter_stop(struct meter *meter)
{
	if (meter_is_on(meter))
		stopwatch_stop(&meter->watch);
}

/* Records how many items are in the queue. */
static inline void meter_queue(struct meter *meter, struct queue *queue)
{
	if (meter_is_on(meter) && event_log_is_open(meter->watch.log))
		event_log_add_value(meter->watch.log, queue,
		    clock_now(&clock_monotonic), queue_count(queue));
}

/* Returns where to record waiting; NULL: nowhere. */
static inline struct waits *meter_waits(
    struct meter *meter, struct waits *waits)
{
	return meter_is_on(meter) ? waits : NULL;
}

/* Returns the bytes of the chunk as the reader fetched them. */
uint64_t chunk_fetched(const struct chunk *chunk);

#endif
