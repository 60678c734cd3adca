/*
 * embed.c - replaces each token by a row of a table.
 * in:  int32, any shape of up to 7 dimensions
 * out: float32 or float16, the same shape with the row as its last dimension
 *
 * The table is made or mapped at bind, and shared by all workers.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "lib/tokens/embedding.h"

enum { TOKENS_GPT2 = 50257, TOKENS_MAX = 1 << 28, DIM_MAX = 1 << 20 };

enum wanted {
	WANTED_SAME,
	WANTED_F32,
	WANTED_F16,
};

struct options {
	uint64_t dim, seed, tokens;
	unsigned dtype; /* an enum wanted */
	const char *table;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "dim", struct options, dim, 1, DIM_MAX,
	    "width of the made-up table, without a file"),
	OPTION_WORDS("dtype", struct options, dtype, "same|float32|float16",
	    "element type of the output"),
	OPTION(UINT, "seed", 0, struct options, seed, "N",
	    "seed of the made-up table"),
	OPTION(PATH, "table", 0, struct options, table, "FILE.npy",
	    "file of the table, with a row for each token"),
	OPTION_RANGE(UINT, "tokens", struct options, tokens, 1, TOKENS_MAX,
	    "number of rows of the made-up table"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.tokens = TOKENS_GPT2,
};

struct embed {
	const struct embedding *embedding;
};

static int embed_check(const void *given, struct error *err)
{
	const struct options *want = given;

	if (!want->table == !want->dim)
		return error_set(
		    err, ERROR_USAGE, "either dim or table must be given");
	return 0;
}

static int embed_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	const struct embedding_plan plan = {
		.path = want->table,
		.tokens = want->table ? 0 : want->tokens,
		.dim = want->dim,
		.seed = want->table ? 0 : want->seed,
		.dtype = want->dtype == WANTED_F16 ? DTYPE_F16 : DTYPE_F32,
		.any_dtype = want->dtype == WANTED_SAME,
	};
	struct embed *embed = priv;

	if (in->layout != LAYOUT_PLAIN || in->dtype != DTYPE_I32 ||
	    in->shape.count == SHAPE_MAX)
		return type_refuse(in, "tokens as int32", err);
	embed->embedding = embedding_take(&plan, err);
	if (!embed->embedding)
		return want->table ? error_prefix(err, "table") : -1;
	*out = *in;
	out->dtype = embed->embedding->dtype;
	out->shape.dims[out->shape.count++] = (int64_t)embed->embedding->dim;
	return 0;
}

static void gather(const struct embedding *embedding, const int32_t *ids,
    size_t count, struct tensor *out)
{
	const size_t bytes = embedding->row_bytes;
	unsigned char *to = out->data;

	for (size_t i = 0; i < count; i++, to += bytes) {
		const unsigned char *row =
		    embedding->rows + (size_t)ids[i] * bytes;

		if (out->is_large)
			copy_large(to, row, bytes);
		else
			memcpy(to, row, bytes);
	}
}

static int embed_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct embedding *embedding =
	    ((const struct embed *)priv)->embedding;
	const size_t count = shape_elements(&in->shape);
	const int32_t *ids = in->data;
	struct shape shape = in->shape;

	UNUSED(random);
	for (size_t i = 0; i < count; i++)
		if (ids[i] < 0 || (uint64_t)ids[i] >= embedding->tokens)
			return error_set(err, ERROR_DATA,
			    "token %" PRId32 " is not in the table of %" PRIu64
			    " rows",
			    ids[i], embedding->tokens);
	shape.dims[shape.count++] = (int64_t)embedding->dim;
	if (tensor_reshape(out, embedding->dtype, &shape, err))
		return -1;
	gather(embedding, ids, count, out);
	return 0;
}

static void embed_release(void *priv)
{
	embedding_give(((struct embed *)priv)->embedding);
}

const struct step_ops step_embed = {
	.name = "embed",
	.summary = "look up a row of a table for each token",
	.in = "int32",
	.out = "float32 or float16, [..., dim]",
	.kind = KIND_MAP,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = embed_check,
	.priv_size = sizeof(struct embed),
	.bind = embed_bind,
	.run = embed_run,
	.release = embed_release,
};
