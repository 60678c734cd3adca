/*
 * sampler.c - see sampler.h.
 *
 * The row of a node is read once, when the node is new: its neighbours are
 * drawn for all remaining layers while the row is in the caches.  Those for the
 * current layer are written to the ends of the edges and numbered in place.
 * The others wait in a list for each layer.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/highest.h"
#include "lib/graph/sampler.h"
#include "lib/sample/tensor.h"

enum {
	NUMBERED = 1024, /* nodes numbered at once */
	REPEATED = 16,   /* targets written at once */
};

/* ---- numbers ---- */

/* Replaces ends, which are nodes of the graph, by numbers in the batch. */
static int number_ends(struct sampler *sampler, const struct csr *graph,
    const struct drawn *drawn, int32_t *ends, struct error *err)
{
	const int32_t *nodes = drawn->nodes;
	const size_t count = drawn->count;
	const uint32_t most = nodes_highest(nodes, count);

	if (count && most >= graph->nodes)
		return error_set(err, ERROR_DATA,
		    "an edge goes to node %d of %zu", (int32_t)most,
		    graph->nodes);
	for (size_t i = 0; i < count; i += NUMBERED) {
		const size_t left = count - i;

		if (node_map_add(&sampler->map, nodes + i,
		        left < NUMBERED ? left : NUMBERED, ends + i, err))
			return -1;
	}
	return 0;
}

/* Returns the place after the existing edges, with room for `more` ends. */
static int32_t *make_room(
    struct sampler *sampler, size_t more, struct error *err)
{
	const struct shape shape = { 1, { (int64_t)(sampler->edges + more) } };

	if (tensor_resize(sampler->out, DTYPE_I32, &shape, err))
		return NULL;
	return (int32_t *)sampler->out->data + sampler->edges;
}

/* ---- layers ---- */

static uint32_t most_of(const struct sampler *sampler, unsigned layer)
{
	const int32_t fanout = sampler->fanouts.of_layer[layer];

	return fanout == FANOUT_ALL ? INT32_MAX : (uint32_t)fanout;
}

/* Draws neighbours for the current layer. */
static int take_now(struct sampler *sampler, const struct csr *graph,
    struct block *block, unsigned layer, struct error *err)
{
	struct drawn drawn = { .nodes = NULL };

	block_split(block, most_of(sampler, layer));
	drawn.count = block->edges;
	drawn.nodes = make_room(sampler, block->edges, err);
	if (!drawn.nodes ||
	    block_take(block, graph, &sampler->chance, drawn.nodes, err))
		return -1;
	sampler->edges += drawn.count;
	return number_ends(sampler, graph, &drawn, drawn.nodes, err);
}

/* Reserves as much as the largest batch needed: growing would copy. */
static int expect_edges(struct sampler *sampler, struct error *err)
{
	const struct shape shape = { 2, { 2, (int64_t)sampler->most_edges } };

	return tensor_reshape(sampler->out, DTYPE_I32, &shape, err);
}

/* Draws neighbours for a later layer. */
static int take_ahead(struct sampler *sampler, const struct csr *graph,
    struct block *block, unsigned layer, struct error *err)
{
	struct drawn *drawn = &sampler->drawn[layer];
	int32_t *nodes;

	block_split(block, most_of(sampler, layer));
	nodes = array_grow(drawn->nodes, &drawn->capacity,
	    drawn->count + block->edges + 1, sizeof(*nodes), err);
	if (!nodes)
		return -1;
	drawn->nodes = nodes;
	drawn->count += block->edges;
	return block_take(block, graph, &sampler->chance,
	    nodes + drawn->count - block->edges, err);
}

/* Draws for the nodes that are new; `count` is the number of all nodes. */
static int draw_new(struct sampler *sampler, const struct csr *graph,
    unsigned layer, size_t count, struct error *err)
{
	struct block block;

	for (size_t i = sampler->looked; i < count; i += block.count) {
		/* The list may have moved. */
		const int32_t *nodes = sampler->map.nodes + i;

		if (block_read(&block, graph, nodes, count - i,
		        sampler->degrees + i, err) ||
		    take_now(sampler, graph, &block, layer, err))
			return -1;
		for (unsigned l = layer + 1; l < sampler->fanouts.count; l++)
			if (take_ahead(sampler, graph, &block, l, err))
				return -1;
	}
	sampler->looked = count;
	return 0;
}

/* Samples a layer for all nodes known at its start. */
static int sample_layer(struct sampler *sampler, const struct csr *graph,
    unsigned layer, struct error *err)
{
	const struct drawn *drawn = &sampler->drawn[layer];
	const size_t count = sampler->map.count;
	int32_t *degrees = array_grow(sampler->degrees,
	    &sampler->degrees_capacity, count + 1, sizeof(*degrees), err);
	int32_t *ends;

	if (!degrees)
		return -1;
	sampler->degrees = degrees;
	ends = make_room(sampler, drawn->count, err);
	if (!ends)
		return -1;
	sampler->edges += drawn->count;
	if (number_ends(sampler, graph, drawn, ends, err))
		return -1;
	return draw_new(sampler, graph, layer, count, err);
}

static int add_seeds(struct sampler *sampler, const struct csr *graph,
    const struct sampler_seeds *seeds, struct error *err)
{
	int32_t *numbers;

	for (size_t i = 0; i < seeds->count; i++)
		if ((uint32_t)seeds->nodes[i] >= graph->nodes)
			return error_set(err, ERROR_DATA,
			    "seed %zu is node %d of %zu", i, seeds->nodes[i],
			    graph->nodes);
	/* The numbers of the seeds are not used. */
	numbers = make_room(sampler, seeds->count, err);
	if (!numbers)
		return -1;
	return node_map_add(
	    &sampler->map, seeds->nodes, seeds->count, numbers, err);
}

/* Writes `count` copies; a few more if there is room, which is faster. */
static inline void repeat(
    int32_t node, size_t count, int32_t *to, const int32_t *end)
{
	if ((size_t)(end - to) < count + REPEATED) {
		for (size_t i = 0; i < count; i++)
			to[i] = node;
		return;
	}
	for (size_t i = 0; i < count; i += REPEATED)
		for (size_t k = 0; k < REPEATED; k++)
			to[i + k] = node;
}

/* Writes the second row of the edges. */
static int write_targets(struct sampler *sampler, struct error *err)
{
	const struct shape shape = { 2, { 2, (int64_t)sampler->edges } };
	const int32_t *degrees = sampler->degrees, *end;
	int32_t *targets;

	if (tensor_resize(sampler->out, DTYPE_I32, &shape, err))
		return -1;
	if (sampler->edges > sampler->most_edges)
		sampler->most_edges = sampler->edges;
	targets = (int32_t *)sampler->out->data + sampler->edges;
	end = targets + sampler->edges;
	for (unsigned l = 0; l < sampler->fanouts.count; l++) {
		const uint32_t most = most_of(sampler, l);

		for (size_t i = 0; i < sampler->layer_nodes[l]; i++) {
			const uint32_t degree = (uint32_t)degrees[i];
			const size_t count = degree < most ? degree : most;

			repeat((int32_t)i, count, targets, end);
			targets += count;
		}
	}
	return 0;
}

int sampler_run(struct sampler *sampler, const struct csr *graph,
    const struct sampler_seeds *seeds, struct tensor *edges, struct error *err)
{
	sampler->chance.draw = draw_make(seeds->draw);
	sampler->out = edges;
	sampler->edges = sampler->looked = 0;
	for (unsigned l = 0; l < sampler->fanouts.count; l++)
		sampler->drawn[l].count = 0;
	if (node_map_begin(&sampler->map, graph->nodes, err) ||
	    expect_edges(sampler, err) || add_seeds(sampler, graph, seeds, err))
		return -1;
	sampler->layer_nodes[0] = sampler->map.count;
	sampler->layer_edges[0] = 0;
	for (unsigned l = 0; l < sampler->fanouts.count; l++) {
		if (sample_layer(sampler, graph, l, err))
			return -1;
		sampler->layer_nodes[l + 1] = sampler->map.count;
		sampler->layer_edges[l + 1] = sampler->edges;
	}
	return write_targets(sampler, err);
}

/* ---- the sampler ---- */

void sampler_init(struct sampler *sampler, const struct fanouts *fanouts)
{
	*sampler = (struct sampler){ .fanouts = *fanouts };
}

void sampler_release(struct sampler *sampler)
{
	node_map_release(&sampler->map);
	chance_release(&sampler->chance);
	free(sampler->degrees);
	for (unsigned l = 0; l < FANOUT_LAYERS; l++)
		free(sampler->drawn[l].nodes);
	*sampler = (struct sampler){ .fanouts = { .count = 0 } };
}
