/*
 * node_map.h - numbers the nodes in a batch: 0, 1, 2 ... in the order of first
 * appearance.
 *
 * It is an array over all nodes of the graph if that fits the processor's
 * caches.  Otherwise it is a hash table with open addressing that grows with
 * the batch.  Both reuse their memory from batch to batch.
 */
#ifndef LIB_GRAPH_NODE_MAP_H
#define LIB_GRAPH_NODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Graphs up to this number of nodes get an array: 4 bytes per node. */
enum { NODE_MAP_DENSE = 1 << 24 };

/* A node, and its number + 1; 0: a free slot. */
struct node_slot {
	uint32_t node, number;
};

struct node_map {
	int32_t *nodes; /* nodes by number */
	size_t count, capacity;
	int32_t *numbers; /* array: number of each node; -1: none */
	size_t dense_nodes;
	struct node_slot *slots;
	size_t slot_count;
	unsigned shift; /* shift of the hash: 64 - log2(slot_count) */
};

#define NODE_MAP_INIT          \
	{                      \
		.nodes = NULL, \
	}

/*
 * Empties the map for a graph of so many nodes.  The array is allocated in the
 * first call, and when a graph is larger than the last one.
 */
int node_map_begin(struct node_map *map, size_t nodes, struct error *err);
/* Numbers `count` nodes of the graph.  `numbers` may be `nodes`. */
int node_map_add(struct node_map *map, const int32_t *nodes, size_t count,
    int32_t *numbers, struct error *err);
void node_map_release(struct node_map *map);

#endif
