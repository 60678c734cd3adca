/*
 * log.c - natural logarithm.
 * in:  float16, float32 or float64, any shape
 * out: the same: ln(x + floor)
 */
#include <math.h>

#include "lib/audio/kernels.h"
#include "lib/base/array.h"
#include "lib/sample/half.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { BLOCK = 256 };

struct options {
	double floor;
};

static const struct option options[] = {
	OPTION_RANGE(REAL, "floor", struct options, floor, 0, 1e30,
	    "number to add before"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.floor = 1e-8,
};

static int log_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	*(double *)priv = ((const struct options *)given)->floor;
	*out = *in;
	if (in->dtype != DTYPE_F16 && in->dtype != DTYPE_F32 &&
	    in->dtype != DTYPE_F64)
		return type_refuse(in, "floats", err);
	return 0;
}

static void log_halves(
    const uint16_t *in, float plus, uint16_t *out, size_t count)
{
	float block[BLOCK];

	for (size_t i = 0; i < count; i += BLOCK) {
		const size_t n = count - i < BLOCK ? count - i : BLOCK;

		for (size_t k = 0; k < n; k++)
			block[k] = half_to_float(in[i + k]);
		audio_kernels()->ln(block, plus, block, n);
		half_from_floats(block, out + i, n);
	}
}

static void log_doubles(
    const double *in, double plus, double *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = log(in[i] + plus);
}

static int log_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const double plus = *(const double *)priv;
	const size_t count = shape_elements(&in->shape);

	UNUSED(random);
	if (tensor_reshape(out, in->dtype, &in->shape, err))
		return -1;
	if (in->dtype == DTYPE_F32)
		audio_kernels()->ln(in->data, (float)plus, out->data, count);
	else if (in->dtype == DTYPE_F16)
		log_halves(in->data, (float)plus, out->data, count);
	else
		log_doubles(in->data, plus, out->data, count);
	return 0;
}

const struct step_ops step_log = {
	.name = "log",
	.summary = "take the natural logarithm",
	.in = "floats",
	.out = "the same",
	.kind = KIND_MAP,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.priv_size = sizeof(double),
	.bind = log_bind,
	.run = log_run,
};
