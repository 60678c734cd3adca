/*
 * pair_queue.h - how often each pair of neighbours is there, and where; the
 * most frequent comes first.  For training a vocabulary.
 *
 * Counts go up and down as pairs are joined; places are only added, and who
 * takes them looks whether the pair is still there.  Of pairs that are there
 * equally often, the one of lower numbers comes first.
 */
#ifndef LIB_TOKENS_PAIR_QUEUE_H
#define LIB_TOKENS_PAIR_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct error;

struct pair {
	uint32_t left, right;
	int64_t count;
	int64_t queued; /* the count with which it waits; 0: it does not */
	uint32_t *places;
	size_t place_count, place_capacity;
};

struct pair_queue {
	struct pair *pairs;
	size_t count, capacity;
	uint32_t *slots; /* by hash: pair + 1, 0 when free */
	size_t slot_count;
	uint32_t *heap; /* of pairs */
	size_t heap_count, heap_capacity;
	uint32_t *risen; /* pairs that are to be queued */
	size_t risen_count, risen_capacity;
};

#define PAIR_QUEUE_INIT    \
	{                  \
		.count = 0 \
	}

/* Adds to its count, at a place. */
int pair_queue_add(struct pair_queue *queue, const uint32_t ids[2],
    int64_t count, uint32_t place, struct error *err);
/* Takes from the count of a pair that is there. */
void pair_queue_take(
    struct pair_queue *queue, uint32_t left, uint32_t right, int64_t count);
/*
 * The most frequent one, with its places in order; NULL when none is left, or
 * with err set.  It is no longer in the queue; good until the next call.
 */
struct pair *pair_queue_first(struct pair_queue *queue, struct error *err);
void pair_queue_release(struct pair_queue *queue);

#endif
