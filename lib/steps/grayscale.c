/*
 * grayscale.c - one channel of three: 0.299 red, 0.587 green, 0.114 blue
 * (ITU-R 601-2).
 * in:  image HxWx3 (or HxWx1, which is copied), uint8 or float32
 * out: HxWx1 of the same elements
 *
 * Bytes are weighed in 16-bit fractions and rounded, as Pillow does it.
 */
#include "lib/base/array.h"
#include "lib/base/cpu.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/steps/window.h"

enum {
	STEP = 32,
	RED = 19595, /* of 65536 */
	GREEN = 38470,
	BLUE = 7471,
	HALF = 32768,
};

static int check_channels(
    int64_t channels, enum error_code code, struct error *err)
{
	if (channels == 1 || channels == 3)
		return 0;
	return error_set(
	    err, code, "takes 3 channels, not %lld", (long long)channels);
}

static int grayscale_bind(void *priv, const void *options,
    const struct type *in, struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	if (image_check_hwc(in, err) || image_check_bytes_or_floats(in, err))
		return -1;
	if (in->shape.dims[2] >= 0 &&
	    check_channels(in->shape.dims[2], ERROR_USAGE, err))
		return -1;
	*out = *in;
	out->shape.dims[2] = 1;
	return 0;
}

CPU_BODY uint8_t byte_gray(const uint8_t *rgb)
{
	return (uint8_t)((rgb[0] * (uint32_t)RED + rgb[1] * (uint32_t)GREEN +
	                     rgb[2] * (uint32_t)BLUE + HALF) >>
	                 16);
}

CPU_BODY float float_gray(const float *rgb)
{
	return 0.299f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2];
}

CPU_BODY void bytes_body(
    const uint8_t *restrict in, uint8_t *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = byte_gray(in + 3 * (i + k));
	for (; i < count; i++)
		out[i] = byte_gray(in + 3 * i);
}

CPU_BODY void floats_body(
    const float *restrict in, float *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = float_gray(in + 3 * (i + k));
	for (; i < count; i++)
		out[i] = float_gray(in + 3 * i);
}

CPU_BODY void gray_body(
    enum dtype dtype, const void *in, void *out, size_t count)
{
	if (dtype == DTYPE_U8)
		bytes_body(in, out, count);
	else
		floats_body(in, out, count);
}

static void gray_plain(
    enum dtype dtype, const void *in, void *out, size_t count)
{
	gray_body(dtype, in, out, count);
}

CPU_AVX2 static void gray_avx2(
    enum dtype dtype, const void *in, void *out, size_t count)
{
	gray_body(dtype, in, out, count);
}

static void gray(enum dtype dtype, const void *in, void *out, size_t count)
{
	(cpu_has_avx2() ? gray_avx2 : gray_plain)(dtype, in, out, count);
}

static int grayscale_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct shape shape = in->shape;

	UNUSED(priv);
	UNUSED(random);
	if (shape.dims[2] == 1)
		return tensor_copy(out, in, err);
	if (check_channels(shape.dims[2], ERROR_DATA, err))
		return -1;
	shape.dims[2] = 1;
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	gray(in->dtype, in->data, out->data, shape_elements(&shape));
	return 0;
}

struct grayscale {
	bool is_gray; /* this sample, as it comes; when it runs fused */
};

static int grayscale_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct grayscale *grayscale = priv;

	UNUSED(random);
	if (check_channels((int64_t)frame->channels, ERROR_DATA, err))
		return -1;
	grayscale->is_gray = frame->channels == 1;
	frame->channels = 1;
	return 0;
}

static bool grayscale_is_idle(const void *priv)
{
	return ((const struct grayscale *)priv)->is_gray;
}

static void grayscale_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	UNUSED(priv);
	gray(row->dtype, in, out, row->pixels);
}

static const struct window_ops window = {
	.reach = REACH_PIXEL,
	.plan = grayscale_plan,
	.is_idle = grayscale_is_idle,
	.run = grayscale_run_row,
};

const struct step_ops step_grayscale = {
	.name = "grayscale",
	.summary = "weigh red, green and blue into one channel",
	.in = "image HxWx3, uint8 or float32",
	.out = "image HxWx1",
	.priv_size = sizeof(struct grayscale),
	.bind = grayscale_bind,
	.run = grayscale_run,
	.window = &window,
};
