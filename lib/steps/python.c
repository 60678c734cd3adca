/*
 * python.c - a function of the user's own, in Python.
 * in:  any
 * out: what the function returns
 *
 * It runs in worker processes (lib/python/worker.h), one for each thread that
 * calls at a time.  A fast function is called for several samples in a row,
 * since to wake a process takes longer than such a call.  With `batch` it gets
 * them in one array.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/own/own.h"
#include "lib/own/python_examples.h"
#include "lib/own/python_function.h"
#include "lib/steps/step.h"

enum {
	SEVERAL_NS = 1000000,    /* several samples take about so long */
	SEVERAL_BYTES = 8 << 20, /* of several inputs */
	SEVERAL_CALLS = 16,      /* samples for which it is called in a row */
};

_Static_assert((int)SEVERAL_MOST <= (int)PYTHON_SLOTS, "each has a slot");

struct options {
	struct own own;
	uint64_t batch;   /* most samples of an array; 0: no leading dim */
	double timeout_s; /* 0: that of [python] */
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "batch", struct options, batch, 1, SEVERAL_MOST,
	    "most samples of a call, in one array"),
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
	unsigned batch;   /* as in options */
	uint64_t call_ns; /* time of a recent call, per sample */
	size_t in_bytes;  /* of a recent input */
	/* It has the samples of the last run_all; NULL: none. */
	struct python_worker *worker;
	/* Runs those that were not called when that worker was lost. */
	struct python_worker *other;
	struct error loss; /* why it was lost */
};

/* ---- the code ---- */

static int python_open(void *given, struct error *err)
{
	struct options *want = given;

	return python_function_open(
	    &want->own, want->timeout_s, want->batch > 0, err);
}

static void python_close(void *given)
{
	python_function_close(&((struct options *)given)->own);
}

static int refuse_unequal(
    uint64_t batch, const struct type *in, struct error *err)
{
	char text[SHAPE_TEXT];

	if (batch == 0 || type_bytes(in) >= 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "batch takes samples of one shape, not %s: a step before it can "
	    "make them equal, such as resize",
	    type_text(in, text));
}

static int python_find_type(void *given, const struct type *in,
    const struct tensor *examples, unsigned count, struct type *out,
    struct error *err)
{
	struct options *want = given;

	if (refuse_unequal(want->batch, in, err))
		return -1;
	return python_examples_type(&want->own, (unsigned)want->batch, in,
	    (struct python_examples){ examples, count }, out, err);
}

static int python_check(
    void *given, const struct tensor *example, struct error *err)
{
	return python_examples_check(
	    &((struct options *)given)->own, example, err);
}

/* ---- one worker and field ---- */

static int python_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	const struct own *own = &want->own;
	struct python *python = priv;
	const int rc = own_type(own, in, out, err);

	if (refuse_unequal(want->batch, in, err))
		return -1;
	if (rc > 0)
		return error_set(err, ERROR_USAGE,
		    "the type of its output is not known before it has run: "
		    "give it, as in gives=uint8:224x224x3");
	python->function = own->code;
	python->out = *out;
	python->draws = own->random || own->says_random;
	python->batch = (unsigned)want->batch;
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
	uint64_t count = SEVERAL_CALLS;

	if (python->function->settings.workers)
		return 1;
	if (python->batch)
		return python->batch;
	if (!python->call_ns)
		return 1;
	if (count > SEVERAL_NS / python->call_ns)
		count = SEVERAL_NS / python->call_ns;
	if (python->in_bytes && count > SEVERAL_BYTES / python->in_bytes)
		count = SEVERAL_BYTES / python->in_bytes;
	return count ? (unsigned)count : 1;
}

/* There is one for each thread then. */
static int python_hold(void *priv, struct error *err)
{
	struct python *python = priv;

	if (python->worker || python->function->settings.workers)
		return 0;
	return python_function_keep(python->function, &python->worker, err);
}

static int python_put(void *priv, unsigned i, struct random *random,
    const struct tensor *in, struct error *err)
{
	struct python *python = priv;
	uint64_t draw[2];

	python_function_give(python->function, &python->other);
	if (python_function_keep(python->function, &python->worker, err))
		return -1;
	python->in_bytes = in->bytes;
	fill_draw(python, random, draw);
	return python_worker_put(python->worker, i, in, draw, err);
}

/* If the worker is lost, python_take tells the sample that was the reason. */
static int python_run_all(void *priv, unsigned count, struct error *err)
{
	struct python *python = priv;
	const uint64_t start = clock_now(&clock_monotonic);
	const int rc = python_worker_run(python->worker, count, err);

	python->call_ns = (clock_now(&clock_monotonic) - start) / count;
	if (rc == 0)
		return 0;
	python->loss = *err;
	error_prefix(&python->loss, "%s", python->function->code.target);
	return python_worker_is_lost(python->worker) ? 0 : -1;
}

/* Runs a sample for which a lost worker has not called the function. */
static int run_again(struct python *python, unsigned i,
    struct python_result *result, struct error *err)
{
	if (python_function_keep(python->function, &python->other, err) ||
	    python_worker_repeat(python->other, python->worker, i, err))
		return -1;
	return python_function_run(
	    python->function, python->other, result, err);
}

/*
 * The function was called for this sample when its worker was lost.  It may
 * have changed the input, so it is not called for it again.
 */
static int take_lost(struct python *python, unsigned i,
    struct python_result *result, struct error *err)
{
	switch (python_worker_progress(python->worker, i)) {
	case PYTHON_RETURNED:
		return python_worker_get(python->worker, i, result, err);
	case PYTHON_NOT_CALLED:
		return run_again(python, i, result, err);
	case PYTHON_CALLED:
		break;
	}
	*err = python->loss;
	return -1;
}

static int python_take(
    void *priv, unsigned i, struct tensor *out, struct error *err)
{
	struct python *python = priv;
	struct python_result result;
	const int rc = python_worker_is_lost(python->worker)
	                   ? take_lost(python, i, &result, err)
	                   : python_worker_get(python->worker, i, &result, err);

	if (rc || check_result(python, &result, err))
		return -1;
	*out = result.tensor;
	return 0;
}

static void python_rest(void *priv)
{
	struct python *python = priv;

	python_function_give(python->function, &python->worker);
	python_function_give(python->function, &python->other);
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
