/*
 * rms.c - root mean square of each `period` elements.
 * in:  any numbers except float16, any shape, in memory order
 * out: [elements / period], an incomplete period dropped: float32; for 32-bit
 *      and 64-bit integers and float64, float64
 */

#include "lib/base/array.h"
#include "lib/signal/sums.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { BLOCK = 64 };

struct rms_options {
	uint64_t period;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "period", struct rms_options, period, 1, 1e9,
	    "number of elements of a group"),
	OPTION_TABLE_END,
};

static const struct rms_options defaults = { .period = 500 };

struct rms {
	size_t period;
	enum dtype out;
};

static enum dtype dtype_out(enum dtype in)
{
	const bool is_long =
	    dtype_bytes(in) == 8 || in == DTYPE_U32 || in == DTYPE_I32;

	return is_long ? DTYPE_F64 : DTYPE_F32;
}

static int rms_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct rms_options *wanted = given;
	struct rms *rms = priv;

	if (in->layout == LAYOUT_ENCODED || !sums_know(in->dtype))
		return type_refuse(in, "numbers other than float16", err);
	rms->period = wanted->period;
	rms->out = dtype_out(in->dtype);
	*out = (struct type){
		.dtype = rms->out,
		.shape = { .count = 1, .dims = { -1 } },
	};
	if (shape_known(&in->shape))
		out->shape.dims[0] =
		    (int64_t)(shape_elements(&in->shape) / rms->period);
	return 0;
}

static int rms_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct rms *rms = priv;
	const size_t count = shape_elements(&in->shape) / rms->period;
	const size_t stride = rms->period * dtype_bytes(in->dtype);
	const unsigned char *data = in->data;
	const struct shape shape = { .count = 1, .dims = { (int64_t)count } };
	double block[BLOCK];

	UNUSED(random);
	if (tensor_reshape(out, rms->out, &shape, err))
		return -1;
	if (rms->out == DTYPE_F64) {
		sums_rms(in->dtype, data, rms->period, count, out->data);
		return 0;
	}
	for (size_t at = 0; at < count; at += BLOCK) {
		const size_t n = count - at < BLOCK ? count - at : BLOCK;
		float *to = (float *)out->data + at;

		sums_rms(in->dtype, data + at * stride, rms->period, n, block);
		for (size_t i = 0; i < n; i++)
			to[i] = (float)block[i];
	}
	return 0;
}

const struct step_ops step_rms = {
	.name = "rms",
	.summary = "compute the root mean square of groups of elements",
	.in = "numbers but float16, any shape",
	.out = "float32 or float64 [elements / period]",
	.options = options,
	.options_size = sizeof(struct rms_options),
	.defaults = &defaults,
	.priv_size = sizeof(struct rms),
	.bind = rms_bind,
	.run = rms_run,
};
