/* test_tensor.c - shapes in words, and ownership of memory. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/tensor.h"
#include "test/unit/test.h"

static void test_dtype_names_are_found_again(void **state)
{
	enum dtype dtype;

	UNUSED(state);
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		const enum dtype wanted = (enum dtype)i;

		assert_int_equal(dtype_parse(dtype_name(wanted), &dtype), 0);
		assert_int_equal(dtype, wanted);
		assert_int_equal(
		    dtype_parse_descr(dtype_descr(wanted), &dtype), 0);
		assert_int_equal(dtype, wanted);
		assert_int_equal(
		    dtype_descr(wanted)[2] - '0', dtype_bytes(wanted));
	}
	assert_int_equal(dtype_parse("float", &dtype), -1);
	assert_int_equal(dtype_parse("", &dtype), -1);
	assert_int_equal(dtype_parse_descr(">f4", &dtype), -1);
}

static void test_shape_text_reads_well(void **state)
{
	static const struct {
		struct shape shape;
		const char *text;
	} cases[] = {
		{ { 0, { 0 } }, "scalar" },
		{ { 1, { 0 } }, "0" },
		{ { 3, { 375, 500, 3 } }, "375x500x3" },
		{ { 3, { -1, -1, 3 } }, "?x?x3" },
		{ { 8, { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
		           INT64_MAX, INT64_MAX, INT64_MAX } },
		    "9223372036854775807x9223372036854775807x"
		    "9223372036854775807x9223372036854775807x"
		    "9223372036854775807x9223372036854775807x"
		    "9223372036854775807x9223372036854775807" },
	};
	char text[SHAPE_TEXT];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
		    shape_text(&cases[i].shape, text), cases[i].text);
}

static void test_shape_parse(void **state)
{
	static const struct {
		const char *text;
		int rc;
		struct shape shape;
	} cases[] = {
		{ "224", 0, { 1, { 224 } } },
		{ "224x224x3", 0, { 3, { 224, 224, 3 } } },
		{ "224,224,3", 0, { 3, { 224, 224, 3 } } },
		{ "0x5", 0, { 2, { 0, 5 } } },
		{ "1x1x1x1x1x1x1x1", 0, { 8, { 1, 1, 1, 1, 1, 1, 1, 1 } } },
		{ "1x1x1x1x1x1x1x1x1", -1, { 0 } },
		{ "", -1, { 0 } },
		{ "x", -1, { 0 } },
		{ "3x", -1, { 0 } },
		{ "3xx4", -1, { 0 } },
		{ "-1", -1, { 0 } },
		{ "+1", -1, { 0 } },
		{ " 1", -1, { 0 } },
		{ "1 ", -1, { 0 } },
		{ "1.5", -1, { 0 } },
		{ "?x3", -1, { 0 } },
		{ "9223372036854775807", 0, { 1, { INT64_MAX } } },
		{ "9223372036854775808", -1, { 0 } },
		{ "4294967296x4294967296", -1, { 0 } },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct shape shape = { .count = 0 };
		const int rc = shape_parse(cases[i].text, &shape);

		if (rc != cases[i].rc ||
		    (rc == 0 && !shape_equal(&shape, &cases[i].shape)))
			fail_msg("'%s' gave %d", cases[i].text, rc);
	}
}

static void test_type_says_what_it_is_and_its_bytes(void **state)
{
	static const struct {
		struct type type;
		const char *text;
		int64_t bytes;
	} cases[] = {
		{ { DTYPE_U8, LAYOUT_HWC, { 3, { 375, 500, 3 } }, "" },
		    "uint8 375x500x3", 562500 },
		{ { DTYPE_F32, LAYOUT_PLAIN, { 0, { 0 } }, "" },
		    "float32 scalar", 4 },
		{ { DTYPE_F64, LAYOUT_PLAIN, { 2, { 3, -1 } }, "" },
		    "float64 3x?", -1 },
		{ { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } }, "jpg" },
		    "jpg bytes", -1 },
		{ { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } }, "" }, "bytes",
		    -1 },
		{ { DTYPE_I64, LAYOUT_PLAIN, { 2, { 1 << 30, 1 << 30 } }, "" },
		    "int64 1073741824x1073741824", -1 },
	};
	char text[SHAPE_TEXT];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_string_equal(
		    type_text(&cases[i].type, text), cases[i].text);
		assert_int_equal(type_bytes(&cases[i].type), cases[i].bytes);
		assert_true(type_equal(&cases[i].type, &cases[i].type));
		for (size_t k = 0; k < i; k++)
			assert_false(
			    type_equal(&cases[i].type, &cases[k].type));
	}
}

static void test_tensor_reshape_recycles_its_memory(void **state)
{
	static const struct shape large = { 2, { 100, 33 } };
	static const struct shape small = { 1, { 7 } };
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT;
	void *data;

	UNUSED(state);
	test_ok(tensor_reshape(&tensor, DTYPE_F32, &large, &err), &err);
	data = tensor.data;
	assert_true(tensor.owned);
	assert_int_equal((uintptr_t)data % TENSOR_ALIGN, 0);
	assert_int_equal(tensor.bytes, 13200);
	memset(data, 1, tensor.capacity + 64); /* slack for vector stores */
	memcpy(tensor.suffix, "jpg", 4);
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &small, &err), &err);
	assert_ptr_equal(tensor.data, data);
	assert_int_equal(tensor.bytes, 7);
	assert_string_equal(tensor.suffix, "");
	test_ok(tensor_reshape(&tensor, DTYPE_F32, &large, &err), &err);
	assert_ptr_equal(tensor.data, data);
	tensor_release(&tensor);
	assert_null(tensor.data);
	tensor_release(&tensor);
}

static void test_tensor_of_nothing_has_an_address(void **state)
{
	static const struct shape none = { 2, { 0, 5 } };
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT;

	UNUSED(state);
	test_ok(tensor_reshape(&tensor, DTYPE_F64, &none, &err), &err);
	assert_non_null(tensor.data);
	assert_int_equal(tensor.bytes, 0);
	assert_int_equal(shape_elements(&none), 0);
	tensor_release(&tensor);
}

static void test_tensor_view_becomes_owned_when_reshaped(void **state)
{
	static const unsigned char bytes[] = { 1, 2, 3, 4, 5, 6 };
	static const struct shape shape = { 2, { 2, 3 } };
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT, copy = TENSOR_INIT;

	UNUSED(state);
	tensor_view(&tensor, DTYPE_U8, &shape, bytes);
	assert_ptr_equal(tensor.data, bytes);
	assert_false(tensor.owned);
	assert_int_equal(tensor.bytes, 6);
	test_ok(tensor_copy(&copy, &tensor, &err), &err);
	assert_true(copy.owned);
	assert_memory_equal(copy.data, bytes, 6);
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &shape, &err), &err);
	assert_true(tensor.owned);
	assert_ptr_not_equal(tensor.data, bytes);
	tensor_release(&tensor);
	tensor_release(&copy);
}

static void test_tensor_view_encoded_keeps_the_suffix(void **state)
{
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT, copy = TENSOR_INIT;

	UNUSED(state);
	tensor_view_encoded(&tensor, "abc", 3, "a_suffix_that_is_too_long");
	assert_int_equal(strlen(tensor.suffix), SUFFIX_MAX - 1);
	tensor_view_encoded(&tensor, "abc", 3, "jpg");
	test_ok(tensor_copy(&copy, &tensor, &err), &err);
	assert_string_equal(copy.suffix, "jpg");
	tensor_view_encoded(&tensor, NULL, 0, "");
	test_ok(tensor_copy(&copy, &tensor, &err), &err);
	assert_int_equal(copy.bytes, 0);
	tensor_release(&copy);
}

static void test_tensor_placed_stays_in_its_place(void **state)
{
	static const struct shape fits = { 1, { 16 } };
	static const struct shape larger = { 1, { 17 } };
	unsigned char slot[32];
	struct error err = ERROR_INIT;
	struct tensor tensor = TENSOR_INIT;

	UNUSED(state);
	memset(slot, 7, sizeof(slot));
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &larger, &err), &err);
	tensor_place(&tensor, slot, 16);
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &fits, &err), &err);
	assert_ptr_equal(tensor.data, slot);
	assert_int_equal(slot[16], 7);
	test_error_is(tensor_reshape(&tensor, DTYPE_U8, &larger, &err), &err,
	    "uint8 17 does not fit into 16 bytes");
	assert_int_equal(err.code, ERROR_DATA);
	tensor_release(&tensor);
}

static void test_tensor_reshape_has_a_limit(void **state)
{
	static const struct shape shapes[] = {
		{ 1, { INT64_C(1) << 40 } },
		{ 2, { INT64_C(1) << 33, INT64_C(1) << 33 } },
		{ 1, { INT64_MAX } },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct error err = ERROR_INIT;
		struct tensor tensor = TENSOR_INIT;

		assert_int_equal(
		    tensor_reshape(&tensor, DTYPE_U8, &shapes[i], &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
	}
}

static void test_tensor_check_says_what_differs(void **state)
{
	static const struct type image = { DTYPE_U8, LAYOUT_HWC,
		{ 3, { -1, -1, 3 } }, "" };
	static const struct {
		enum dtype dtype;
		struct shape shape;
		const char *error; /* NULL: it fulfils */
	} cases[] = {
		{ DTYPE_U8, { 3, { 5, 7, 3 } }, NULL },
		{ DTYPE_U8, { 3, { 0, 0, 3 } }, NULL },
		{ DTYPE_F32, { 3, { 5, 7, 3 } },
		    "is float32, expected uint8 ?x?x3" },
		{ DTYPE_U8, { 3, { 5, 7, 4 } }, "is 5x7x4, expected ?x?x3" },
		{ DTYPE_U8, { 2, { 5, 7 } }, "is 5x7, expected ?x?x3" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct tensor tensor = TENSOR_INIT;
		int rc;

		tensor_view(&tensor, cases[i].dtype, &cases[i].shape, "");
		rc = tensor_check(&tensor, &image, &err);
		if (cases[i].error)
			test_error_is(rc, &err, cases[i].error);
		else
			test_ok(rc, &err);
	}
}

static void test_resizing_keeps_what_fits(void **state)
{
	const struct shape few = { 1, { 3 } }, many = { 2, { 2, 5000 } };
	struct tensor tensor = TENSOR_INIT;
	struct error err = ERROR_INIT;
	int32_t *words;

	UNUSED(state);
	test_ok(tensor_resize(&tensor, DTYPE_I32, &few, &err), &err);
	words = tensor.data;
	words[0] = 7;
	words[2] = 9;
	test_ok(tensor_resize(&tensor, DTYPE_I32, &many, &err), &err);
	words = tensor.data;
	assert_int_equal(words[0], 7);
	assert_int_equal(words[2], 9);
	words[9999] = 11;
	assert_int_equal(tensor.bytes, 40000);
	test_ok(tensor_resize(&tensor, DTYPE_I32, &few, &err), &err);
	assert_int_equal(((int32_t *)tensor.data)[2], 9);
	tensor_release(&tensor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dtype_names_are_found_again),
		cmocka_unit_test(test_shape_text_reads_well),
		cmocka_unit_test(test_shape_parse),
		cmocka_unit_test(test_type_says_what_it_is_and_its_bytes),
		cmocka_unit_test(test_tensor_reshape_recycles_its_memory),
		cmocka_unit_test(test_tensor_of_nothing_has_an_address),
		cmocka_unit_test(test_tensor_view_becomes_owned_when_reshaped),
		cmocka_unit_test(test_tensor_view_encoded_keeps_the_suffix),
		cmocka_unit_test(test_tensor_placed_stays_in_its_place),
		cmocka_unit_test(test_tensor_reshape_has_a_limit),
		cmocka_unit_test(test_tensor_check_says_what_differs),
		cmocka_unit_test(test_resizing_keeps_what_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
