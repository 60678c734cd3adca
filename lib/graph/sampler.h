/*
 * sampler.h - neighbour sampling in layers: of every node that is in the batch
 * so far, so many neighbours, without replacement, each with the same chance;
 * then the same of all nodes together with these, and so on.
 *
 * A sampler belongs to one thread, and keeps its memory from batch to batch.
 */
#ifndef LIB_GRAPH_SAMPLER_H
#define LIB_GRAPH_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "lib/graph/block.h"
#include "lib/graph/csr.h"
#include "lib/graph/fanouts.h"
#include "lib/graph/node_map.h"

struct error;
struct tensor;

/* Neighbours, as nodes of the graph, in the order of whom they are of. */
struct drawn {
	int32_t *nodes;
	size_t count, capacity;
};

struct sampler {
	struct fanouts fanouts;
	struct node_map map;
	struct tensor *out;       /* borrowed: where the edges go */
	size_t edges, most_edges; /* now, and of any run */
	/* How many neighbours each node has that was looked at, in order. */
	int32_t *degrees;
	size_t looked, degrees_capacity;
	struct drawn drawn[FANOUT_LAYERS];
	struct chance chance;
	/* Behind layer l: so many nodes, and edges; [0]: the seeds. */
	size_t layer_nodes[FANOUT_LAYERS + 1];
	size_t layer_edges[FANOUT_LAYERS + 1];
};

/* Nodes to begin with, and what decides on their neighbours. */
struct sampler_seeds {
	const int32_t *nodes;
	size_t count;
	uint64_t draw;
};

void sampler_init(struct sampler *sampler, const struct fanouts *fanouts);
void sampler_release(struct sampler *sampler); /* zeroed ones, too */

/*
 * Samples for these seeds; `draw` decides what.  Then map.nodes are the nodes
 * of the batch, the seeds first.  `edges` is made int32 [2, edges], numbers of
 * batch nodes: the far ends of the edges, then those they were drawn for.
 * Rows and nodes that are not in the graph are ERROR_DATA.
 */
int sampler_run(struct sampler *sampler, const struct csr *graph,
    const struct sampler_seeds *seeds, struct tensor *edges, struct error *err);

#endif
