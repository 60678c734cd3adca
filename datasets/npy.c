/* npy.c - .npy files of NumPy: each is a sample, or each of its rows. */
#include "datasets/arrays/array_reader.h"
#include "datasets/source.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	ARRAY_OPTIONS,
	OPTION_TABLE_END,
};

static const struct array_options defaults = {
	.match = "*.npy",
};

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	return array_reader_fill(reader, plan, false, err);
}

const struct source_ops source_npy = {
	.name = "npy",
	.summary = "NumPy arrays, each a sample, or each row of them",
	.options = options,
	.options_size = sizeof(struct array_options),
	.defaults = &defaults,
	.reader = &array_reader,
	.state_size = sizeof(struct array_set),
	.fill = fill,
	.needs_path = true,
};
