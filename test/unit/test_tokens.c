/* test_tokens.c - steps behind the tokenizer: truncate, pad, embed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/sample/half.h"
#include "lib/sample/npy.h"
#include "lib/tokens/embedding.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* A tensor of rows x columns, elements counting up from 1; 0 columns: none. */
static void count_up(
    struct tensor *tensor, enum dtype dtype, int64_t rows, int64_t columns)
{
	const struct shape shape = { columns ? 2 : 1, { rows, columns } };
	struct error err = ERROR_INIT;
	const size_t bytes = dtype_bytes(dtype);

	test_ok(tensor_reshape(tensor, dtype, &shape, &err), &err);
	memset(tensor->data, 0, tensor->bytes);
	for (size_t i = 0; i < shape_elements(&shape); i++)
		((unsigned char *)tensor->data)[i * bytes] =
		    (unsigned char)(i + 1);
}

static struct type rows_type(enum dtype dtype, int64_t rows, int64_t columns)
{
	return (struct type){ .dtype = dtype,
		.shape = { columns ? 2 : 1, { rows, columns } } };
}

static void check_int32(
    const struct tensor *tensor, const int32_t *want, size_t count)
{
	assert_int_equal(tensor->dtype, DTYPE_I32);
	assert_int_equal(tensor->bytes, count * sizeof(*want));
	assert_memory_equal(tensor->data, want, tensor->bytes);
}

static void test_truncate_cuts_the_first_dimension(void **state)
{
	const struct type line = rows_type(DTYPE_I32, -1, 0);
	const struct type table = rows_type(DTYPE_I16, 9, 2);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	count_up(&in, DTYPE_I32, 5, 0);
	stepper_once("truncate length=3", &line, &in, &out);
	check_int32(&out, (const int32_t[]){ 1, 2, 3 }, 3);
	stepper_once("truncate length=6", &line, &in, &out);
	check_int32(&out, (const int32_t[]){ 1, 2, 3, 4, 5 }, 5);
	count_up(&in, DTYPE_I32, 0, 0);
	stepper_once("truncate length=6", &line, &in, &out);
	assert_int_equal(out.shape.dims[0], 0);
	test_ok(
	    stepper_open(&stepper, "truncate length=4", &table, &err), &err);
	assert_int_equal(stepper.out.shape.dims[0], 4);
	count_up(&in, DTYPE_I16, 9, 2);
	test_ok(stepper_run(&stepper, 0, &in, &out, &err), &err);
	assert_memory_equal(out.data, in.data, 16);
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_pad_fills_up(void **state)
{
	const struct type line = rows_type(DTYPE_I32, -1, 0);
	const struct type table = rows_type(DTYPE_U8, -1, 3);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	count_up(&in, DTYPE_I32, 2, 0);
	stepper_once("pad length=5 value=-7", &line, &in, &out);
	check_int32(&out, (const int32_t[]){ 1, 2, -7, -7, -7 }, 5);
	stepper_once("pad length=5 side=left", &line, &in, &out);
	check_int32(&out, (const int32_t[]){ 0, 0, 0, 1, 2 }, 5);
	stepper_once("pad length=2", &line, &in, &out);
	check_int32(&out, (const int32_t[]){ 1, 2 }, 2);
	count_up(&in, DTYPE_I32, 0, 0);
	stepper_once("pad length=2 value=50256", &line, &in, &out);
	check_int32(&out, (const int32_t[]){ 50256, 50256 }, 2);
	count_up(&in, DTYPE_U8, 1, 3);
	stepper_once("pad length=2 value=9", &table, &in, &out);
	assert_memory_equal(out.data, "\1\2\3\11\11\11", 6);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_pad_writes_the_value_in_every_type(void **state)
{
	struct tensor out = TENSOR_INIT;

	UNUSED(state);
	for (int d = 0; d < DTYPE_COUNT; d++) {
		const struct type type = rows_type((enum dtype)d, -1, 0);
		struct tensor in = TENSOR_INIT;
		double got = 0;

		count_up(&in, type.dtype, 0, 0);
		stepper_once("pad length=1 value=3", &type, &in, &out);
		if (d == DTYPE_F16)
			got = half_to_float(*(const uint16_t *)out.data);
		else if (d == DTYPE_F32)
			got = *(const float *)out.data;
		else if (d == DTYPE_F64)
			got = *(const double *)out.data;
		else
			got = *(const unsigned char *)out.data;
		assert_true(got == 3);
		tensor_release(&in);
	}
	tensor_release(&out);
}

static void check_refused(
    const char *words, const struct type *type, const char *message)
{
	struct error err = ERROR_INIT;
	struct stepper stepper;

	test_error_is(stepper_open(&stepper, words, type, &err), &err, message);
	stepper_close(&stepper);
}

static void test_steps_on_rows_refuse_in_words(void **state)
{
	const struct type line = rows_type(DTYPE_I32, -1, 0);
	const struct type bytes = rows_type(DTYPE_U8, 9, 0);
	const struct type floats = rows_type(DTYPE_F32, -1, 4);
	const struct type scalar = { .dtype = DTYPE_F32 };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	check_refused("truncate", &line, "length must be given");
	check_refused("pad", &line, "length must be given");
	check_refused("pad length=9 value=-1", &bytes,
	    "value -1 cannot be stored as uint8");
	check_refused("pad length=9 value=256", &bytes,
	    "value 256 cannot be stored as uint8");
	check_refused("pad length=9 value=0.5", &line,
	    "value 0.5 cannot be stored as int32");
	check_refused(
	    "pad length=8", &bytes, "takes 8 rows at most, not uint8 9");
	check_refused("truncate length=1", &scalar,
	    "takes a tensor with a dimension, not float32 scalar");
	check_refused("embed", &line, "either dim or table must be given");
	check_refused("embed dim=3 table=x.npy", &line,
	    "either dim or table must be given");
	check_refused(
	    "embed dim=3", &floats, "takes tokens as int32, not float32 ?x4");
	check_refused("embed table=/nowhere/x.npy", &line,
	    "table: cannot open /nowhere/x.npy: No such file or directory");
	test_ok(stepper_open(&stepper, "pad length=2", &line, &err), &err);
	count_up(&in, DTYPE_I32, 3, 0);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "has 3 rows, more than length=2: truncate it before");
	stepper_close(&stepper);
	tensor_release(&in);
	tensor_release(&out);
}

/* ---- embed ---- */

static void check_table_of_seed(enum dtype dtype, const char *words)
{
	const struct type line = rows_type(DTYPE_I32, -1, 0);
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	count_up(&in, DTYPE_I32, 4, 0);
	stepper_once(words, &line, &in, &out);
	assert_int_equal(out.dtype, dtype);
	assert_int_equal(out.shape.count, 2);
	assert_int_equal(out.shape.dims[0], 4);
	assert_int_equal(out.shape.dims[1], 7);
	for (uint64_t i = 0; i < 4; i++) {
		struct random random = random_stream(3, 0, i + 1, 0x656d6265);

		for (size_t k = 0; k < 7; k++) {
			const float want =
			    (float)((double)(random_u32(&random) >> 8) /
			                0x800000 -
			            1);
			const size_t at = i * 7 + k;
			const float got =
			    dtype == DTYPE_F32
			        ? ((const float *)out.data)[at]
			        : half_to_float(
			              ((const uint16_t *)out.data)[at]);

			assert_true(got >= -1 && got <= 1);
			if (dtype == DTYPE_F32)
				assert_true(got == want);
			else
				assert_true(fabsf(got - want) < 0x1p-11f);
		}
	}
	tensor_release(&in);
	tensor_release(&out);
}

static void test_embed_makes_a_table_of_its_seed(void **state)
{
	UNUSED(state);
	check_table_of_seed(DTYPE_F32, "embed dim=7 seed=3 tokens=10");
	check_table_of_seed(DTYPE_F32, "embed dim=7 seed=3");
	check_table_of_seed(
	    DTYPE_F16, "embed dim=7 seed=3 tokens=10 dtype=float16");
}

static void test_embed_takes_rows_of_a_file(void **state)
{
	static const float rows[] = { 0, 1, 2, 10, 11, 12, 20, 21, 22 };
	static const float want[] = { 10, 11, 12, 20, 21, 22 };
	const struct type line = rows_type(DTYPE_I32, -1, 0);
	const struct shape shape = { 2, { 3, 3 } };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	unsigned char header[NPY_HEADER_MAX];
	struct error err = ERROR_INIT;
	struct stepper stepper;
	struct buf file = BUF_INIT;
	char *dir = test_scratch(), words[512];

	UNUSED(state);
	test_ok(buf_append(
	            &file, header, npy_header(DTYPE_F32, &shape, header), &err),
	    &err);
	test_ok(buf_append(&file, rows, sizeof(rows), &err), &err);
	test_write_file(dir, "table.npy", buf_span(&file));
	snprintf(words, sizeof(words), "embed table=%s/table.npy", dir);
	count_up(&in, DTYPE_I32, 2, 0);
	stepper_once(words, &line, &in, &out);
	assert_int_equal(out.dtype, DTYPE_F32);
	assert_memory_equal(out.data, want, sizeof(want));
	snprintf(words, sizeof(words), "embed table=%s/table.npy dtype=float16",
	    dir);
	test_ok(stepper_open(&stepper, words, &line, &err), &err);
	test_ok(stepper_run(&stepper, 0, &in, &out, &err), &err);
	assert_int_equal(out.dtype, DTYPE_F16);
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		assert_true(
		    half_to_float(((uint16_t *)out.data)[i]) == want[i]);
	count_up(&in, DTYPE_I32, 3, 0);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "token 3 is not in the table of 3 rows");
	((int32_t *)in.data)[0] = -1;
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "token -1 is not in the table of 3 rows");
	stepper_close(&stepper);
	test_write_file(dir, "table.npy", (struct span){ file.data, 130 });
	assert_int_equal(stepper_open(&stepper, words, &line, &err), -1);
	test_contains(err.text, "table.npy: .npy file is cut short");
	stepper_close(&stepper);
	test_scratch_remove(dir);
	buf_release(&file);
	tensor_release(&in);
	tensor_release(&out);
}

static void test_embedding_is_made_once(void **state)
{
	const struct embedding_plan plan = {
		.tokens = 5,
		.dim = 3,
		.dtype = DTYPE_F32,
	};
	struct embedding_plan other = plan;
	struct error err = ERROR_INIT;
	const struct embedding *a = embedding_take(&plan, &err), *b, *c;

	UNUSED(state);
	test_ok(a ? 0 : -1, &err);
	b = embedding_take(&plan, &err);
	assert_ptr_equal(a, b);
	other.seed = 1;
	c = embedding_take(&other, &err);
	assert_non_null(c);
	assert_memory_not_equal(a->rows, c->rows, a->row_bytes);
	embedding_give(a);
	embedding_give(b);
	embedding_give(c);
	other.tokens = other.dim = (uint64_t)1 << 40;
	assert_null(embedding_take(&other, &err));
	assert_int_equal(err.code, ERROR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncate_cuts_the_first_dimension),
		cmocka_unit_test(test_pad_fills_up),
		cmocka_unit_test(test_pad_writes_the_value_in_every_type),
		cmocka_unit_test(test_steps_on_rows_refuse_in_words),
		cmocka_unit_test(test_embed_makes_a_table_of_its_seed),
		cmocka_unit_test(test_embed_takes_rows_of_a_file),
		cmocka_unit_test(test_embedding_is_made_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
