/* test_npy.c - .npy headers as NumPy writes them, and invalid ones. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/npy.h"
#include "test/unit/test.h"

/* A file: the prefix of a version, the words padded to 64, no elements. */
static size_t make_file(
    unsigned version, const char *words, unsigned char file[NPY_HEADER_MAX])
{
	const size_t prefix = version == 1 ? 10 : 12, len = strlen(words);
	const size_t total = (prefix + len + 1 + 63) / 64 * 64;
	const size_t rest = total - prefix;

	memset(file, ' ', total);
	memcpy(file, "\x93NUMPY", 6);
	file[6] = (unsigned char)version;
	file[7] = 0;
	file[8] = (unsigned char)(rest & 0xff);
	file[9] = (unsigned char)(rest >> 8);
	if (version > 1)
		file[10] = file[11] = 0;
	memcpy(file + prefix, words, len);
	file[total - 1] = '\n';
	return total;
}

static void test_npy_header_is_that_of_numpy(void **state)
{
	static const struct {
		enum dtype dtype;
		struct shape shape;
		const char *words;
	} cases[] = {
		{ DTYPE_F32, { 0, { 0 } },
		    "{'descr': '<f4', 'fortran_order': False, 'shape': (), }" },
		{ DTYPE_U8, { 1, { 5 } },
		    "{'descr': '|u1', 'fortran_order': False, "
		    "'shape': (5,), }" },
		{ DTYPE_F16, { 3, { 224, 224, 3 } },
		    "{'descr': '<f2', 'fortran_order': False, "
		    "'shape': (224, 224, 3), }" },
	};
	unsigned char header[NPY_HEADER_MAX], wanted[NPY_HEADER_MAX];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const size_t len =
		    npy_header(cases[i].dtype, &cases[i].shape, header);

		assert_int_equal(len, make_file(1, cases[i].words, wanted));
		assert_memory_equal(header, wanted, len);
	}
}

static void check_round_trip(enum dtype dtype, const struct shape *shape)
{
	unsigned char file[NPY_HEADER_MAX + 1024] = { 0 };
	const size_t len = npy_header(dtype, shape, file);
	const size_t bytes = shape_elements(shape) * dtype_bytes(dtype);
	const struct span whole = { file, len + bytes };
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT;

	assert_int_equal(len % 64, 0);
	assert_true(bytes <= 1024);
	test_ok(npy_view(whole, &tensor, &err), &err);
	assert_int_equal(tensor.dtype, dtype);
	assert_true(shape_equal(&tensor.shape, shape));
	assert_ptr_equal(tensor.data, file + len);
	assert_int_equal(tensor.bytes, bytes);
	for (size_t cut = 0; cut < whole.len; cut++)
		assert_int_equal(
		    npy_view((struct span){ file, cut }, &tensor, &err), -1);
}

static void test_npy_comes_back_and_a_cut_one_does_not(void **state)
{
	static const struct shape shapes[] = {
		{ 0, { 0 } },
		{ 1, { 1 } },
		{ 1, { 100 } },
		{ 3, { 4, 5, 3 } },
		{ 8, { 1, 2, 1, 2, 1, 2, 1, 2 } },
		{ 2, { 0, 7 } },
	};

	UNUSED(state);
	for (unsigned dtype = 0; dtype < DTYPE_COUNT; dtype++)
		for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
			check_round_trip((enum dtype)dtype, &shapes[i]);
}

static void test_npy_header_fits_whatever_the_shape(void **state)
{
	struct shape shape = { .count = SHAPE_MAX };
	unsigned char header[NPY_HEADER_MAX];

	UNUSED(state);
	for (unsigned i = 0; i < SHAPE_MAX; i++)
		shape.dims[i] = INT64_MAX;
	assert_true(npy_header(DTYPE_F64, &shape, header) <= NPY_HEADER_MAX);
}

static void test_npy_reads_all_versions_and_spellings(void **state)
{
	static const char *const words[] = {
		"{'descr': '<i4', 'fortran_order': False, 'shape': (0, 3), }",
		"{'shape': (0L, 3L), 'descr': '<i4', 'fortran_order': False}",
		"{\"descr\":\"<i4\",\"fortran_order\":False,\"shape\":(0,3)}",
		"{ 'fortran_order' :False ,'shape': ( 0,3, ),'descr':'<i4' }",
	};
	unsigned char file[NPY_HEADER_MAX];

	UNUSED(state);
	for (unsigned version = 1; version <= 3; version++)
		for (size_t i = 0; i < ARRAY_LEN(words); i++) {
			const size_t len = make_file(version, words[i], file);
			struct error err = ERROR_INIT;
			struct tensor tensor = TENSOR_INIT;

			test_ok(
			    npy_view((struct span){ file, len }, &tensor, &err),
			    &err);
			assert_int_equal(tensor.dtype, DTYPE_I32);
			assert_int_equal(tensor.shape.count, 2);
			assert_int_equal(tensor.shape.dims[1], 3);
		}
}

static void test_npy_refuses_in_words(void **state)
{
	static const struct {
		unsigned version;
		const char *words, *error;
	} cases[] = {
		{ 1, "", ".npy header cannot be understood" },
		{ 1, "{}", ".npy header cannot be understood" },
		{ 1, "{'descr': '<f4', 'shape': (1,)}",
		    ".npy header cannot be understood" },
		{ 1, "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
		    ".npy header cannot be understood" },
		{ 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
		    ".npy header cannot be understood" },
		{ 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1",
		    ".npy header cannot be understood" },
		{ 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
		    ".npy header cannot be understood" },
		{ 1,
		    "{'descr': [('a', '<f4')], 'fortran_order': False, "
		    "'shape': (1,)}",
		    ".npy header cannot be understood" },
		{ 1,
		    "{'descr': '<f4', 'fortran_order': False, "
		    "'shape': (1,1,1,1,1,1,1,1,1)}",
		    ".npy header cannot be understood" },
		{ 1,
		    "{'descr': '<f4', 'fortran_order': False, "
		    "'shape': (99999999999999999999,)}",
		    ".npy header cannot be understood" },
		{ 1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}",
		    ".npy file has elements of type '>f4', which is "
		    "big-endian: "
		    "save the array as "
		    "array.astype(array.dtype.newbyteorder('<'))" },
		{ 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (0,2)}",
		    ".npy file is in Fortran order: save the array as "
		    "numpy.ascontiguousarray(array)" },
		{ 1,
		    "{'descr': '<f8', 'fortran_order': False, "
		    "'shape': (4294967296,4294967296,8)}",
		    ".npy header has a shape that is too large" },
		{ 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
		    ".npy file is cut short: 0 bytes of 8" },
		{ 4, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
		    ".npy file of unknown version 4.0" },
	};
	unsigned char file[NPY_HEADER_MAX];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const size_t len =
		    make_file(cases[i].version, cases[i].words, file);
		struct error err = ERROR_INIT;
		struct tensor tensor = TENSOR_INIT;

		test_error_is(
		    npy_view((struct span){ file, len }, &tensor, &err), &err,
		    cases[i].error);
		assert_int_equal(err.code, ERROR_DATA);
	}
}

static void test_npy_refuses_other_files(void **state)
{
	const struct span jpeg = span_text("\xff\xd8\xff\xe0 and so on");
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT;

	UNUSED(state);
	test_error_is(
	    npy_view(jpeg, &tensor, &err), &err, "is not a .npy file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_npy_header_is_that_of_numpy),
		cmocka_unit_test(test_npy_comes_back_and_a_cut_one_does_not),
		cmocka_unit_test(test_npy_header_fits_whatever_the_shape),
		cmocka_unit_test(test_npy_reads_all_versions_and_spellings),
		cmocka_unit_test(test_npy_refuses_in_words),
		cmocka_unit_test(test_npy_refuses_other_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
