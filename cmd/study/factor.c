/* factor.c - see factor.h. */
#include "cmd/study/factor.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

static const char sizes[] = "sizes", variants[] = "variants";

static const struct factor factors[] = {
	{ .name = "threads",
	    .summary = "numbers of worker threads",
	    .section = "load",
	    .key = "threads",
	    .column = "threads",
	    .title = "Speed-up by threads",
	    .axis = "threads",
	    .picture = PICTURE_SPEED_UP },
	{ .name = "samples",
	    .summary = "numbers of samples",
	    .section = "measure",
	    .key = "samples",
	    .column = "source_samples",
	    .title = "Throughput by the number of samples",
	    .axis = "samples",
	    .picture = PICTURE_RATE },
	{ .name = "codecs",
	    .summary = "codecs: what they save, and what they cost",
	    .section = "strategies",
	    .key = "codec",
	    .column = "codec",
	    .title = "Throughput and storage by codec",
	    .axis = "codec",
	    .picture = PICTURE_SAVING },
	{ .name = "caches",
	    .summary = "cache modes: none, system, application, disk",
	    .section = "load",
	    .key = "cache",
	    .column = "cache",
	    .title = "Throughput by cache",
	    .axis = "cache",
	    .picture = PICTURE_BARS },
	{ .name = "shards",
	    .summary = "numbers of files that stored data is divided into",
	    .section = "strategies",
	    .key = "shards",
	    .column = "shards",
	    .title = "Throughput by shards",
	    .axis = "shards",
	    .picture = PICTURE_RATE },
	{ .name = "shuffle",
	    .summary = "windows of the shuffle, in samples",
	    .section = "load",
	    .key = "shuffle",
	    .column = "shuffle",
	    .title = "Throughput by the window of the shuffle",
	    .axis = "window of the shuffle, in samples",
	    .picture = PICTURE_RATE },
	{ .name = sizes,
	    .summary =
	        "bytes of a sample, of a synthetic dataset of fixed size",
	    .title = "Throughput by the size of samples",
	    .axis = "bytes of a sample",
	    .picture = PICTURE_BYTES },
	{ .name = variants,
	    .summary = "pipelines: one file for each variant",
	    .title = "Throughput and storage by variant",
	    .axis = "variant",
	    .picture = PICTURE_SAVING },
};

const struct factor *factor_at(size_t i)
{
	return i < ARRAY_LEN(factors) ? &factors[i] : NULL;
}

const struct factor *factor_find(const char *name, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(factors); i++)
		if (strcmp(factors[i].name, name) == 0)
			return &factors[i];
	error_set(err, ERROR_USAGE,
	    "unknown factor '%s'; presto study -h lists those there are", name);
	return NULL;
}

bool factor_is_variants(const struct factor *factor)
{
	return factor->name == variants;
}

bool factor_is_sizes(const struct factor *factor)
{
	return factor->name == sizes;
}
