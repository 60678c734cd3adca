/* test_csv.c - numbers and columns in CSV text. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/decimal.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* ---- numbers ---- */

static void check_number(const char *text)
{
	const size_t len = strlen(text);
	const double want = strtod(text, NULL);
	double got = -1;

	if (decimal_parse(text, len, &got) != len ||
	    memcmp(&got, &want, sizeof(got)) != 0)
		fail_msg("%s: %.17g, not %.17g", text, got, want);
}

static void test_decimal_rounds_to_the_nearest(void **state)
{
	static const char *const hard[] = { "0", "-0", "0.0e9", "1e22", "1e23",
		"9007199254740993", "9007199254740992.5",
		"9007199254740993.0000000000000000001", "5e-324", "2e-324",
		"2.4703282292062327e-324", "1.7976931348623157e308",
		"1.7976931348623159e308", "1e400", "-1e400", "1e-400",
		"123456789012345678901234567890", "0.1", "0.30000000000000004",
		"6929495644600919.5e-15", "18446744073709551615e-27",
		"18446744073709551615e27", "00000000000000000000000001.5",
		"1.00000000000000011102230246251565404", ".5", "5.", "8.5e-27",
		"7450580596923828125e-27", "1e99999999999" };
	struct random random = random_stream(1, 0, 0, 0);
	char text[64];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(hard); i++)
		check_number(hard[i]);
	for (unsigned i = 0; i < 200000; i++) {
		const uint64_t digits =
		    random_u64(&random) >> random_below(&random, 64);

		snprintf(text, sizeof(text), "%llu.%ue%d",
		    (unsigned long long)digits, random_below(&random, 1000000),
		    (int)random_below(&random, 60) - 30);
		check_number(text);
	}
}

static void test_decimal_takes_what_is_a_number(void **state)
{
	static const struct {
		const char *text;
		size_t used;
	} cases[] = { { "", 0 }, { "-", 0 }, { ".", 0 }, { "e5", 0 },
		{ "1e", 1 }, { "1e+", 1 }, { "1,5", 1 }, { "-.e", 0 },
		{ "12x", 2 }, { "+3", 2 }, { "0x10", 1 } };
	double number;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(decimal_parse(cases[i].text,
		                     strlen(cases[i].text), &number),
		    cases[i].used);
	assert_int_equal(decimal_parse("-inf", 4, &number), 4);
	assert_true(isinf(number) && number < 0);
	assert_int_equal(decimal_parse("Infinity", 8, &number), 8);
	assert_int_equal(decimal_parse("NaN", 3, &number), 3);
	assert_true(isnan(number));
	assert_int_equal(decimal_parse("12345", 2, &number), 2);
	assert_true(number == 12);
}

/* ---- columns ---- */

static const struct type text_type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"csv" };

static int run(
    const char *words, const char *text, struct tensor *out, struct error *err)
{
	struct tensor in = TENSOR_INIT;
	struct stepper stepper;
	int rc;

	tensor_view_encoded(&in, text, strlen(text), "csv");
	test_ok(stepper_open(&stepper, words, &text_type, err), err);
	rc = stepper_run(&stepper, 0, &in, out, err);
	stepper_close(&stepper);
	return rc;
}

static void check(const char *words, const char *text, int64_t columns,
    int64_t rows, const double *want)
{
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;

	test_ok(run(words, text, &out, &err), &err);
	assert_int_equal(out.shape.count, 2);
	assert_int_equal(out.shape.dims[0], columns);
	assert_int_equal(out.shape.dims[1], rows);
	for (int64_t i = 0; i < columns * rows; i++)
		assert_true(
		    (out.dtype == DTYPE_F64
		            ? ((double *)out.data)[i]
		            : (double)((float *)out.data)[i]) == want[i]);
	tensor_release(&out);
}

static void test_csv_reads_columns(void **state)
{
	static const double want[] = { 1, 4, 2, 5.5, 3, -6 };
	static const double two[] = { 3, -6, 1, 4 };
	static const double one[] = { 5 };

	UNUSED(state);
	check("csv", "1,2,3\n4,5.5,-6\n", 3, 2, want);
	check("csv dtype=float32", "1,2,3\n4,5.5,-6", 3, 2, want);
	check("csv", "a,b,c\r\n1,2,3\r\n4,5.5,-6\r\n", 3, 2, want);
	check("csv", "# x\n\n a; b ;c\n1; 2;3\n\n#no\n4;5.5;\"-6\"\n", 3, 2,
	    want);
	check("csv", "1\t2\t3\n4\t5.5\t-6\n", 3, 2, want);
	check("csv", "  1   2 3\n4 5.5 \t -6  \n", 3, 2, want);
	check("csv columns=c,a", "a,b,c\n1,2,3\n4,,-6\n", 2, 2, two);
	check("csv columns=3,1", "a,b,c\n1,x,3\n4,y,-6\n", 2, 2, two);
	check("csv header=yes", "4\n5\n", 1, 1, one);
	check("csv header=no columns=2", "1,5\n", 1, 1, one);
	check("csv", "a,b\n", 2, 0, NULL);
	check("csv delimiter=semicolon", "5", 1, 1, one);
}

static void check_fails(const char *words, const char *text, const char *says)
{
	struct tensor out = TENSOR_INIT;
	struct error err = ERROR_INIT;

	test_error_is(run(words, text, &out, &err), &err, says);
	assert_int_equal(err.code, ERROR_DATA);
	tensor_release(&out);
}

static void test_csv_says_in_which_line(void **state)
{
	UNUSED(state);
	check_fails("csv", "", "the text has no rows");
	check_fails("csv", "\n# only this\n", "the text has no rows");
	check_fails("csv", "a,b\n1,2\n\n3,x\n", "line 4: 'x' is not a number");
	check_fails("csv", "# c\na,b\n1,2\n3,\n", "line 4: '' is not a number");
	check_fails("csv", "1,2\n3\n", "line 2: expected 2 fields, got 1");
	check_fails("csv", "1,2\n3,4,5\n", "line 2: expected 2 fields, got 3");
	check_fails("csv header=no", "a,b\n", "line 1: 'a' is not a number");
	check_fails("csv columns=amps", "volts,amperes\n1,2\n",
	    "there is no column 'amps': the header is 'volts,amperes'");
	check_fails("csv columns=3", "1,2\n",
	    "there is no column '3': there are 2, and no header");
}

static void test_csv_refuses_what_is_no_text(void **state)
{
	static const char utf16[] = "1\0,\0002\0\n";
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	tensor_view_encoded(&in, utf16, sizeof(utf16), "csv");
	test_ok(stepper_open(&stepper, "csv", &text_type, &err), &err);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "byte 1 is 0x00: this is not text of single bytes");
	stepper_close(&stepper);
	tensor_release(&out);
}

/* A locale with a decimal comma, where there is one. */
static void test_csv_knows_no_locale(void **state)
{
	static const double want[] = { 1.5, 0.1234567890123456789 };

	UNUSED(state);
	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		skip();
	check("csv", "1.5\n0.12345678901234567890123\n", 1, 2, want);
	setlocale(LC_ALL, "C");
}

static int read_real(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct tensor out = TENSOR_INIT;
	struct buf file = BUF_INIT;

	UNUSED(bytes);
	test_read_file(arg, name, &file);
	test_ok(buf_append(&file, "", 1, err), err);
	test_ok(run("csv", (const char *)file.data, &out, err), err);
	assert_true(out.shape.dims[0] >= 2 && out.shape.dims[1] > 1000);
	tensor_release(&out);
	buf_release(&file);
	return 0;
}

static void test_csv_reads_real_files(void **state)
{
	const char *data = getenv("PRESTO_TEST_DATA");
	char *dir = test_path(data ? data : "../shared/data", "nilm/csv");
	struct error err = ERROR_INIT;

	UNUSED(state);
	if (path_exists(dir))
		test_ok(path_each(dir, read_real, dir, &err), &err);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimal_rounds_to_the_nearest),
		cmocka_unit_test(test_decimal_takes_what_is_a_number),
		cmocka_unit_test(test_csv_reads_columns),
		cmocka_unit_test(test_csv_says_in_which_line),
		cmocka_unit_test(test_csv_refuses_what_is_no_text),
		cmocka_unit_test(test_csv_knows_no_locale),
		cmocka_unit_test(test_csv_reads_real_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
