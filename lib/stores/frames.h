/*
 * frames.h - compressed blocks that are taken over: gzip and zlib of the same
 * level put the same frames between different ends, so that who has the shard
 * of one, and knows the checksum that the other has at its end, can make that
 * of the other without the bytes that were compressed.
 *
 * Used by one thread.
 */
#ifndef LIB_STORES_FRAMES_H
#define LIB_STORES_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct codec_ops;
struct error;
struct frames;
struct index_block;
struct reader;
struct store_form;

/* Are the frames of the same samples the same, in shards that are files? */
bool frames_are_shared(const struct store_form *a, const struct store_form *b);

enum { FRAME_SUMS = 16 };

/* What the bytes of a shard sum up to, by codecs whose frames are the same. */
struct frame_sums {
	uint32_t of[FRAME_SUMS]; /* by codec_at; others: as they start */
};

void frame_sums_begin(struct frame_sums *sums);
/* More bytes, which this codec compresses. */
void frame_sums_add(
    struct frame_sums *sums, const struct codec_ops *codec, struct span bytes);
uint32_t frame_sums_get(
    const struct frame_sums *sums, const struct codec_ops *codec);

/* Those of a shard of an open store, in order; the reader is borrowed. */
struct frames *frames_open(
    const struct reader *stored, unsigned shard, struct error *err);
void frames_close(struct frames *frames); /* NULL is fine */

/*
 * Appends the next frame to `out`, and says what it is: 1; 0: there are no
 * more; -1, ERROR_DATA when it is damaged.
 */
int frames_take(struct frames *frames, struct buf *out,
    struct index_block *block, struct error *err);
/*
 * ERROR_DATA when the shard, by the checksum at its end, holds other bytes than
 * those with these sums.
 */
int frames_end(
    struct frames *frames, const struct frame_sums *sums, struct error *err);

#endif
