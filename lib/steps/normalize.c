/*
 * normalize.c - subtracts the mean and divides by the deviation per channel.
 * in:  uint8, uint16 or float32: an image HxWxC or CxHxW; with one mean and one
 *      deviation any shape
 * out: float32 of the same shape.  uint8: (x / 255 - mean) / std; uint16:
 *      (x / 65535 - mean) / std; floats, or with scale=no: (x - mean) / std
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/image/scale.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { CHANNELS_MAX = 32, NUMBER_MAX = 64 };

struct options {
	const char *mean, *std;
	bool scale;
};

static const struct option options[] = {
	OPTION(TEXT, "mean", 0, struct options, mean, "X[,X...]",
	    "mean, or a mean for each channel"),
	OPTION(FLAG, "scale", 0, struct options, scale, "yes|no",
	    "divide uint8 by 255 and uint16 by 65535 first"),
	OPTION(TEXT, "std", 0, struct options, std, "X[,X...]",
	    "standard deviation, or one for each channel"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.scale = true,
};

struct numbers {
	size_t count;
	double value[CHANNELS_MAX];
};

struct table {
	float minus[CHANNELS_MAX * SCALE_STEP];
	float times[CHANNELS_MAX * SCALE_STEP];
};

struct normalize {
	enum layout layout;
	size_t channels;     /* number of means and deviations */
	struct table pixels; /* HWC: channels in turn */
	struct table planes; /* CHW: SCALE_STEP entries for each channel */
};

static int parse_numbers(const char *text, const char *name,
    struct numbers *numbers, struct error *err)
{
	const char *at = text;

	numbers->count = 0;
	if (!text)
		return error_set(
		    err, ERROR_USAGE, "%s must be given: X or X,X,X", name);
	for (;; at++) {
		const size_t len = strcspn(at, ",");
		char number[NUMBER_MAX] = "";

		if (numbers->count == CHANNELS_MAX)
			return error_set(err, ERROR_USAGE,
			    "%s must be %d numbers at most", name,
			    CHANNELS_MAX);
		if (len < sizeof(number))
			memcpy(number, at, len);
		if (units_parse_real(number, &numbers->value[numbers->count++]))
			return error_set(err, ERROR_USAGE,
			    "%s must be numbers with commas, got '%s'", name,
			    text);
		at += len;
		if (!*at)
			return 0;
	}
}

static int read_options(const struct options *given, struct numbers *mean,
    struct numbers *std, struct error *err)
{
	if (parse_numbers(given->mean, "mean", mean, err) ||
	    parse_numbers(given->std, "std", std, err))
		return -1;
	for (size_t i = 0; i < std->count; i++)
		if (!(std->value[i] > 0))
			return error_set(err, ERROR_USAGE,
			    "std must be more than 0, got '%s'", given->std);
	if (mean->count != std->count && mean->count != 1 && std->count != 1)
		return error_set(err, ERROR_USAGE,
		    "mean has %zu numbers, std has %zu", mean->count,
		    std->count);
	return 0;
}

static int normalize_check(const void *given, struct error *err)
{
	struct numbers mean, std;

	return read_options(given, &mean, &std, err);
}

struct moments {
	struct numbers mean, std;
};

/* Sets entry i of a table to the values of channel c. */
static void set_entry(struct table *table, size_t i,
    const struct moments *moments, size_t c, double unit)
{
	const struct numbers *mean = &moments->mean, *std = &moments->std;
	const double m = mean->value[mean->count == 1 ? 0 : c];
	const double s = std->value[std->count == 1 ? 0 : c];

	table->minus[i] = (float)(m * unit);
	table->times[i] = (float)(1 / (s * unit));
}

static void fill_tables(
    struct normalize *normalize, const struct moments *moments, double unit)
{
	const size_t channels = normalize->channels;

	for (size_t i = 0; i < channels * SCALE_STEP; i++) {
		set_entry(&normalize->pixels, i, moments, i % channels, unit);
		set_entry(&normalize->planes, i, moments, i / SCALE_STEP, unit);
	}
}

static int check_channels(
    size_t wanted, enum error_code code, int64_t channels, struct error *err)
{
	if (wanted == 1 || channels < 0 || (size_t)channels == wanted)
		return 0;
	return error_set(err, code,
	    "mean and std are of %zu channels, the image has %lld", wanted,
	    (long long)channels);
}

static int normalize_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	struct normalize *normalize = priv;
	struct moments moments;
	const double most = in->dtype == DTYPE_U8    ? 255
	                    : in->dtype == DTYPE_U16 ? 65535
	                                             : 1;

	if (image_check_levels(in, err) ||
	    read_options(want, &moments.mean, &moments.std, err))
		return -1;
	normalize->layout = in->layout;
	normalize->channels = moments.mean.count > moments.std.count
	                          ? moments.mean.count
	                          : moments.std.count;
	if (normalize->channels > 1 &&
	    (image_check(in, err) ||
	        check_channels(normalize->channels, ERROR_USAGE,
	            in->shape.dims[in->layout == LAYOUT_CHW ? 0 : 2], err)))
		return -1;
	fill_tables(normalize, &moments, want->scale ? most : 1);
	*out = *in;
	out->dtype = DTYPE_F32;
	return 0;
}

/* Returns the table of pixels, or of one plane; one mean serves all planes. */
static struct scale_table table_of(
    const struct normalize *normalize, enum layout layout, size_t plane)
{
	const size_t at = normalize->channels > 1 ? plane * SCALE_STEP : 0;

	if (layout != LAYOUT_CHW)
		return (struct scale_table){
			.length = SCALE_STEP * normalize->channels,
			.minus = normalize->pixels.minus,
			.times = normalize->pixels.times,
		};
	return (struct scale_table){
		.length = SCALE_STEP,
		.minus = normalize->planes.minus + at,
		.times = normalize->planes.times + at,
	};
}

static void normalize_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	struct scale_table table = table_of(priv, row->layout, row->plane);

	table.is_large = row->is_large;
	scale_run_by_table(
	    table, row->dtype, in, out, row->pixels * row->channels);
}

/* Normalizes one plane, or the whole image. */
static void run_part(const struct normalize *normalize, size_t plane,
    const struct tensor *in, struct tensor *out, size_t count)
{
	struct scale_table table =
	    table_of(normalize, normalize->layout, plane);
	const size_t first = plane * count;

	table.is_large = out->is_large;
	scale_run_by_table(table, in->dtype,
	    (const unsigned char *)in->data + first * dtype_bytes(in->dtype),
	    (float *)out->data + first, count);
}

static int normalize_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct normalize *normalize = priv;
	const bool is_chw = normalize->layout == LAYOUT_CHW;
	const size_t rows = is_chw ? normalize->channels : 1;
	const size_t count = shape_elements(&in->shape);

	UNUSED(random);
	if (normalize->channels > 1 &&
	    check_channels(normalize->channels, ERROR_DATA,
	        in->shape.dims[is_chw ? 0 : 2], err))
		return -1;
	if (tensor_reshape(out, DTYPE_F32, &in->shape, err))
		return -1;
	for (size_t row = 0; row < rows; row++)
		run_part(normalize, row, in, out, count / rows);
	return 0;
}

static int normalize_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	const struct normalize *normalize = priv;

	UNUSED(random);
	return check_channels(
	    normalize->channels, ERROR_DATA, (int64_t)frame->channels, err);
}

static const struct window_ops window = {
	.reach = REACH_ELEMENT,
	.plan = normalize_plan,
	.run = normalize_run_row,
};

/* One mean and one deviation serve all channels. */
static enum step_kind normalize_kind(const void *given)
{
	struct error ignored = ERROR_INIT;
	struct numbers mean, std;

	if (read_options(given, &mean, &std, &ignored))
		return KIND_OTHER;
	return mean.count == 1 && std.count == 1 ? KIND_SCALE
	                                         : KIND_CHANNEL_SCALE;
}

const struct step_ops step_normalize = {
	.name = "normalize",
	.summary = "subtract the mean, divide by the deviation",
	.in = "uint8, uint16 or float32",
	.out = "float32",
	.kind = KIND_CHANNEL_SCALE,
	.find_kind = normalize_kind,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = normalize_check,
	.priv_size = sizeof(struct normalize),
	.bind = normalize_bind,
	.run = normalize_run,
	.window = &window,
};
