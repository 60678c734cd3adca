/* npy.c - .npy files of others, or the rows of them. */
#include "datasets/arrays/array_set.h"
#include "datasets/source.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(TEXT, "match", 0, struct array_options, match, "GLOB",
	    "pattern of the files to take from a folder"),
	OPTION_WORDS("sample", struct array_options, sample, ARRAY_SAMPLE_WORDS,
	    "unit that makes a sample; auto: row for one file, file for "
	    "several"),
	OPTION_TABLE_END,
};

static const struct array_options defaults = {
	.match = "*.npy",
};

static struct reader *npy_open(const char *path, const void *wanted,
    uint64_t limit, struct medium *medium, struct error *err)
{
	return array_set_open(path, wanted, false, limit, medium, err);
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
