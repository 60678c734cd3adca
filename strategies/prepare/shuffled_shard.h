/*
 * shuffled_shard.h - fills a shard with samples in a random order
 * (stored_order.h).
 *
 * Whole: a block of places of the permutation is sorted by number, read as one
 * chunk, and stored by place.
 *
 * Windows: chunks are read as they come until a window is full; its samples,
 * which are views into the chunks, are then stored in a random order.
 */
#ifndef STRATEGIES_PREPARE_SHUFFLED_SHARD_H
#define STRATEGIES_PREPARE_SHUFFLED_SHARD_H

struct preparer;
struct shard_writer;
struct shuffled_window;

/* Stores samples by number, block by block. */
int shuffled_shard_whole(
    struct preparer *worker, struct shard_writer *writer, unsigned shard);
/* Stores streams in their order, with samples shuffled window by window. */
int shuffled_shard_windows(
    struct preparer *worker, struct shard_writer *writer, unsigned shard);
void shuffled_window_free(struct shuffled_window *window); /* NULL is fine */

#endif
