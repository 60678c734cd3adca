/*
 * random_erasing.c - overwrites a random rectangle of the image.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same
 *
 * Zhong et al., "Random Erasing Data Augmentation", AAAI 2020, with the draws
 * of torchvision.  The fraction of the area is uniform in `scale`, height /
 * width is uniform in the logarithm of `ratio`.  If ten attempts give no
 * rectangle smaller than the image, nothing is erased.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/image/chance.h"
#include "lib/image/image.h"
#include "lib/image/range.h"
#include "lib/image/window.h"
#include "lib/sample/element.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { TRIES = 10, VALUES_MAX = 16, NUMBER_MAX = 64 };

struct options {
	double chance;
	const char *ratio, *scale, *value;
};

static const struct option options[] = {
	OPTION_RANGE(REAL, "chance", struct options, chance, 0, 1,
	    "probability of erasing"),
	OPTION(TEXT, "ratio", 0, struct options, ratio, "LOW,HIGH",
	    "height divided by width of the rectangle"),
	OPTION(TEXT, "scale", 0, struct options, scale, "LOW,HIGH",
	    "fraction of the area"),
	OPTION(TEXT, "value", 0, struct options, value, "X[,X...]|random",
	    "value to write: a number, one for each channel, or noise"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.chance = 0.5,
	.ratio = "0.3,3.3",
	.scale = "0.02,0.33",
	.value = "0",
};

struct random_erasing {
	double chance;
	struct range ratio, scale;
	bool is_noise;
	size_t values; /* number of values given */
	double value[VALUES_MAX];
	unsigned char element[VALUES_MAX][ELEMENT_BYTES];
	enum layout layout;
};

static int read_values(
    const char *text, struct random_erasing *erasing, struct error *err)
{
	erasing->values = 0;
	erasing->is_noise = strcmp(text, "random") == 0;
	for (const char *at = text; !erasing->is_noise; at++) {
		const size_t len = strcspn(at, ",");
		char number[NUMBER_MAX] = "";

		if (len < sizeof(number))
			memcpy(number, at, len);
		if (erasing->values == VALUES_MAX)
			return error_set(err, ERROR_USAGE,
			    "value must be %d numbers at most, got '%s'",
			    VALUES_MAX, text);
		if (units_parse_real(
		        number, &erasing->value[erasing->values++]))
			return error_set(err, ERROR_USAGE,
			    "value must be a number, one for each channel, or "
			    "random, got '%s'",
			    text);
		at += len;
		if (!*at)
			break;
	}
	return 0;
}

static int read_options(const struct options *want,
    struct random_erasing *erasing, struct error *err)
{
	erasing->chance = want->chance;
	return range_parse_rising(
	           want->scale, "scale", 1, &erasing->scale, err) ||
	               range_parse_rising(
	                   want->ratio, "ratio", 1000, &erasing->ratio, err) ||
	               read_values(want->value, erasing, err)
	           ? -1
	           : 0;
}

static int random_erasing_check(const void *given, struct error *err)
{
	struct random_erasing erasing;

	return read_options(given, &erasing, err);
}

/* The rectangle is random, so only a chance of 0 is certain. */
static bool random_erasing_is_certain(const void *given)
{
	return ((const struct options *)given)->chance <= 0;
}

static int check_channels(const struct random_erasing *erasing,
    int64_t channels, enum error_code code, struct error *err)
{
	if (erasing->values <= 1 || channels < 0 ||
	    (size_t)channels == erasing->values)
		return 0;
	return error_set(err, code,
	    "value has %zu numbers, but the image %lld channels",
	    erasing->values, (long long)channels);
}

static int random_erasing_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	struct random_erasing *erasing = priv;

	if (image_check(in, err) || read_options(given, erasing, err) ||
	    check_channels(erasing,
	        in->shape.dims[in->layout == LAYOUT_CHW ? 0 : 2], ERROR_USAGE,
	        err))
		return -1;
	for (size_t i = 0; i < erasing->values; i++)
		if (element_set(
		        erasing->value[i], in->dtype, erasing->element[i], err))
			return -1;
	erasing->layout = in->layout;
	*out = *in;
	return 0;
}

/* Makes one attempt; true, with the rectangle's size, if it fits. */
static bool draw_size(const struct random_erasing *erasing,
    struct random *random, struct image_size image, struct box *box)
{
	const double area = (double)image.height * (double)image.width *
	                    range_draw(&erasing->scale, random);
	const struct range logs = { log(erasing->ratio.low),
		log(erasing->ratio.high), true };
	const double ratio = exp(range_draw(&logs, random));

	box->height = (size_t)lrint(sqrt(area * ratio));
	box->width = (size_t)lrint(sqrt(area / ratio));
	return box->height > 0 && box->height < image.height &&
	       box->width > 0 && box->width < image.width;
}

static bool draw_box(const struct random_erasing *erasing,
    struct random *random, struct image_size image, struct box *box)
{
	if (!chance_draw(erasing->chance, random))
		return false;
	for (int i = 0; i < TRIES; i++) {
		if (!draw_size(erasing, random, image, box))
			continue;
		box->top = random_below(
		    random, (uint32_t)(image.height - box->height + 1));
		box->left = random_below(
		    random, (uint32_t)(image.width - box->width + 1));
		return true;
	}
	return false;
}

/* Fills with noise: integers uniform, floats with mean 0 and deviation 1. */
static void make_noise(
    struct random *random, enum dtype dtype, unsigned char *to, size_t count)
{
	const size_t bytes = dtype_bytes(dtype);
	struct error none;

	if (dtype < DTYPE_F16) {
		random_fill(random, to, count * bytes);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		unsigned char element[ELEMENT_BYTES];

		element_set(random_normal(random), dtype, element, &none);
		memcpy(to + i * bytes, element, bytes);
	}
}

/* Erases `pixels` pixels of a row; their first channel has number `channel`. */
static void erase_row(const struct random_erasing *erasing,
    struct random *random, const struct row *row, unsigned char *to)
{
	const size_t bytes = dtype_bytes(row->dtype);

	if (erasing->is_noise) {
		make_noise(random, row->dtype, to, row->pixels * row->channels);
		return;
	}
	if (erasing->values == 1 || row->channels == 1) {
		element_fill(to, row->pixels * row->channels,
		    erasing->element[erasing->values == 1 ? 0 : row->plane],
		    row->dtype);
		return;
	}
	for (size_t i = 0; i < row->pixels * row->channels; i++)
		memcpy(
		    to + i * bytes, erasing->element[i % row->channels], bytes);
}

static int random_erasing_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct random_erasing *erasing = priv;
	const struct image image = image_of(in, erasing->layout);
	const struct image_size size = { image.height, image.width };
	const size_t stride = image.width * image.pixel_bytes;
	struct row row = {
		.channels = image.planes > 1 ? 1 : image.channels,
		.dtype = in->dtype,
	};
	struct box box;

	if (check_channels(erasing, (int64_t)image.channels, ERROR_DATA, err) ||
	    tensor_copy(out, in, err))
		return -1;
	if (!draw_box(erasing, random, size, &box))
		return 0;
	row.pixels = box.width;
	for (row.plane = 0; row.plane < image.planes; row.plane++)
		for (size_t y = box.top; y < box.top + box.height; y++)
			erase_row(erasing, random, &row,
			    (unsigned char *)out->data +
			        (row.plane * image.height + y) * stride +
			        box.left * image.pixel_bytes);
	return 0;
}

const struct step_ops step_random_erasing = {
	.name = "random_erasing",
	.summary = "overwrite a random rectangle, by chance",
	.in = "image",
	.out = "the same",
	.random = true,
	.is_certain = random_erasing_is_certain,
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = random_erasing_check,
	.priv_size = sizeof(struct random_erasing),
	.bind = random_erasing_bind,
	.run = random_erasing_run,
};
