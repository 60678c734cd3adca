/* test_units.c - sizes, times and numbers, in every locale. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/units.h"
#include "test/unit/test.h"

struct whole_case {
	const char *text;
	int rc;
	uint64_t number;
};

static void check_whole(int (*parse)(const char *, uint64_t *),
    const struct whole_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct whole_case *c = &cases[i];
		uint64_t n = 0;
		const int rc = parse(c->text, &n);

		if (rc != c->rc || (rc == 0 && n != c->number))
			fail_msg("'%s' gave %d, %" PRIu64, c->text, rc, n);
	}
}

static void test_units_parse_bytes(void **state)
{
	static const struct whole_case cases[] = {
		{ "0", 0, 0 },
		{ "17B", 0, 17 },
		{ "500MB", 0, 500000000 },
		{ "500mb", 0, 500000000 },
		{ "2G", 0, 2000000000 },
		{ "3k", 0, 3000 },
		{ "64KiB", 0, 65536 },
		{ "1MiB", 0, 1 << 20 },
		{ "1.5GB", 0, 1500000000 },
		{ "0.1kB", 0, 100 },
		{ "512 MB", 0, 512000000 },
		{ "1e3", 0, 1000 },
		{ "16TiB", 0, UINT64_C(1) << 44 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -1, 0 },
		{ "99999999T", -1, 0 },
		{ "16384PiB", -1, 0 },
		{ "-1", -1, 0 },
		{ "+1", -1, 0 },
		{ "", -1, 0 },
		{ "MB", -1, 0 },
		{ " 5", -1, 0 },
		{ "5 ", 0, 5 },
		{ "5  MB", -1, 0 },
		{ "5MB/s", -1, 0 },
		{ "5Mi", -1, 0 },
		{ "0x10", -1, 0 },
		{ "nan", -1, 0 },
		{ "inf", -1, 0 },
		{ "1e999", -1, 0 },
	};

	UNUSED(state);
	check_whole(units_parse_bytes, cases, ARRAY_LEN(cases));
}

static void test_units_parse_uint(void **state)
{
	static const struct whole_case cases[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -1, 0 },
		{ "99999999999999999999", -1, 0 },
		{ "-1", -1, 0 },
		{ "1.0", -1, 0 },
		{ "1e3", -1, 0 },
		{ "1 ", -1, 0 },
		{ "", -1, 0 },
	};

	UNUSED(state);
	check_whole(units_parse_uint, cases, ARRAY_LEN(cases));
}

struct real_case {
	const char *text;
	int rc;
	double number;
};

static void check_real(int (*parse)(const char *, double *),
    const struct real_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct real_case *c = &cases[i];
		double n = 0;
		const int rc = parse(c->text, &n);

		if (rc != c->rc || (rc == 0 && fabs(n - c->number) > 0))
			fail_msg("'%s' gave %d, %.17g", c->text, rc, n);
	}
}

static void test_units_parse_real(void **state)
{
	static const struct real_case cases[] = {
		{ "0", 0, 0 },
		{ "0.1", 0, 0.1 },
		{ ".5", 0, 0.5 },
		{ "5.", 0, 5 },
		{ "-2.5", 0, -2.5 },
		{ "+2", 0, 2 },
		{ "1e-3", 0, 1e-3 },
		{ "1E+3", 0, 1000 },
		{ "1e", -1, 0 },
		{ ".", -1, 0 },
		{ "-", -1, 0 },
		{ "--1", -1, 0 },
		{ "", -1, 0 },
		{ "1,5", -1, 0 },
		{ " 1", -1, 0 },
		{ "1 ", -1, 0 },
		{ "0x1p3", -1, 0 },
		{ "nan", -1, 0 },
		{ "inf", -1, 0 },
		{ "1e400", -1, 0 },
	};

	UNUSED(state);
	check_real(units_parse_real, cases, ARRAY_LEN(cases));
}

static void test_units_parse_time(void **state)
{
	static const struct real_case cases[] = {
		{ "90s", 0, 90 },
		{ "90", 0, 90 },
		{ "5m", 0, 300 },
		{ "5min", 0, 300 },
		{ "2h", 0, 7200 },
		{ "1.5h", 0, 5400 },
		{ "600us", 0, 600e-6 },
		{ "4ms", 0, 4e-3 },
		{ "100ns", 0, 100e-9 },
		{ "0.6ms", 0, 0.0006 },
		{ "5MB", -1, 0 },
		{ "-5s", -1, 0 },
		{ "s", -1, 0 },
		{ "", -1, 0 },
		{ "1e308h", -1, 0 },
	};

	UNUSED(state);
	check_real(units_parse_time, cases, ARRAY_LEN(cases));
}

static void test_units_parse_rate(void **state)
{
	static const struct real_case cases[] = {
		{ "910MB/s", 0, 910e6 },
		{ "1.5GiB/s", 0, 1.5 * 0x1p30 },
		{ "100/s", 0, 100 },
		{ "5 kB/s", 0, 5000 },
		{ "910MB", -1, 0 },
		{ "910", -1, 0 },
		{ "/s", -1, 0 },
		{ "1x/s", -1, 0 },
		{ "-1MB/s", -1, 0 },
		{ "1e308GB/s", -1, 0 },
	};

	UNUSED(state);
	check_real(units_parse_rate, cases, ARRAY_LEN(cases));
}

struct print_case {
	double number;
	const char *text;
};

static void check_print(const char *(*print)(double, char *),
    const struct print_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[UNITS_TEXT];
		const char *returned = print(cases[i].number, text);

		assert_ptr_equal(returned, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void test_units_bytes(void **state)
{
	static const struct print_case cases[] = {
		{ 0, "0 B" },
		{ 999, "999 B" },
		{ 12.34, "12.3 B" },
		{ 999.7, "1.00 kB" },
		{ 1000, "1 kB" },
		{ 1234, "1.23 kB" },
		{ 12345, "12.3 kB" },
		{ 999499, "999 kB" },
		{ 999500, "1.00 MB" },
		{ 500e6, "500 MB" },
		{ 1.23e9, "1.23 GB" },
		{ 5e18, "5000 PB" },
		{ 1e300, "1e+285 PB" },
		{ -2e6, "-2 MB" },
	};

	UNUSED(state);
	check_print(units_bytes, cases, ARRAY_LEN(cases));
}

static void test_units_time(void **state)
{
	static const struct print_case cases[] = {
		{ 0, "0 s" },
		{ 1e-10, "0.10 ns" },
		{ 100e-9, "100 ns" },
		{ 600e-6, "600 us" },
		{ 0.0042, "4.20 ms" },
		{ 0.99960, "1.00 s" },
		{ 45.6, "45.6 s" },
		{ 119, "119 s" },
		{ 120, "2 min" },
		{ 320, "5.33 min" },
		{ 7200, "2 h" },
		{ 36e6, "10000 h" },
		{ -3, "-3 s" },
	};

	UNUSED(state);
	check_print(units_time, cases, ARRAY_LEN(cases));
}

static void test_units_rough_time(void **state)
{
	static const struct print_case cases[] = {
		{ 0, "0 s" },
		{ 100e-9, "100 ns" },
		{ 0.00424, "4.2 ms" },
		{ 0.123, "120 ms" },
		{ 0.034, "34 ms" },
		{ 2.2, "2.2 s" },
		{ 2.02, "2 s" },
		{ 99.6, "100 s" },
		{ 1938, "32 min" },
		{ 7200, "2 h" },
	};

	UNUSED(state);
	check_print(units_rough_time, cases, ARRAY_LEN(cases));
}

static void test_units_number(void **state)
{
	static const struct print_case cases[] = {
		{ 0, "0" },
		{ 5, "5" },
		{ 0.12345, "0.1235" },
		{ 12.5, "12.5" },
		{ 123.45, "123.5" },
		{ 999.94, "999.9" },
		{ 999.96, "1 000" },
		{ 1234.4, "1 234" },
		{ 12345, "12 345" },
		{ 123456, "123 456" },
		{ 1234567, "1 234 567" },
		{ -1234567, "-1 234 567" },
		{ 999999999999999, "999 999 999 999 999" },
		{ 1e15, "1e+15" },
		{ 1e-9, "1e-09" },
	};

	UNUSED(state);
	check_print(units_number, cases, ARRAY_LEN(cases));
}

/* Runs where a locale with a decimal comma is installed. */
static void test_units_do_not_depend_on_the_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8",
		"fr_FR.UTF-8", "ru_RU.UTF-8" };
	const char *found = NULL;
	char text[UNITS_TEXT];
	double number;

	for (size_t i = 0; !found && i < ARRAY_LEN(names); i++)
		found = setlocale(LC_ALL, names[i]);
	if (!found)
		skip();
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_string_equal(units_bytes(1.5e9, text), "1.50 GB");
	assert_string_equal(units_number(12.5, text), "12.5");
	test_units_parse_real(state);
	test_units_parse_time(state);
	assert_int_equal(units_parse_real("1,5", &number), -1);
	assert_string_equal(localeconv()->decimal_point, ",");
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units_parse_bytes),
		cmocka_unit_test(test_units_parse_uint),
		cmocka_unit_test(test_units_parse_real),
		cmocka_unit_test(test_units_parse_time),
		cmocka_unit_test(test_units_parse_rate),
		cmocka_unit_test(test_units_bytes),
		cmocka_unit_test(test_units_time),
		cmocka_unit_test(test_units_rough_time),
		cmocka_unit_test(test_units_number),
		cmocka_unit_test(test_units_do_not_depend_on_the_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
