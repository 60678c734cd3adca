/*
 * random_resized_crop.c - crops a window of random size and shape, and resizes
 * it.
 * in:  image HxWxC, uint8, uint16 or float32; with filter=nearest any elements
 * out: the same with the given size
 *
 * As in torchvision, the fraction of the area is uniform in `scale`, and width
 * / height is uniform in the logarithm of `ratio`.  If ten attempts give no
 * window that fits, the largest one in the middle is taken.
 */
#include <math.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/range.h"
#include "lib/image/resample/resample.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { TRIES = 10 };

struct options {
	const char *size, *scale, *ratio;
	unsigned filter;
};

static const struct option options[] = {
	OPTION_WORDS("filter", struct options, filter, FILTER_WORDS,
	    "filter that mixes pixels"),
	OPTION(TEXT, "ratio", 0, struct options, ratio, "LOW,HIGH",
	    "width divided by height of the window"),
	OPTION(TEXT, "scale", 0, struct options, scale, "LOW,HIGH",
	    "fraction of the area"),
	OPTION(
	    TEXT, "size", 0, struct options, size, "N|HxW", "height and width"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.scale = "0.08,1",
	.ratio = "0.75,1.3333333333333333",
	.filter = FILTER_BILINEAR,
};

struct random_resized_crop {
	struct resampler *resampler;
	struct image_size size;
	struct range scale, ratio;
	struct box box; /* fused: of the current sample */
	enum dtype dtype;
};

static int read_options(const struct options *want,
    struct random_resized_crop *crop, struct error *err)
{
	if (image_parse_size(want->size, "size", &crop->size, err) ||
	    range_parse_rising(want->scale, "scale", 1, &crop->scale, err) ||
	    range_parse_rising(want->ratio, "ratio", 1000, &crop->ratio, err))
		return -1;
	return 0;
}

static int random_resized_crop_check(const void *given, struct error *err)
{
	struct random_resized_crop crop;

	return read_options(given, &crop, err);
}

static int random_resized_crop_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	const struct options *want = given;
	const enum filter filter = (enum filter)want->filter;
	struct random_resized_crop *crop = priv;
	char text[SHAPE_TEXT];

	if (image_check_hwc(in, err) || read_options(want, crop, err))
		return -1;
	if (!resample_takes(filter, in->dtype))
		return error_set(err, ERROR_USAGE,
		    "takes uint8, uint16 or float32 unless filter=nearest, not "
		    "%s",
		    type_text(in, text));
	*out = image_type_sized(in, crop->size);
	crop->resampler = resampler_new(filter, true, NULL, err);
	return crop->resampler ? 0 : -1;
}

/* Makes one attempt; true, with the window's size, if it fits. */
static bool draw_size(const struct random_resized_crop *crop,
    struct random *random, struct image_size image, struct box *box)
{
	const double area = (double)image.height * (double)image.width *
	                    range_draw(&crop->scale, random);
	const struct range logs = { log(crop->ratio.low), log(crop->ratio.high),
		true };
	const double ratio = exp(range_draw(&logs, random));

	box->width = (size_t)lrint(sqrt(area * ratio));
	box->height = (size_t)lrint(sqrt(area / ratio));
	return box->width > 0 && box->width <= image.width && box->height > 0 &&
	       box->height <= image.height;
}

/* Returns the largest centred window whose ratio is in the range. */
static struct box middle_box(
    const struct random_resized_crop *crop, struct image_size image)
{
	const double height = (double)image.height;
	const double width = (double)image.width;
	struct box box = { .height = image.height, .width = image.width };

	if (width / height < crop->ratio.low)
		box.height = (size_t)lrint(width / crop->ratio.low);
	else if (width / height > crop->ratio.high)
		box.width = (size_t)lrint(height * crop->ratio.high);
	box.height = box.height ? box.height : 1;
	box.width = box.width ? box.width : 1;
	box.top = (image.height - box.height) / 2;
	box.left = (image.width - box.width) / 2;
	return box;
}

static struct box draw_box(const struct random_resized_crop *crop,
    struct random *random, struct image_size image)
{
	struct box box = { .height = 0 };

	if (!image.height || !image.width)
		return box; /* the resampler reports an error */
	for (int i = 0; i < TRIES; i++) {
		if (!draw_size(crop, random, image, &box))
			continue;
		box.top = random_below(
		    random, (uint32_t)(image.height - box.height + 1));
		box.left = random_below(
		    random, (uint32_t)(image.width - box.width + 1));
		return box;
	}
	return middle_box(crop, image);
}

static int random_resized_crop_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct random_resized_crop *crop = priv;
	struct window window = window_of(in, LAYOUT_HWC);
	const struct box box = draw_box(crop, random, window.frame.size);
	struct resample_source source;

	window_narrow(&window, &box);
	source = resample_source_of(&window, &box);
	return resampler_run(crop->resampler, &source, crop->size, out, err);
}

static int random_resized_crop_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct random_resized_crop *crop = priv;

	UNUSED(err);
	crop->box = draw_box(crop, random, frame->size);
	crop->dtype = frame->dtype;
	frame->size = crop->size;
	return 0;
}

static int random_resized_crop_need(
    void *priv, struct box *box, struct error *err)
{
	const struct random_resized_crop *crop = priv;
	const struct resample_sizes sizes = {
		.dtype = crop->dtype,
		.in = { crop->box.height, crop->box.width },
		.out = crop->size,
	};

	if (resampler_need(crop->resampler, &sizes, box, err))
		return -1;
	box->top += crop->box.top;
	box->left += crop->box.left;
	return 0;
}

static int random_resized_crop_make(void *priv, const struct window *in,
    const struct box *box, struct tensor *out, struct error *err)
{
	const struct random_resized_crop *crop = priv;
	const struct resample_source source =
	    resample_source_of(in, &crop->box);

	return resampler_run_box(
	    crop->resampler, &source, crop->size, box, out, err);
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.crops = true,
	.plan = random_resized_crop_plan,
	.need = random_resized_crop_need,
	.make = random_resized_crop_make,
};

static void random_resized_crop_release(void *priv)
{
	resampler_free(((struct random_resized_crop *)priv)->resampler);
}

/*
 * The nearest filter copies pixels.  The others weigh them; negative weights
 * leave the range of bytes, where the result is cut off.
 */
static enum step_kind random_resized_crop_kind(const void *given)
{
	const enum filter filter =
	    (enum filter)((const struct options *)given)->filter;

	if (filter == FILTER_NEAREST)
		return KIND_CROP;
	return filter_overshoots(filter) ? KIND_OTHER : KIND_CROP_BLEND;
}

const struct step_ops step_random_resized_crop = {
	.name = "random_resized_crop",
	.summary = "cut a window of random size and shape, and resize it",
	.in = "image HxWxC",
	.out = "image of the given size",
	.kind = KIND_CROP_BLEND,
	.find_kind = random_resized_crop_kind,
	.random = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = random_resized_crop_check,
	.priv_size = sizeof(struct random_resized_crop),
	.bind = random_resized_crop_bind,
	.run = random_resized_crop_run,
	.release = random_resized_crop_release,
	.window = &window,
};
