/*
 * resize.c - resizes an image.
 * in:  image HxWxC, uint8, uint16 or float32; with filter=nearest any elements
 * out: the same with the given size
 *
 * With antialias, pixels equal Pillow's, within 1.  Without, the filter is not
 * stretched when the image becomes smaller, as TensorFlow does by default.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/resample/resample.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	uint64_t shorter;
	const char *size;
	unsigned filter;
	bool antialias;
};

static const struct option options[] = {
	OPTION(FLAG, "antialias", 0, struct options, antialias, "yes|no",
	    "stretch the filter when the image becomes smaller"),
	OPTION_WORDS("filter", struct options, filter, FILTER_WORDS,
	    "filter that mixes pixels"),
	OPTION_RANGE(UINT, "shorter", struct options, shorter, 1,
	    IMAGE_SIDE_MAX, "length of the shorter side; keeps proportions"),
	OPTION(
	    TEXT, "size", 0, struct options, size, "N|HxW", "height and width"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.filter = FILTER_BILINEAR,
	.antialias = true,
};

struct resize {
	struct resampler *resampler;
	size_t shorter; /* 0: use `size` */
	struct image_size size;
	struct resample_sizes sizes; /* fused: of the current sample */
};

static int resize_check(const void *given, struct error *err)
{
	const struct options *want = given;
	struct image_size size;

	if (!want->shorter == !want->size)
		return error_set(err, ERROR_USAGE,
		    want->size ? "shorter and size exclude each other"
		               : "shorter or size must be given");
	if (want->size)
		return image_parse_size(want->size, "size", &size, err);
	return 0;
}

static size_t longer_of(size_t shorter, size_t longer, size_t wanted)
{
	return wanted * longer / shorter;
}

/* The longer side is rounded down, as in torchvision. */
static struct image_size size_for(
    const struct resize *resize, struct image_size in)
{
	struct image_size size = resize->size;

	if (!resize->shorter || !in.height || !in.width)
		return size;
	size.height = resize->shorter;
	size.width = resize->shorter;
	if (in.height < in.width)
		size.width = longer_of(in.height, in.width, resize->shorter);
	else
		size.height = longer_of(in.width, in.height, resize->shorter);
	return size;
}

static int check_type(
    const struct type *in, enum filter filter, struct error *err)
{
	char text[SHAPE_TEXT];

	if (image_check_hwc(in, err))
		return -1;
	if (!resample_takes(filter, in->dtype))
		return error_set(err, ERROR_USAGE,
		    "takes uint8, uint16 or float32 unless filter=nearest, not "
		    "%s",
		    type_text(in, text));
	return 0;
}

static int resize_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	const enum filter filter = (enum filter)want->filter;
	struct resize *resize = priv;
	struct image_size size;

	if (check_type(in, filter, err) || resize_check(want, err))
		return -1;
	resize->shorter = (size_t)want->shorter;
	if (want->size &&
	    image_parse_size(want->size, "size", &resize->size, err))
		return -1;
	*out = *in;
	out->shape.dims[0] = -1;
	out->shape.dims[1] = -1;
	if (!resize->shorter)
		*out = image_type_sized(in, resize->size);
	else if (in->shape.dims[0] > 0 && in->shape.dims[1] > 0) {
		size.height = (size_t)in->shape.dims[0];
		size.width = (size_t)in->shape.dims[1];
		*out = image_type_sized(in, size_for(resize, size));
	}
	resize->resampler = resampler_new(filter, want->antialias, NULL, err);
	return resize->resampler ? 0 : -1;
}

static int resize_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct resize *resize = priv;
	const struct window whole = window_of(in, LAYOUT_HWC);
	const struct resample_source source =
	    resample_source_of(&whole, &whole.box);

	UNUSED(random);
	return resampler_run(resize->resampler, &source,
	    size_for(resize, source.size), out, err);
}

static int resize_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct resize *resize = priv;

	UNUSED(random);
	UNUSED(err);
	resize->sizes = (struct resample_sizes){
		.dtype = frame->dtype,
		.in = frame->size,
		.out = size_for(resize, frame->size),
	};
	frame->size = resize->sizes.out;
	return 0;
}

static int resize_need(void *priv, struct box *box, struct error *err)
{
	const struct resize *resize = priv;

	return resampler_need(resize->resampler, &resize->sizes, box, err);
}

static int resize_make(void *priv, const struct window *in,
    const struct box *box, struct tensor *out, struct error *err)
{
	const struct resize *resize = priv;
	const struct box whole = frame_box(&in->frame);
	const struct resample_source source = resample_source_of(in, &whole);

	return resampler_run_box(
	    resize->resampler, &source, resize->sizes.out, box, out, err);
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.plan = resize_plan,
	.need = resize_need,
	.make = resize_make,
};

static void resize_release(void *priv)
{
	resampler_free(((struct resize *)priv)->resampler);
}

/*
 * The nearest filter copies pixels.  The others weigh them; negative weights
 * leave the range of bytes, where the result is cut off.
 */
static enum step_kind resize_kind(const void *given)
{
	const enum filter filter =
	    (enum filter)((const struct options *)given)->filter;

	if (filter == FILTER_NEAREST)
		return KIND_CROP;
	return filter_overshoots(filter) ? KIND_OTHER : KIND_BLEND;
}

const struct step_ops step_resize = {
	.name = "resize",
	.summary = "change the size of the image",
	.in = "image HxWxC",
	.out = "image of the size wanted",
	.kind = KIND_BLEND,
	.find_kind = resize_kind,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = resize_check,
	.priv_size = sizeof(struct resize),
	.bind = resize_bind,
	.run = resize_run,
	.release = resize_release,
	.window = &window,
};
