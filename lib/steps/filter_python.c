/*
 * filter_python.c - drops samples by the answer of a function of the user's.
 * in:  any field; the others are passed on
 * out: the same samples, without those where the function returns False
 *
 * It runs in worker processes, as step python does.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/own/own.h"
#include "lib/own/python_function.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

struct options {
	struct own own;
	double timeout_s; /* 0: as [python] says */
};

static const struct option options[] = {
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

struct filter {
	const struct python_function *function;
	bool draws;
	unsigned field;
	struct python_worker *worker; /* NULL: none */
};

/* ---- the code ---- */

static int filter_open(void *given, struct error *err)
{
	struct options *want = given;

	return python_function_open(&want->own, want->timeout_s, false, err);
}

static void filter_close(void *given)
{
	python_function_close(&((struct options *)given)->own);
}

/* Is one of the bytes of a number not 0?  -0.0 counts as true. */
static bool is_true(const struct tensor *tensor)
{
	const unsigned char *bytes = tensor->data;

	for (size_t i = 0; i < tensor->bytes; i++)
		if (bytes[i])
			return true;
	return false;
}

/* Reads the answer: a bool, or a whole number. */
static int read_answer(
    const struct python_result *result, bool *answer, struct error *err)
{
	const struct tensor *tensor = &result->tensor;
	const bool is_number =
	    tensor->dtype < DTYPE_F16 && shape_elements(&tensor->shape) == 1;

	if (result->form != PYTHON_ARRAY || !is_number)
		return error_set(err, ERROR_DATA,
		    "the function must return True, to keep the sample, or "
		    "False");
	*answer = is_true(tensor);
	return 0;
}

static int note_answer(
    void *arg, struct python_result *result, struct error *err)
{
	return read_answer(result, arg, err);
}

/* Are both answers for the same sample the same? */
static int filter_try(
    void *given, const struct tensor *example, struct error *err)
{
	const struct own *own = &((struct options *)given)->own;
	const bool draws = own->random || own->says_random || own->says_lossy;
	const uint64_t draw[2] = { 0 };
	bool first = false, second = false;

	if (python_function_call(
	        own->code, example, draw, note_answer, &first, err))
		return err->code == ERROR_DATA ? 0 : -1;
	if (draws)
		return 0;
	if (python_function_call(
	        own->code, example, draw, note_answer, &second, err))
		return err->code == ERROR_DATA ? 0 : -1;
	if (first == second)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s is not deterministic: it gave two answers for the same sample; "
	    "random=yes keeps it online",
	    own->target);
}

/* ---- one worker ---- */

static int filter_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct own *own = &((const struct options *)given)->own;
	struct filter *filter = priv;

	UNUSED(in);
	UNUSED(out);
	filter->function = own->code;
	filter->draws = own->random || own->says_random;
	return whole_field(fields, &filter->field, err);
}

static void filter_rest(void *priv)
{
	struct filter *filter = priv;

	python_function_give(filter->function, &filter->worker);
}

static int keep_worker(struct filter *filter, struct error *err)
{
	return python_function_keep(filter->function, &filter->worker, err);
}

/*
 * Keeps a worker where there is one for each thread.  Otherwise another thread
 * may wait for it.
 */
static int filter_hold(void *priv, struct error *err)
{
	struct filter *filter = priv;

	return filter->function->settings.workers ? 0
	                                          : keep_worker(filter, err);
}

static int ask(struct filter *filter, const struct tensor *in,
    const uint64_t draw[2], bool *answer, struct error *err)
{
	struct python_result result;

	if (keep_worker(filter, err) ||
	    python_worker_put(filter->worker, 0, in, draw, err) ||
	    python_function_run(filter->function, filter->worker, &result, err))
		return -1;
	return read_answer(&result, answer, err);
}

static int filter_begin(void *priv, struct random *random,
    const struct sample *in, uint64_t *count, struct error *err)
{
	struct filter *filter = priv;
	uint64_t draw[2] = { 0 };
	bool answer = false;
	int rc;

	for (unsigned i = 0; filter->draws && i < 2; i++)
		draw[i] = random_u64(random);
	rc = ask(filter, &in->fields[filter->field], draw, &answer, err);
	if (filter->function->settings.workers)
		filter_rest(filter);
	*count = answer;
	return rc;
}

static const struct sample_ops sample = {
	.drops = true,
	.bind = filter_bind,
	.begin = filter_begin,
	.make = whole_make_same,
	.hold = filter_hold,
	.rest = filter_rest,
};

static const struct own_ops filter_own = {
	.target = "FILE.py:FUNCTION",
	.passes = true,
	.open = filter_open,
	.close = filter_close,
	.check = filter_try,
};

const struct step_ops step_filter_python = {
	.name = "filter_python",
	.summary =
	    "drop samples for which a function of your own returns False",
	.in = "any",
	.out = "the same samples, without those that are dropped",
	.kind = KIND_LOOK_DATA,
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct filter),
	.release = filter_rest,
	.sample = &sample,
	.own = &filter_own,
};
