/*
 * aggregate.c - voltage and current to values per period of the mains.
 * in:  [2, n] float32 or float64: voltage, current
 * out: [outputs, n / period] of the same type; an incomplete period is dropped
 *
 * All values are computed in float64 (lib/signal/sums.h).
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/sums.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum output { ACTIVE, CUMSUM, REACTIVE, RMS, OUTPUTS };

enum { OUTPUTS_MAX = 8, BLOCK = 64 };

static const char *const names[OUTPUTS] = {
	[ACTIVE] = "active",
	[CUMSUM] = "cumsum",
	[REACTIVE] = "reactive",
	[RMS] = "rms",
};

struct aggregate_options {
	const char *outputs;
	uint64_t period;
};

static const struct option options[] = {
	OPTION(TEXT, "outputs", 0, struct aggregate_options, outputs, "LIST",
	    "rows to compute: active, cumsum, reactive, rms"),
	OPTION_RANGE(UINT, "period", struct aggregate_options, period, 1, 1e9,
	    "number of elements of a period"),
	OPTION_TABLE_END,
};

static const struct aggregate_options defaults = {
	.outputs = "active,rms,cumsum",
	.period = 128,
};

struct aggregate {
	size_t period;
	size_t count; /* number of outputs */
	enum output outputs[OUTPUTS_MAX];
	struct tensor current; /* RMS of the current, if output is float32 */
};

static int find_output(const char *name, size_t len)
{
	for (int i = 0; i < OUTPUTS; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	return -1;
}

static int parse_outputs(
    const char *text, struct aggregate *aggregate, struct error *err)
{
	aggregate->count = 0;
	for (const char *at = text;; at++) {
		const size_t len = strcspn(at, ",");
		const int output = find_output(at, len);

		if (output < 0)
			return error_set(err, ERROR_USAGE,
			    "outputs are active, cumsum, reactive and rms, "
			    "got '%.*s'",
			    (int)len, at);
		if (aggregate->count == OUTPUTS_MAX)
			return error_set(err, ERROR_USAGE,
			    "there can be %d outputs", OUTPUTS_MAX);
		aggregate->outputs[aggregate->count++] = (enum output)output;
		at += len;
		if (!*at)
			return 0;
	}
}

static int aggregate_check(const void *given, struct error *err)
{
	const struct aggregate_options *wanted = given;
	struct aggregate aggregate;

	return parse_outputs(wanted->outputs, &aggregate, err);
}

static int aggregate_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct aggregate_options *wanted = given;
	struct aggregate *aggregate = priv;
	const int64_t *dims = in->shape.dims;

	if ((in->dtype != DTYPE_F32 && in->dtype != DTYPE_F64) ||
	    in->shape.count != 2 || (dims[0] >= 0 && dims[0] != 2))
		return type_refuse(
		    in, "voltage and current, float32 or float64 2xN", err);
	if (parse_outputs(wanted->outputs, aggregate, err))
		return -1;
	aggregate->period = wanted->period;
	*out = *in;
	out->layout = LAYOUT_PLAIN;
	out->shape.dims[0] = (int64_t)aggregate->count;
	if (dims[1] >= 0)
		out->shape.dims[1] = dims[1] / (int64_t)aggregate->period;
	return 0;
}

static void set(struct tensor *out, size_t at, double value)
{
	if (out->dtype == DTYPE_F32)
		((float *)out->data)[at] = (float)value;
	else
		((double *)out->data)[at] = value;
}

static double reactive(const struct power_sums *sums, double period)
{
	const double active = sums->vi / period;
	const double s2 = sums->vv / period * (sums->ii / period);

	return s2 > active * active ? sqrt(s2 - active * active) : 0;
}

/* Fills all rows but the cumulative sums, which need the overall mean. */
static void fill_block(const struct aggregate *aggregate,
    const struct power_sums *sums, size_t at, size_t n, struct tensor *out)
{
	const double period = (double)aggregate->period;
	const size_t count = (size_t)out->shape.dims[1];
	double *current = aggregate->current.data;

	for (size_t k = 0; k < n; k++)
		current[at + k] = sqrt(sums[k].ii / period);
	for (size_t row = 0; row < aggregate->count; row++) {
		const enum output output = aggregate->outputs[row];

		for (size_t k = 0; k < n && output != CUMSUM; k++)
			set(out, row * count + at + k,
			    output == RMS      ? current[at + k]
			    : output == ACTIVE ? sums[k].vi / period
			                       : reactive(&sums[k], period));
	}
}

/* Sums up the current's deviation from its mean. */
static void fill_cumsum(
    const double *current, size_t row, size_t count, struct tensor *out)
{
	double mean = 0, sum = 0;

	for (size_t k = 0; k < count; k++)
		mean += current[k];
	mean /= (double)count;
	for (size_t k = 0; k < count; k++) {
		sum += current[k] - mean;
		set(out, row * count + k, sum);
	}
}

static int aggregate_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct aggregate *aggregate = priv;
	const size_t n = (size_t)in->shape.dims[1];
	const size_t count = n / aggregate->period;
	const size_t stride = aggregate->period * dtype_bytes(in->dtype);
	const unsigned char *v = in->data;
	const unsigned char *i = v + n * dtype_bytes(in->dtype);
	const struct shape shape = { .count = 2,
		.dims = { (int64_t)aggregate->count, (int64_t)count } };
	const struct shape row = { .count = 1, .dims = { (int64_t)count } };
	struct power_sums sums[BLOCK];

	UNUSED(random);
	if (in->shape.dims[0] != 2)
		return error_set(err, ERROR_DATA,
		    "takes 2 signals, voltage and current, not %lld",
		    (long long)in->shape.dims[0]);
	if (tensor_reshape(out, in->dtype, &shape, err) ||
	    tensor_reshape(&aggregate->current, DTYPE_F64, &row, err))
		return -1;
	for (size_t at = 0; at < count; at += BLOCK) {
		const size_t left = count - at < BLOCK ? count - at : BLOCK;

		sums_power(in->dtype, v + at * stride, i + at * stride,
		    aggregate->period, left, sums);
		fill_block(aggregate, sums, at, left, out);
	}
	for (size_t k = 0; k < aggregate->count; k++)
		if (aggregate->outputs[k] == CUMSUM)
			fill_cumsum(aggregate->current.data, k, count, out);
	return 0;
}

static void aggregate_release(void *priv)
{
	struct aggregate *aggregate = priv;

	tensor_release(&aggregate->current);
}

const struct step_ops step_aggregate = {
	.name = "aggregate",
	.summary = "compute power and current of each period of the mains",
	.in = "float32 or float64 2xN: voltage, current",
	.out = "the same type, outputs x N / period",
	.options = options,
	.options_size = sizeof(struct aggregate_options),
	.defaults = &defaults,
	.check = aggregate_check,
	.priv_size = sizeof(struct aggregate),
	.bind = aggregate_bind,
	.run = aggregate_run,
	.release = aggregate_release,
};
