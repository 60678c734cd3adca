/* test_completions.c - shell completions and their scripts. */
#include <stdlib.h>
#include <string.h>

#include "cmd/completions/shells.h"
#include "cmd/completions/values.h"
#include "cmd/program/cmd.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/option.h"
#include "test/unit/test.h"

static const struct shell_ops *const shells[] = {
#define SHELL(name) &shell_##name,
#include "cmd/completions/shells.def"
#undef SHELL
};

static char *write_script(const struct shell_ops *shell)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	shell->write(out);
	fclose(out);
	return text;
}

static void test_values_are_those_of_the_tables(void **state)
{
	static const struct {
		struct option option;
		const char *words; /* all of them, or the first */
		bool is_list, files, folders;
	} cases[] = {
		{ { .name = "format",
		      .type = OPTION_CHOICE,
		      .choices = "text|json" },
		    "text json", false, false, false },
		{ { .name = "cache", .type = OPTION_TEXT, .arg = "LIST" },
		    "none system application disk", true, false, false },
		{ { .name = "store", .type = OPTION_TEXT, .arg = "LIST" },
		    "files mds npy ", true, false, false },
		{ { .name = "codec", .type = OPTION_TEXT, .arg = "LIST" },
		    "auto ", true, false, false },
		{ { .name = "objective", .type = OPTION_TEXT, .arg = "WORD" },
		    "balanced cost ", false, false, false },
		{ { .name = "readable-by", .type = OPTION_TEXT, .arg = "WORD" },
		    "any ", false, false, false },
		{ { .name = "shuffle", .type = OPTION_TEXT, .arg = "SEED|no" },
		    "no", false, false, false },
		/* The words of a table come before those of a family. */
		{ { .name = "cache",
		      .type = OPTION_CHOICE,
		      .choices = "yes|no" },
		    "yes no", false, false, false },
		{ { .name = "db", .type = OPTION_TEXT, .arg = "FILE" }, "",
		    false, true, false },
		{ { .name = "out", .type = OPTION_TEXT, .arg = "DIR" }, "",
		    false, false, true },
		{ { .name = "runs", .type = OPTION_UINT, .arg = "N" }, "",
		    false, false, false },
		{ { .name = "keep", .type = OPTION_FLAG }, "", false, false,
		    false },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct values values = values_of_option(&cases[i].option);

		assert_int_equal(strncmp(values.words, cases[i].words,
		                     strlen(cases[i].words)),
		    0);
		assert_int_equal(!*values.words, !*cases[i].words);
		assert_int_equal(values.is_list, cases[i].is_list);
		assert_int_equal(values.files, cases[i].files);
		assert_int_equal(values.folders, cases[i].folders);
	}
}

static void test_values_of_operands_follow_the_usage(void **state)
{
	static const struct {
		const char *usage, *words;
		bool files, folders, pipelines;
	} cases[] = {
		{ "", "", false, false, false },
		{ "PIPELINE.conf", "", false, false, true },
		{ "[PIPELINE.conf]", "", false, false, true },
		{ "PIPELINE.conf|DIR", "", false, true, true },
		{ "DIR", "", false, true, false },
		{ "BASE NEW", "", true, false, false },
		{ "[codecs|steps]", "codecs steps", false, false, false },
	};
	struct values values;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct cmd cmd = { .usage = cases[i].usage };

		values = values_of_operands(&cmd);
		assert_string_equal(values.words, cases[i].words);
		assert_int_equal(values.files, cases[i].files);
		assert_int_equal(values.folders, cases[i].folders);
		assert_int_equal(values.pipelines, cases[i].pipelines);
	}
	values = values_of_operands(&(struct cmd){ .usage = "KIND" });
	test_contains(values.words, "photos");
	values = values_of_operands(&(struct cmd){ .usage = "[COMMAND]" });
	test_contains(values.words, "recommend");
}

static void test_scripts_know_every_command_and_option(void **state)
{
	const struct cmd *cmd;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
		char *script = write_script(shells[i]);

		for (size_t k = 0; (cmd = cmd_at(k)); k++) {
			const struct option *o = cmd->options;

			test_contains(script, cmd->name);
			for (; o && o->name; o++)
				test_contains(script, o->name);
		}
		free(script);
	}
}

static void test_shell_quote_leaves_nothing_open(void **state)
{
	static const struct {
		const char *text, *special, *want;
	} cases[] = {
		{ "plain $PRESTO_DB", "", "plain $PRESTO_DB" },
		{ "presto's", "", "presto'\\''s" },
		{ "a [b] c: d", "[]\\", "a \\[b\\] c: d" },
		{ "a: b\\", ":\\", "a\\: b\\\\" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);

		assert_non_null(out);
		shell_quote(cases[i].text, cases[i].special, out);
		fclose(out);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_those_of_the_tables),
		cmocka_unit_test(test_values_of_operands_follow_the_usage),
		cmocka_unit_test(test_scripts_know_every_command_and_option),
		cmocka_unit_test(test_shell_quote_leaves_nothing_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
