/*
 * ordered_take.h - samples are taken from chunks in order, a few at a time.
 *
 * Parsing happens under a lock, since the next sample begins where the last one
 * ends; it takes a small part of the time of a sample.  Unpacking takes long:
 * workers unpack different chunks at the same time, in advance.
 */
#ifndef LIB_LOADER_ORDERED_ORDERED_TAKE_H
#define LIB_LOADER_ORDERED_ORDERED_TAKE_H

#include <stdint.h>

struct ordered_chunk;
struct ordered_loader;
struct ordered_worker;

enum taken {
	TAKE_SAMPLES,  /* worker->take has samples */
	TAKE_UNPACKED, /* a chunk was unpacked */
	TAKE_NOTHING,  /* wait for loader->events to change */
	TAKE_OVER,     /* all others are behind an error */
};

/*
 * Takes the next samples, or unpacks a chunk.  After an error, samples are
 * still taken that may come before it, as they may within a window.
 */
enum taken ordered_take(struct ordered_worker *worker);
/* Ends the use of a chunk by a take. */
void ordered_take_end(
    struct ordered_loader *loader, struct ordered_chunk *chunk);
/* Writes the location of sample `i` of the worker's take. */
void ordered_take_where(struct ordered_worker *worker, unsigned i, char *where);

/* With the lock held: the epoch of this run ends before this slot. */
void ordered_end_epoch(struct ordered_loader *loader, uint64_t slot);

#endif
