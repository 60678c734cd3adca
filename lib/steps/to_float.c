/*
 * to_float.c - integers to floats: 0..255 or 0..65535 to 0..1.
 * in:  uint8 or uint16, any shape
 * out: float32 of the same shape: x / 255 or x / 65535, or x with scale=no
 */
#include "lib/base/array.h"
#include "lib/image/scale.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	bool scale;
};

static const struct option options[] = {
	OPTION(FLAG, "scale", 0, struct options, scale, "yes|no",
	    "divide uint8 by 255 and uint16 by 65535"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.scale = true,
};

/* 1 / 255 is 0x1.0101010101p-8... */
static const struct scale divided = {
	.times = 0x1.01p-8f,
	.rest = 0x1.010102p-24f,
};

/* 1 / 65535 is 0x1.00010001p-16... */
static const struct scale divided_words = {
	.times = 0x1.0001p-16f,
	.rest = 0x1.0001p-48f,
};

static const struct scale as_it_is = {
	.times = 1,
};

struct to_float {
	struct scale scale;
	enum dtype dtype;
};

static int to_float_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const bool is_word = in->dtype == DTYPE_U16;
	struct to_float *to_float = priv;

	to_float->scale = !((const struct options *)given)->scale ? as_it_is
	                  : is_word ? divided_words
	                            : divided;
	to_float->dtype = in->dtype;
	*out = *in;
	out->dtype = DTYPE_F32;
	if (in->layout == LAYOUT_ENCODED || (in->dtype != DTYPE_U8 && !is_word))
		return type_refuse(in, "uint8 or uint16", err);
	return 0;
}

static void to_float_elements(const struct to_float *to_float, bool is_large,
    const void *in, float *out, size_t count)
{
	struct scale how = to_float->scale;

	how.is_large = is_large;
	scale_run(how, to_float->dtype, in, out, count);
}

static int to_float_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	UNUSED(random);
	if (tensor_reshape(out, DTYPE_F32, &in->shape, err))
		return -1;
	to_float_elements(priv, out->is_large, in->data, out->data,
	    shape_elements(&in->shape));
	return 0;
}

static void to_float_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	to_float_elements(
	    priv, row->is_large, in, out, row->pixels * row->channels);
}

static const struct window_ops window = {
	.reach = REACH_ELEMENT,
	.run = to_float_run_row,
};

/* With scale=no only the dtype changes. */
static enum step_kind to_float_kind(const void *given)
{
	return ((const struct options *)given)->scale ? KIND_SCALE : KIND_CAST;
}

const struct step_ops step_to_float = {
	.name = "to_float",
	.summary = "map 0..255, or 0..65535, to floats 0..1",
	.in = "uint8 or uint16",
	.out = "float32",
	.kind = KIND_SCALE,
	.find_kind = to_float_kind,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.priv_size = sizeof(struct to_float),
	.bind = to_float_bind,
	.run = to_float_run,
	.window = &window,
};
