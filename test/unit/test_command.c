/* test_command.c - programs as steps: what they get, give, and how they fail.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/outside.h"
#include "test/unit/chained.h"
#include "test/unit/test.h"

static void open_it(
    struct chained *chained, const char *line, const struct type *in)
{
	struct error err = ERROR_INIT;

	test_ok(chained_open(chained, line, in, NULL, &err), &err);
}

static void test_command_gets_and_gives_a_file(void **state)
{
	const struct type text = chained_file("txt");
	struct chained chained;
	struct error err = ERROR_INIT;

	(void)state;
	open_it(&chained, "own = command 'tr a-z A-Z'", &text);
	for (unsigned i = 0; i < 3; i++) {
		test_ok(chained_run_text(&chained, "a text", &err), &err);
		chained_gave(&chained, "A TEXT");
	}
	test_ok(chained_run_text(&chained, "", &err), &err);
	chained_gave(&chained, "");
	assert_string_equal(chained.out.fields[0].suffix, "txt");
	chained_close(&chained);
	open_it(&chained, "own = command 'tr a-z A-Z' suffix=upper", &text);
	test_ok(chained_run_text(&chained, "x", &err), &err);
	assert_string_equal(chained.out.fields[0].suffix, "upper");
	chained_close(&chained);
}

static void test_command_gets_and_gives_a_tensor(void **state)
{
	static const uint16_t numbers[] = { 1, 2, 3, 4, 5, 6 };
	const struct type in = { .dtype = DTYPE_U16,
		.shape = { 2, { -1, 3 } } };
	const struct shape shape = { 2, { 2, 3 } };
	struct tensor tensor = TENSOR_INIT;
	struct chained chained;
	struct error err = ERROR_INIT;
	char text[SHAPE_TEXT];

	(void)state;
	tensor_view(&tensor, DTYPE_U16, &shape, numbers);
	open_it(&chained, "own = command cat gives=uint16", &in);
	test_ok(chained_run(&chained, &tensor, "k", &err), &err);
	assert_string_equal(
	    shape_text(&chained.out.fields[0].shape, text), "2x3");
	assert_memory_equal(chained.out.fields[0].data, numbers, 12);
	chained_close(&chained);
	open_it(&chained, "own = command cat gives=uint8:3x?", &in);
	test_ok(chained_run(&chained, &tensor, "k", &err), &err);
	assert_string_equal(
	    shape_text(&chained.out.fields[0].shape, text), "3x4");
	chained_close(&chained);
	open_it(&chained, "own = command cat", &in);
	test_ok(chained_run(&chained, &tensor, "k", &err), &err);
	assert_string_equal(chained.out.fields[0].suffix, "bin");
	chained_close(&chained);
	open_it(&chained, "own = command cat gives=uint8:5x?", &in);
	test_error_is(chained_run(&chained, &tensor, "k", &err), &err,
	    "step command: cat: gives 12 bytes, which are not uint8 5x?");
	chained_close(&chained);
	open_it(&chained, "own = command cat gives=uint8:5", &in);
	test_error_is(chained_run(&chained, &tensor, "k", &err), &err,
	    "step command: cat: gives 12 bytes, which are not uint8 5");
	chained_close(&chained);
}

static void test_command_fails_with_its_own_words(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{ "own = command 'sh -c \"exit 3\"'",
		    "step command: sh: exit status 3" },
		{ "own = command 'sh -c \"echo bad input >&2; exit 1\"'",
		    "step command: sh: exit status 1: bad input" },
		{ "own = command 'sh -c \"kill -SEGV $$\"'",
		    "step command: sh: ended by signal 11 (Segmentation "
		    "fault)" },
		{ "own = command 'sleep 1000' timeout=50ms",
		    "step command: sleep: takes longer than 50 ms: it was "
		    "ended; timeout sets how long" },
	};
	const struct type text = chained_file("txt");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chained chained;
		struct error err = ERROR_INIT;

		open_it(&chained, cases[i].line, &text);
		/* The next sample fails by itself. */
		for (unsigned n = 0; n < 2; n++) {
			test_error_is(chained_run_text(&chained, "x", &err),
			    &err, cases[i].want);
			assert_int_equal(err.code, ERROR_DATA);
		}
		chained_close(&chained);
	}
}

static void test_command_gives_no_more_than_a_sample_may_take(void **state)
{
	static const char *const lines[] = { "own = command yes\n",
		"own = command 'sh -c \"printf 00000000; sleep 1000\"' "
		"framed=yes\n" };
	const struct type text = chained_file("txt");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct chained chained;
		struct error err = ERROR_INIT;
		char both[256];

		snprintf(
		    both, sizeof(both), "%s[limits]\nsample = 1MB", lines[i]);
		open_it(&chained, both, &text);
		assert_int_equal(chained_run_text(&chained, "x", &err), -1);
		test_contains(err.text, "its output takes ");
		test_contains(err.text, "a sample may take 1");
		chained_close(&chained);
	}
}

/*
 * A framed tool in the shell, for texts of less than 248 bytes: it puts "<"
 * and ">" around each, and says that "bad" is.  It ends at "die".  It refuses
 * a text whose length ends with a byte 255, without reading it.
 */
#define TOOL "own = command \"sh tool.sh\" framed=yes suffix=txt"

static const char tool[] =
    "while n=$(head -c 1 | od -An -tu1) && [ \"$n\" ]; do\n"
    "	head -c 7 >rest\n"
    "	if [ $((n)) = 255 ]; then\n"
    "		printf '\\377\\377\\377\\377\\377\\377\\377\\377'\n"
    "		printf '\\010\\000\\000\\000\\000\\000\\000\\000too long'\n"
    "		exec sleep 1000\n"
    "	fi\n"
    "	text=$(head -c $((n)))\n"
    "	case $text in\n"
    "	bad)\n"
    "		printf '\\377\\377\\377\\377\\377\\377\\377\\377'\n"
    "		printf '\\007\\000\\000\\000\\000\\000\\000\\000too bad'\n"
    "		continue ;;\n"
    "	die) echo 'I cannot' >&2; exit 5 ;;\n"
    "	esac\n"
    "	printf \"\\\\$(printf %o $((n + 2)))\\000\\000\\000\\000\\000\\000"
    "\\000\"\n"
    "	printf '<%s>' \"$text\"\n"
    "done\n";

static void test_command_framed_gets_all_samples(void **state)
{
	const struct type text = chained_file("txt");
	char *dir = test_scratch();
	struct chained chained;
	struct error err = ERROR_INIT;

	(void)state;
	test_write(dir, "tool.sh", tool);
	chained_open_file(&chained, dir, TOOL, &text);
	for (unsigned i = 0; i < 3; i++) {
		test_ok(chained_run_text(&chained, "one", &err), &err);
		chained_gave(&chained, "<one>");
		test_ok(chained_run_text(&chained, "", &err), &err);
		chained_gave(&chained, "<>");
		test_error_is(chained_run_text(&chained, "bad", &err), &err,
		    "step command: sh: too bad");
		test_error_is(chained_run_text(&chained, "die", &err), &err,
		    "step command: sh: exit status 5: I cannot");
	}
	chained_close(&chained);
	assert_int_equal(outside_running_ns(), 0);
	test_scratch_remove(dir);
}

static void test_command_framed_may_refuse_a_sample_unread(void **state)
{
	const struct type text = chained_file("txt");
	static char large[1 << 20];
	char *dir = test_scratch();
	struct chained chained;
	struct error err = ERROR_INIT;

	(void)state;
	memset(large, 'x', sizeof(large) - 1);
	test_write(dir, "tool.sh", tool);
	chained_open_file(&chained, dir, TOOL, &text);
	test_error_is(chained_run_text(&chained, large, &err), &err,
	    "step command: sh: too long");
	test_ok(chained_run_text(&chained, "one", &err), &err);
	chained_gave(&chained, "<one>");
	chained_close(&chained);
	test_scratch_remove(dir);
}

static void test_command_framed_fails_in_words(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{ "own = command true framed=yes",
		    "step command: true: ends without an answer" },
		{ "own = command 'sleep 1000' framed=yes timeout=50ms",
		    "step command: sleep: takes longer than 50 ms: it was "
		    "ended; timeout sets how long" },
		{ "own = command 'sh -c \"exit 7\"' framed=yes",
		    "step command: sh: exit status 7" },
		{ "own = command 'sh -c \"head -c 8 /dev/zero; sleep 1000\"' "
		  "framed=yes",
		    "step command: sh: answers before it has read the "
		    "sample" },
	};
	const struct type text = chained_file("txt");
	static char large[1 << 20];

	(void)state;
	memset(large, 'x', sizeof(large) - 1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chained chained;
		struct error err = ERROR_INIT;

		open_it(&chained, cases[i].line, &text);
		for (unsigned n = 0; n < 2; n++)
			test_error_is(chained_run_text(&chained, large, &err),
			    &err, cases[i].want);
		chained_close(&chained);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command_gets_and_gives_a_file),
		cmocka_unit_test(test_command_gets_and_gives_a_tensor),
		cmocka_unit_test(test_command_fails_with_its_own_words),
		cmocka_unit_test(
		    test_command_gives_no_more_than_a_sample_may_take),
		cmocka_unit_test(test_command_framed_gets_all_samples),
		cmocka_unit_test(
		    test_command_framed_may_refuse_a_sample_unread),
		cmocka_unit_test(test_command_framed_fails_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
