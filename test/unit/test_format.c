/* test_format.c - output formats of commands, and output files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/program/output.h"
#include "cmd/writers/format.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "test/unit/test.h"

static void test_format_of_knows_words_and_short_forms(void **state)
{
	static const struct {
		struct format_args args;
		int count;
		enum format format;
	} cases[] = {
		{ { FORMAT_NOT_GIVEN, false, false, false }, 0, FORMAT_TEXT },
		{ { FORMAT_TEXT, false, false, false }, 1, FORMAT_TEXT },
		{ { FORMAT_HTML, false, false, false }, 1, FORMAT_HTML },
		{ { FORMAT_NOT_GIVEN, true, false, false }, 1, FORMAT_CSV },
		{ { FORMAT_NOT_GIVEN, false, true, false }, 1, FORMAT_JSON },
		{ { FORMAT_NOT_GIVEN, false, false, true }, 1,
		    FORMAT_MARKDOWN },
		{ { FORMAT_TEXT, true, false, false }, 2, FORMAT_CSV },
		{ { FORMAT_CSV, true, true, true }, 4, FORMAT_CSV },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(format_count(&cases[i].args), cases[i].count);
		assert_int_equal(format_of(&cases[i].args), cases[i].format);
	}
}

static void test_format_write_has_a_writer_for_each(void **state)
{
	static const char *const want[] = {
		[FORMAT_TEXT] = "name\na<b\n",
		[FORMAT_JSON] = "\"name\": \"a<b\"",
		[FORMAT_CSV] = "name\na<b\n",
		[FORMAT_MARKDOWN] = "| name",
		[FORMAT_HTML] = "<td>a&lt;b</td>",
	};
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(grid_add_column(&grid, "name", &err), &err);
	test_ok(grid_add_column(&grid, "none", &err), &err);
	test_ok(grid_add_row(&grid, &err), &err);
	test_ok(grid_set_text(&grid, 0, "a<b", &err), &err);
	for (unsigned i = 0; i < FORMAT_NOT_GIVEN; i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);

		assert_non_null(out);
		test_ok(format_write((enum format)i, &grid, out, &err), &err);
		fclose(out);
		if (i != FORMAT_CSV)
			test_contains(text, want[i]);
		else
			assert_string_equal(text, "name,none\na<b,\n");
		if (i == FORMAT_TEXT || i == FORMAT_HTML)
			assert_null(strstr(text, "none"));
		free(text);
	}
	grid_release(&grid);
}

/* Prints half of it, then ends with this code. */
static int print_half(const void *arg, FILE *out, struct error *err)
{
	const enum error_code *code = arg;

	if (*code != ERROR_MEMORY)
		fputs("half", out);
	return *code == ERROR_NONE ? 0 : error_set(err, *code, "no");
}

static void test_output_is_whole_or_as_it_was(void **state)
{
	static const struct {
		enum error_code code;
		const char *left;
	} cases[] = {
		{ ERROR_DATA, "old" },
		{ ERROR_MEMORY, "old" },
		{ ERROR_GATE, "half" },
		{ ERROR_NONE, "half" },
	};
	char *dir = test_scratch();
	char path[512];

	UNUSED(state);
	snprintf(path, sizeof(path), "%s/out", dir);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct span old = { .data = (const unsigned char *)"old",
			.len = 3 };
		struct error err = ERROR_INIT;
		char text[16] = "";
		FILE *in;

		test_ok(path_write(path, old, &err), &err);
		assert_int_equal(
		    output_to(path, print_half, &cases[i].code, &err),
		    cases[i].code == ERROR_NONE ? 0 : -1);
		assert_int_equal(err.code, cases[i].code);
		in = fopen(path, "r");
		assert_non_null(in);
		assert_non_null(fgets(text, sizeof(text), in));
		fclose(in);
		assert_string_equal(text, cases[i].left);
	}
	snprintf(path, sizeof(path), "%s/out.tmp", dir);
	assert_int_not_equal(access(path, F_OK), 0);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format_of_knows_words_and_short_forms),
		cmocka_unit_test(test_format_write_has_a_writer_for_each),
		cmocka_unit_test(test_output_is_whole_or_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
