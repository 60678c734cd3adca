/*
 * color_jitter.c - changes brightness, contrast, saturation and hue by random
 * amounts in random order, as in torchvision.
 * in:  image HxWx3 or HxWx1, uint8, or float32 from 0 to 1
 * out: the same
 */
#include "lib/base/error.h"
#include "lib/image/colours.h"
#include "lib/image/image.h"
#include "lib/image/range.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	const char *brightness, *contrast, *hue, *saturation;
};

static const struct option options[] = {
	OPTION(TEXT, "brightness", 0, struct options, brightness, "X|LOW,HIGH",
	    "factor, from 1 - X to 1 + X"),
	OPTION(TEXT, "contrast", 0, struct options, contrast, "X|LOW,HIGH",
	    "factor, from 1 - X to 1 + X"),
	OPTION(TEXT, "hue", 0, struct options, hue, "X|LOW,HIGH",
	    "rotation of the colour circle, from -X to X; at most 0.5"),
	OPTION(TEXT, "saturation", 0, struct options, saturation, "X|LOW,HIGH",
	    "factor, from 1 - X to 1 + X"),
	OPTION_TABLE_END,
};

enum { FACTOR_MAX = 1000 };

struct color_jitter {
	struct range ranges[COLOURS_CHANGES];
	bool is_given[COLOURS_CHANGES];
};

static int read_factor(
    const char *text, const char *name, struct range *range, struct error *err)
{
	if (range_parse(text, name, range, err) ||
	    range_check(range, name, 0, FACTOR_MAX, err))
		return -1;
	if (!range->is_pair) {
		const double x = range->low;

		range->low = x < 1 ? 1 - x : 0;
		range->high = 1 + x;
	}
	return 0;
}

static int read_hue(const char *text, struct range *range, struct error *err)
{
	if (range_parse(text, "hue", range, err) ||
	    range_check(range, "hue", range->is_pair ? -0.5 : 0, 0.5, err))
		return -1;
	if (!range->is_pair)
		range->low = -range->high;
	return 0;
}

static int read_options(
    const struct options *want, struct color_jitter *jitter, struct error *err)
{
	const struct {
		const char *name, *text;
	} each[] = {
		[COLOURS_BRIGHTNESS] = { "brightness", want->brightness },
		[COLOURS_CONTRAST] = { "contrast", want->contrast },
		[COLOURS_SATURATION] = { "saturation", want->saturation },
		[COLOURS_HUE] = { "hue", want->hue },
	};
	unsigned count = 0;

	for (unsigned i = 0; i < COLOURS_CHANGES; i++) {
		struct range *range = &jitter->ranges[i];

		jitter->is_given[i] = each[i].text != NULL;
		if (!each[i].text)
			continue;
		count++;
		if (i == COLOURS_HUE
		        ? read_hue(each[i].text, range, err)
		        : read_factor(each[i].text, each[i].name, range, err))
			return -1;
	}
	if (!count)
		return error_set(err, ERROR_USAGE,
		    "brightness, contrast, saturation or hue must be given");
	return 0;
}

static int color_jitter_check(const void *given, struct error *err)
{
	struct color_jitter jitter;

	return read_options(given, &jitter, err);
}

/*
 * Certain if every range is one number and at most one of them has an effect,
 * so that their order does not matter.
 */
static bool color_jitter_is_certain(const void *given)
{
	struct color_jitter jitter;
	struct error none;
	unsigned count = 0, changes = 0;

	if (read_options(given, &jitter, &none))
		return false;
	for (unsigned i = 0; i < COLOURS_CHANGES; i++) {
		const struct range *range = &jitter.ranges[i];

		if (!jitter.is_given[i])
			continue;
		if (range->low < range->high)
			return false;
		count++;
		changes += i == COLOURS_HUE || range->low < 1 || range->low > 1;
	}
	return count == 1 || changes == 0;
}

static int check_channels(
    int64_t channels, enum error_code code, struct error *err)
{
	if (channels == 1 || channels == 3)
		return 0;
	return error_set(
	    err, code, "takes 1 or 3 channels, not %lld", (long long)channels);
}

static int color_jitter_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	if (image_check_hwc(in, err) || image_check_bytes_or_floats(in, err))
		return -1;
	if (in->shape.dims[2] >= 0 &&
	    check_channels(in->shape.dims[2], ERROR_USAGE, err))
		return -1;
	*out = *in;
	return read_options(given, priv, err);
}

/* Draws the order first, then the amounts. */
static void draw(const struct color_jitter *jitter, struct random *random,
    struct colours_plan *plan)
{
	unsigned order[COLOURS_CHANGES] = { 0, 1, 2, 3 };
	float amount[COLOURS_CHANGES];

	for (unsigned i = COLOURS_CHANGES - 1; i > 0; i--) {
		const unsigned k = random_below(random, i + 1);
		const unsigned last = order[i];

		order[i] = order[k];
		order[k] = last;
	}
	for (unsigned i = 0; i < COLOURS_CHANGES; i++)
		amount[i] = (float)range_draw(&jitter->ranges[i], random);
	for (unsigned i = 0; i < COLOURS_CHANGES; i++) {
		const enum colours_change change =
		    (enum colours_change)order[i];

		if (jitter->is_given[change] &&
		    (plan->channels == 3 || change <= COLOURS_CONTRAST))
			plan->steps[plan->count++] = (struct colours_step){
				.change = change,
				.amount = amount[change],
			};
	}
}

static int color_jitter_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct colours_plan plan = {
		.dtype = in->dtype,
		.channels = (size_t)in->shape.dims[2],
	};

	if (check_channels(in->shape.dims[2], ERROR_DATA, err) ||
	    tensor_reshape(out, in->dtype, &in->shape, err))
		return -1;
	draw(priv, random, &plan);
	colours_run(&plan, in->data, out->data,
	    (size_t)(in->shape.dims[0] * in->shape.dims[1]));
	return 0;
}

const struct step_ops step_color_jitter = {
	.name = "color_jitter",
	.summary = "change brightness, contrast, saturation and hue by chance",
	.in = "image HxWx3 or HxWx1, uint8 or float32",
	.out = "the same",
	.random = true,
	.is_certain = color_jitter_is_certain,
	.options = options,
	.options_size = sizeof(struct options),
	.check = color_jitter_check,
	.priv_size = sizeof(struct color_jitter),
	.bind = color_jitter_bind,
	.run = color_jitter_run,
};
