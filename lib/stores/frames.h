/*
 * frames.h - reuses the compressed blocks of another dataset.
 *
 * gzip and zlib at the same level write the same frames between different ends.
 * So a shard of one can be made from a shard of the other without the
 * uncompressed bytes, if the checksum at its end is known.
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

/* Do shards of the same samples have the same frames in both forms? */
bool frames_are_shared(const struct store_form *a, const struct store_form *b);

enum { FRAME_SUMS = 16 };

/* Checksums of a shard's content, for each codec that shares frames. */
struct frame_sums {
	uint32_t of[FRAME_SUMS]; /* by codec_at; others keep their start */
};

void frame_sums_begin(struct frame_sums *sums);
/* Adds bytes that were compressed with this codec. */
void frame_sums_add(
    struct frame_sums *sums, const struct codec_ops *codec, struct span bytes);
uint32_t frame_sums_get(
    const struct frame_sums *sums, const struct codec_ops *codec);

/* Opens a shard to take its frames in order; borrows the reader. */
struct frames *frames_open(
    const struct reader *stored, unsigned shard, struct error *err);
void frames_close(struct frames *frames); /* NULL is fine */

/*
 * Appends the next frame to `out` and describes it in `block`: 1, 0 after the
 * last, or -1 (ERROR_DATA for damage).
 */
int frames_take(struct frames *frames, struct buf *out,
    struct index_block *block, struct error *err);
/* Compares `sums` with the shard's last checksum: ERROR_DATA. */
int frames_end(
    struct frames *frames, const struct frame_sums *sums, struct error *err);

/*
 * Do two datasets have the same frames in each shard?  Then they have the same
 * samples.  All frames are read, and their checksums verified.
 */
int frames_compare(const struct reader *a, const struct reader *b, bool *equal,
    struct error *err);

#endif
