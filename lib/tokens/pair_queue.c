/*
 * pair_queue.c - see pair_queue.h.
 *
 * A pair whose count fell keeps its place in the heap, and is moved when it
 * comes to the front.  A pair whose count rose is queued again before that.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/tokens/pair_queue.h"

enum { SLOTS_FIRST = 1024, PAIRS_MAX = 1 << 30 };

static size_t hash_of(uint32_t left, uint32_t right)
{
	const uint64_t key = (uint64_t)left << 32 | right;

	return (size_t)((key ^ key >> 29) * 0x9e3779b97f4a7c15 >> 24);
}

static size_t find_slot(
    const struct pair_queue *queue, uint32_t left, uint32_t right)
{
	const size_t mask = queue->slot_count - 1;
	size_t slot = hash_of(left, right) & mask;

	while (queue->slots[slot]) {
		const struct pair *pair = &queue->pairs[queue->slots[slot] - 1];

		if (pair->left == left && pair->right == right)
			break;
		slot = (slot + 1) & mask;
	}
	return slot;
}

static int grow_slots(struct pair_queue *queue, struct error *err)
{
	const size_t count =
	    queue->slot_count ? queue->slot_count * 2 : SLOTS_FIRST;
	uint32_t *old = queue->slots;

	if (queue->count < queue->slot_count / 2)
		return 0;
	queue->slots = calloc(count, sizeof(*queue->slots));
	if (!queue->slots) {
		queue->slots = old;
		return error_memory(err, count * sizeof(*queue->slots));
	}
	queue->slot_count = count;
	free(old);
	for (size_t i = 0; i < queue->count; i++)
		queue->slots[find_slot(queue, queue->pairs[i].left,
		    queue->pairs[i].right)] = (uint32_t)i + 1;
	return 0;
}

/* Finds the pair, or makes it. */
static struct pair *get_pair(
    struct pair_queue *queue, const uint32_t ids[2], struct error *err)
{
	struct pair *grown;
	size_t slot;

	if (grow_slots(queue, err))
		return NULL;
	slot = find_slot(queue, ids[0], ids[1]);
	if (queue->slots[slot])
		return &queue->pairs[queue->slots[slot] - 1];
	if (queue->count == PAIRS_MAX) {
		error_set(err, ERROR_LIMIT, "too many different pairs");
		return NULL;
	}
	grown = array_grow(queue->pairs, &queue->capacity, queue->count + 1,
	    sizeof(*grown), err);
	if (!grown)
		return NULL;
	queue->pairs = grown;
	grown[queue->count] = (struct pair){
		.left = ids[0],
		.right = ids[1],
	};
	queue->slots[slot] = (uint32_t)queue->count + 1;
	return &grown[queue->count++];
}

static int append(uint32_t **items, size_t *count, size_t *capacity,
    uint32_t item, struct error *err)
{
	uint32_t *grown =
	    array_grow(*items, capacity, *count + 1, sizeof(*grown), err);

	if (!grown)
		return -1;
	*items = grown;
	grown[(*count)++] = item;
	return 0;
}

int pair_queue_add(struct pair_queue *queue, const uint32_t ids[2],
    int64_t count, uint32_t place, struct error *err)
{
	struct pair *pair = get_pair(queue, ids, err);

	if (!pair)
		return -1;
	if (pair->count <= pair->queued &&
	    append(&queue->risen, &queue->risen_count, &queue->risen_capacity,
	        (uint32_t)(pair - queue->pairs), err))
		return -1;
	pair->count += count;
	return append(&pair->places, &pair->place_count, &pair->place_capacity,
	    place, err);
}

void pair_queue_take(
    struct pair_queue *queue, uint32_t left, uint32_t right, int64_t count)
{
	const size_t slot = find_slot(queue, left, right);

	if (queue->slots[slot])
		queue->pairs[queue->slots[slot] - 1].count -= count;
}

/* ---- the heap ---- */

/* Does pair a come before pair b, by their queued counts? */
static bool is_before(const struct pair_queue *queue, uint32_t a, uint32_t b)
{
	const struct pair *x = &queue->pairs[a], *y = &queue->pairs[b];

	if (x->queued != y->queued)
		return x->queued > y->queued;
	return x->left != y->left ? x->left < y->left : x->right < y->right;
}

static void sift_up(struct pair_queue *queue, size_t at)
{
	const uint32_t item = queue->heap[at];

	while (at && is_before(queue, item, queue->heap[(at - 1) / 2])) {
		queue->heap[at] = queue->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	queue->heap[at] = item;
}

static void sift_down(struct pair_queue *queue, size_t at)
{
	const uint32_t item = queue->heap[at];

	for (;;) {
		size_t below = at * 2 + 1;

		if (below >= queue->heap_count)
			break;
		if (below + 1 < queue->heap_count &&
		    is_before(
		        queue, queue->heap[below + 1], queue->heap[below]))
			below++;
		if (!is_before(queue, queue->heap[below], item))
			break;
		queue->heap[at] = queue->heap[below];
		at = below;
	}
	queue->heap[at] = item;
}

/*
 * Queues the pairs whose counts rose.  Nearly all are new, since a merged pair
 * is a new token; if one is already in the heap, the whole heap is rebuilt.
 */
static int queue_risen(struct pair_queue *queue, struct error *err)
{
	bool is_out_of_order = false;

	for (size_t i = 0; i < queue->risen_count; i++) {
		struct pair *pair = &queue->pairs[queue->risen[i]];

		if (pair->count <= pair->queued)
			continue;
		is_out_of_order |= pair->queued > 0;
		if (pair->queued) {
			pair->queued = pair->count;
			continue;
		}
		pair->queued = pair->count;
		if (append(&queue->heap, &queue->heap_count,
		        &queue->heap_capacity, queue->risen[i], err))
			return -1;
		sift_up(queue, queue->heap_count - 1);
	}
	queue->risen_count = 0;
	for (size_t i = is_out_of_order ? queue->heap_count / 2 : 0; i-- > 0;)
		sift_down(queue, i);
	return 0;
}

static void drop_first(struct pair_queue *queue)
{
	queue->heap[0] = queue->heap[--queue->heap_count];
	if (queue->heap_count)
		sift_down(queue, 0);
}

static int compare_places(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

struct pair *pair_queue_first(struct pair_queue *queue, struct error *err)
{
	if (queue_risen(queue, err))
		return NULL;
	while (queue->heap_count) {
		struct pair *pair = &queue->pairs[queue->heap[0]];

		if (pair->count == pair->queued) {
			drop_first(queue);
			pair->queued = 0;
			qsort(pair->places, pair->place_count,
			    sizeof(*pair->places), compare_places);
			return pair;
		}
		if (pair->count > 0) {
			pair->queued = pair->count;
			sift_down(queue, 0);
		} else {
			pair->queued = 0;
			drop_first(queue);
		}
	}
	return NULL;
}

void pair_queue_release(struct pair_queue *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		free(queue->pairs[i].places);
	free(queue->pairs);
	free(queue->slots);
	free(queue->heap);
	free(queue->risen);
	*queue = (struct pair_queue)PAIR_QUEUE_INIT;
}
