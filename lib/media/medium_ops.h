/*
 * medium_ops.h - what a kind of medium does; inside lib/media only.
 *
 * There is one way to the bytes (local.c) and a throttle in front of it
 * (emulated.c); the counters stand in the medium.
 */
#ifndef LIB_MEDIA_MEDIUM_OPS_H
#define LIB_MEDIA_MEDIUM_OPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/media/medium.h"

struct throttle {
	struct storage_limits limits;
	uint64_t origin_ns; /* of the times below, on CLOCK_MONOTONIC */
	_Atomic double line_free_ns;    /* when the line is free again */
	_Atomic double request_free_ns; /* when the next request may begin */
	atomic_uint_fast64_t late_ns;   /* that was waited too long */
	atomic_bool warm;
};

struct turn {
	uint64_t began_ns; /* 0: it is not slowed down */
	uint64_t until_ns;
};

/* Nobody is late any more. */
void throttle_set_warm(struct throttle *throttle, bool warm);
/* What begins now, on CLOCK_MONOTONIC; 0: it is not slowed down. */
uint64_t throttle_now(const struct throttle *throttle);
/* What began then, a request of `len` bytes or the opening of a file. */
struct turn throttle_request(
    struct throttle *throttle, uint64_t now_ns, uint64_t len);
struct turn throttle_open(struct throttle *throttle, uint64_t now_ns);
/* The real one is done: returns when the emulated one is. */
void throttle_wait(struct throttle *throttle, const struct turn *turn);

struct medium {
	struct throttle *throttle; /* NULL: as fast as it comes */
	struct storage_limits limits;
	atomic_uint_fast64_t bytes_read;
	atomic_uint_fast64_t requests;
	atomic_uint_fast64_t opened;

	atomic_bool is_timed;
	atomic_uint_fast64_t open_ns, read_ns;
	uint64_t opened_before, requests_before; /* times were taken */
};

struct throttle *throttle_new(
    const struct storage_limits *limits, struct error *err);
void throttle_free(struct throttle *throttle);

#endif
