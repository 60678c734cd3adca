/*
 * seeds.c - makes batches of nodes, in a new order in every epoch.
 * in:  a graph: indptr int64 [N + 1], indices int32 [E]; any other fields
 * out: one sample per batch: seeds int32 [batch], and the other fields; labels
 *      of all nodes become those of the seeds
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/graph.h"
#include "lib/graph/shuffle.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { PLACES = 256 }; /* places of the shuffle requested at once */

struct options {
	uint64_t batch;
	bool drop_last;
	const char *labels, *nodes;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "batch", struct options, batch, 1, 1 << 24,
	    "number of nodes of a batch"),
	OPTION(FLAG, "drop_last", 0, struct options, drop_last, "yes|no",
	    "leave out the last batch if it is not full"),
	OPTION(TEXT, "labels", 0, struct options, labels, "FIELD",
	    "field with the labels of all nodes (default: labels)"),
	OPTION(TEXT, "nodes", 0, struct options, nodes, "FIELD",
	    "field with the nodes to take (default: all nodes)"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.batch = 1024,
};

struct seeds {
	uint64_t batch;
	bool drop_last;
	struct graph_fields graph;
	int nodes;      /* index of the field; -1: all nodes */
	bool is_wide;   /* are they int64? */
	unsigned seeds; /* index of the new field */
	int labels;     /* index of the labels of all nodes; -1: none */
	enum dtype label_dtype;
	unsigned made_labels;
	struct graph_rest rest;
	struct shuffle shuffle; /* order of the current sample */
};

/* Finds the field of candidates: int32 or int64, one dimension. */
static int find_nodes(struct seeds *seeds, const struct schema *in,
    const char *name, struct error *err)
{
	const struct type *type;
	char text[SHAPE_TEXT];

	seeds->nodes = -1;
	if (!name)
		return 0;
	seeds->nodes = schema_require(in, name, err);
	if (seeds->nodes < 0)
		return error_prefix(err, "nodes");
	type = &in->fields[seeds->nodes].type;
	seeds->is_wide = type->dtype == DTYPE_I64;
	if (type->layout == LAYOUT_ENCODED || type->shape.count != 1 ||
	    (!seeds->is_wide && type->dtype != DTYPE_I32))
		return error_set(err, ERROR_USAGE,
		    "nodes: takes int32 or int64 of one dimension, not %s",
		    type_text(type, text));
	return 0;
}

/*
 * Finds the labels of all nodes, integers in one dimension: the named field, or
 * `labels` from parse_labels.
 */
static int find_labels(struct seeds *seeds, const struct schema *in,
    const char *name, struct error *err)
{
	const struct type *type;
	char text[SHAPE_TEXT];
	bool fits;

	seeds->labels = schema_find(in, name ? name : "labels");
	if (seeds->labels < 0)
		return name
		           ? error_set(err, ERROR_USAGE,
		                 "labels: the samples have no field '%s'", name)
		           : 0;
	type = &in->fields[seeds->labels].type;
	fits = type->layout != LAYOUT_ENCODED && type->dtype < DTYPE_F16 &&
	       type->shape.count == 1;
	seeds->label_dtype = type->dtype;
	if (fits)
		return 0;
	seeds->labels = -1;
	return name ? error_set(err, ERROR_USAGE,
	                  "labels: takes whole numbers of one dimension, not "
	                  "%s: step parse_labels makes them",
	                  type_text(type, text))
	            : 0;
}

/* Adds the new fields behind the others. */
static int add_made(struct seeds *seeds, const struct schema *in, int64_t batch,
    struct schema *out, struct error *err)
{
	const struct type nodes = graph_vector(DTYPE_I32, batch);
	const struct type labels = graph_vector(seeds->label_dtype, batch);

	seeds->seeds = out->count;
	if (schema_add(out, "seeds", &nodes, err))
		return -1;
	seeds->made_labels = out->count;
	return seeds->labels < 0
	           ? 0
	           : schema_add(
	                 out, in->fields[seeds->labels].name, &labels, err);
}

static int seeds_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct options *want = given;
	struct seeds *seeds = priv;
	unsigned without = 0;

	UNUSED(fields);
	seeds->batch = want->batch;
	seeds->drop_last = want->drop_last;
	if (graph_fields_find(&seeds->graph, in, err) ||
	    find_nodes(seeds, in, want->nodes, err) ||
	    find_labels(seeds, in, want->labels, err))
		return -1;
	if (seeds->nodes >= 0)
		without |= 1u << seeds->nodes;
	if (seeds->labels >= 0)
		without |= 1u << seeds->labels;
	*out = (struct schema){ .count = 0 };
	if (graph_hand_on(&seeds->rest, in, without, out, err))
		return -1;
	return add_made(
	    seeds, in, want->drop_last ? (int64_t)want->batch : -1, out, err);
}

static int check_labels(const struct seeds *seeds, const struct sample *in,
    size_t nodes, struct error *err)
{
	const struct tensor *labels;

	if (seeds->labels < 0)
		return 0;
	labels = &in->fields[seeds->labels];
	if ((uint64_t)labels->shape.dims[0] >= nodes)
		return 0;
	return error_set(err, ERROR_DATA,
	    "labels has %lld nodes, but the graph %zu: node %lld has no label",
	    (long long)labels->shape.dims[0], nodes,
	    (long long)labels->shape.dims[0]);
}

static int seeds_begin(void *priv, struct random *random,
    const struct sample *in, uint64_t *count, struct error *err)
{
	struct seeds *seeds = priv;
	struct csr graph;
	uint64_t nodes;

	if (graph_view(&seeds->graph, in, &graph, err) ||
	    check_labels(seeds, in, graph.nodes, err))
		return -1;
	nodes = seeds->nodes < 0
	            ? graph.nodes
	            : (uint64_t)in->fields[seeds->nodes].shape.dims[0];
	seeds->shuffle = shuffle_make(nodes, random_u64(random));
	*count = seeds->drop_last ? nodes / seeds->batch
	                          : (nodes + seeds->batch - 1) / seeds->batch;
	return 0;
}

static int64_t node_at(
    const struct seeds *seeds, const struct sample *in, uint64_t place)
{
	const void *nodes;

	if (seeds->nodes < 0)
		return (int64_t)place;
	nodes = in->fields[seeds->nodes].data;
	return seeds->is_wide ? ((const int64_t *)nodes)[place]
	                      : ((const int32_t *)nodes)[place];
}

/* Gets the nodes at `count` places of the shuffle. */
static int take_nodes(const struct seeds *seeds, const struct sample *in,
    uint64_t first, size_t count, int32_t *to, struct error *err)
{
	const int64_t nodes = in->fields[seeds->graph.indptr].shape.dims[0] - 1;
	uint64_t places[PLACES];

	shuffle_range(&seeds->shuffle, first, count, places);
	for (size_t i = 0; i < count; i++) {
		const int64_t node = node_at(seeds, in, places[i]);

		if (node < 0 || node >= nodes)
			return error_set(err, ERROR_DATA,
			    "nodes has %lld, of %lld nodes", (long long)node,
			    (long long)nodes);
		to[i] = (int32_t)node;
	}
	return 0;
}

/* Gets the labels of the seeds; checks that these are nodes of the graph. */
static int make_labels(const struct seeds *seeds, const struct sample *in,
    const struct tensor *nodes, struct sample *out, struct error *err)
{
	const int32_t *node = nodes->data;
	const size_t count = (size_t)nodes->shape.dims[0];
	const size_t bytes = dtype_bytes(seeds->label_dtype);
	struct tensor *made;
	const unsigned char *from;
	unsigned char *to;

	if (seeds->labels < 0)
		return 0;
	made = &out->fields[seeds->made_labels];
	if (tensor_reshape(made, seeds->label_dtype, &nodes->shape, err))
		return -1;
	from = in->fields[seeds->labels].data;
	to = made->data;
	for (size_t i = 0; i < count; i++)
		memcpy(to + i * bytes, from + (size_t)node[i] * bytes, bytes);
	return 0;
}

static int seeds_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	const struct seeds *seeds = priv;
	const uint64_t first = i * seeds->batch;
	const uint64_t left = seeds->shuffle.count - first;
	const uint64_t count = left < seeds->batch ? left : seeds->batch;
	const struct shape shape = { 1, { (int64_t)count } };
	struct tensor *made = &out->fields[seeds->seeds];
	int32_t *to;

	UNUSED(random);
	if (tensor_reshape(made, DTYPE_I32, &shape, err))
		return -1;
	to = made->data;
	for (uint64_t k = 0; k < count; k += PLACES)
		if (take_nodes(seeds, in, first + k,
		        count - k < PLACES ? (size_t)(count - k) : PLACES,
		        to + k, err))
			return -1;
	graph_view_rest(&seeds->rest, in, out, 0);
	return make_labels(seeds, in, made, out, err);
}

static const struct sample_ops sample = {
	.many = true,
	.bind = seeds_bind,
	.begin = seeds_begin,
	.make = seeds_make,
};

const struct step_ops step_seeds = {
	.name = "seeds",
	.summary = "make batches of nodes, shuffled anew in every epoch",
	.in = "a graph: indptr, indices",
	.out = "a sample a batch: the graph, seeds int32 [batch], labels",
	.random = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.priv_size = sizeof(struct seeds),
	.sample = &sample,
};
