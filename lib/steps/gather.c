/*
 * gather.c - gets the features of a batch's nodes.
 * in:  nodes int32 [n]; features [N, dim] of any elements, if the samples have
 *      them; other fields
 * out: features [n, dim], and the other fields
 *
 * Without features, rows come from a random table.  The program has one table
 * of a kind; its parts are computed when rows of them are first used.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/graph.h"
#include "lib/graph/highest.h"
#include "lib/graph/row_table.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

struct options {
	uint64_t dim;
	unsigned dtype;
	uint64_t seed;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "dim", struct options, dim, 1, 1 << 16,
	    "number of columns of the random table"),
	OPTION_WORDS("dtype", struct options, dtype, "float32|float16|half",
	    "element type of the random table"),
	OPTION(UINT, "seed", 0, struct options, seed, "N",
	    "seed of the random table"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.dim = 64,
};

struct gather {
	unsigned nodes, made; /* indexes of fields; `made` in the output */
	int features;         /* index of the field; -1: use a table */
	struct row_table *table;
	enum dtype dtype;
	int64_t columns; /* columns of the table */
	struct graph_rest rest;
};

/* Finds the source of the rows: a field, or a random table. */
static int find_rows(struct gather *gather, const struct options *want,
    const struct schema *in, struct type *made, struct error *err)
{
	const struct row_kind kind = {
		.seed = want->seed,
		.columns = (size_t)want->dim,
		.dtype = want->dtype ? DTYPE_F16 : DTYPE_F32,
	};
	char text[SHAPE_TEXT];

	gather->features = schema_find(in, "features");
	if (gather->features < 0) {
		gather->dtype = kind.dtype;
		gather->columns = (int64_t)want->dim;
		*made = graph_matrix(kind.dtype, -1, gather->columns);
		gather->table = row_table_take(&kind, err);
		return gather->table ? 0 : -1;
	}
	*made = in->fields[gather->features].type;
	if (made->layout == LAYOUT_ENCODED || made->shape.count != 2)
		return error_set(err, ERROR_USAGE,
		    "takes a field 'features' of two dimensions, not %s: step "
		    "features makes it",
		    type_text(made, text));
	made->shape.dims[0] = -1;
	return 0;
}

static int gather_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	static const struct graph_wish wish = { "nodes", DTYPE_I32, 1,
		"neighbor_sample" };
	struct gather *gather = priv;
	const int nodes = graph_find(in, &wish, err);
	struct type made;
	unsigned without;

	UNUSED(fields);
	if (nodes < 0 || find_rows(gather, given, in, &made, err))
		return -1;
	gather->nodes = (unsigned)nodes;
	without = gather->features < 0 ? 0 : 1u << gather->features;
	*out = (struct schema){ .count = 0 };
	if (graph_hand_on(&gather->rest, in, without, out, err))
		return -1;
	gather->made = out->count;
	return schema_add(out, "features", &made, err);
}

/* `rows`: number of rows of the table */
static int check_nodes(
    const struct tensor *nodes, int64_t rows, struct error *err)
{
	const int32_t *node = nodes->data;
	const size_t count = (size_t)nodes->shape.dims[0];
	const uint32_t most = nodes_highest(node, count);

	if (count && most >= (uint64_t)rows)
		return error_set(err, ERROR_DATA,
		    "node %d has no features: there are %lld rows",
		    (int32_t)most, (long long)rows);
	return 0;
}

static int gather_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	const struct gather *gather = priv;
	const struct tensor *nodes = &in->fields[gather->nodes];
	const struct tensor *features =
	    gather->features < 0 ? NULL : &in->fields[gather->features];
	const size_t count = (size_t)nodes->shape.dims[0];
	const int64_t rows = features ? features->shape.dims[0] : INT32_MAX;
	struct tensor *made = &out->fields[gather->made];
	const struct shape shape = { 2,
		{ (int64_t)count,
		    features ? features->shape.dims[1] : gather->columns } };

	UNUSED(random);
	UNUSED(i);
	if (check_nodes(nodes, rows, err) ||
	    tensor_reshape(
	        made, features ? features->dtype : gather->dtype, &shape, err))
		return -1;
	graph_view_rest(&gather->rest, in, out, 0);
	if (!features)
		return row_table_gather(
		    gather->table, nodes->data, count, made->data, err);
	rows_gather(features->data,
	    (size_t)shape.dims[1] * dtype_bytes(features->dtype), nodes->data,
	    count, made->data);
	return 0;
}

static void gather_release(void *priv)
{
	row_table_drop(((struct gather *)priv)->table);
}

static const struct sample_ops sample = {
	.bind = gather_bind,
	.begin = whole_begin,
	.make = gather_make,
};

const struct step_ops step_gather = {
	.name = "gather",
	.summary = "look up the features of the nodes of a batch",
	.in = "nodes int32 [n], features [N, dim]",
	.out = "features [n, dim], and the other fields",
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.priv_size = sizeof(struct gather),
	.release = gather_release,
	.sample = &sample,
};
