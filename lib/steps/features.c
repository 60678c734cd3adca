/*
 * features.c - parses the features of a graph's nodes.
 * in:  text (lib/graph/feature_file.h)
 * out: float32 or float16 [N, dim], one row per node
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/feature_file.h"
#include "lib/graph/graph.h"
#include "lib/sample/half.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

/* Limit of output bytes per input byte, unless the sizes are given. */
enum { GROWTH_MAX = 4096, GROWTH_FREE = 1 << 20 };

struct options {
	uint64_t dim, nodes;
	unsigned dtype;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "dim", struct options, dim, 0, FEATURE_COLUMNS_MAX,
	    "number of columns; 0: as many as the text has"),
	OPTION_WORDS("dtype", struct options, dtype, "float32|float16|half",
	    "element type of the table"),
	OPTION_RANGE(UINT, "nodes", struct options, nodes, 0, FEATURE_NODES_MAX,
	    "number of rows; 0: as many as the text has"),
	OPTION_TABLE_END,
};

struct features {
	struct feature_size wanted; /* 0: as the text says */
	enum dtype dtype;
	struct tensor floats; /* the table before conversion to float16 */
};

static int features_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	struct features *features = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the text of a file", err);
	features->wanted.nodes = (size_t)want->nodes;
	features->wanted.columns = (size_t)want->dim;
	features->dtype = want->dtype ? DTYPE_F16 : DTYPE_F32;
	*out = graph_matrix(features->dtype,
	    want->nodes ? (int64_t)want->nodes : -1,
	    want->dim ? (int64_t)want->dim : -1);
	return 0;
}

/* A few bytes may claim to be a table of terabytes. */
static int check_growth(const struct features *features, struct span text,
    const struct feature_size *size, struct error *err)
{
	size_t elements, most;

	if (features->wanted.nodes && features->wanted.columns)
		return 0;
	if (size_mul(text.len, GROWTH_MAX, &most) ||
	    size_add(most, GROWTH_FREE, &most))
		return 0;
	if (size_mul(size->nodes, size->columns, &elements) ||
	    elements > most / sizeof(float))
		return error_set(err, ERROR_LIMIT,
		    "%zu nodes x %zu columns of %zu bytes of text: give nodes= "
		    "and dim= if that is so",
		    size->nodes, size->columns, text.len);
	return 0;
}

static int find_size(const struct features *features, struct span text,
    struct feature_size *size, struct error *err)
{
	*size = features->wanted;
	if (!size->nodes || !size->columns) {
		struct feature_size found;

		if (feature_file_size(text, &found, err))
			return -1;
		if (!size->nodes)
			size->nodes = found.nodes;
		if (!size->columns)
			size->columns = found.columns;
	}
	return check_growth(features, text, size, err);
}

static int features_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct features *features = priv;
	const struct span text = { in->data, in->bytes };
	const bool is_half = features->dtype == DTYPE_F16;
	struct tensor *table = is_half ? &features->floats : out;
	struct shape shape = { .count = 2 };
	struct feature_size size;

	UNUSED(random);
	if (find_size(features, text, &size, err))
		return -1;
	shape.dims[0] = (int64_t)size.nodes;
	shape.dims[1] = (int64_t)size.columns;
	if (tensor_reshape(table, DTYPE_F32, &shape, err))
		return -1;
	if (table->bytes)
		memset(table->data, 0, table->bytes);
	if (feature_file_read(text, &size, table->data, err))
		return -1;
	if (!is_half)
		return 0;
	if (tensor_reshape(out, DTYPE_F16, &shape, err))
		return -1;
	half_from_floats(table->data, out->data, shape_elements(&shape));
	return 0;
}

static void features_release(void *priv)
{
	tensor_release(&((struct features *)priv)->floats);
}

const struct step_ops step_features = {
	.name = "features",
	.summary = "read the features of nodes from text",
	.in = "text, JSON or columns with values",
	.out = "float32 or float16 [N, dim]",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct features),
	.bind = features_bind,
	.run = features_run,
	.release = features_release,
};
