/* test_next.c - the suggested next commands work where they are printed. */
#include <stdlib.h>
#include <string.h>

#include "cmd/recommend/findings.h"
#include "cmd/report/next.h"
#include "cmd/report/session_data.h"
#include "cmd/writers/markdown.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/syntax/shell.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static const struct fixture_trial trials[] = {
	{ .label = "unprocessed", .cold = { 100, 100, 100, 100, 100 } },
	{ .label = "resized/tar/none",
	    .prep_s = 15,
	    .cold = { 900, 900, 900, 900, 900 } },
	{ .label = "o1:grey/tar/gzip:6",
	    .prep_s = 9,
	    .cold = { 650, 650, 650, 650, 650 } },
};

static void open_demo(struct fixture *fixture)
{
	fixture_open(fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(fixture, &trials[i]);
}

static void test_next_quotes_what_a_shell_would_split(void **state)
{
	static const char *const cases[][2] = {
		{ "a/b-1.conf", "a/b-1.conf" },
		{ "", "''" },
		{ "my photos", "'my photos'" },
		{ "it's", "'it'\\''s'" },
		{ "$HOME;`x`", "'$HOME;`x`'" },
		{ "=ls", "'=ls'" },
		{ "\xc3\xa4", "'\xc3\xa4'" },
		/* What a terminal would obey, in octal. */
		{ "a\x1b[2J\n", "$'a\\033[2J\\012'" },
		{ "it's\\\t\xc3\xa4", "$'it\\'s\\\\\\011\xc3\xa4'" },
		{ "\xe2\x80\xae\xff", "$'\\342\\200\\256\\377'" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct buf out = BUF_INIT;

		test_ok(shell_word(&out, cases[i][0], &err), &err);
		assert_string_equal((const char *)out.data, cases[i][1]);
		buf_release(&out);
	}
}

/* bash gives the bytes back, whatever they are. */
static void test_next_words_come_back_from_a_shell(void **state)
{
	static const char *const words[] = { "a b", "it's", "\x1b]0;x\a\n",
		"-n \\033", "\xff\xc2\x9b'\\'", "=ls", "!!", "~root", "$'x'" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct error err = ERROR_INIT;
		struct buf command = BUF_INIT;
		char back[64] = "";
		FILE *shell;

		test_ok(buf_printf(&command, &err, "bash <<'END'\nprintf %%s "),
		    &err);
		test_ok(shell_word(&command, words[i], &err), &err);
		test_ok(buf_printf(&command, &err, "\nEND\n"), &err);
		shell = popen((const char *)command.data, "r");
		assert_non_null(shell);
		assert_int_equal(
		    fread(back, 1, sizeof(back) - 1, shell), strlen(words[i]));
		assert_int_equal(pclose(shell), 0);
		assert_string_equal(back, words[i]);
		buf_release(&command);
	}
}

static void test_next_operand_is_no_option(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	UNUSED(state);
	test_ok(shell_operand(&out, "-rf x.conf", &err), &err);
	assert_string_equal((const char *)out.data, "'./-rf x.conf'");
	buf_release(&out);
}

/* `options` NULL: those that name the fixture's database. */
static void check_materialize(
    bool is_kept, const char *options, const char *strategy, const char *wanted)
{
	struct session_data data = SESSION_DATA_INIT;
	struct figures trial = figures_none();
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	struct fixture fixture;

	open_demo(&fixture);
	test_ok(session_data_from_results(
	            &data, fixture.results, fixture.session, &err),
	    &err);
	assert_false(data.is_kept); /* of fixtures there is no file */
	data.is_kept = is_kept;
	free(data.options);
	data.options = strdup(options);
	trial.strategy = strategy;
	test_ok(recommend_next(&out, &data, &trial, &err), &err);
	assert_string_equal((const char *)out.data, wanted);
	buf_release(&out);
	session_data_release(&data);
	fixture_close(&fixture);
}

static void test_next_materialize_is_no_longer_than_it_must_be(void **state)
{
	UNUSED(state);
	check_materialize(true, "", "resized/tar/none",
	    "presto materialize --out photos-resized-tar");
	check_materialize(true, " --db a.db --session 2", "resized/tar/none",
	    "presto materialize --db a.db --session 2 --out "
	    "photos-resized-tar");
	check_materialize(true, "", "o1:grey/tar/gzip:6",
	    "presto materialize --strategy o1:grey/tar/gzip:6 --out "
	    "photos-o1-grey-tar-gzip-6");
	/* All that is known of a session whose file was not kept. */
	check_materialize(false, " --db a.db", "resized/tar/none",
	    "presto materialize conf/photos.conf --strategy resized/tar/none "
	    "--out photos-resized-tar");
}

static void check_options(
    struct fixture *fixture, int64_t session, const char *format)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char wanted[512];

	snprintf(wanted, sizeof(wanted), "%s%s", *format ? " --db " : "",
	    *format ? fixture->path : "");
	if (*format)
		snprintf(wanted + strlen(wanted),
		    sizeof(wanted) - strlen(wanted), "%s", format + 1);
	test_ok(next_options(&out, fixture->results, session, &err), &err);
	test_ok(buf_append(&out, "", 1, &err), &err);
	assert_string_equal((const char *)out.data, wanted);
	buf_release(&out);
}

static void test_next_options_name_what_is_not_the_default(void **state)
{
	struct fixture fixture;

	UNUSED(state);
	unsetenv("PRESTO_DB");
	open_demo(&fixture);
	check_options(&fixture, 1, "*");
	fixture_session(&fixture, NULL);
	check_options(&fixture, 1, "*"); /* the newest has no trial */
	fixture_add(&fixture, &trials[0]);
	check_options(&fixture, 1, "* --session 1");
	check_options(&fixture, 2, "*");
	setenv("PRESTO_DB", fixture.path, 1);
	check_options(&fixture, 2, "");
	unsetenv("PRESTO_DB");
	fixture_close(&fixture);
}

static void test_next_options_of_a_report_name_its_file(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	UNUSED(state);
	test_ok(next_options_from(&out, "a b.json", 3, &err), &err);
	assert_string_equal(
	    (const char *)out.data, " --from 'a b.json' --session 3");
	buf_release(&out);
}

static void test_markdown_code_is_as_it_was(void **state)
{
	static const char *const cases[][2] = {
		{ "a_b*c", "`a_b*c`" },
		{ "a`b", "`` a`b ``" },
		{ "``", "``` `` ```" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);

		markdown_write_code(cases[i][0], out);
		fclose(out);
		assert_string_equal(text, cases[i][1]);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next_quotes_what_a_shell_would_split),
		cmocka_unit_test(test_next_words_come_back_from_a_shell),
		cmocka_unit_test(test_next_operand_is_no_option),
		cmocka_unit_test(
		    test_next_materialize_is_no_longer_than_it_must_be),
		cmocka_unit_test(
		    test_next_options_name_what_is_not_the_default),
		cmocka_unit_test(test_next_options_of_a_report_name_its_file),
		cmocka_unit_test(test_markdown_code_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
