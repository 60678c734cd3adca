/*
 * test_python.c - functions of the user's own, in worker processes.  It needs
 * python3 with numpy.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/outside.h"
#include "lib/base/stop.h"
#include "lib/python/pool.h"
#include "test/unit/test.h"

static const char module[] =
    "import os, sys, time\n"
    "import numpy as np\n"
    "import helper\n"
    "def invert(x, top=255): return np.uint8(int(top)) - x\n"
    "def in_place(x):\n"
    "    x += 1\n"
    "    return x\n"
    "def turned(x): return x[:, ::-1].T\n"
    "def large(x): return np.full((1000, 1000), int(x[0, 0]), '>f4')\n"
    "def many(x): return np.zeros((0, 5), np.int64)\n"
    "def scalar(x): return float(x.sum())\n"
    "def truth(x): return x > 3\n"
    "def text(x: str): return x.upper() + '!'\n"
    "def raw(x: bytes): return x[::-1]\n"
    "def loud(x):\n"
    "    print('noise')\n"
    "    os.write(1, b'more noise')\n"
    "    return x\n"
    "def nothing(x): pass\n"
    "def complex_one(x): return x * 1j\n"
    "def raises(x): return x.no_such_thing\n"
    "def helped(x): return helper.fails(x)\n"
    "def leaves(x): sys.exit('so long')\n"
    "def dies(x): os._exit(9)\n"
    "def crashes(x): os.kill(os.getpid(), 11)\n"
    "def hangs(x): time.sleep(100)\n"
    "def tells(x, path):\n"
    "    with open(path + '.new', 'w') as file: file.write(str(os.getpid()))\n"
    "    os.rename(path + '.new', path)\n"
    "    time.sleep(100)\n"
    "def burns(x):\n"
    "    end = time.process_time() + 0.1\n"
    "    while time.process_time() < end: pass\n"
    "    return x\n"
    "def drawn(x): return np.random.random(4)\n"
    "def drawn_by(x, rng): return rng.random(4)\n"
    "def process(x): return np.int64(os.getpid())\n"
    "class Adder:\n"
    "    def __init__(self, by='1'): self.by = int(by)\n"
    "    def __call__(self, x): return x + self.by\n"
    "adder = Adder('7')\n"
    "constant = 3\n"
    "def dies_in_place(x):\n"
    "    if x[0, 0] == 9: os._exit(9)\n"
    "    x += 1\n"
    "    return x\n"
    "def rows(x): return x[1:]\n"
    "def columns(x): return x[:, :64]\n"
    "def swapped(x): return x.view('>u2')\n"
    "def as_they_are(x): return x\n"
    "def corners(x): return x[:, :1, :3]\n"
    "class Late:\n"
    "    def __init__(self): self.last = None\n"
    "    def __call__(self, x):\n"
    "        before, self.last = self.last, x\n"
    "        return x if before is None else before\n"
    "def halves(x): return x[:, :, ::2] * np.float32(len(x))\n"
    "def fragile(x):\n"
    "    if (x == 9).any(): raise ValueError('a nine')\n"
    "    return x\n"
    "def fatal(x): return os._exit(9) if (x == 9).any() else x\n"
    "def changes(x):\n"
    "    x += 1\n"
    "    return x\n"
    "def too_few(x): return x.sum(axis=0, keepdims=True)\n"
    "def sums(x): return x.sum()\n"
    "def words(x): return ['a'] * len(x)\n"
    "def draws_each(x, rng): return np.stack([r.random(2) for r in rng])\n";

struct calls {
	char *dir;
	struct python_code code;
	struct buf told;
	struct python_worker *worker;
	struct python_result result;
	struct tensor in;
	struct error err;
};

static unsigned char pixels[6] = { 1, 2, 3, 4, 5, 6 };

static void calls_init(struct calls *c, const char *target)
{
	const struct shape shape = { .count = 2, .dims = { 2, 3 } };

	*c = (struct calls){ .dir = test_scratch(), .in = TENSOR_INIT };
	test_write(c->dir, "mine.py", module);
	test_write(c->dir, "helper.py",
	    "def fails(x):\n\n    raise ValueError('not\\nthis')\n");
	c->code = (struct python_code){
		.interpreter = "python3",
		.target = target,
		.folder = c->dir,
		.timeout_s = 60,
	};
	tensor_view(&c->in, DTYPE_U8, &shape, pixels);
}

static void calls_open(struct calls *c, const char *target)
{
	calls_init(c, target);
	c->worker = python_worker_new(&c->code, &c->told, &c->err);
	test_ok(c->worker ? 0 : -1, &c->err);
}

static void calls_close(struct calls *c)
{
	python_worker_free(c->worker);
	buf_release(&c->told);
	test_scratch_remove(c->dir);
}

static int run_once(struct python_worker *worker, const struct tensor *in,
    uint64_t draw, struct python_result *result, struct error *err)
{
	if (python_worker_put(
	        worker, 0, in, (const uint64_t[]){ draw, 1 }, err) ||
	    python_worker_run(worker, 1, err))
		return -1;
	return python_worker_get(worker, 0, result, err);
}

static int calls_run(struct calls *c, uint64_t draw)
{
	return run_once(c->worker, &c->in, draw, &c->result, &c->err);
}

/* Runs a function once; the result lives until calls_close. */
static const struct tensor *calls_once(struct calls *c, const char *target)
{
	calls_open(c, target);
	test_ok(calls_run(c, 0), &c->err);
	return &c->result.tensor;
}

static void assert_bytes(const struct tensor *tensor, const char *bytes)
{
	assert_int_equal(tensor->bytes, strlen(bytes));
	assert_memory_equal(tensor->data, bytes, tensor->bytes);
}

static void assert_shape(const struct tensor *tensor, const char *wanted)
{
	char text[SHAPE_TEXT];

	assert_string_equal(shape_text(&tensor->shape, text), wanted);
}

static void test_worker_gives_what_the_function_returns(void **state)
{
	static const char *const options[] = { "top=250", NULL };
	const struct tensor *out;
	struct calls c;

	UNUSED(state);
	calls_init(&c, "mine.py:invert");
	c.code.options = options;
	c.worker = python_worker_new(&c.code, &c.told, &c.err);
	test_ok(c.worker ? 0 : -1, &c.err);
	for (unsigned i = 0; i < 3; i++) {
		test_ok(calls_run(&c, 0), &c.err);
		out = &c.result.tensor;
		assert_int_equal(out->dtype, DTYPE_U8);
		assert_shape(out, "2x3");
		assert_memory_equal(
		    out->data, "\xf9\xf8\xf7\xf6\xf5\xf4", sizeof(pixels));
	}
	calls_close(&c);
}

static void test_worker_takes_arrays_of_any_form(void **state)
{
	const struct tensor *out;
	struct calls c;

	UNUSED(state);
	out = calls_once(&c, "mine.py:turned");
	assert_shape(out, "3x2");
	assert_bytes(out, "\3\6\2\5\1\4");
	calls_close(&c);
	out = calls_once(&c, "mine.py:large");
	assert_int_equal(out->dtype, DTYPE_F32);
	assert_int_equal(out->bytes, 4000000);
	assert_true(fabsf(((const float *)out->data)[999999] - 1) < 1e-6f);
	calls_close(&c);
	out = calls_once(&c, "mine.py:many");
	assert_int_equal(out->dtype, DTYPE_I64);
	assert_shape(out, "0x5");
	calls_close(&c);
	out = calls_once(&c, "mine.py:scalar");
	assert_int_equal(out->dtype, DTYPE_F64);
	assert_shape(out, "scalar");
	calls_close(&c);
	out = calls_once(&c, "mine.py:truth");
	assert_int_equal(out->dtype, DTYPE_U8);
	assert_memory_equal(out->data, "\0\0\0\1\1\1", 6);
	calls_close(&c);
}

static void test_worker_hands_over_bytes_and_text(void **state)
{
	const struct tensor *out;
	struct calls c;

	UNUSED(state);
	calls_open(&c, "mine.py:text");
	tensor_view_encoded(&c.in, "gr\xc3\xbc\xc3\x9f", 6, "txt");
	test_ok(calls_run(&c, 0), &c.err);
	out = &c.result.tensor;
	assert_int_equal(c.result.form, PYTHON_TEXT);
	assert_bytes(out, "GR\xc3\x9cSS!");
	tensor_view_encoded(&c.in, "\xff", 1, "txt");
	assert_int_equal(calls_run(&c, 0), -1);
	test_contains(c.err.text, "UnicodeDecodeError");
	calls_close(&c);
	calls_once(&c, "mine.py:raw");
	assert_int_equal(c.result.form, PYTHON_BYTES);
	assert_bytes(&c.result.tensor, "\6\5\4\3\2\1");
	calls_close(&c);
}

static void test_worker_does_not_change_its_input(void **state)
{
	struct calls c;

	UNUSED(state);
	calls_open(&c, "mine.py:in_place");
	for (unsigned i = 0; i < 2; i++) {
		test_ok(calls_run(&c, 0), &c.err);
		assert_bytes(&c.result.tensor, "\2\3\4\5\6\7");
	}
	assert_memory_equal(pixels, "\1\2\3\4\5\6", sizeof(pixels));
	calls_close(&c);
}

/* An input of rows of 128 bytes: byte i is i. */
static const struct tensor *run_rows(
    struct calls *c, const char *target, bool stacks)
{
	static unsigned char bytes[4 * 128];
	const struct shape shape = { .count = 2, .dims = { 4, 128 } };

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	calls_init(c, target);
	c->code.stacks = stacks;
	tensor_view(&c->in, DTYPE_U8, &shape, bytes);
	c->worker = python_worker_new(&c->code, &c->told, &c->err);
	test_ok(c->worker ? 0 : -1, &c->err);
	for (unsigned i = 0; i < 2; i++) {
		bytes[0] = (unsigned char)(200 + i);
		test_ok(python_worker_put(c->worker, i, &c->in,
		            (const uint64_t[]){ 0, 0 }, &c->err),
		    &c->err);
	}
	test_ok(python_worker_run(c->worker, 2, &c->err), &c->err);
	test_ok(python_worker_get(c->worker, 1, &c->result, &c->err), &c->err);
	return &c->result.tensor;
}

/* Some of these lie in the memory of the input, and some are copied. */
static void test_worker_takes_parts_of_the_input(void **state)
{
	const struct tensor *out;
	struct calls c;

	UNUSED(state);
	out = run_rows(&c, "mine.py:rows", false);
	assert_shape(out, "3x128");
	assert_int_equal(((const unsigned char *)out->data)[0], 128);
	calls_close(&c);
	out = run_rows(&c, "mine.py:columns", false);
	assert_shape(out, "4x64");
	assert_int_equal(((const unsigned char *)out->data)[0], 201);
	assert_int_equal(((const unsigned char *)out->data)[64], 128);
	calls_close(&c);
	out = run_rows(&c, "mine.py:swapped", false);
	assert_int_equal(out->dtype, DTYPE_U16);
	assert_int_equal(((const uint16_t *)out->data)[1], 0x0203);
	calls_close(&c);
	out = run_rows(&c, "mine.py:Late", false);
	assert_int_equal(((const unsigned char *)out->data)[0], 200);
	calls_close(&c);
	out = run_rows(&c, "mine.py:as_they_are", true);
	assert_shape(out, "4x128");
	assert_int_equal(((const unsigned char *)out->data)[0], 201);
	assert_int_equal((uintptr_t)out->data % TENSOR_ALIGN, 0);
	calls_close(&c);
	out = run_rows(&c, "mine.py:corners", true);
	assert_int_equal(((const unsigned char *)out->data)[1], 1);
	assert_int_equal((uintptr_t)out->data % TENSOR_ALIGN, 0);
	calls_close(&c);
}

/* Inputs and outputs of unequal size; the third fails. */
static void test_worker_takes_several_samples(void **state)
{
	static const char *const words[] = { "one", "two", "\xff", "four" };
	struct calls c;
	struct python_worker *other;

	UNUSED(state);
	calls_open(&c, "mine.py:text");
	for (unsigned i = 0; i < ARRAY_LEN(words); i++) {
		tensor_view_encoded(&c.in, words[i], strlen(words[i]), "txt");
		test_ok(python_worker_put(c.worker, i, &c.in,
		            (const uint64_t[]){ 0, 0 }, &c.err),
		    &c.err);
	}
	test_ok(python_worker_run(c.worker, ARRAY_LEN(words), &c.err), &c.err);
	test_ok(python_worker_get(c.worker, 3, &c.result, &c.err), &c.err);
	assert_bytes(&c.result.tensor, "FOUR!");
	assert_int_equal(python_worker_get(c.worker, 2, &c.result, &c.err), -1);
	test_contains(c.err.text, "UnicodeDecodeError");
	test_ok(python_worker_get(c.worker, 1, &c.result, &c.err), &c.err);
	assert_bytes(&c.result.tensor, "TWO!");
	other = python_worker_new(&c.code, &c.told, &c.err);
	test_ok(other ? 0 : -1, &c.err);
	test_ok(python_worker_repeat(other, c.worker, 3, &c.err), &c.err);
	test_ok(python_worker_run(other, 1, &c.err), &c.err);
	test_ok(python_worker_get(other, 0, &c.result, &c.err), &c.err);
	assert_bytes(&c.result.tensor, "FOUR!");
	python_worker_free(other);
	calls_close(&c);
}

/* A function that changes its input must not run on it again. */
static void test_lost_worker_keeps_its_results(void **state)
{
	static unsigned char nines[6] = { 9, 9, 9, 9, 9, 9 };
	struct tensor in[3] = { TENSOR_INIT, TENSOR_INIT, TENSOR_INIT };
	struct calls c;

	UNUSED(state);
	calls_open(&c, "mine.py:dies_in_place");
	for (unsigned i = 0; i < ARRAY_LEN(in); i++) {
		tensor_view(
		    &in[i], DTYPE_U8, &c.in.shape, i == 1 ? nines : pixels);
		test_ok(python_worker_put(c.worker, i, &in[i],
		            (const uint64_t[]){ 0, 0 }, &c.err),
		    &c.err);
	}
	assert_int_equal(python_worker_run(c.worker, 3, &c.err), -1);
	assert_true(python_worker_is_lost(c.worker));
	assert_int_equal(python_worker_progress(c.worker, 0), PYTHON_RETURNED);
	assert_int_equal(python_worker_progress(c.worker, 1), PYTHON_CALLED);
	assert_int_equal(
	    python_worker_progress(c.worker, 2), PYTHON_NOT_CALLED);
	test_ok(python_worker_get(c.worker, 0, &c.result, &c.err), &c.err);
	assert_bytes(&c.result.tensor, "\2\3\4\5\6\7");
	calls_close(&c);
}

/* Calls a function once for three samples; the second may have nines. */
static int batch_run(struct calls *c, const char *target, bool has_nines)
{
	static unsigned char nines[6] = { 9, 9, 9, 9, 9, 9 };
	int rc = 0;

	calls_init(c, target);
	c->code.stacks = true;
	c->worker = python_worker_new(&c->code, &c->told, &c->err);
	test_ok(c->worker ? 0 : -1, &c->err);
	for (unsigned i = 0; rc == 0 && i < 3; i++) {
		struct tensor in = TENSOR_INIT;

		tensor_view(&in, DTYPE_U8, &c->in.shape,
		    has_nines && i == 1 ? nines : pixels);
		rc = python_worker_put(
		    c->worker, i, &in, (const uint64_t[]){ i, 1 }, &c->err);
	}
	return rc ? rc : python_worker_run(c->worker, 3, &c->err);
}

static void assert_refused(struct calls *c, unsigned slot, const char *words)
{
	assert_int_equal(
	    python_worker_get(c->worker, slot, &c->result, &c->err), -1);
	test_contains(c->err.text, words);
}

static void test_batch_gives_each_sample_its_row(void **state)
{
	const float *row;
	struct calls c;

	UNUSED(state);
	test_ok(batch_run(&c, "mine.py:halves", true), &c.err);
	for (unsigned i = 0; i < 3; i++) {
		test_ok(
		    python_worker_get(c.worker, i, &c.result, &c.err), &c.err);
		assert_shape(&c.result.tensor, "2x2");
		row = c.result.tensor.data;
		assert_int_equal((uintptr_t)row % TENSOR_ALIGN, 0);
		assert_float_equal(row[3], i == 1 ? 27 : 18, 0);
	}
	calls_close(&c);
}

/* An exception is told of the samples only that are the reason. */
static void test_batch_names_the_sample_that_failed(void **state)
{
	struct calls c;

	UNUSED(state);
	test_ok(batch_run(&c, "mine.py:fragile", true), &c.err);
	test_ok(python_worker_get(c.worker, 0, &c.result, &c.err), &c.err);
	assert_refused(&c, 1, "ValueError: a nine");
	test_ok(python_worker_get(c.worker, 2, &c.result, &c.err), &c.err);
	assert_bytes(&c.result.tensor, "\1\2\3\4\5\6");
	calls_close(&c);
	assert_int_equal(batch_run(&c, "mine.py:fatal", true), -1);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(
		    python_worker_progress(c.worker, i), PYTHON_NOT_CALLED);
	calls_close(&c);
}

static void test_batch_is_an_array_of_all_samples(void **state)
{
	static const struct {
		const char *target, *words;
	} cases[] = {
		{ "mine.py:changes", "read-only" },
		{ "mine.py:too_few", "the first dimension must be 3" },
		{ "mine.py:sums", "the first dimension must be 3" },
		{ "mine.py:words", "presto takes arrays" },
		{ "mine.py:nothing", "presto takes arrays" },
	};
	struct calls c;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		test_ok(batch_run(&c, cases[i].target, false), &c.err);
		assert_refused(&c, 2, cases[i].words);
		calls_close(&c);
	}
}

static void test_batch_draws_by_the_sample_only(void **state)
{
	double both[3][2];
	struct calls c;

	UNUSED(state);
	test_ok(batch_run(&c, "mine.py:draws_each", false), &c.err);
	for (unsigned i = 0; i < 3; i++) {
		test_ok(
		    python_worker_get(c.worker, i, &c.result, &c.err), &c.err);
		memcpy(both[i], c.result.tensor.data, sizeof(both[i]));
	}
	test_ok(calls_run(&c, 2), &c.err); /* the third one by itself */
	assert_memory_equal(both[2], c.result.tensor.data, sizeof(both[2]));
	assert_memory_not_equal(both[2], both[1], sizeof(both[2]));
	calls_close(&c);
}

static void test_batch_refuses_functions_of_one_sample(void **state)
{
	static const struct {
		const char *target, *words;
		bool draws;
	} cases[] = {
		{ "mine.py:raw", "not bytes or str", false },
		{ "mine.py:drawn", "a list of generators", true },
	};
	struct calls c;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		calls_init(&c, cases[i].target);
		c.code.stacks = true;
		c.code.draws = cases[i].draws;
		c.worker = python_worker_new(&c.code, &c.told, &c.err);
		assert_null(c.worker);
		test_contains(c.err.text, cases[i].words);
		calls_close(&c);
	}
}

static void test_worker_calls_objects(void **state)
{
	static const char *const options[] = { "by=3", NULL };
	struct calls c;

	UNUSED(state);
	calls_once(&c, "mine.py:adder");
	assert_bytes(&c.result.tensor, "\10\11\12\13\14\15");
	calls_close(&c);
	calls_init(&c, "mine:Adder"); /* as a module */
	c.code.options = options;
	c.worker = python_worker_new(&c.code, &c.told, &c.err);
	test_ok(c.worker ? 0 : -1, &c.err);
	test_ok(calls_run(&c, 0), &c.err);
	assert_bytes(&c.result.tensor, "\4\5\6\7\10\11");
	calls_close(&c);
}

static void test_worker_keeps_what_is_printed_apart(void **state)
{
	struct calls c;

	UNUSED(state);
	calls_open(&c, "mine.py:loud");
	for (unsigned i = 0; i < 100; i++)
		test_ok(calls_run(&c, 0), &c.err);
	assert_bytes(&c.result.tensor, "\1\2\3\4\5\6");
	calls_close(&c);
}

/* ---- failures ---- */

static void test_worker_says_which_line_failed(void **state)
{
	static const struct {
		const char *target, *words;
	} cases[] = {
		{ "mine.py:raises",
		    "mine.py:21: AttributeError: 'numpy.ndarray' object has no "
		    "attribute 'no_such_thing'" },
		{ "mine.py:helped", "helper.py:3: ValueError: not this" },
		{ "mine.py:leaves", "mine.py:23: SystemExit: so long" },
		{ "mine.py:nothing",
		    "TypeError: the function returned NoneType: presto takes "
		    "arrays of integers and floats, bytes and str" },
		{ "mine.py:complex_one",
		    "TypeError: the function returned an array of complex128: "
		    "presto takes arrays of integers and floats, bytes and "
		    "str" },
	};
	struct calls c;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		calls_open(&c, cases[i].target);
		for (unsigned k = 0; k < 2; k++) {
			test_error_is(calls_run(&c, 0), &c.err, cases[i].words);
			assert_int_equal(c.err.code, ERROR_DATA);
		}
		assert_false(python_worker_is_lost(c.worker));
		calls_close(&c);
	}
}

static void test_worker_that_ends_is_told_from_one_that_hangs(void **state)
{
	struct calls c;

	UNUSED(state);
	calls_open(&c, "mine.py:dies");
	assert_int_equal(calls_run(&c, 0), -1);
	assert_true(python_worker_is_lost(c.worker));
	assert_int_equal(c.err.code, ERROR_DATA);
	test_contains(c.err.text, "its worker process");
	test_contains(c.err.text, "9");
	calls_close(&c);
	calls_open(&c, "mine.py:crashes");
	assert_int_equal(calls_run(&c, 0), -1);
	assert_true(python_worker_is_lost(c.worker));
	assert_int_equal(c.err.code, ERROR_DATA);
	test_contains(c.err.text, "11");
	calls_close(&c);
	calls_init(&c, "mine.py:hangs");
	c.code.timeout_s = 0.2;
	c.worker = python_worker_new(&c.code, &c.told, &c.err);
	test_ok(c.worker ? 0 : -1, &c.err);
	test_error_is(calls_run(&c, 0), &c.err,
	    "it did not answer in 0.2 s, so its worker process was stopped "
	    "(option timeout)");
	assert_true(python_worker_is_lost(c.worker));
	assert_int_equal(c.err.code, ERROR_DATA);
	calls_close(&c);
}

/* A loader that is freed need not wait for the function. */
static void test_worker_is_not_waited_for_when_stopped(void **state)
{
	const uint64_t begin = clock_now(&clock_monotonic);
	atomic_bool stop = true;
	struct calls c;

	UNUSED(state);
	calls_open(&c, "mine.py:hangs");
	stop_watch(&stop);
	assert_int_equal(calls_run(&c, 0), -1);
	stop_watch(NULL);
	assert_int_equal(c.err.code, ERROR_INTERRUPTED);
	assert_true(python_worker_is_lost(c.worker));
	assert_true(clock_now(&clock_monotonic) - begin < 50000000000);
	calls_close(&c);
}

static void test_worker_refuses_code_that_cannot_run(void **state)
{
	static const struct {
		const char *interpreter, *target, *option, *words;
	} cases[] = {
		{ "python3", "none.py:f", NULL, "there is no file" },
		{ "python3", "mine.py:invrt", NULL, "mine.py has no 'invrt'" },
		{ "python3", "mine.py:constant", NULL, "is no function" },
		{ "python3", "mine.py:invert", "tpo=1", "'tpo'" },
		{ "python3", "mine.py:Adder", "tpo=1", "'tpo'" },
		{ "python3", "nobody.has_this:f", NULL,
		    "ModuleNotFoundError: No module named 'nobody'" },
		{ "python3", "wrong.py:f", NULL, "wrong.py:2: SyntaxError: " },
		{ "python3", "broken.py:f", NULL,
		    "broken.py:1: ZeroDivisionError: " },
		{ "no-such-python", "mine.py:invert", NULL,
		    "[python] interpreter" },
		{ "false", "mine.py:invert", NULL, "false: " },
	};
	struct calls c;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *const options[] = { cases[i].option, NULL };

		calls_init(&c, cases[i].target);
		test_write(c.dir, "wrong.py", "x = 1\ndef f(x:\n");
		test_write(c.dir, "broken.py", "1 / 0\n");
		c.code.interpreter = cases[i].interpreter;
		c.code.options = options;
		c.worker = python_worker_new(&c.code, &c.told, &c.err);
		assert_null(c.worker);
		assert_int_equal(c.err.code, ERROR_USAGE);
		test_contains(c.err.text, cases[i].words);
		calls_close(&c);
	}
}

/* ---- what presto must know ---- */

static void test_worker_tells_what_the_code_is(void **state)
{
	struct calls c;
	struct buf before;

	UNUSED(state);
	calls_open(&c, "mine.py:invert");
	test_contains((const char *)c.told.data, "/mine.py\n");
	test_contains((const char *)c.told.data, "python 3.");
	test_contains((const char *)c.told.data, "numpy ");
	test_contains((const char *)c.told.data, "imports ");
	assert_null(strstr((const char *)c.told.data, "draws"));
	python_worker_free(c.worker);
	before = c.told;
	c.told = (struct buf)BUF_INIT;
	c.worker = python_worker_new(&c.code, &c.told, &c.err);
	assert_true(span_equal(buf_span(&before), buf_span(&c.told)));
	python_worker_free(c.worker);
	test_write(c.dir, "helper.py", "fails = 3\n");
	c.worker = python_worker_new(&c.code, &c.told, &c.err);
	assert_false(span_equal(buf_span(&before), buf_span(&c.told)));
	buf_release(&before);
	calls_close(&c);
}

static void draw_four(struct calls *c, uint64_t draw, double four[4])
{
	test_ok(calls_run(c, draw), &c->err);
	assert_int_equal(c->result.tensor.bytes, 4 * sizeof(*four));
	memcpy(four, c->result.tensor.data, 4 * sizeof(*four));
}

static void test_worker_draws_by_the_sample_only(void **state)
{
	static const char *const targets[] = { "mine.py:drawn",
		"mine.py:drawn_by" };
	double first[4], other[4], again[4];
	struct calls c;

	UNUSED(state);
	for (unsigned i = 0; i < 2; i++) {
		calls_init(&c, targets[i]);
		c.code.draws = i == 0;
		c.worker = python_worker_new(&c.code, &c.told, &c.err);
		test_ok(c.worker ? 0 : -1, &c.err);
		draw_four(&c, 5, first);
		draw_four(&c, UINT64_MAX, other);
		draw_four(&c, 5, again);
		assert_memory_equal(first, again, sizeof(first));
		assert_memory_not_equal(first, other, sizeof(first));
		assert_int_equal(
		    strstr((const char *)c.told.data, "draws yes") != NULL,
		    i == 1);
		calls_close(&c);
	}
}

static void test_worker_counts_its_cpu_time_here(void **state)
{
	struct calls c;
	uint64_t before, ns;

	UNUSED(state);
	calls_open(&c, "mine.py:burns");
	before = outside_thread_ns();
	test_ok(calls_run(&c, 0), &c.err);
	ns = outside_thread_ns() - before;
	assert_in_range(ns, 95000000, 400000000);
	calls_close(&c);
}

/* Waits until the file is there, and returns the number in it. */
static int wait_for_number(const char *path)
{
	const uint64_t end = clock_now(&clock_monotonic) + 60000000000ull;
	int number = 0;

	while (number == 0 && clock_now(&clock_monotonic) < end) {
		FILE *file = fopen(path, "r");

		if (file && fscanf(file, "%d", &number) != 1)
			number = 0;
		if (file)
			fclose(file);
		else
			clock_sleep_until(
			    clock_now(&clock_monotonic) + 10000000);
	}
	return number;
}

static void test_worker_ends_with_presto(void **state)
{
	struct calls c;
	struct buf option = BUF_INIT;
	const char *options[] = { NULL, NULL };
	char *path;
	pid_t child, worker;
	int status = 0;

	UNUSED(state);
	/* The worker becomes a child of this process. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	calls_init(&c, "mine.py:tells");
	path = test_path(c.dir, "pid");
	test_ok(buf_printf(&option, &c.err, "path=%s", path), &c.err);
	options[0] = (const char *)option.data;
	c.code.options = options;
	child = fork();
	if (child == 0) {
		c.worker = python_worker_new(&c.code, &c.told, &c.err);
		if (c.worker)
			calls_run(&c, 0);
		_exit(1);
	}
	worker = wait_for_number(path);
	assert_true(worker > 0);
	assert_int_equal(kill(worker, 0), 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(waitpid(worker, &status, 0), worker);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	free(path);
	buf_release(&option);
	calls_close(&c);
}

/* ---- pools ---- */

struct caller {
	struct python_pool *pool;
	struct tensor in;
	int64_t process; /* the id of the last worker */
	struct error err;
	int rc;
};

static int call_by(struct caller *caller)
{
	struct python_worker *worker =
	    python_pool_take(caller->pool, &caller->err);
	struct python_result result;
	int rc;

	if (!worker)
		return -1;
	rc = run_once(worker, &caller->in, 0, &result, &caller->err);
	if (rc == 0)
		memcpy(&caller->process, result.tensor.data, sizeof(int64_t));
	python_pool_give(caller->pool, worker);
	return rc;
}

static void *call_often(void *arg)
{
	struct caller *caller = arg;

	for (unsigned i = 0; i < 20 && caller->rc == 0; i++)
		caller->rc = call_by(caller);
	return NULL;
}

static void test_pool_shares_its_workers_among_threads(void **state)
{
	struct caller callers[3];
	pthread_t threads[3];
	struct python_pool *pool;
	struct calls c;

	UNUSED(state);
	calls_init(&c, "mine.py:process");
	pool = python_pool_new(&c.code, 1, &c.told, &c.err);
	test_ok(pool ? 0 : -1, &c.err);
	for (unsigned i = 0; i < 3; i++) {
		callers[i] = (struct caller){ .pool = pool, .in = c.in };
		pthread_create(&threads[i], NULL, call_often, &callers[i]);
	}
	for (unsigned i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		test_ok(callers[i].rc, &callers[i].err);
		assert_int_equal(callers[i].process, callers[0].process);
	}
	python_pool_free(pool);
	calls_close(&c);
}

static void test_pool_replaces_lost_workers(void **state)
{
	struct caller caller;
	struct calls c;

	UNUSED(state);
	calls_init(&c, "mine.py:dies");
	caller = (struct caller){ .in = c.in };
	caller.pool = python_pool_new(&c.code, 1, &c.told, &c.err);
	test_ok(caller.pool ? 0 : -1, &c.err);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(call_by(&caller), -1);
		assert_int_equal(caller.err.code, ERROR_DATA);
	}
	test_write(c.dir, "helper.py", "fails = 3\n");
	assert_int_equal(call_by(&caller), -1);
	test_contains(caller.err.text, "mine.py:dies has changed");
	python_pool_free(caller.pool);
	calls_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worker_gives_what_the_function_returns),
		cmocka_unit_test(test_worker_takes_arrays_of_any_form),
		cmocka_unit_test(test_worker_hands_over_bytes_and_text),
		cmocka_unit_test(test_worker_does_not_change_its_input),
		cmocka_unit_test(test_worker_takes_parts_of_the_input),
		cmocka_unit_test(test_worker_takes_several_samples),
		cmocka_unit_test(test_lost_worker_keeps_its_results),
		cmocka_unit_test(test_batch_gives_each_sample_its_row),
		cmocka_unit_test(test_batch_names_the_sample_that_failed),
		cmocka_unit_test(test_batch_is_an_array_of_all_samples),
		cmocka_unit_test(test_batch_draws_by_the_sample_only),
		cmocka_unit_test(test_batch_refuses_functions_of_one_sample),
		cmocka_unit_test(test_worker_calls_objects),
		cmocka_unit_test(test_worker_keeps_what_is_printed_apart),
		cmocka_unit_test(test_worker_says_which_line_failed),
		cmocka_unit_test(
		    test_worker_that_ends_is_told_from_one_that_hangs),
		cmocka_unit_test(test_worker_is_not_waited_for_when_stopped),
		cmocka_unit_test(test_worker_refuses_code_that_cannot_run),
		cmocka_unit_test(test_worker_tells_what_the_code_is),
		cmocka_unit_test(test_worker_draws_by_the_sample_only),
		cmocka_unit_test(test_worker_counts_its_cpu_time_here),
		cmocka_unit_test(test_worker_ends_with_presto),
		cmocka_unit_test(test_pool_shares_its_workers_among_threads),
		cmocka_unit_test(test_pool_replaces_lost_workers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
