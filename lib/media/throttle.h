/* throttle.h - the emulated storage in front of a medium; for lib/media only.
 */
#ifndef LIB_MEDIA_THROTTLE_H
#define LIB_MEDIA_THROTTLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/media/medium.h"

/* Times on CLOCK_MONOTONIC, since the origin of the throttle. */
struct throttle_lines {
	_Atomic double line_free_ns;    /* end of the last transfer */
	_Atomic double request_free_ns; /* earliest start of the next request */
	_Atomic double open_free_ns;    /* earliest next opening of a file */
};

struct throttle {
	struct storage_limits limits;
	uint64_t origin_ns; /* origin of the times of `lines` */
	struct throttle_lines
	    *lines; /* own_lines, or shared; see throttle_share */
	struct throttle_lines own_lines;
	atomic_uint_fast64_t late_ns; /* delays that are not credited yet */
	atomic_bool warm;
	atomic_uint hurried; /* calls of throttle_hurry that have not ended */
};

struct turn {
	uint64_t began_ns; /* 0: not slowed down */
	uint64_t until_ns;
};

/* Clears the credit for delays. */
void throttle_set_warm(struct throttle *throttle, bool warm);
/* See medium_hurry. */
void throttle_hurry(struct throttle *throttle, bool begin);
/* Returns the start of a request on CLOCK_MONOTONIC; 0: not slowed down. */
uint64_t throttle_now(const struct throttle *throttle);
/*
 * Reserves the turn of a request of `len` bytes, or of opening a file.
 * *stream_free_ns: end of the last transfer of this open file; first 0.
 */
struct turn throttle_request(struct throttle *throttle, uint64_t now_ns,
    uint64_t len, _Atomic double *stream_free_ns);
struct turn throttle_open(struct throttle *throttle, uint64_t now_ns);
/* Called after the real request: returns when the emulated one has ended. */
void throttle_wait(struct throttle *throttle, const struct turn *turn);

/* See medium_share_limits. */
int throttle_share(struct throttle *throttle, const char *path, bool create,
    struct error *err);
/* Unmaps what is shared. */
void throttle_unshare(struct throttle *throttle);

struct throttle *throttle_new(
    const struct storage_limits *limits, struct error *err);
void throttle_free(struct throttle *throttle);

#endif
