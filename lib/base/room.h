/*
 * room.h - how much memory one sample may take: what bounds the buffers of
 * decoders and steps by what the user allowed, and not by what a file claims.
 *
 * The thread that works on a sample says so by room_enter and room_leave
 * (chain.c).  In between, every tensor has at most `most` bytes, and every
 * other buffer that grows at most twice as many: a decoder may hold what it
 * reads, or what it makes, a second time.  More is ERROR_DATA, a fault of that
 * sample.  Outside nothing is bounded: batches and caches hold many samples.
 */
#ifndef LIB_BASE_ROOM_H
#define LIB_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Of this thread; 0: any.  Read by the functions below, and by no other. */
extern _Thread_local size_t room_most
    __attribute__((tls_model("initial-exec")));

static inline void room_enter(uint64_t most)
{
	room_most = most < SIZE_MAX / 4 ? (size_t)most : 0;
}

static inline void room_leave(void)
{
	room_most = 0;
}

/* May a tensor have so many bytes? */
static inline bool room_fits(size_t bytes)
{
	return !room_most || bytes <= room_most;
}

/* May another buffer? */
static inline bool room_fits_work(size_t bytes)
{
	return !room_most || bytes / 2 <= room_most;
}

/* "WHAT takes 36.0 GB, and a sample may take 1 GB: ..."; returns -1. */
int room_error(const char *what, uint64_t bytes, struct error *err);
/* The same where the limit is not this thread's. */
int room_error_over(
    const char *what, uint64_t bytes, uint64_t most, struct error *err);

#endif
