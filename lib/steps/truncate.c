/*
 * truncate.c - limits the number of rows.
 * in:  any tensor with at least one dimension
 * out: the same; a first dimension longer than `length` is cut to it
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	uint64_t length;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "length", struct options, length, 1, 1 << 30,
	    "number of rows to keep"),
	OPTION_TABLE_END,
};

struct truncate {
	int64_t length;
};

static int truncate_check(const void *given, struct error *err)
{
	if (((const struct options *)given)->length)
		return 0;
	return error_set(err, ERROR_USAGE, "length must be given");
}

static int truncate_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct truncate *truncate = priv;

	truncate->length = (int64_t)((const struct options *)given)->length;
	if (in->layout == LAYOUT_ENCODED || in->shape.count == 0)
		return type_refuse(in, "a tensor with a dimension", err);
	*out = *in;
	if (out->shape.dims[0] > truncate->length)
		out->shape.dims[0] = truncate->length;
	return 0;
}

static int truncate_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct truncate *truncate = priv;
	struct shape shape = in->shape;

	UNUSED(random);
	if (shape.dims[0] > truncate->length)
		shape.dims[0] = truncate->length;
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	if (out->bytes)
		memcpy(out->data, in->data, out->bytes);
	return 0;
}

const struct step_ops step_truncate = {
	.name = "truncate",
	.summary = "cut after a number of rows",
	.in = "any tensor",
	.out = "the same, shorter",
	.kind = KIND_ROWS,
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.check = truncate_check,
	.priv_size = sizeof(struct truncate),
	.bind = truncate_bind,
	.run = truncate_run,
};
