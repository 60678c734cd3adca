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

static struct reader *npy_open(const char *path, const void *wanted,
    uint64_t limit, struct medium *medium, struct error *err)
{
	return array_reader_open(path, wanted, false, limit, medium, err);
}

const struct source_ops source_npy = {
	.name = "npy",
	.summary = "NumPy arrays, each a sample, or each row of them",
	.options = options,
	.options_size = sizeof(struct array_options),
	.defaults = &defaults,
	.open = npy_open,
	.needs_path = true,
};
