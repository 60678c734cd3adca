/* test_csv_rows.c - tables of RFC 4180, row by row. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/csv_rows.h"
#include "test/unit/test.h"

/* All rows as "LINE:[a][b]" each. */
static void print_rows(struct csv_rows *rows, struct buf *out)
{
	struct error err = ERROR_INIT;
	int got;

	while ((got = csv_rows_next(rows, &err)) > 0) {
		test_ok(buf_printf(out, &err, "%zu:", rows->line), &err);
		for (size_t i = 0; i < rows->count; i++) {
			const struct span field = csv_rows_field(rows, i);

			assert_int_equal(field.data[field.len], 0);
			test_ok(buf_printf(out, &err, "[%.*s]", (int)field.len,
			            (const char *)field.data),
			    &err);
		}
	}
	test_ok(got, &err);
}

static void test_csv_rows_are_as_rfc_4180_has_them(void **state)
{
	static const struct {
		const char *text;
		char delimiter;
		const char *rows;
	} cases[] = {
		{ "", ',', "" },
		{ "\n\r\n", ',', "" },
		{ "a,b\n1,2\n", ',', "1:[a][b]2:[1][2]" },
		{ "a,b\r\n1,2", ',', "1:[a][b]2:[1][2]" },
		{ "\xef\xbb\xbf"
		  "a\n\n\nb",
		    ',', "1:[a]4:[b]" },
		{ ",\n\"\",\"\"\n", ',', "1:[][]2:[][]" },
		{ "\"a,b\",\"c\"\"d\"", ',', "1:[a,b][c\"d]" },
		{ "\"a\nb\r\nc\",d\ne,f", ',', "1:[a\nb\r\nc][d]4:[e][f]" },
		{ "a\"b, c \n", ',', "1:[a\"b][ c ]" },
		/* The header tells what is between the fields. */
		{ "a,b\n1;2,3", 0, "1:[a][b]2:[1;2][3]" },
		{ "a;b\n1;2,3", 0, "1:[a][b]2:[1][2,3]" },
		{ "a\tb\n1\t2", 0, "1:[a][b]2:[1][2]" },
		{ "\"a;b\",c\nd,e", 0, "1:[a;b][c]2:[d][e]" },
		{ "a;b,c\nd,e", 0, "1:[a;b][c]2:[d][e]" },
		{ "alone\n1\n", 0, "1:[alone]2:[1]" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct csv_rows rows = CSV_ROWS_INIT;
		struct buf out = BUF_INIT;
		struct error err = ERROR_INIT;

		test_ok(buf_printf(&out, &err, "%s", ""), &err);
		csv_rows_begin(&rows, "t.csv", span_text(cases[i].text),
		    cases[i].delimiter);
		print_rows(&rows, &out);
		if (strcmp((const char *)out.data, cases[i].rows) != 0)
			fail_msg("case %zu is %s, not %s", i,
			    (const char *)out.data, cases[i].rows);
		csv_rows_release(&rows);
		buf_release(&out);
	}
}

static void test_csv_rows_say_which_line_is_wrong(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "a,b\n1,\"2\n3\n", "t.csv:2: the quotation mark is never "
		                     "closed" },
		{ "\"a\nb\"c,d\n",
		    "t.csv:2: text behind a closing quotation mark" },
		{ "\"", "t.csv:1: the quotation mark is never closed" },
		{ "\"\"\"", "t.csv:1: the quotation mark is never closed" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct csv_rows rows = CSV_ROWS_INIT;
		struct error err = ERROR_INIT;
		int got;

		csv_rows_begin(&rows, "t.csv", span_text(cases[i].text), ',');
		while ((got = csv_rows_next(&rows, &err)) > 0)
			continue;
		test_error_is(got, &err, cases[i].error);
		csv_rows_release(&rows);
	}
}

static void test_csv_rows_leave_comments_out(void **state)
{
	struct csv_rows rows = CSV_ROWS_INIT;
	struct buf out = BUF_INIT;

	UNUSED(state);
	csv_rows_begin(&rows, "t.csv",
	    span_text("# \"one\n#\n\n1  2 \n# three\n  \n3 # 4\n#"), ' ');
	rows.comment = '#';
	print_rows(&rows, &out);
	assert_string_equal(
	    (const char *)out.data, "4:[1][][2][]6:[][][]7:[3][#][4]");
	csv_rows_release(&rows);
	buf_release(&out);
}

static void test_csv_rows_drop_empty_fields(void **state)
{
	struct csv_rows rows = CSV_ROWS_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	csv_rows_begin(&rows, "t.csv", span_text(" 1   22 \n"), ' ');
	assert_int_equal(csv_rows_next(&rows, &err), 1);
	csv_rows_drop_empty(&rows);
	assert_int_equal(rows.count, 2);
	assert_string_equal(csv_rows_field(&rows, 0).data, "1");
	assert_int_equal(csv_rows_field(&rows, 1).len, 2);
	csv_rows_release(&rows);
}

static void test_csv_rows_expect_as_many_fields(void **state)
{
	struct csv_rows rows = CSV_ROWS_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	csv_rows_begin(&rows, "t.csv", span_text("a,b\n\n1,2,3\n"), ',');
	assert_int_equal(csv_rows_next(&rows, &err), 1);
	test_ok(csv_rows_expect(&rows, 2, &err), &err);
	assert_int_equal(csv_rows_next(&rows, &err), 1);
	test_error_is(csv_rows_expect(&rows, 2, &err), &err,
	    "t.csv:3: 3 fields where the header has 2");
	csv_rows_release(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv_rows_are_as_rfc_4180_has_them),
		cmocka_unit_test(test_csv_rows_say_which_line_is_wrong),
		cmocka_unit_test(test_csv_rows_leave_comments_out),
		cmocka_unit_test(test_csv_rows_drop_empty_fields),
		cmocka_unit_test(test_csv_rows_expect_as_many_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
