/* test_generate_signals.c - signals and tensors made from a seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/fill.h"
#include "datasets/generator.h"
#include "datasets/generators/mains.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/sample/npy.h"
#include "lib/syntax/option.h"
#include "test/unit/test.h"

/* With one option of the kind; NULL: none. */
static int generate(const char *kind, const char *dir, unsigned threads,
    const char *option, const char *value, struct error *err)
{
	const struct generator_ops *ops = generator_find(kind);
	struct generate_plan plan = {
		.dir = dir, .count = 3, .seed = 5, .threads = threads
	};
	void *values = malloc(ops->options_size);
	int rc;

	assert_non_null(values);
	memcpy(values, ops->defaults, ops->options_size);
	if (option)
		test_ok(
		    option_set(ops->options, values, option, value, err), err);
	plan.options = values;
	rc = ops->run(&plan, err);
	free(values);
	return rc;
}

static void check_same(
    const char *kind, const char *name, const char *option, const char *value)
{
	struct buf one = BUF_INIT, three = BUF_INIT;
	char *a = test_scratch(), *b = test_scratch();
	struct error err = ERROR_INIT;

	test_ok(generate(kind, a, 1, option, value, &err), &err);
	test_ok(generate(kind, b, 3, option, value, &err), &err);
	test_read_file(a, name, &one);
	test_read_file(b, name, &three);
	assert_int_equal(one.len, three.len);
	assert_memory_equal(one.data, three.data, one.len);
	buf_release(&one);
	buf_release(&three);
	test_scratch_remove(a);
	test_scratch_remove(b);
}

static void test_signals_depend_on_the_seed_only(void **state)
{
	UNUSED(state);
	if (generator_find("signals")->needs)
		skip();
	check_same("signals", "mains_000002.hdf5", "minutes", "1");
	check_same("signals", "signals.conf", "minutes", "1");
}

static void test_tensors_depend_on_the_seed_only(void **state)
{
	UNUSED(state);
	check_same("tensors", "00000002.npy", "shape", "30x7");
	check_same("tensors", "tensors.conf", "shape", "30x7");
}

static void test_tensors_are_those_of_the_synthetic_source(void **state)
{
	char *dir = test_scratch();
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT;
	struct buf file = BUF_INIT;
	const struct fill fill = { .kind = FILL_RANDOM, .seed = 5 };
	float want[21];

	UNUSED(state);
	test_ok(generate("tensors", dir, 1, "shape", "3x7", &err), &err);
	test_read_file(dir, "00000001.npy", &file);
	test_ok(npy_view(buf_span(&file), &tensor, &err), &err);
	assert_int_equal(tensor.bytes, 21);
	fill_elements(&fill, DTYPE_U8, 1, want, 21);
	assert_memory_equal(tensor.data, want, 21);
	buf_release(&file);
	test_scratch_remove(dir);
}

static void test_tensors_refuse_what_is_no_type(void **state)
{
	char *dir = test_scratch();
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_error_is(generate("tensors", dir, 1, "dtype", "int3", &err), &err,
	    "dtype must be one of uint8, int8, uint16, int16, uint32, int32, "
	    "uint64, int64, float16, float32, float64, got 'int3'; did you "
	    "mean 'int8'?");
	test_error_is(generate("tensors", dir, 1, "shape", "3x", &err), &err,
	    "shape must be like 2500x64, got '3x'");
	test_scratch_remove(dir);
}

/* 325 V at the peak, 50 periods a second, and some current. */
static void test_mains_are_what_they_say(void **state)
{
	enum { SECONDS = 60, LENGTH = SECONDS * MAINS_RATE };
	struct random random = random_stream(1, 0, 0, 0);
	int16_t *v = malloc(LENGTH * sizeof(*v));
	int16_t *c = malloc(LENGTH * sizeof(*c));
	double sum = 0, squares = 0, current = 0;
	size_t rising = 0;

	UNUSED(state);
	assert_true(v && c);
	mains_fill(&random, v, c, LENGTH);
	for (size_t i = 0; i < LENGTH; i++) {
		const double volts = (v[i] - mains_volts_offset) * mains_volts;
		const double amperes =
		    (c[i] - mains_amperes_offset) * mains_amperes;

		sum += volts;
		squares += volts * volts;
		current += amperes * amperes;
		rising += i >= 16 && v[i - 16] < -2000 && v[i] >= -2000 &&
		          v[i - 1] < -2000;
	}
	assert_true(fabs(sum / LENGTH) < 1);
	assert_true(fabs(sqrt(squares / LENGTH) - 230) < 5);
	assert_true(sqrt(current / LENGTH) > 0.1);
	assert_true(fabs((double)rising - 50 * SECONDS) < 10);
	free(v);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signals_depend_on_the_seed_only),
		cmocka_unit_test(test_tensors_depend_on_the_seed_only),
		cmocka_unit_test(
		    test_tensors_are_those_of_the_synthetic_source),
		cmocka_unit_test(test_tensors_refuse_what_is_no_type),
		cmocka_unit_test(test_mains_are_what_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
