/*
 * neighbor_sample.c - samples the neighbourhood of a batch, layer by layer.
 * in:  indptr int64 [N + 1], indices int32 [E], seeds int32 [B]; other fields
 * out: nodes int32 [n]: the seeds, then nodes in the order they were met;
 *      edges int32 [2, e]: indexes into `nodes`, from a neighbour to the node
 *      it was drawn for; layers int64 [L + 1, 2]: numbers of nodes and edges
 *      after each layer, beginning with the seeds; and the other fields
 *
 * The sampler's array over all nodes is allocated in the first run.
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/graph.h"
#include "lib/graph/sampler.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

enum { OUT_NODES, OUT_EDGES, OUT_LAYERS, OUT_REST };

struct options {
	const char *fanout;
	bool keep;
};

static const struct option options[] = {
	OPTION(TEXT, "fanout", 0, struct options, fanout, "N[,N...]",
	    "number of neighbours of a node in each layer; -1: all"),
	OPTION(FLAG, "keep", 0, struct options, keep, "yes|no",
	    "keep the graph in the sample"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.fanout = "15,10,5",
};

struct neighbor_sample {
	struct graph_fields graph;
	unsigned seeds;
	struct graph_rest rest;
	struct sampler sampler;
};

static int neighbor_sample_check(const void *given, struct error *err)
{
	struct fanouts fanouts;

	return fanouts_parse(
	    &fanouts, ((const struct options *)given)->fanout, err);
}

static int add_fields(struct neighbor_sample *step, const struct schema *in,
    bool keep, struct schema *out, struct error *err)
{
	const struct type nodes = graph_vector(DTYPE_I32, -1);
	const struct type edges = graph_matrix(DTYPE_I32, 2, -1);
	const struct type layers = graph_matrix(
	    DTYPE_I64, (int64_t)step->sampler.fanouts.count + 1, 2);
	unsigned without = 1u << step->seeds;

	if (!keep)
		without |= 1u << step->graph.indptr | 1u << step->graph.indices;
	*out = (struct schema){ .count = 0 };
	if (schema_add(out, "nodes", &nodes, err) ||
	    schema_add(out, "edges", &edges, err) ||
	    schema_add(out, "layers", &layers, err))
		return -1;
	return graph_hand_on(&step->rest, in, without, out, err);
}

static int neighbor_sample_bind(void *priv, const void *given,
    const struct schema *in, unsigned fields, struct schema *out,
    struct error *err)
{
	static const struct graph_wish wish = { "seeds", DTYPE_I32, 1,
		"seeds" };
	const struct options *want = given;
	struct neighbor_sample *step = priv;
	struct fanouts fanouts;
	int seeds;

	UNUSED(fields);
	if (fanouts_parse(&fanouts, want->fanout, err) ||
	    graph_fields_find(&step->graph, in, err))
		return -1;
	seeds = graph_find(in, &wish, err);
	if (seeds < 0)
		return -1;
	sampler_init(&step->sampler, &fanouts);
	step->seeds = (unsigned)seeds;
	return add_fields(step, in, want->keep, out, err);
}

/* The edges are already in place. */
static int write_fields(
    const struct sampler *sampler, struct sample *out, struct error *err)
{
	const struct shape nodes = { 1, { (int64_t)sampler->map.count } };
	const struct shape layers = { 2, { sampler->fanouts.count + 1, 2 } };
	int64_t *sizes;

	if (tensor_reshape(&out->fields[OUT_NODES], DTYPE_I32, &nodes, err) ||
	    tensor_reshape(&out->fields[OUT_LAYERS], DTYPE_I64, &layers, err))
		return -1;
	sizes = out->fields[OUT_LAYERS].data;
	memcpy(out->fields[OUT_NODES].data, sampler->map.nodes,
	    sampler->map.count * sizeof(int32_t));
	for (unsigned l = 0; l <= sampler->fanouts.count; l++) {
		sizes[2 * l] = (int64_t)sampler->layer_nodes[l];
		sizes[2 * l + 1] = (int64_t)sampler->layer_edges[l];
	}
	return 0;
}

static int neighbor_sample_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	struct neighbor_sample *step = priv;
	const struct tensor *nodes = &in->fields[step->seeds];
	const struct sampler_seeds seeds = {
		.nodes = nodes->data,
		.count = (size_t)nodes->shape.dims[0],
		.draw = random_u64(random),
	};
	struct csr graph;

	UNUSED(i);
	if (graph_view(&step->graph, in, &graph, err) ||
	    sampler_run(
	        &step->sampler, &graph, &seeds, &out->fields[OUT_EDGES], err) ||
	    write_fields(&step->sampler, out, err))
		return -1;
	graph_view_rest(&step->rest, in, out, OUT_REST);
	return 0;
}

static void neighbor_sample_release(void *priv)
{
	sampler_release(&((struct neighbor_sample *)priv)->sampler);
}

static const struct sample_ops sample = {
	.bind = neighbor_sample_bind,
	.begin = whole_begin,
	.make = neighbor_sample_make,
};

const struct step_ops step_neighbor_sample = {
	.name = "neighbor_sample",
	.summary = "sample neighbours in layers, without replacement",
	.in = "a graph with seeds int32 [B]",
	.out = "nodes int32 [n], edges int32 [2, e], layers int64 [L+1, 2]",
	.random = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = neighbor_sample_check,
	.priv_size = sizeof(struct neighbor_sample),
	.release = neighbor_sample_release,
	.sample = &sample,
};
