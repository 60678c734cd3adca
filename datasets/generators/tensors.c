/*
 * tensors.c - .npy files with one tensor of made-up elements each: the samples
 * of the PRESTO paper's synthetic experiments, as files; and tensors.conf,
 * which reads them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datasets/fill.h"
#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/pipeline_file.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/npy.h"
#include "lib/syntax/option.h"

enum { FILE_NAME = 32 };

struct tensors_options {
	const char *dtype, *shape;
	unsigned fill;
};

static const struct option options[] = {
	OPTION(TEXT, "dtype", 0, struct tensors_options, dtype, "TYPE",
	    "element type: uint8, float32 ..."),
	OPTION_WORDS("fill", struct tensors_options, fill, FILL_WORDS,
	    "content of the elements"),
	OPTION(TEXT, "shape", 0, struct tensors_options, shape, "SHAPE",
	    "dimensions: 2500x64, 224x224x3"),
	OPTION_TABLE_END,
};

static const struct tensors_options defaults = {
	.dtype = "uint8",
	.shape = "2500x64",
};

static const struct pipeline_file pipeline = {
	.about = "the synthetic experiment of the PRESTO paper, over files",
	.dataset = "source = folder\npath   = .\nmatch  = *.npy\n",
	.steps = "same = identity         ; or rms period=500, the CPU-bound "
	         "step\n",
	.codec = "none",
};

static int read_type(const struct tensors_options *wanted, enum dtype *dtype,
    struct shape *shape, size_t *bytes, struct error *err)
{
	if (dtype_option(wanted->dtype, dtype, err))
		return -1;
	if (shape_parse(wanted->shape, shape) || !shape_known(shape))
		return error_set(err, ERROR_USAGE,
		    "shape must be like 2500x64, got '%s'", wanted->shape);
	if (size_mul(shape_elements(shape), dtype_bytes(*dtype), bytes) ||
	    *bytes > INT32_MAX)
		return error_set(err, ERROR_LIMIT,
		    "a tensor of %s %s has more than 2147483647 bytes",
		    wanted->dtype, wanted->shape);
	return 0;
}

static int make_tensor(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	const struct tensors_options *wanted = plan->options;
	const struct fill fill = { .kind = wanted->fill, .seed = plan->seed };
	struct buf *file = state;
	unsigned char header[NPY_HEADER_MAX];
	char name[FILE_NAME];
	enum dtype dtype;
	struct shape shape;
	size_t bytes, header_len;

	if (read_type(wanted, &dtype, &shape, &bytes, err))
		return -1;
	header_len = npy_header(dtype, &shape, header);
	file->len = 0;
	if (buf_append(file, header, header_len, err) ||
	    buf_reserve(file, file->len + bytes, err))
		return -1;
	fill_elements(&fill, dtype, number, file->data + file->len, bytes);
	file->len += bytes;
	snprintf(name, sizeof(name), "%08" PRIu64 ".npy", number);
	return crew_write(plan->dir, name, buf_span(file), err);
}

static void release(void *state)
{
	buf_release(state);
}

static int tensors(const struct generate_plan *plan, struct error *err)
{
	static const struct crew_job job = {
		.state_size = sizeof(struct buf),
		.make = make_tensor,
		.release = release,
	};
	enum dtype dtype;
	struct shape shape;
	size_t bytes;

	if (read_type(plan->options, &dtype, &shape, &bytes, err) ||
	    crew_run(plan, &job, err))
		return -1;
	return pipeline_file_write(&generator_tensors, plan, &pipeline, err);
}

const struct generator_ops generator_tensors = {
	.name = "tensors",
	.makes = "tensors",
	.summary = ".npy files of made-up elements",
	.default_count = 1000,
	.options = options,
	.options_size = sizeof(struct tensors_options),
	.defaults = &defaults,
	.run = tensors,
};
