/* test_arena.c - pieces do not move, are aligned, and are all released. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static void test_arena_pieces_are_aligned_and_apart(void **state)
{
	static const struct {
		size_t bytes, align;
	} cases[] = { { 1, 1 }, { 64, 64 }, { 3, 1 }, { 0, 8 }, { 100, 4096 },
		{ 5 << 20, 64 }, { 7, 16 }, { 40 << 20, 64 }, { 3 << 20, 64 } };
	enum { TIMES = 12 };
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	unsigned char *pieces[TIMES][ARRAY_LEN(cases)];

	(void)state;
	for (unsigned t = 0; t < TIMES; t++)
		for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
			unsigned char *piece = arena_take(
			    &arena, cases[i].bytes, cases[i].align, &err);

			assert_non_null(piece);
			assert_int_equal((uintptr_t)piece % cases[i].align, 0);
			if (cases[i].bytes) {
				piece[0] = (unsigned char)(t + i);
				piece[cases[i].bytes - 1] =
				    (unsigned char)(t + i);
			}
			pieces[t][i] = piece;
		}
	for (unsigned t = 0; t < TIMES; t++)
		for (size_t i = 0; i < ARRAY_LEN(cases); i++)
			if (cases[i].bytes) {
				assert_int_equal(pieces[t][i][0], t + i);
				assert_int_equal(
				    pieces[t][i][cases[i].bytes - 1], t + i);
			}
	arena_release(&arena);
	assert_int_equal(arena.block_count, 0);
	arena_release(&arena);
}

static void test_arena_too_much_is_an_error(void **state)
{
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	assert_null(arena_take(&arena, SIZE_MAX - 5, 64, &err));
	assert_int_equal(err.code, ERROR_MEMORY);
	assert_null(arena_take(&arena, SIZE_MAX / 2, 64, &err));
	assert_non_null(arena_take(&arena, 1, 1, &err));
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_pieces_are_aligned_and_apart),
		cmocka_unit_test(test_arena_too_much_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
