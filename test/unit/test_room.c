/* test_room.c - the memory limit of a sample applies to all code. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/sample/sample.h"
#include "test/unit/test.h"

enum { MOST = 1000 };

static void test_room_bounds_tensors(void **state)
{
	const struct shape fits = { 1, { MOST } }, over = { 1, { MOST + 1 } };
	struct tensor tensor = TENSOR_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	room_enter(MOST);
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &fits, &err), &err);
	test_error_is(tensor_reshape(&tensor, DTYPE_U8, &over, &err), &err,
	    "uint8 1001 takes 1.00 kB, and a sample may take 1 kB: raise "
	    "limits.sample");
	assert_int_equal(err.code, ERROR_DATA);
	room_leave();
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &over, &err), &err);
	room_enter(MOST); /* although it has the room */
	assert_int_equal(tensor_resize(&tensor, DTYPE_U8, &over, &err), -1);
	room_leave();
	tensor_release(&tensor);
}

static void test_room_bounds_buffers_by_twice_as_much(void **state)
{
	static const unsigned char bytes[3 * MOST];
	struct buf buf = BUF_INIT;
	struct error err = ERROR_INIT;
	size_t capacity = 0;
	void *items;

	UNUSED(state);
	room_enter(MOST);
	for (int i = 0; i < 2 * MOST; i++) /* doubling does not hit it */
		test_ok(buf_append(&buf, bytes, 1, &err), &err);
	assert_int_equal(buf_append(&buf, bytes, MOST, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	assert_int_equal(buf.len, 2 * MOST);
	assert_null(array_grow(NULL, &capacity, MOST, 4, &err));
	assert_int_equal(err.code, ERROR_DATA);
	items = array_grow(NULL, &capacity, MOST / 4, 4, &err);
	assert_non_null(items);
	room_leave();
	test_ok(buf_append(&buf, bytes, sizeof(bytes), &err), &err);
	buf_release(&buf);
	free(items);
}

static void test_room_of_nothing_is_any(void **state)
{
	const struct shape shape = { 1, { 100 * MOST } };
	struct tensor tensor = TENSOR_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	room_enter(0);
	test_ok(tensor_reshape(&tensor, DTYPE_U8, &shape, &err), &err);
	room_enter(UINT64_MAX);
	test_ok(tensor_reshape(&tensor, DTYPE_F64, &shape, &err), &err);
	room_leave();
	tensor_release(&tensor);
}

/* What a reader withheld has a size, and no bytes. */
static void test_sample_check_room_knows_what_was_withheld(void **state)
{
	struct sample sample = SAMPLE_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	sample.count = 2;
	tensor_view_encoded(&sample.fields[0], "x", 1, "bin");
	tensor_view_encoded(&sample.fields[1], NULL, SIZE_MAX / 2, "bin");
	assert_int_equal(sample_check_room(&sample, MOST, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_ok(sample_check_room(&sample, 0, &err), &err);
}

/* A large buffer grows by pages that move: what is in it stays. */
static void test_buf_grows_far_and_keeps_its_bytes(void **state)
{
	struct buf buf = BUF_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (uint32_t i = 0; i < 3 << 20; i++)
		test_ok(buf_append(&buf, &i, sizeof(i), &err), &err);
	for (uint32_t i = 0; i < 3 << 20; i += 4093)
		assert_memory_equal(buf.data + i * sizeof(i), &i, sizeof(i));
	assert_int_equal((uintptr_t)buf.data % 64, 0);
	buf_release(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_bounds_tensors),
		cmocka_unit_test(test_room_bounds_buffers_by_twice_as_much),
		cmocka_unit_test(test_room_of_nothing_is_any),
		cmocka_unit_test(
		    test_sample_check_room_knows_what_was_withheld),
		cmocka_unit_test(test_buf_grows_far_and_keeps_its_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
