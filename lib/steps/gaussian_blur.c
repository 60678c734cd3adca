/*
 * gaussian_blur.c - blurs an image by a Gaussian of random width, as in
 * torchvision.
 * in:  image HxWxC, uint8 or float32
 * out: the same
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/blur.h"
#include "lib/image/range.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	uint64_t kernel;
	const char *sigma;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "kernel", struct options, kernel, 1,
	    2 * BLUR_REACH_MAX + 1, "width of the window in pixels; odd"),
	OPTION(TEXT, "sigma", 0, struct options, sigma, "X|LOW,HIGH",
	    "standard deviation in pixels"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.sigma = "0.1,2",
};

enum { SIGMA_MAX = 1000 };
#define SIGMA_LEAST 1e-3

struct gaussian_blur {
	struct blur *blur;
	size_t reach;
	struct range sigma;
	struct blur_curve curve; /* drawn for the current sample */
	struct image_size size;
};

static int read_options(const struct options *want,
    struct gaussian_blur *gaussian, struct error *err)
{
	if (want->kernel % 2 == 0)
		return error_set(err, ERROR_USAGE,
		    want->kernel ? "kernel must be odd, got %llu"
		                 : "kernel must be given",
		    (unsigned long long)want->kernel);
	gaussian->reach = (size_t)want->kernel / 2;
	if (range_parse(want->sigma, "sigma", &gaussian->sigma, err))
		return -1;
	return range_check(
	    &gaussian->sigma, "sigma", SIGMA_LEAST, SIGMA_MAX, err);
}

static int gaussian_blur_check(const void *given, struct error *err)
{
	struct gaussian_blur gaussian;

	return read_options(given, &gaussian, err);
}

static bool gaussian_blur_is_certain(const void *given)
{
	struct gaussian_blur gaussian;
	struct error none;

	return read_options(given, &gaussian, &none) == 0 &&
	       !(gaussian.sigma.low < gaussian.sigma.high);
}

static int gaussian_blur_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	struct gaussian_blur *gaussian = priv;

	if (image_check_hwc(in, err) || image_check_bytes_or_floats(in, err) ||
	    read_options(given, gaussian, err))
		return -1;
	*out = *in;
	gaussian->blur = blur_new(err);
	return gaussian->blur ? 0 : -1;
}

static int gaussian_blur_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct gaussian_blur *gaussian = priv;

	UNUSED(err);
	gaussian->size = frame->size;
	blur_curve_fill(&gaussian->curve, gaussian->reach,
	    range_draw(&gaussian->sigma, random));
	return 0;
}

static int gaussian_blur_need(void *priv, struct box *box, struct error *err)
{
	const struct gaussian_blur *gaussian = priv;

	UNUSED(err);
	blur_need(&gaussian->curve, gaussian->size, box);
	return 0;
}

static int gaussian_blur_make(void *priv, const struct window *in,
    const struct box *box, struct tensor *out, struct error *err)
{
	const struct gaussian_blur *gaussian = priv;

	return blur_run(gaussian->blur, &gaussian->curve, in, box, out, err);
}

static int gaussian_blur_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct window window = window_of(in, LAYOUT_HWC);
	const struct box box = frame_box(&window.frame);

	if (shape_elements(&in->shape) == 0)
		return error_set(err, ERROR_DATA, "image is empty");
	if (gaussian_blur_plan(priv, random, &window.frame, err))
		return -1;
	return gaussian_blur_make(priv, &window, &box, out, err);
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.plan = gaussian_blur_plan,
	.need = gaussian_blur_need,
	.make = gaussian_blur_make,
};

static void gaussian_blur_release(void *priv)
{
	blur_free(((struct gaussian_blur *)priv)->blur);
}

const struct step_ops step_gaussian_blur = {
	.name = "gaussian_blur",
	.summary = "blur the image by a random amount",
	.in = "image HxWxC, uint8 or float32",
	.out = "the same",
	.kind = KIND_BLEND,
	.random = true,
	.is_certain = gaussian_blur_is_certain,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = gaussian_blur_check,
	.priv_size = sizeof(struct gaussian_blur),
	.bind = gaussian_blur_bind,
	.run = gaussian_blur_run,
	.release = gaussian_blur_release,
	.window = &window,
};
