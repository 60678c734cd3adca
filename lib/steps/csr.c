/*
 * csr.c - edges to compressed sparse rows.
 * in:  int32 [E, 2], any other fields
 * out: the edges become indptr int64 [N + 1] and indices int32 [E]; other
 *      fields are passed on
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/graph.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

struct options {
	uint64_t nodes;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "nodes", struct options, nodes, 0, INT32_MAX - 1,
	    "number of nodes; 0: from the edges or the rows of features"),
	OPTION_TABLE_END,
};

struct csr_step {
	int64_t nodes;  /* 0: as many as needed */
	unsigned edges; /* index of the field */
	int features;   /* index of a field with one row per node; -1: none */
	struct graph_rest rest;
};

static int csr_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct type indptr = graph_vector(DTYPE_I64, -1);
	const struct type indices = graph_vector(DTYPE_I32, -1);
	struct csr_step *csr = priv;
	const struct type *type;
	char text[SHAPE_TEXT];

	csr->nodes = (int64_t)((const struct options *)given)->nodes;
	csr->edges = (unsigned)__builtin_ctz(fields);
	type = &in->fields[csr->edges].type;
	if (fields & (fields - 1))
		return error_set(
		    err, ERROR_USAGE, "takes one field of edges, not several");
	if (type->layout == LAYOUT_ENCODED || type->dtype != DTYPE_I32 ||
	    type->shape.count != 2 || type->shape.dims[1] != 2)
		return error_set(err, ERROR_USAGE,
		    "takes edges, int32 ?x2, not %s: step parse_edges makes "
		    "them",
		    type_text(type, text));
	csr->features = schema_find(in, "features");
	if (csr->features >= 0 &&
	    (in->fields[csr->features].type.layout == LAYOUT_ENCODED ||
	        in->fields[csr->features].type.shape.count != 2))
		csr->features = -1;
	*out = (struct schema){ .count = 0 };
	if (schema_add(out, "indptr", &indptr, err) ||
	    schema_add(out, "indices", &indices, err))
		return -1;
	return graph_hand_on(&csr->rest, in, fields, out, err);
}

/* Determines the number of nodes of the sample's graph. */
static int count_nodes(const struct csr_step *csr, const struct sample *in,
    int64_t *nodes, struct error *err)
{
	const struct tensor *edges = &in->fields[csr->edges];
	int32_t highest;

	if (pairs_highest(
	        edges->data, (size_t)edges->shape.dims[0], &highest, err))
		return -1;
	*nodes = (int64_t)highest + 1;
	if (csr->nodes && *nodes > csr->nodes)
		return error_set(err, ERROR_DATA,
		    "has the node %d, but nodes=%lld", highest,
		    (long long)csr->nodes);
	if (csr->nodes)
		*nodes = csr->nodes;
	else if (csr->features >= 0 &&
	         in->fields[csr->features].shape.dims[0] > *nodes)
		*nodes = in->fields[csr->features].shape.dims[0];
	if (*nodes >= INT32_MAX)
		return error_set(err, ERROR_DATA,
		    "%lld nodes are more than a graph may have",
		    (long long)*nodes);
	return 0;
}

static int csr_make(void *priv, struct random *random, const struct sample *in,
    uint64_t i, struct sample *out, struct error *err)
{
	const struct csr_step *csr = priv;
	const struct tensor *edges = &in->fields[csr->edges];
	struct shape rows = { 1, { 0 } };
	const struct shape columns = { 1, { edges->shape.dims[0] } };
	int64_t nodes;

	UNUSED(random);
	UNUSED(i);
	if (count_nodes(csr, in, &nodes, err))
		return -1;
	rows.dims[0] = nodes + 1;
	if (tensor_reshape(&out->fields[0], DTYPE_I64, &rows, err) ||
	    tensor_reshape(&out->fields[1], DTYPE_I32, &columns, err))
		return -1;
	csr_build(edges->data, (size_t)columns.dims[0], (size_t)nodes,
	    out->fields[0].data, out->fields[1].data);
	graph_view_rest(&csr->rest, in, out, 2);
	return 0;
}

static const struct sample_ops sample = {
	.bind = csr_bind,
	.begin = whole_begin,
	.make = csr_make,
};

const struct step_ops step_csr = {
	.name = "csr",
	.summary = "sort edges into compressed rows",
	.in = "int32 [E, 2]",
	.out = "indptr int64 [N+1], indices int32 [E]",
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct csr_step),
	.sample = &sample,
};
