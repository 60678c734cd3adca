/*
 * room.h - limits the memory that one sample may take.  The limit of buffers in
 * decoders and steps is what the user allowed, not what a file claims.
 *
 * The thread that processes a sample calls room_enter and room_leave (chain.c).
 * In between, a tensor has at most `most` bytes.  Any other growing buffer has
 * at most twice as many, since a decoder may hold its input or its output a
 * second time.  Beyond that is ERROR_DATA, an error of this sample.  Outside,
 * nothing is limited: batches and caches hold many samples.
 */
#ifndef LIB_BASE_ROOM_H
#define LIB_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Limit of this thread; 0: none.  Only the functions below read it. */
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

/* The most bytes that a tensor may have now; 0: any. */
static inline size_t room_now(void)
{
	return room_most;
}

/* May a tensor have so many bytes? */
static inline bool room_fits(size_t bytes)
{
	return !room_most || bytes <= room_most;
}

/* May another buffer have so many bytes? */
static inline bool room_fits_work(size_t bytes)
{
	return !room_most || bytes / 2 <= room_most;
}

/* Says "NAME takes 36.0 GB, and a sample may take 1 GB: ..."; returns -1. */
int room_error(const char *name, uint64_t bytes, struct error *err);
/* The same with a given limit instead of this thread's. */
int room_error_over(
    const char *name, uint64_t bytes, uint64_t most, struct error *err);

#endif
