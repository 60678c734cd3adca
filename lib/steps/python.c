/*
 * python.c - a function of the user's own, in Python.
 * in:  any
 * out: what the function returns
 *
 * It runs in worker processes (lib/python/worker.h), one for each thread that
 * calls at a time.  A fast function gets several samples at a time, since to
 * wake a process takes longer than such a call.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/own/own.h"
#include "lib/own/python_function.h"
#include "lib/steps/step.h"

enum {
	SEVERAL_NS = 1000000,    /* several samples take about so long */
	SEVERAL_BYTES = 8 << 20, /* of several inputs */
};

struct options {
	struct own own;
	double timeout_s; /* 0: that of [python] */
};

static const struct option options[] = {
	OWN_GIVES(struct options),
	OWN_SUFFIX(struct options),
	{
	    .name = "timeout",
	    .type = OPTION_TIME,
	    .offset = offsetof(struct options, timeout_s),
	    .arg = "TIME",
	    .help = "longest time of a call (default: that of [python])",
	    .min = 1e-3,
	    .max = 1e6,
	},
	OPTION_TABLE_END,
};

struct python {
	const struct python_function *function;
	struct type out;
	bool draws;
	uint64_t call_ns; /* time of a recent call, per sample */
	size_t in_bytes;  /* of a recent input */
	/* It has the samples of the last run_all; NULL: none. */
	struct python_worker *worker;
	/* Runs them one by one if that worker was lost. */
	struct python_worker *other;
};

/* ---- the code ---- */

static int python_open(void *given, struct error *err)
{
	struct options *want = given;

	return python_function_open(&want->own, want->timeout_s, err);
}

static void python_close(void *given)
{
	python_function_close(&((struct options *)given)->own);
}

/* ---- the type of the output ---- */

/* What find_type has seen so far. */
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

static int python_check(
    void *given, const struct tensor *example, struct error *err)
{
	const struct own *own = &((struct options *)given)->own;
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
static int python_find_type(void *given, const struct type *in,
    const struct tensor *examples, unsigned count, struct type *out,
    struct error *err)
{
	const struct own *own = &((struct options *)given)->own;
	const uint64_t draw[2] = { 0 };
	struct seen seen = { .first = TENSOR_INIT };
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < count; i++) {
		const unsigned before = seen.count;

		rc = python_function_call(
		    own->code, &examples[i], draw, see, &seen, err);
		if (rc == 0 && before == 0)
			rc = check_again(own, &examples[i], &seen, err);
		if (rc && err->code == ERROR_DATA &&
		    (seen.count || i + 1 < count))
			rc = 0;
	}
	if (rc == 0)
		set_type(&seen, in, out);
	tensor_release(&seen.first);
	return rc;
}

/* ---- one worker and field ---- */

static int python_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct own *own = &((const struct options *)given)->own;
	struct python *python = priv;
	const int rc = own_type(own, in, out, err);

	if (rc > 0)
		return error_set(err, ERROR_USAGE,
		    "the type of its output is not known before it has run: "
		    "give it, as in gives=uint8:224x224x3");
	python->function = own->code;
	python->out = *out;
	python->draws = own->random || own->says_random;
	return rc;
}

/* Is the result of the type that was promised? */
static int check_result(const struct python *python,
    struct python_result *result, struct error *err)
{
	struct tensor *tensor = &result->tensor;

	memcpy(tensor->suffix, python->out.suffix, sizeof(tensor->suffix));
	if (tensor_check(tensor, &python->out, err) == 0)
		return 0;
	return error_advise(err,
	    "gives=DTYPE:DIMS declares what the function returns, with ? for "
	    "dims that differ");
}

/* The output of one call. */
struct output {
	const struct python *python;
	struct tensor *tensor;
};

static int put_output(
    void *arg, struct python_result *result, struct error *err)
{
	const struct output *output = arg;

	if (check_result(output->python, result, err))
		return -1;
	return tensor_copy(output->tensor, &result->tensor, err);
}

static void fill_draw(
    const struct python *python, struct random *random, uint64_t draw[2])
{
	for (unsigned i = 0; i < 2; i++)
		draw[i] = python->draws ? random_u64(random) : 0;
}

static int python_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct python *python = priv;
	struct output output = { .python = python, .tensor = out };
	const uint64_t start = clock_now(&clock_monotonic);
	uint64_t draw[2];
	int rc;

	fill_draw(python, random, draw);
	rc = python_function_call(
	    python->function, in, draw, put_output, &output, err);
	python->call_ns = clock_now(&clock_monotonic) - start;
	python->in_bytes = in->bytes;
	return rc;
}

/* ---- several samples ---- */

/*
 * A thread that waits for room in a batch keeps its worker, and another one
 * must not wait for that worker: then samples go one by one.
 */
static unsigned python_count(const void *priv)
{
	const struct python *python = priv;
	uint64_t count = SEVERAL_MOST;

	if (python->function->settings.workers || !python->call_ns)
		return 1;
	if (count > SEVERAL_NS / python->call_ns)
		count = SEVERAL_NS / python->call_ns;
	if (python->in_bytes && count > SEVERAL_BYTES / python->in_bytes)
		count = SEVERAL_BYTES / python->in_bytes;
	return count ? (unsigned)count : 1;
}

static void give_back(struct python *python, struct python_worker **worker)
{
	if (*worker)
		python_pool_give(python->function->pool, *worker);
	*worker = NULL;
}

/* There is one for each thread then. */
static int python_hold(void *priv, struct error *err)
{
	struct python *python = priv;

	if (python->worker || python->function->settings.workers)
		return 0;
	python->worker = python_function_take(python->function, err);
	return python->worker ? 0 : -1;
}

static int python_put(void *priv, unsigned i, struct random *random,
    const struct tensor *in, struct error *err)
{
	struct python *python = priv;
	uint64_t draw[2];

	give_back(python, &python->other);
	if (python->worker && python_worker_is_lost(python->worker))
		give_back(python, &python->worker);
	if (!python->worker)
		python->worker = python_function_take(python->function, err);
	if (!python->worker)
		return -1;
	python->in_bytes = in->bytes;
	fill_draw(python, random, draw);
	return python_worker_put(python->worker, i, in, draw, err);
}

/* If the worker is lost, python_take finds the sample that was the reason. */
static int python_run_all(void *priv, unsigned count, struct error *err)
{
	struct python *python = priv;
	const uint64_t start = clock_now(&clock_monotonic);
	const int rc = python_worker_run(python->worker, count, err);

	python->call_ns = (clock_now(&clock_monotonic) - start) / count;
	return rc && !python_worker_is_lost(python->worker) ? -1 : 0;
}

/* Runs a sample that a lost worker has not finished, by itself. */
static int run_again(struct python *python, unsigned i,
    struct python_result *result, struct error *err)
{
	if (python->other && python_worker_is_lost(python->other))
		give_back(python, &python->other);
	if (!python->other)
		python->other = python_function_take(python->function, err);
	if (!python->other ||
	    python_worker_repeat(python->other, python->worker, i, err))
		return -1;
	return python_function_run(
	    python->function, python->other, result, err);
}

static int python_take(
    void *priv, unsigned i, struct tensor *out, struct error *err)
{
	struct python *python = priv;
	struct python_result result;

	/* The function may have changed the inputs of finished samples. */
	if (python_worker_is_lost(python->worker) &&
	    !python_worker_has_result(python->worker, i)) {
		if (run_again(python, i, &result, err))
			return -1;
	} else if (python_worker_get(python->worker, i, &result, err)) {
		return -1;
	}
	if (check_result(python, &result, err))
		return -1;
	*out = result.tensor;
	return 0;
}

static void python_rest(void *priv)
{
	struct python *python = priv;

	give_back(python, &python->worker);
	give_back(python, &python->other);
}

static const struct several_ops python_several = {
	.count = python_count,
	.put = python_put,
	.run_all = python_run_all,
	.take = python_take,
	.hold = python_hold,
	.rest = python_rest,
};

static const struct own_ops python_own = {
	.target = "FILE.py:FUNCTION",
	.passes = true,
	.open = python_open,
	.close = python_close,
	.find_type = python_find_type,
	.check = python_check,
};

const struct step_ops step_python = {
	.name = "python",
	.summary = "run a function of your own",
	.in = "any",
	.out = "what the function returns",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct python),
	.bind = python_bind,
	.run = python_run,
	.release = python_rest,
	.several = &python_several,
	.own = &python_own,
};
