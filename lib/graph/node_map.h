/*
 * node_map.h - which of a graph's nodes are in a batch, and as which number:
 * 0, 1, 2 ... in the order in which they came.
 *
 * An array over all nodes where that is small enough for the caches of the
 * processor, else a hash table with open addressing, which grows with the
 * batch.  Both keep their memory from batch to batch.
 */
#ifndef LIB_GRAPH_NODE_MAP_H
#define LIB_GRAPH_NODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Graphs of so many nodes get an array: 4 bytes a node. */
enum { NODE_MAP_DENSE = 1 << 24 };

/* A node and its number + 1; 0: the slot is free. */
struct node_slot {
	uint32_t node, number;
};

struct node_map {
	int32_t *nodes; /* by number */
	size_t count, capacity;
	int32_t *numbers; /* dense: by node; -1: not there */
	size_t dense_nodes;
	struct node_slot *slots;
	size_t slot_count;
	unsigned shift; /* of the hash: 64 - log2(slot_count) */
};

#define NODE_MAP_INIT          \
	{                      \
		.nodes = NULL, \
	}

/*
 * Empties the map, for a graph of so many nodes.  The array is made at the
 * first call, or when the graph is larger than the last one.
 */
int node_map_begin(struct node_map *map, size_t nodes, struct error *err);
/*
 * Numbers `count` nodes, all of them in the graph, new ones if need be.
 * `numbers` may be `nodes`.
 */
int node_map_add(struct node_map *map, const int32_t *nodes, size_t count,
    int32_t *numbers, struct error *err);
void node_map_release(struct node_map *map);

#endif
