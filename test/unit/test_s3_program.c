/* test_s3_program.c - keys that a program of the shared files prints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/credentials.h"
#include "lib/media/s3/profile.h"
#include "test/unit/aws_environment.h"
#include "test/unit/test.h"

static int setup(void **state)
{
	aws_environment_clear();
	setenv("AWS_PROFILE", "train", 1);
	*state = test_scratch();
	return 0;
}

static int teardown(void **state)
{
	test_scratch_remove(*state);
	return 0;
}

/* Asks the program whose script has this text, with these arguments. */
static struct credentials *ask(const char *dir, const char *script,
    const char *arguments, struct error *err)
{
	char *path = test_path(dir, "a program"), *config;
	struct profile profile = { .is_there = false };
	const struct credentials_search search = {
		.profile = &profile, .region = "us-east-1", .run_ms = 10000
	};
	struct credentials *found;
	struct buf text = BUF_INIT;

	*err = (struct error)ERROR_INIT;
	test_write(dir, "a program", script);
	assert_int_equal(chmod(path, 0700), 0);
	test_ok(buf_printf(&text, err,
	            "[profile train]\ncredential_process = \"%s\" %s\n", path,
	            arguments),
	    err);
	config = (char *)text.data;
	test_ok(profile_parse(&profile, span_text(config), PROFILE_OF_CONFIG,
	            "train", err),
	    err);
	found = credentials_find(&search, err);
	profile_release(&profile);
	buf_release(&text);
	free(path);
	return found;
}

static void test_s3_keys_are_printed_by_a_program(void **state)
{
	struct credentials *found;
	struct error err;

	/* No shell takes part: "$HOME" and "|" are words like any other. */
	found = ask(*state,
	    "#!/bin/sh\n"
	    "[ \"$#\" -eq 4 ] && [ \"$1 $3 $4\" = '--for $HOME |' ] || exit 9\n"
	    "read line && exit 8\n"
	    "echo chatter >&2\n"
	    "printf '{\"Version\": 1, \"AccessKeyId\": \"%s\",' \"$2\"\n"
	    "echo '\"SecretAccessKey\": \"PS\", \"SessionToken\": \"PT\",'\n"
	    "echo '\"Expiration\": \"2036-01-01T01:00:00+01:00\"}'\n",
	    "--for 'two words' $HOME |", &err);
	if (!found)
		fail_msg("%s", err.text);
	assert_string_equal(found->key, "two words");
	assert_string_equal(found->secret, "PS");
	assert_string_equal(found->token, "PT");
	assert_int_equal(found->expires_s, 2082758400);
	assert_true(found->is_renewable);
	assert_string_equal(
	    found->source, "credential_process of profile train");
	credentials_give(found);
	found = ask(*state,
	    "#!/bin/sh\necho '{\"Version\": 1, \"AccessKeyId\": \"K\", "
	    "\"SecretAccessKey\": \"S\"}'\n",
	    "", &err);
	assert_int_equal(found->expires_s, -1);
	assert_null(found->token);
	credentials_give(found);
}

static void test_s3_programs_that_fail_are_explained(void **state)
{
#define PRINT "#!/bin/sh\necho '{\"AccessKeyId\": \"MINE\", "
	static const struct {
		const char *script, *words;
	} cases[] = {
		{ "#!/bin/sh\necho MINE\necho MINE >&2\nexit 3\n",
		    "exit status 3" },
		{ "#!/bin/sh\nkill -9 $$\n", "ended by signal 9" },
		{ "#!/bin/sh\necho MINE\n", "no credentials that presto" },
		{ "#!/bin/sh\n", "no credentials that presto" },
		{ PRINT "\"SecretAccessKey\": \"MINE\"}'\n",
		    "no credentials that presto" },
		{ PRINT "\"SecretAccessKey\": \"MINE\", \"Version\": 2}'\n",
		    "no credentials that presto" },
		{ PRINT "\"Version\": 1}'\n", "no credentials that presto" },
		{ PRINT "\"SecretAccessKey\": \"MINE\", \"Version\": 1, "
		        "\"Expiration\": \"soon\"}'\n",
		    "no credentials that presto" },
		{ "#!/bin/sh\nwhile :; do echo MINEMINEMINEMINE; done\n",
		    "prints more than 65536 bytes" },
		{ "#!/no/such/shell\n", "cannot run" },
	};
#undef PRINT

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err;

		assert_null(ask(*state, cases[i].script, "MINE", &err));
		test_contains(
		    err.text, "credential_process of profile train: ");
		test_contains(err.text, cases[i].words);
		assert_null(strstr(err.text, "MINE"));
	}
}

/* A program that does not end is killed, with what it has started. */
static void test_s3_programs_have_a_time_limit(void **state)
{
	struct profile profile = { .is_there = true };
	const struct credentials_search search = { .profile = &profile,
		.run_ms = 50 };
	struct error err = ERROR_INIT;

	UNUSED(state);
	profile.values[PROFILE_PROCESS] = strdup("sh -c 'sleep 1000; :'");
	assert_null(credentials_find(&search, &err));
	test_contains(err.text, "does not end within 0.05 s");
	free(profile.values[PROFILE_PROCESS]);
	profile.values[PROFILE_PROCESS] = strdup("' open");
	err = (struct error)ERROR_INIT;
	assert_null(credentials_find(&search, &err));
	test_contains(err.text, "a quote is not closed");
	free(profile.values[PROFILE_PROCESS]);
	profile.values[PROFILE_PROCESS] = strdup(" ");
	err = (struct error)ERROR_INIT;
	assert_null(credentials_find(&search, &err));
	test_contains(err.text, "names no program");
	profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s3_keys_are_printed_by_a_program),
		cmocka_unit_test(test_s3_programs_that_fail_are_explained),
		cmocka_unit_test(test_s3_programs_have_a_time_limit),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
