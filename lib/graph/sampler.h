/*
 * sampler.h - neighbour sampling in layers: of every node that is in the batch
 * so far, so many neighbours, without replacement, each with the same chance;
 * then the same of all nodes together with these, and so on.
 *
 * Robert Floyd's algorithm (Bentley and Floyd, "A sample of brilliance", CACM
 * 1987) chooses k of n positions: for j from n - k to n - 1, a number t of 0
 * .. j is drawn; it is taken, or j if t was taken already.  Each position then
 * has the chance k / n.
 *
 * A sampler belongs to one thread, and keeps its memory from batch to batch.
 */
#ifndef LIB_GRAPH_SAMPLER_H
#define LIB_GRAPH_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "lib/graph/csr.h"
#include "lib/graph/node_map.h"

struct error;

enum {
	SAMPLER_LAYERS = 8,
	SAMPLER_FANOUT_MAX = 65535,
	SAMPLER_ALL = -1, /* a fanout: all neighbours */
};

struct sampler_layers {
	unsigned count;
	int32_t fanout[SAMPLER_LAYERS]; /* of the seeds first */
};

/* Parses "15,10,5"; messages say what a fanout is (ERROR_USAGE). */
int sampler_parse_layers(
    struct sampler_layers *layers, const char *text, struct error *err);

struct sampler {
	struct sampler_layers layers;
	struct node_map map;
	/* Positions in `indices` that are drawn, then the nodes there. */
	uint64_t *places;
	int32_t *drawn;
	size_t placed, places_most;
	/* Which positions of a row are taken, for large fanouts. */
	uint32_t *marks;
	size_t mark_count;
	uint32_t mark;
	/* Batch nodes at the far ends of the edges, in order; */
	int32_t *ends;
	size_t edges, ends_capacity;
	/* how many there are of each node that was looked at, in order. */
	int32_t *taken;
	size_t looked, taken_capacity;
	uint64_t draw; /* state of the random numbers */
	/* Behind layer l: so many nodes, and edges; [0]: the seeds. */
	size_t layer_nodes[SAMPLER_LAYERS + 1];
	size_t layer_edges[SAMPLER_LAYERS + 1];
};

int sampler_init(struct sampler *sampler, const struct sampler_layers *layers,
    struct error *err);
void sampler_release(struct sampler *sampler); /* zeroed ones, too */

/*
 * Samples for these seeds; `draw` decides what.  Then map.nodes are the nodes
 * of the batch, the seeds first, and `edges` edges lie in `ends`.  Rows and
 * nodes that are not in the graph are ERROR_DATA.
 */
int sampler_run(struct sampler *sampler, const struct csr *graph,
    const int32_t *seeds, size_t count, uint64_t draw, struct error *err);
/* The batch nodes that the edges were drawn for: [edges] of them. */
void sampler_targets(const struct sampler *sampler, int32_t *targets);

#endif
