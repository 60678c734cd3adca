/*
 * parse_labels.c - parses the labels of a graph's nodes.
 * in:  text (lib/graph/label_file.h)
 * out: int64 [N]: the label of each node; -1: none
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/graph.h"
#include "lib/graph/label_file.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

/* Limit of nodes per input byte, plus a constant. */
enum { GROWTH_MAX = 64, GROWTH_FREE = 1 << 20 };

enum missing { MISSING_FAIL, MISSING_MINUS_ONE };

struct options {
	const char *label;
	unsigned missing; /* an enum missing */
	const char *node;
	uint64_t nodes;
};

static const struct option options[] = {
	OPTION(TEXT, "label", 0, struct options, label, "NAME",
	    "column with the labels (default: label, target, class or y)"),
	OPTION_WORDS("missing", struct options, missing, "fail|minus_one",
	    "treatment of nodes that are not listed"),
	OPTION(TEXT, "node", 0, struct options, node, "NAME",
	    "column with the nodes (default: new_id, node or id)"),
	OPTION_RANGE(UINT, "nodes", struct options, nodes, 0, LABEL_NODES_MAX,
	    "number of nodes of the graph; 0: as many as the text has"),
	OPTION_TABLE_END,
};

struct parse_labels {
	const struct options *given;
	struct label_file file;
};

static int parse_labels_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	const struct options *want = given;
	struct parse_labels *labels = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the text of a file", err);
	labels->given = want;
	*out = graph_vector(DTYPE_I64, want->nodes ? (int64_t)want->nodes : -1);
	return 0;
}

/* Determines the number of nodes; a few bytes may claim billions. */
static int find_nodes(const struct parse_labels *labels, struct span text,
    size_t *nodes, struct error *err)
{
	const struct label_file *file = &labels->file;
	const size_t wanted = (size_t)labels->given->nodes;

	*nodes = wanted ? wanted : file->nodes;
	if (file->nodes > *nodes)
		return error_set(err, ERROR_DATA,
		    "node %zu has a label, but nodes=%zu", file->nodes - 1,
		    wanted);
	if (!wanted && file->nodes / GROWTH_MAX > text.len + GROWTH_FREE)
		return error_set(err, ERROR_LIMIT,
		    "%zu nodes of %zu bytes of text: give nodes= if that is so",
		    file->nodes, text.len);
	return 0;
}

static int set_labels(
    const struct label_file *file, int64_t *out, struct error *err)
{
	for (size_t i = 0; i < file->count; i++) {
		const struct node_label *row = &file->rows[i];

		if (row->label < -1)
			return error_set(err, ERROR_DATA,
			    "labels:%zu: node %zu has the label %lld: labels "
			    "are 0 and more, or -1",
			    row->line, row->node, (long long)row->label);
		if (out[row->node] != INT64_MIN && out[row->node] != row->label)
			return error_set(err, ERROR_DATA,
			    "labels:%zu: node %zu has another label before",
			    row->line, row->node);
		out[row->node] = row->label;
	}
	return 0;
}

static int fill_gaps(const struct parse_labels *labels, int64_t *out,
    size_t nodes, struct error *err)
{
	size_t missing = 0, first = 0;

	for (size_t i = 0; i < nodes; i++)
		if (out[i] == INT64_MIN) {
			out[i] = -1;
			if (missing++ == 0)
				first = i;
		}
	if (!missing || labels->given->missing == MISSING_MINUS_ONE)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%zu of %zu nodes have no label, the first is node %zu; give "
	    "missing=minus_one to label them -1",
	    missing, nodes, first);
}

static int parse_labels_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct parse_labels *labels = priv;
	const struct span text = { in->data, in->bytes };
	const struct label_columns columns = { labels->given->node,
		labels->given->label };
	struct shape shape = { 1, { 0 } };
	size_t nodes;
	int64_t *numbers;

	UNUSED(random);
	if (label_file_read(&labels->file, text, &columns, err) ||
	    find_nodes(labels, text, &nodes, err))
		return -1;
	shape.dims[0] = (int64_t)nodes;
	if (tensor_reshape(out, DTYPE_I64, &shape, err))
		return -1;
	numbers = out->data;
	for (size_t i = 0; i < nodes; i++)
		numbers[i] = INT64_MIN;
	if (set_labels(&labels->file, numbers, err))
		return -1;
	return fill_gaps(labels, numbers, nodes, err);
}

static void parse_labels_release(void *priv)
{
	label_file_release(&((struct parse_labels *)priv)->file);
}

const struct step_ops step_parse_labels = {
	.name = "parse_labels",
	.summary = "read the labels of nodes from text",
	.in = "text, a line a node",
	.out = "int64 [N]",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct parse_labels),
	.bind = parse_labels_bind,
	.run = parse_labels_run,
	.release = parse_labels_release,
};
