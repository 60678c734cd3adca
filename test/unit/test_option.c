/* test_option.c - one table for the command line, files and -h. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/syntax/option.h"
#include "test/unit/test.h"

struct args {
	uint64_t runs, size, max_disk;
	double chance, bandwidth, budget;
	unsigned filter;
	bool keep, quiet;
	const char *db;
	struct option_texts set;
};

static const struct option table[] = {
	OPTION(RATE, "bandwidth", 0, struct args, bandwidth, "RATE", "speed"),
	OPTION(TIME, "budget", 'b', struct args, budget, "TIME", "at most"),
	OPTION_RANGE(REAL, "chance", struct args, chance, 0, 1, "how often"),
	OPTION(TEXT, "db", 'o', struct args, db, "FILE", "where runs go"),
	OPTION_WORDS("filter", struct args, filter, "nearest|bilinear|box",
	    "how pixels are weighed"),
	OPTION(FLAG, "keep", 'k', struct args, keep, NULL, "keep the stores"),
	OPTION(BYTES, "max-disk", 0, struct args, max_disk, "SIZE", "at most"),
	OPTION(FLAG, "quiet", 'q', struct args, quiet, NULL, "say nothing"),
	OPTION(UINT, "runs", 'r', struct args, runs, "N", "runs of a trial"),
	OPTION(REPEAT, "set", 0, struct args, set, "KEY=VALUE", "a key"),
	OPTION_RANGE(UINT, "size", struct args, size, 1, 65535, "edge"),
	OPTION_TABLE_END,
};

static void test_option_set_says_what_is_wrong(void **state)
{
	static const struct {
		const char *name, *text, *message;
	} cases[] = {
		{ "siez", "1", "unknown key 'siez'; did you mean 'size'?" },
		{ "mach", "1", "unknown key 'mach'" },
		{ "size", "0", "size must be 1 to 65535, got 0" },
		{ "size", "65536", "size must be 1 to 65535, got 65536" },
		{ "size", "many", "size must be 1 to 65535, got 'many'" },
		{ "size", "", "size must be 1 to 65535, got ''" },
		{ "size", NULL, "size needs a value (N)" },
		{ "chance", "2", "chance must be 0 to 1, got 2" },
		{ "chance", "-0.1", "chance must be 0 to 1, got -0.1" },
		{ "runs", "-1", "runs must be a whole number, got '-1'" },
		{ "max-disk", "big",
		    "max-disk must be a size such as 500MB or 64KiB, "
		    "got 'big'" },
		{ "bandwidth", "5MB",
		    "bandwidth must be a rate such as 910MB/s, got '5MB'" },
		{ "budget", "soon",
		    "budget must be a time such as 90s or 5m, got 'soon'" },
		{ "filter", "bi",
		    "filter must be one of nearest, bilinear, box, "
		    "got 'bi'" },
		{ "keep", "maybe", "keep must be yes or no, got 'maybe'" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct args args = { .runs = 5 };
		const int rc = option_set(
		    table, &args, cases[i].name, cases[i].text, &err);

		test_error_is(rc, &err, cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
		assert_int_equal(args.runs, 5);
	}
}

static void test_option_set_fills_each_type(void **state)
{
	static const char *const pairs[][2] = {
		{ "bandwidth", "910MB/s" },
		{ "budget", "5m" },
		{ "chance", "0.5" },
		{ "db", "a.db" },
		{ "filter", "box" },
		{ "keep", "yes" },
		{ "max-disk", "64KiB" },
		{ "quiet", "no" },
		{ "runs", "7" },
		{ "set", "a=1" },
		{ "set", "b=2" },
		{ "size", "65535" },
	};
	struct args args = { .quiet = true };
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
		test_ok(
		    option_set(table, &args, pairs[i][0], pairs[i][1], &err),
		    &err);
	assert_true(args.bandwidth >= 910e6 && args.bandwidth <= 910e6);
	assert_true(args.budget >= 300 && args.budget <= 300);
	assert_true(args.chance >= 0.5 && args.chance <= 0.5);
	assert_string_equal(args.db, "a.db");
	assert_int_equal(args.filter, 2);
	assert_true(args.keep);
	assert_false(args.quiet);
	assert_int_equal(args.max_disk, 65536);
	assert_int_equal(args.runs, 7);
	assert_int_equal(args.set.count, 2);
	assert_string_equal(args.set.text[1], "b=2");
	assert_int_equal(args.size, 65535);
}

static void test_option_set_bounds_repetition(void **state)
{
	struct args args = { .runs = 0 };
	struct error err = ERROR_INIT;
	int rc = 0;

	UNUSED(state);
	for (unsigned i = 0; i < OPTION_REPEAT_MAX; i++)
		test_ok(option_set(table, &args, "set", "a=1", &err), &err);
	rc = option_set(table, &args, "set", "a=1", &err);
	test_error_is(rc, &err, "set can be given 32 times at most");
}

enum { WORDS = 8 };

/* The command line of a case: its words, up to the first NULL. */
static int parse(const char *const words[WORDS], char *argv[WORDS + 2],
    struct args *args, int *operands, bool *help, struct error *err)
{
	static char program[] = "presto";
	static char copies[WORDS][32]; /* what argv points to is writable */
	int argc = 1;

	argv[0] = program;
	for (; argc <= WORDS && words[argc - 1]; argc++) {
		char *copy = copies[argc - 1];

		assert_true(strlen(words[argc - 1]) < sizeof(copies[0]));
		memcpy(copy, words[argc - 1], strlen(words[argc - 1]) + 1);
		argv[argc] = copy;
	}
	argv[argc] = NULL;
	return option_parse(table, args, argc, argv, operands, help, err);
}

static void test_option_parse_takes_every_form(void **state)
{
	static const struct {
		const char *words[WORDS];
		uint64_t runs;
		bool keep, quiet;
		const char *operands[3];
	} cases[] = {
		{ { NULL }, 5, false, false, { NULL } },
		{ { "a.conf" }, 5, false, false, { "a.conf" } },
		{ { "--runs", "7" }, 7, false, false, { NULL } },
		{ { "--runs=7" }, 7, false, false, { NULL } },
		{ { "-r", "7" }, 7, false, false, { NULL } },
		{ { "-r7" }, 7, false, false, { NULL } },
		{ { "-kq" }, 5, true, true, { NULL } },
		{ { "-kr7" }, 7, true, false, { NULL } },
		{ { "a", "-k", "b" }, 5, true, false, { "a", "b" } },
		{ { "a", "-r", "7", "b", "--keep" }, 7, true, false,
		    { "a", "b" } },
		{ { "-k", "--", "-q", "a" }, 5, true, false, { "-q", "a" } },
		{ { "-", "a" }, 5, false, false, { "-", "a" } },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct args args = { .runs = 5 };
		struct error err = ERROR_INIT;
		char *argv[WORDS + 2];
		int operands = -1;
		bool help = true;

		test_ok(
		    parse(cases[i].words, argv, &args, &operands, &help, &err),
		    &err);
		assert_false(help);
		assert_int_equal(args.runs, cases[i].runs);
		assert_int_equal(args.keep, cases[i].keep);
		assert_int_equal(args.quiet, cases[i].quiet);
		for (int k = 0; k < operands; k++)
			assert_string_equal(argv[1 + k], cases[i].operands[k]);
		assert_null(cases[i].operands[operands]);
	}
}

static void test_option_parse_says_what_is_wrong(void **state)
{
	static const struct {
		const char *words[WORDS];
		const char *message;
	} cases[] = {
		{ { "--run", "7" },
		    "unknown option '--run'; did you mean '--runs'?" },
		{ { "--run=7" },
		    "unknown option '--run'; did you mean '--runs'?" },
		{ { "-x" }, "unknown option '-x'; see -h" },
		{ { "--runs" }, "--runs needs a value (N)" },
		{ { "-r" }, "-r needs a value (N)" },
		{ { "-kr" }, "-r needs a value (N)" },
		{ { "--keep=yes" }, "--keep takes no value" },
		{ { "--size", "0" }, "--size must be 1 to 65535, got 0" },
		{ { "--runs=" }, "--runs must be a whole number, got ''" },
		{ { "-rx" }, "-r must be a whole number, got 'x'" },
		{ { "-k7" }, "unknown option '-7'; see -h" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct args args = { .runs = 5 };
		struct error err = ERROR_INIT;
		char *argv[WORDS + 2];
		int operands;
		bool help;
		const int rc =
		    parse(cases[i].words, argv, &args, &operands, &help, &err);

		test_error_is(rc, &err, cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
	}
}

static void test_option_parse_bears_a_long_name(void **state)
{
	static char program[] = "presto", name[2000];
	char *argv[] = { program, name, NULL };
	struct args args = { .runs = 5 };
	struct error err = ERROR_INIT;
	int operands;
	bool help;

	UNUSED(state);
	memset(name, 'x', sizeof(name) - 1);
	memcpy(name, "--", 2);
	assert_int_equal(
	    option_parse(table, &args, 2, argv, &operands, &help, &err), -1);
	test_contains(err.text, "unknown option '--xxx");
}

static void test_option_parse_stops_at_help(void **state)
{
	static const char *const cases[][WORDS] = {
		{ "-h" },
		{ "--help" },
		{ "-kh" },
		{ "-h", "--nonsense" },
		{ "a", "--help", "-x" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct args args = { .runs = 5 };
		struct error err = ERROR_INIT;
		char *argv[WORDS + 2];
		int operands;
		bool help = false;

		test_ok(
		    parse(cases[i], argv, &args, &operands, &help, &err), &err);
		assert_true(help);
	}
}

static void test_option_help_has_one_line_an_option(void **state)
{
	static const char expected[] =
	    "  --bandwidth RATE    speed\n"
	    "  -b, --budget TIME   at most\n"
	    "  --chance N          how often (0 to 1)\n"
	    "  -o, --db FILE       where runs go\n"
	    "  --filter WORD       how pixels are weighed "
	    "(nearest, bilinear, box)\n"
	    "  -k, --keep          keep the stores\n"
	    "  --max-disk SIZE     at most\n"
	    "  -q, --quiet         say nothing\n"
	    "  -r, --runs N        runs of a trial\n"
	    "  --set KEY=VALUE     a key\n"
	    "  --size N            edge (1 to 65535)\n";
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	UNUSED(state);
	test_ok(option_help(table, &out, &err), &err);
	assert_string_equal((char *)out.data, expected);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_option_set_says_what_is_wrong),
		cmocka_unit_test(test_option_set_fills_each_type),
		cmocka_unit_test(test_option_set_bounds_repetition),
		cmocka_unit_test(test_option_parse_takes_every_form),
		cmocka_unit_test(test_option_parse_says_what_is_wrong),
		cmocka_unit_test(test_option_parse_bears_a_long_name),
		cmocka_unit_test(test_option_parse_stops_at_help),
		cmocka_unit_test(test_option_help_has_one_line_an_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
