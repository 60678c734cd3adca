/* npz.c - .npz files of NumPy: each is a sample, or each row of its arrays. */
#include "datasets/arrays/array_reader.h"
#include "datasets/source.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(TEXT, "fields", 0, struct array_options, fields, "LIST",
	    "arrays of a sample, by field: data:x,mask:y (default: all)"),
	OPTION(TEXT, "label", 0, struct array_options, label, "ARRAY",
	    "array with the labels"),
	ARRAY_OPTIONS,
	OPTION_TABLE_END,
};

static const struct array_options defaults = {
	.match = "*.npz",
};

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	return array_reader_fill(reader, plan, true, err);
}

const struct source_ops source_npz = {
	.name = "npz",
	.summary = "NumPy archives, each a sample, or each row of them",
	.options = options,
	.options_size = sizeof(struct array_options),
	.defaults = &defaults,
	.reader = &array_reader,
	.state_size = sizeof(struct array_set),
	.fill = fill,
	.needs_path = true,
};
