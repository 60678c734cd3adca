/* python_examples.c - see python_examples.h. */
#include "lib/own/python_examples.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/own/python_function.h"

/* What was seen so far. */
struct seen {
	unsigned count;
	struct type type;
	enum python_form form;
	struct tensor first; /* a copy */
	bool differs;        /* a second call gave something else */
};

static int refuse_mix(struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "the function must return the same dtype and number of dimensions "
	    "for each sample");
}

/* Dims that differ from sample to sample are not known. */
static int merge(
    struct seen *seen, const struct python_result *result, struct error *err)
{
	const struct tensor *tensor = &result->tensor;
	struct shape *shape = &seen->type.shape;

	if (result->form != seen->form || tensor->dtype != seen->type.dtype ||
	    tensor->shape.count != shape->count)
		return refuse_mix(err);
	for (unsigned d = 0; d < shape->count; d++)
		if (shape->dims[d] != tensor->shape.dims[d])
			shape->dims[d] = -1;
	return 0;
}

static int see(void *arg, struct python_result *result, struct error *err)
{
	struct seen *seen = arg;
	const struct tensor *tensor = &result->tensor;

	if (seen->count++ > 0)
		return merge(seen, result, err);
	seen->form = result->form;
	seen->type = (struct type){
		.dtype = tensor->dtype,
		.shape = tensor->shape,
	};
	return tensor_copy(&seen->first, tensor, err);
}

static int see_again(void *arg, struct python_result *result, struct error *err)
{
	struct seen *seen = arg;
	const struct tensor *tensor = &result->tensor;

	UNUSED(err);
	seen->differs =
	    tensor->dtype != seen->first.dtype ||
	    !shape_equal(&tensor->shape, &seen->first.shape) ||
	    memcmp(tensor->data, seen->first.data, seen->first.bytes) != 0;
	return 0;
}

/* Is the result of the first sample the same a second time? */
static int check_again(const struct own *own, const struct tensor *in,
    struct seen *seen, struct error *err)
{
	const uint64_t draw[2] = { 0 };

	if (own->random || own->says_random || own->says_lossy)
		return 0;
	if (python_function_call(own->code, in, draw, see_again, seen, err))
		return -1;
	if (!seen->differs)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s is not deterministic: it gave two results for the same sample; "
	    "random=yes keeps it online, lossy=yes lets results differ",
	    own->target);
}

/* Compares a result of several samples with that of the first by itself. */
static int compare_first(const struct own *own, struct python_worker *worker,
    const struct seen *seen, struct error *err)
{
	struct python_result result;

	if (python_worker_get(worker, 0, &result, err)) {
		err->code = ERROR_USAGE; /* alone, it did not fail */
		return -1;
	}
	if (result.tensor.bytes == seen->first.bytes &&
	    memcmp(result.tensor.data, seen->first.data, seen->first.bytes) ==
	        0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s gives a sample another result beside other samples than by "
	    "itself; lossy=yes lets results differ",
	    own->target);
}

/* Does the result of the first sample depend on others of its batch? */
static int check_batch(const struct own *own, unsigned batch,
    struct python_examples in, const struct seen *seen, struct error *err)
{
	const struct python_function *function = own->code;
	const unsigned count = in.count < batch ? in.count : batch;
	const uint64_t draw[2] = { 0 };
	struct python_worker *worker = NULL;
	int rc = 0;

	if (count < 2 || own->says_lossy)
		return 0;
	if (python_function_keep(function, &worker, err))
		return -1;
	for (unsigned i = 0; rc == 0 && i < count; i++)
		rc = python_worker_put(worker, i, &in.list[i], draw, err);
	if (rc == 0)
		rc = python_worker_run(worker, count, err);
	if (rc == 0)
		rc = compare_first(own, worker, seen, err);
	python_function_give(function, &worker);
	return rc;
}

int python_examples_check(
    const struct own *own, const struct tensor *example, struct error *err)
{
	const uint64_t draw[2] = { 0 };
	struct seen seen = { .first = TENSOR_INIT };
	int rc =
	    python_function_call(own->code, example, draw, see, &seen, err);

	if (rc == 0)
		rc = check_again(own, example, &seen, err);
	tensor_release(&seen.first);
	return rc && err->code == ERROR_DATA ? 0 : rc;
}

static void set_type(
    const struct seen *seen, const struct type *in, struct type *out)
{
	*out = seen->type;
	if (seen->form == PYTHON_ARRAY) {
		own_guess_layout(in, out);
		if (out->layout != LAYOUT_ENCODED)
			return;
		/* A function that makes a file returns bytes. */
		out->layout = LAYOUT_PLAIN;
		out->suffix[0] = '\0';
		return;
	}
	out->layout = LAYOUT_ENCODED;
	out->shape.dims[0] = -1;
	if (seen->form == PYTHON_TEXT)
		memcpy(out->suffix, "txt", sizeof("txt"));
	else if (in->layout == LAYOUT_ENCODED)
		memcpy(out->suffix, in->suffix, sizeof(out->suffix));
}

/* Examples that the function refuses are left out, unless it refuses all. */
int python_examples_type(const struct own *own, unsigned batch,
    const struct type *in, struct python_examples examples, struct type *out,
    struct error *err)
{
	const uint64_t draw[2] = { 0 };
	struct seen seen = { .first = TENSOR_INIT };
	bool is_first = false; /* was the first example accepted? */
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < examples.count; i++) {
		const unsigned before = seen.count;

		rc = python_function_call(
		    own->code, &examples.list[i], draw, see, &seen, err);
		is_first |= rc == 0 && i == 0;
		if (rc == 0 && before == 0)
			rc = check_again(own, &examples.list[i], &seen, err);
		if (rc && err->code == ERROR_DATA &&
		    (seen.count || i + 1 < examples.count))
			rc = 0;
	}
	if (rc == 0 && is_first)
		rc = check_batch(own, batch, examples, &seen, err);
	if (rc == 0)
		set_type(&seen, in, out);
	tensor_release(&seen.first);
	return rc;
}
