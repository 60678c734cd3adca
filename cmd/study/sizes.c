/* sizes.c - see sizes.h. */
#include "cmd/study/sizes.h"

#include <math.h>
#include <string.h>

#include "datasets/source.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/sample/dtype.h"
#include "lib/syntax/option.h"

/* The value of an option of the source, as the file has it or by default. */
static const char *value_of(
    const struct dataset *dataset, const char *name, char text[OPTION_VALUE])
{
	const struct option *option =
	    option_find(dataset->source->options, name);
	const char *value =
	    option ? option_value(option, dataset->options, text) : NULL;

	return value ? value : "";
}

/* The dataset as the file describes it. */
struct given {
	struct shape shape;
	double element; /* bytes */
	double all;     /* bytes of all samples */
};

static int read_given(
    const struct dataset *dataset, struct given *given, struct error *err)
{
	char text[OPTION_VALUE];
	enum dtype dtype;
	uint64_t count;

	if (strcmp(dataset->source->name, "synthetic") != 0)
		return error_set(err, ERROR_USAGE,
		    "study sizes makes up its samples: set source = synthetic "
		    "in [dataset], not %s",
		    dataset->source->name);
	if (dtype_option(value_of(dataset, "dtype", text), &dtype, err))
		return -1;
	given->element = (double)dtype_bytes(dtype);
	if (shape_parse(value_of(dataset, "shape", text), &given->shape) ||
	    !shape_known(&given->shape) || given->shape.count == 0)
		return error_set(err, ERROR_USAGE,
		    "study sizes needs a shape such as 224x224x3, got '%s'",
		    value_of(dataset, "shape", text));
	if (units_parse_uint(value_of(dataset, "count", text), &count))
		return error_set(err, ERROR_USAGE, "count must be a number");
	given->all = (double)shape_elements(&given->shape) * given->element *
	             (double)count;
	return 0;
}

int sizes_form(const struct dataset *dataset, const char *value,
    struct sizes_form *form, struct error *err)
{
	struct given given;
	struct shape shape;
	double line;
	uint64_t bytes;

	if (units_parse_bytes(value, &bytes) || bytes == 0)
		return error_set(err, ERROR_USAGE,
		    "--values must be sizes such as 10KB, got '%s'", value);
	if (read_given(dataset, &given, err))
		return -1;
	shape = given.shape;
	shape.dims[0] = 1;
	line = (double)shape_elements(&shape) * given.element;
	shape.dims[0] = (int64_t)fmax(1, round((double)bytes / line));
	form->bytes = line * (double)shape.dims[0];
	form->count = (uint64_t)fmax(1, round(given.all / form->bytes));
	shape_text(&shape, form->shape);
	return 0;
}
