/*
 * medium_ops.h - what a kind of medium does; inside lib/media only.
 *
 * There is one way to the bytes (local.c) and a throttle in front of it
 * (emulated.c); the counters stand in the medium.
 */
#ifndef LIB_MEDIA_MEDIUM_OPS_H
#define LIB_MEDIA_MEDIUM_OPS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/media/medium.h"

struct throttle {
	struct storage_limits limits;
	pthread_mutex_t lock;
	uint64_t bandwidth_free_ns; /* when the line is free again */
	uint64_t request_free_ns;   /* when the next request may begin */
	atomic_bool warm;
};

/*
 * Begins a request of `len` bytes; returns when it would end, in nanoseconds
 * of CLOCK_MONOTONIC; 0: at once.
 */
uint64_t throttle_begin(struct throttle *throttle, size_t len);

struct medium {
	struct throttle *throttle; /* NULL: as fast as it comes */
	struct storage_limits limits;
	atomic_uint_fast64_t bytes_read;
	atomic_uint_fast64_t requests;
};

struct throttle *throttle_new(
    const struct storage_limits *limits, struct error *err);
void throttle_free(struct throttle *throttle);

#endif
