/*
 * frames.h - compressed blocks that are taken over: gzip and zlib of the same
 * level put the same frames between different ends, so that who has the shard
 * of one can make that of the other without compressing.
 *
 * Used by one thread.
 */
#ifndef LIB_STORES_FRAMES_H
#define LIB_STORES_FRAMES_H

#include <stdbool.h>

#include "lib/base/bytes.h"

struct error;
struct frames;
struct reader;
struct store_form;

/* Are the frames of the same samples the same, in shards that are files? */
bool frames_are_shared(const struct store_form *a, const struct store_form *b);

/* Those of a shard of an open store, in order; the reader is borrowed. */
struct frames *frames_open(
    const struct reader *stored, unsigned shard, struct error *err);
void frames_close(struct frames *frames); /* NULL is fine */

/*
 * Appends the next frame, of `raw`, to `out`.  ERROR_DATA when it is damaged,
 * or holds another number of bytes.
 */
int frames_take(
    struct frames *frames, struct span raw, struct buf *out, struct error *err);
/*
 * Behind the last: ERROR_DATA when there are more, or when all frames together
 * hold other bytes than were asked for, as far as the codec's own checksum at
 * the end of the shard can tell.
 */
int frames_end(struct frames *frames, struct error *err);

#endif
