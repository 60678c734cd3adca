/*
 * merger.c - see merger.h.
 *
 * Both methods work in rounds, one rank each.  Pairs that form in a round wait
 * for the next one, even if their rank is lower.  In a trained vocabulary it
 * never is lower; in others, GPT-2's own encoder does the same.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/tokens/merger.h"
#include "lib/tokens/vocabulary.h"

enum { SHORT_MOST = 48 };

/* ---- short pieces ---- */

/* Tokens, and for each the rank of its pair with the next. */
struct short_piece {
	uint32_t ids[SHORT_MOST];
	uint32_t ranks[SHORT_MOST];
	size_t count;
};

static uint32_t lowest_rank(const struct short_piece *piece)
{
	uint32_t lowest = MERGES_NONE;

	for (size_t i = 0; i + 1 < piece->count; i++)
		if (piece->ranks[i] < lowest)
			lowest = piece->ranks[i];
	return lowest;
}

/* Merges all pairs of this rank, in place. */
static void join_all(
    struct short_piece *piece, const struct merges *merges, uint32_t rank)
{
	const uint32_t joined = merges->joined[rank];
	size_t to = 0;
	bool fresh = false; /* was the last token just merged? */

	for (size_t i = 0; i < piece->count; to++) {
		const bool joins =
		    i + 1 < piece->count && piece->ranks[i] == rank;

		piece->ids[to] = joins ? joined : piece->ids[i];
		if (to && (fresh || joins))
			piece->ranks[to - 1] = merges_rank(
			    merges, piece->ids[to - 1], piece->ids[to]);
		if (!joins)
			piece->ranks[to] = piece->ranks[i];
		fresh = joins;
		i += joins ? 2 : 1;
	}
	piece->count = to;
}

static size_t run_short(
    const struct vocabulary *vocabulary, struct span bytes, int32_t *ids)
{
	const struct merges *merges = &vocabulary->merges;
	struct short_piece piece = { .count = bytes.len };
	uint32_t rank;

	for (size_t i = 0; i < bytes.len; i++)
		piece.ids[i] = vocabulary->byte_ids[bytes.data[i]];
	for (size_t i = 0; i + 1 < bytes.len; i++)
		piece.ranks[i] =
		    merges_rank(merges, piece.ids[i], piece.ids[i + 1]);
	while ((rank = lowest_rank(&piece)) != MERGES_NONE)
		join_all(&piece, merges, rank);
	for (size_t i = 0; i < piece.count; i++)
		ids[i] = (int32_t)piece.ids[i];
	return piece.count;
}

/* ---- long pieces ---- */

static const uint32_t nowhere = UINT32_MAX;

/* A token, its neighbours, and the rank of its pair with the right one. */
struct merger_node {
	uint32_t id, rank, left, right;
};

/* The pair at `at` in a heap whose lowest entry is first. */
static uint64_t queue_entry(uint32_t rank, size_t at)
{
	return (uint64_t)rank << 32 | at;
}

struct queue {
	uint64_t *entries;
	size_t count;
};

static void sift_down(struct queue *queue, size_t at)
{
	const uint64_t entry = queue->entries[at];

	for (;;) {
		size_t below = at * 2 + 1;

		if (below >= queue->count)
			break;
		if (below + 1 < queue->count &&
		    queue->entries[below + 1] < queue->entries[below])
			below++;
		if (entry <= queue->entries[below])
			break;
		queue->entries[at] = queue->entries[below];
		at = below;
	}
	queue->entries[at] = entry;
}

static void queue_push(struct queue *queue, uint64_t entry)
{
	size_t at = queue->count++;

	while (at && entry < queue->entries[(at - 1) / 2]) {
		queue->entries[at] = queue->entries[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	queue->entries[at] = entry;
}

static uint64_t queue_pop(struct queue *queue)
{
	const uint64_t first = queue->entries[0];

	queue->entries[0] = queue->entries[--queue->count];
	if (queue->count)
		sift_down(queue, 0);
	return first;
}

/*
 * A merge takes one entry, and up to two of pairs that vanish, and adds at most
 * two: so there are at most three entries per byte.
 */
static int make_room(struct merger *merger, size_t len, struct error *err)
{
	void *grown;

	if (len >= nowhere)
		return error_set(
		    err, ERROR_LIMIT, "a word of %zu bytes is too long", len);
	grown = array_grow(merger->nodes, &merger->node_capacity, len,
	    sizeof(*merger->nodes), err);
	if (!grown)
		return -1;
	merger->nodes = grown;
	grown = array_grow(merger->queue, &merger->queue_capacity, len * 3,
	    sizeof(*merger->queue), err);
	if (!grown)
		return -1;
	merger->queue = grown;
	return 0;
}

static void begin_long(struct merger *merger,
    const struct vocabulary *vocabulary, struct span bytes, struct queue *queue)
{
	struct merger_node *nodes = merger->nodes;

	for (size_t i = 0; i < bytes.len; i++)
		nodes[i] = (struct merger_node){
			.id = vocabulary->byte_ids[bytes.data[i]],
			.rank = MERGES_NONE,
			.left = (uint32_t)i - 1, /* for the first: none */
			.right = (uint32_t)i + 1,
		};
	nodes[bytes.len - 1].right = nowhere;
	for (size_t i = 0; i + 1 < bytes.len; i++) {
		nodes[i].rank = merges_rank(
		    &vocabulary->merges, nodes[i].id, nodes[i + 1].id);
		if (nodes[i].rank != MERGES_NONE)
			queue->entries[queue->count++] =
			    queue_entry(nodes[i].rank, i);
	}
	for (size_t i = queue->count / 2; i-- > 0;)
		sift_down(queue, i);
}

/* Updates a node's rank; if it can be merged, appends the pair to *end. */
static void update_rank(struct merger_node *nodes, const struct merges *merges,
    uint32_t at, uint64_t **end)
{
	struct merger_node *node = &nodes[at];

	node->rank = MERGES_NONE;
	if (node->right == nowhere)
		return;
	node->rank = merges_rank(merges, node->id, nodes[node->right].id);
	if (node->rank != MERGES_NONE)
		*(*end)++ = queue_entry(node->rank, at);
}

static void join(struct merger_node *nodes, const struct merges *merges,
    uint32_t at, uint64_t **end)
{
	struct merger_node *node = &nodes[at], *right = &nodes[node->right];

	node->id = merges->joined[node->rank];
	node->right = right->right;
	right->rank = MERGES_NONE; /* its entry in the queue is void */
	if (node->right != nowhere)
		nodes[node->right].left = at;
	update_rank(nodes, merges, at, end);
	if (node->left != nowhere)
		update_rank(nodes, merges, node->left, end);
}

/* New pairs wait behind the queue until the round is over. */
static void run_round(struct merger_node *nodes, const struct merges *merges,
    struct queue *queue, uint64_t *waiting)
{
	const uint32_t rank = (uint32_t)(queue->entries[0] >> 32);
	uint64_t *end = waiting;

	while (queue->count && queue->entries[0] >> 32 == rank) {
		const uint32_t at = (uint32_t)queue_pop(queue);

		if (nodes[at].rank == rank)
			join(nodes, merges, at, &end);
	}
	for (const uint64_t *entry = waiting; entry < end; entry++)
		queue_push(queue, *entry);
}

static size_t run_long(struct merger *merger,
    const struct vocabulary *vocabulary, struct span bytes, int32_t *ids,
    struct error *err)
{
	struct queue queue = { .count = 0 };
	size_t count = 0;

	if (make_room(merger, bytes.len, err))
		return 0;
	queue.entries = merger->queue;
	begin_long(merger, vocabulary, bytes, &queue);
	while (queue.count)
		run_round(merger->nodes, &vocabulary->merges, &queue,
		    merger->queue + queue.count);
	for (uint32_t at = 0; at != nowhere; at = merger->nodes[at].right)
		ids[count++] = (int32_t)merger->nodes[at].id;
	return count;
}

size_t merger_run(struct merger *merger, const struct vocabulary *vocabulary,
    struct span piece, int32_t *ids, struct error *err)
{
	return piece.len <= SHORT_MOST
	           ? run_short(vocabulary, piece, ids)
	           : run_long(merger, vocabulary, piece, ids, err);
}

void merger_release(struct merger *merger)
{
	free(merger->nodes);
	free(merger->queue);
	*merger = (struct merger)MERGER_INIT;
}
