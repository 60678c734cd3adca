/*
 * open_streams.h - streams of a reader that stay open while chunks are fetched
 * from them in any order; for the ordered loader.
 *
 * Opening a stream may read an index, so the ones used last stay open.  Threads
 * share a stream where the reader allows it (shared_streams).  A stream is used
 * for one pass over the data: a reader may change the mapped bytes of a chunk
 * (chunk_writable), so a chunk must not be fetched twice from one stream.
 */
#ifndef LIB_LOADER_OPEN_STREAMS_H
#define LIB_LOADER_OPEN_STREAMS_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct open_stream;
struct open_streams;
struct reader;

/* `reader` is borrowed. */
struct open_streams *open_streams_new(
    const struct reader *reader, struct error *err);
/* Nobody may use a stream any more; NULL is fine. */
void open_streams_free(struct open_streams *streams);

/* Opens a stream if it is not open for this pass; NULL: failed. */
struct open_stream *open_streams_get(struct open_streams *streams,
    uint64_t pass, size_t stream, struct error *err);
/* The stream, for the reader's functions. */
void *open_stream_handle(const struct open_stream *open);
/* Ends the use; the stream may stay open. */
void open_streams_put(struct open_streams *streams, struct open_stream *open);

#endif
