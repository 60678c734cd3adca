/*
 * emulated.c - a storage that this machine does not have: see medium.h.
 *
 * One virtual line is shared by all threads: a request occupies it for
 * len / bandwidth, requests follow each other at 1 / iops, and each takes
 * `latency` on top.  The real transfer happens meanwhile; who comes back
 * early sleeps until the request would have ended.  An idle line earns no
 * credit, so there are no bursts.
 */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/medium_ops.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t throttle_begin(struct throttle *throttle, size_t len)
{
	const struct storage_limits *limits = &throttle->limits;
	uint64_t now, start, end;

	if (atomic_load_explicit(&throttle->warm, memory_order_relaxed))
		return 0;
	now = clock_now(&clock_monotonic);
	start = now;
	pthread_mutex_lock(&throttle->lock);
	if (limits->iops > 0) {
		start = later(start, throttle->request_free_ns);
		throttle->request_free_ns =
		    start + (uint64_t)(1e9 / limits->iops);
	}
	end = start;
	if (limits->bandwidth > 0) {
		end = later(start, throttle->bandwidth_free_ns) +
		      (uint64_t)((double)len * 1e9 / limits->bandwidth);
		throttle->bandwidth_free_ns = end;
	}
	pthread_mutex_unlock(&throttle->lock);
	return end + (uint64_t)(limits->latency * 1e9);
}

struct throttle *throttle_new(
    const struct storage_limits *limits, struct error *err)
{
	struct throttle *throttle = calloc(1, sizeof(*throttle));

	if (!throttle) {
		error_memory(err, sizeof(*throttle));
		return NULL;
	}
	throttle->limits = *limits;
	atomic_init(&throttle->warm, false);
	pthread_mutex_init(&throttle->lock, NULL);
	return throttle;
}

void throttle_free(struct throttle *throttle)
{
	if (!throttle)
		return;
	pthread_mutex_destroy(&throttle->lock);
	free(throttle);
}
