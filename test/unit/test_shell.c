/* test_shell.c - words of a line, with quotes. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/shell.h"
#include "test/unit/test.h"

enum { WORDS_MOST = 5 };

static void test_shell_takes_words_without_their_quotes(void **state)
{
	static const struct {
		const char *text, *words[WORDS_MOST];
	} cases[] = {
		{ "", { NULL } },
		{ "  \t\n", { NULL } },
		{ "resize size=9", { "resize", "size=9" } },
		{ "  a\tb \n", { "a", "b" } },
		{ "command 'tr a-z A-Z' x=1",
		    { "command", "tr a-z A-Z", "x=1" } },
		{ "'sh -c \"exit 3\"'", { "sh -c \"exit 3\"" } },
		{ "sh -c \"exit 3\"", { "sh", "-c", "exit 3" } },
		{ "a'b c'd", { "ab cd" } },
		{ "''", { "" } },
		{ "\"\" x", { "", "x" } },
		{ "'it\\s' x", { "it\\s", "x" } },
		{ "it\\'s a\\ b", { "it's", "a b" } },
		{ "\"a\\\"b\\\\c\\d\"", { "a\"b\\c\\d" } },
		{ "a\\b \\", { "a\\b", "\\" } },
		{ "'a'\"b\"c", { "abc" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		char text[64], *rest = text, *word;

		memcpy(text, cases[i].text, strlen(cases[i].text) + 1);
		for (size_t k = 0; k < WORDS_MOST && cases[i].words[k]; k++) {
			assert_int_equal(shell_take(&rest, &word, &err), 1);
			assert_string_equal(word, cases[i].words[k]);
		}
		assert_int_equal(shell_take(&rest, &word, &err), 0);
		assert_int_equal(shell_take(&rest, &word, &err), 0);
	}
}

static void test_shell_finds_quotes_that_are_not_closed(void **state)
{
	static const char *const cases[] = { "'", "a 'b", "\"a\\\"", "x'\"y" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		char text[64], *rest = text, *word;
		int got;

		memcpy(text, cases[i], strlen(cases[i]) + 1);
		while ((got = shell_take(&rest, &word, &err)) > 0)
			continue;
		assert_int_equal(got, -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, "is not closed; a comment begins");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shell_takes_words_without_their_quotes),
		cmocka_unit_test(test_shell_finds_quotes_that_are_not_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
