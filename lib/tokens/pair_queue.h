/*
 * pair_queue.h - counts pairs of adjacent tokens and their places, and yields
 * the most frequent pair.  For training a vocabulary.
 *
 * Counts go up and down as pairs are merged.  Places are only added: a user
 * must check that the pair is still there.  Among equally frequent pairs, the
 * one with lower numbers comes first.
 */
#ifndef LIB_TOKENS_PAIR_QUEUE_H
#define LIB_TOKENS_PAIR_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct error;

struct pair {
	uint32_t left, right;
	int64_t count;
	int64_t queued; /* count by which it is queued; 0: not queued */
	uint32_t *places;
	size_t place_count, place_capacity;
};

struct pair_queue {
	struct pair *pairs;
	size_t count, capacity;
	uint32_t *slots; /* by hash: pair + 1; 0: free */
	size_t slot_count;
	uint32_t *heap; /* indexes of pairs */
	size_t heap_count, heap_capacity;
	uint32_t *risen; /* pairs to be queued */
	size_t risen_count, risen_capacity;
};

#define PAIR_QUEUE_INIT    \
	{                  \
		.count = 0 \
	}

/* Adds to the count of a pair, at a place. */
int pair_queue_add(struct pair_queue *queue, const uint32_t ids[2],
    int64_t count, uint32_t place, struct error *err);
/* Subtracts from the count of an existing pair. */
void pair_queue_take(
    struct pair_queue *queue, uint32_t left, uint32_t right, int64_t count);
/*
 * Removes and returns the most frequent pair, with its places in order; valid
 * until the next call.  NULL if there is none, or with err set.
 */
struct pair *pair_queue_first(struct pair_queue *queue, struct error *err);
void pair_queue_release(struct pair_queue *queue);

#endif
