/*
 * window.c - cuts a signal into samples.
 * in:  one or more fields of any type, with at least one dimension
 * out: the same with `length` elements in the last dimension, one sample for
 *      each window; the other fields are in all of them
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum rest { REST_DROP, REST_PAD };

struct window_options {
	uint64_t hop, length;
	unsigned rest;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "hop", struct window_options, hop, 1, 1e12,
	    "number of elements from one window to the next (default: length)"),
	OPTION_RANGE(UINT, "length", struct window_options, length, 1, 1e12,
	    "number of elements of a window"),
	OPTION_WORDS("rest", struct window_options, rest, "drop|pad",
	    "treatment of a last window that is too short: drop it, or add "
	    "zeros"),
	OPTION_TABLE_END,
};

struct window {
	size_t length, hop;
	enum rest rest;
	unsigned fields; /* set of the fields to cut */
	unsigned count;  /* number of all fields */
};

static int window_check(const void *given, struct error *err)
{
	const struct window_options *wanted = given;

	if (wanted->length)
		return 0;
	return error_set(
	    err, ERROR_USAGE, "length must be given: elements of a window");
}

static int window_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct window_options *wanted = given;
	struct window *window = priv;

	*window = (struct window){
		.length = wanted->length,
		.hop = wanted->hop ? wanted->hop : wanted->length,
		.rest = wanted->rest,
		.fields = fields,
		.count = in->count,
	};
	for (unsigned f = 0; f < in->count; f++) {
		struct type *type = &out->fields[f].type;

		if (!(fields & 1u << f))
			continue;
		if (type->layout == LAYOUT_ENCODED || type->shape.count == 0)
			return type_refuse(type, "rows of elements", err);
		type->layout = LAYOUT_PLAIN;
		type->shape.dims[type->shape.count - 1] =
		    (int64_t)window->length;
	}
	return 0;
}

static size_t last_dim(const struct tensor *tensor)
{
	return (size_t)tensor->shape.dims[tensor->shape.count - 1];
}

/* Returns the number of windows; with padding, the last one reaches the end. */
static uint64_t count_windows(const struct window *window, size_t elements)
{
	const bool pads = window->rest == REST_PAD;

	if (elements < window->length)
		return pads && elements ? 1 : 0;
	return (elements - window->length + (pads ? window->hop - 1 : 0)) /
	           window->hop +
	       1;
}

static int window_begin(void *priv, struct random *random,
    const struct sample *in, uint64_t *count, struct error *err)
{
	const struct window *window = priv;
	bool any = false;

	UNUSED(random);
	*count = 0;
	for (unsigned f = 0; f < window->count; f++) {
		uint64_t n;

		if (!(window->fields & 1u << f))
			continue;
		n = count_windows(window, last_dim(&in->fields[f]));
		if (any && n != *count)
			return error_set(err, ERROR_DATA,
			    "fields have %llu and %llu windows",
			    (unsigned long long)*count, (unsigned long long)n);
		*count = n;
		any = true;
	}
	return 0;
}

static int cut(const struct window *window, uint64_t i, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const size_t size = dtype_bytes(in->dtype), length = last_dim(in);
	const size_t first = (size_t)i * window->hop;
	const size_t left = first < length ? length - first : 0;
	const size_t n = left < window->length ? left : window->length;
	const unsigned char *from = in->data;
	struct shape shape = in->shape;
	unsigned char *to;
	size_t rows;

	shape.dims[shape.count - 1] = (int64_t)window->length;
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	to = out->data;
	rows = shape_elements(&shape) / window->length;
	for (size_t row = 0; row < rows; row++) {
		memcpy(to, from + (row * length + first) * size, n * size);
		memset(to + n * size, 0, (window->length - n) * size);
		to += window->length * size;
	}
	return 0;
}

/* Makes a view of a whole field, encoded or not. */
static void pass(const struct tensor *in, struct tensor *out)
{
	tensor_view(out, in->dtype, &in->shape, in->data);
	memcpy(out->suffix, in->suffix, sizeof(out->suffix));
}

static int window_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	const struct window *window = priv;

	UNUSED(random);
	for (unsigned f = 0; f < window->count; f++)
		if (!(window->fields & 1u << f))
			pass(&in->fields[f], &out->fields[f]);
		else if (cut(window, i, &in->fields[f], &out->fields[f], err))
			return -1;
	return 0;
}

static const struct sample_ops sample = {
	.many = true,
	.bind = window_bind,
	.begin = window_begin,
	.make = window_make,
};

const struct step_ops step_window = {
	.name = "window",
	.summary = "cut a signal into windows, each a sample",
	.in = "rows of elements, any type",
	.out = "the same, with length elements in the last dimension",
	.options = options,
	.options_size = sizeof(struct window_options),
	.check = window_check,
	.priv_size = sizeof(struct window),
	.sample = &sample,
};
