/*
 * parse_edges.c - parses a graph's list of edges.
 * in:  text (lib/graph/edge_list.h)
 * out: int32 [E, 2]: two nodes per edge, in the order of the lines
 */
#include "lib/base/array.h"
#include "lib/graph/edge_list.h"
#include "lib/graph/graph.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	unsigned ids, titles;
};

static const struct option options[] = {
	OPTION_WORDS("ids", struct options, ids, "auto|number|name",
	    "form of nodes: numbers, or names"),
	OPTION_WORDS("titles", struct options, titles, "auto|yes|no",
	    "take the first line for titles"),
	OPTION_TABLE_END,
};

static int parse_edges_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	const struct options *want = given;
	struct edge_list *list = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the text of a file", err);
	list->ids = want->ids;
	list->titles = want->titles;
	*out = graph_matrix(DTYPE_I32, -1, 2);
	return 0;
}

/* A slot of a batch has a fixed size: then the edges are counted first. */
static int count_edges(struct edge_list *list, struct span text,
    const struct tensor *out, size_t *count, struct error *err)
{
	if (!out->owned && out->capacity)
		return edge_list_read(list, text, NULL, count, err);
	*count = edge_list_most(text);
	return 0;
}

static int parse_edges_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct edge_list *list = priv;
	const struct span text = { in->data, in->bytes };
	struct shape shape = { 2, { 0, 2 } };
	size_t count;

	UNUSED(random);
	if (count_edges(list, text, out, &count, err))
		return -1;
	shape.dims[0] = (int64_t)count;
	if (tensor_reshape(out, DTYPE_I32, &shape, err) ||
	    edge_list_read(list, text, out->data, &count, err))
		return -1;
	out->shape.dims[0] = (int64_t)count;
	out->bytes = count * 2 * sizeof(int32_t);
	return 0;
}

static void parse_edges_release(void *priv)
{
	edge_list_release(priv);
}

const struct step_ops step_parse_edges = {
	.name = "parse_edges",
	.summary = "read the edges of a graph from text",
	.in = "text, a line an edge",
	.out = "int32 [E, 2]",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct edge_list),
	.bind = parse_edges_bind,
	.run = parse_edges_run,
	.release = parse_edges_release,
};
