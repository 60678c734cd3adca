/*
 * sampler.h - neighbour sampling in layers.  For every node in the batch it
 * draws a number of neighbours without replacement, uniformly; then the same
 * for all nodes including the new ones, and so on.
 *
 * A sampler belongs to one thread, and reuses its memory from batch to batch.
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

/* Drawn neighbours, as nodes of the graph, grouped by their node. */
struct drawn {
	int32_t *nodes;
	size_t count, capacity;
};

struct sampler {
	struct fanouts fanouts;
	struct node_map map;
	struct tensor *out;       /* borrowed: receives the edges */
	size_t edges, most_edges; /* in this run; most in any run */
	/* For each processed node, in order, its number of neighbours. */
	int32_t *degrees;
	size_t looked, degrees_capacity;
	struct drawn drawn[FANOUT_LAYERS];
	struct chance chance;
	/* Numbers of nodes and edges after layer l; [0]: the seeds. */
	size_t layer_nodes[FANOUT_LAYERS + 1];
	size_t layer_edges[FANOUT_LAYERS + 1];
};

/* The initial nodes, and the random draw. */
struct sampler_seeds {
	const int32_t *nodes;
	size_t count;
	uint64_t draw;
};

void sampler_init(struct sampler *sampler, const struct fanouts *fanouts);
void sampler_release(struct sampler *sampler); /* a zeroed one, too */

/*
 * Samples for these seeds.  map.nodes then has the nodes of the batch, the
 * seeds first.  `edges` becomes int32 [2, edges], in numbers of the batch: the
 * sampled neighbours, then the nodes they were drawn for.  ERROR_DATA for nodes
 * or rows outside the graph.
 */
int sampler_run(struct sampler *sampler, const struct csr *graph,
    const struct sampler_seeds *seeds, struct tensor *edges, struct error *err);

#endif
