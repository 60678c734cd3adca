/*
 * stream_list.h - some streams of a reader, in any order and any number of
 * times, as a reader of its own: a small epoch, or a longer one, of the same
 * data.
 *
 * The pilot (strategies/forecast/pilot.h) times the loader with it.  Samples
 * cannot be fetched by number.
 */
#ifndef LIB_SAMPLE_STREAM_LIST_H
#define LIB_SAMPLE_STREAM_LIST_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct reader;

struct stream_list {
	const struct reader *reader; /* borrowed */
	const size_t *streams;       /* numbers of its streams; copied */
	size_t count;
	size_t repeats;      /* the list so many times; at least 1 */
	uint64_t chunk_most; /* the first chunks of each stream; 0: all */
};

/* Free it before the reader. */
struct reader *stream_list_open(
    const struct stream_list *list, struct error *err);

#endif
