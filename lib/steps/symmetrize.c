/*
 * symmetrize.c - makes a graph undirected: adds the reverse of every edge.
 * in:  int32 [E, 2]
 * out: int32 [E', 2], sorted and unique; with duplicates=keep, in input order
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/csr.h"
#include "lib/graph/graph.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum duplicates { DUPLICATES_DROP, DUPLICATES_KEEP };

struct options {
	unsigned duplicates;
};

static const struct option options[] = {
	OPTION_WORDS("duplicates", struct options, duplicates, "drop|keep",
	    "treatment of edges that come more than once"),
	OPTION_TABLE_END,
};

struct symmetrize {
	bool keep;
	struct buf work[2];
	struct buf made; /* used until the number of edges is known */
};

static int symmetrize_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct symmetrize *symmetrize = priv;
	char text[SHAPE_TEXT];

	if (in->layout == LAYOUT_ENCODED || in->dtype != DTYPE_I32 ||
	    in->shape.count != 2 || in->shape.dims[1] != 2)
		return error_set(err, ERROR_USAGE,
		    "takes edges, int32 ?x2, not %s: step parse_edges makes "
		    "them",
		    type_text(in, text));
	symmetrize->keep =
	    ((const struct options *)given)->duplicates == DUPLICATES_KEEP;
	*out = graph_matrix(DTYPE_I32, -1, 2);
	return 0;
}

static int symmetrize_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct symmetrize *symmetrize = priv;
	const size_t count = (size_t)in->shape.dims[0];
	struct tensor made = TENSOR_INIT;
	struct shape shape = { 2, { 0, 2 } };
	size_t both = 0;

	UNUSED(random);
	if (buf_reserve(&symmetrize->made, 2 * in->bytes + 1, err) ||
	    pairs_symmetrize(in->data, count, symmetrize->keep,
	        symmetrize->work, (void *)symmetrize->made.data, &both, err))
		return -1;
	shape.dims[0] = (int64_t)both;
	tensor_view(&made, DTYPE_I32, &shape, symmetrize->made.data);
	return tensor_copy(out, &made, err);
}

static void symmetrize_release(void *priv)
{
	struct symmetrize *symmetrize = priv;

	buf_release(&symmetrize->work[0]);
	buf_release(&symmetrize->work[1]);
	buf_release(&symmetrize->made);
}

const struct step_ops step_symmetrize = {
	.name = "symmetrize",
	.summary = "add the reverse of every edge",
	.in = "int32 [E, 2]",
	.out = "int32 [E', 2]",
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct symmetrize),
	.bind = symmetrize_bind,
	.run = symmetrize_run,
	.release = symmetrize_release,
};
