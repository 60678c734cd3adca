/* test_s3_profile.c - the files of AWS, in all forms that people write. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/credentials.h"
#include "lib/media/s3/profile.h"
#include "test/unit/aws_environment.h"
#include "test/unit/test.h"

struct form {
	enum profile_file file;
	const char *name, *text;
	const char *key, *secret, *token, *region; /* NULL: not set */
};

static const struct form cases[] = {
	/* As the tools of AWS write it. */
	{ PROFILE_OF_CREDENTIALS, "default",
	    "[default]\naws_access_key_id = K\naws_secret_access_key = S\n",
	    "K", "S", NULL, NULL },
	{ PROFILE_OF_CREDENTIALS, "train",
	    "[default]\naws_access_key_id=D\n\n[train]\n"
	    "aws_access_key_id=K\naws_secret_access_key=S/+=\n"
	    "aws_session_token=T==\nregion=eu-west-1\n",
	    "K", "S/+=", "T==", "eu-west-1" },
	/* The config has "profile" in front of names, but of the default's. */
	{ PROFILE_OF_CONFIG, "train",
	    "[train]\nregion = wrong\n[profile train]\nregion = right\n", NULL,
	    NULL, NULL, "right" },
	{ PROFILE_OF_CONFIG, "default", "[default]\nregion = r-1\n", NULL, NULL,
	    NULL, "r-1" },
	{ PROFILE_OF_CONFIG, "default", "[profile default]\nregion = r-1\n",
	    NULL, NULL, NULL, "r-1" },
	{ PROFILE_OF_CONFIG, "my team", "[profile \"my team\"]\nregion = r-1\n",
	    NULL, NULL, NULL, "r-1" },
	{ PROFILE_OF_CONFIG, "t", "[ profile   t ]\nregion=r-1\n", NULL, NULL,
	    NULL, "r-1" },
	/* Line ends of Windows, a mark of UTF-8, no newline at the end. */
	{ PROFILE_OF_CREDENTIALS, "default",
	    "\xef\xbb\xbf[default]\r\naws_access_key_id = K\r\n"
	    "aws_secret_access_key = S",
	    "K", "S", NULL, NULL },
	/* Comments, upper case, ':' and blanks. */
	{ PROFILE_OF_CREDENTIALS, "default",
	    "# mine\n; also\n[default] # here\nAWS_ACCESS_KEY_ID:K\n"
	    "\t\naws_secret_access_key\t=\tS ; old\n#region=no\n",
	    "K", "S", NULL, NULL },
	/* Signs of comments within a value are a part of it. */
	{ PROFILE_OF_CREDENTIALS, "default",
	    "[default]\naws_access_key_id=K;1\naws_secret_access_key=S#2\n",
	    "K;1", "S#2", NULL, NULL },
	/* What is indented further belongs to the key above. */
	{ PROFILE_OF_CONFIG, "default",
	    "[default]\ns3 =\n  region = no\n  max_queue_size = 5\n"
	    "region = r-1\n",
	    NULL, NULL, NULL, "r-1" },
	/* A section that is indented as a whole has keys of its own. */
	{ PROFILE_OF_CONFIG, "default",
	    "[default]\n  region = r-1\n  s3 =\n"
	    "    region = no\n",
	    NULL, NULL, NULL, "r-1" },
	/* The last value of a key counts; an empty one is none. */
	{ PROFILE_OF_CONFIG, "default", "[default]\nregion = a\nregion = b\n",
	    NULL, NULL, NULL, "b" },
	{ PROFILE_OF_CONFIG, "default", "[default]\nregion =\n", NULL, NULL,
	    NULL, NULL },
	/* An older name of the token. */
	{ PROFILE_OF_CREDENTIALS, "default",
	    "[default]\naws_security_token=T\n", NULL, NULL, "T", NULL },
	/* Nothing, and no sense. */
	{ PROFILE_OF_CREDENTIALS, "default", "", NULL, NULL, NULL, NULL },
	{ PROFILE_OF_CREDENTIALS, "default", "region=r-1\n[default\nx", NULL,
	    NULL, NULL, NULL },
	{ PROFILE_OF_CREDENTIALS, "default", "[]\n[default]\n=v\nregion\n",
	    NULL, NULL, NULL, NULL },
};

static void is_text(const char *value, const char *wanted, const char *text)
{
	if (!value != !wanted || (value && strcmp(value, wanted) != 0))
		fail_msg("'%s' in place of '%s' of: %s",
		    value ? value : "(none)", wanted ? wanted : "(none)", text);
}

static void test_profile_takes_all_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct form *c = &cases[i];
		struct profile profile = { .is_there = false };
		struct error err = ERROR_INIT;

		test_ok(profile_parse(&profile, span_text(c->text), c->file,
		            c->name, &err),
		    &err);
		is_text(profile.values[PROFILE_KEY_ID], c->key, c->text);
		is_text(profile.values[PROFILE_SECRET], c->secret, c->text);
		is_text(profile.values[PROFILE_TOKEN], c->token, c->text);
		is_text(profile.values[PROFILE_REGION], c->region, c->text);
		profile_release(&profile);
	}
}

static void test_profile_does_not_mix_keys_of_two_files(void **state)
{
	struct profile profile = { .is_there = false };
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(profile_parse(&profile,
	            span_text("[default]\naws_access_key_id=K\n"
	                      "aws_secret_access_key=S\n"),
	            PROFILE_OF_CREDENTIALS, "default", &err),
	    &err);
	test_ok(profile_parse(&profile,
	            span_text("[default]\naws_access_key_id=other\n"
	                      "aws_session_token=T\nregion=r-1\n"),
	            PROFILE_OF_CONFIG, "default", &err),
	    &err);
	is_text(profile.values[PROFILE_KEY_ID], "K", "both");
	is_text(profile.values[PROFILE_TOKEN], NULL, "both");
	is_text(profile.values[PROFILE_REGION], "r-1", "both");
	profile_release(&profile);
}

/* ---- the chain, as far as it asks no server ---- */

static struct credentials *find(const char *text, struct error *err)
{
	struct profile profile = { .is_there = false };
	const struct credentials_search search = { .profile = &profile,
		.region = "us-east-1" };
	struct credentials *found;
	const char *name;

	*err = (struct error)ERROR_INIT;
	profile_name(&name);
	test_ok(profile_parse(&profile, span_text(text), PROFILE_OF_CREDENTIALS,
	            name, err),
	    err);
	found = credentials_find(&search, err);
	profile_release(&profile);
	return found;
}

static const char keys[] =
    "[default]\naws_access_key_id=FK\naws_secret_access_key=FS\n"
    "[train]\naws_access_key_id=TK\naws_secret_access_key=TS\n"
    "[login]\nsso_session=mine\n"
    "[half]\naws_access_key_id=HK\n";

static void test_credentials_come_from_the_first_that_has_them(void **state)
{
	struct credentials *found;
	struct error err;

	(void)state;
	aws_environment_clear();
	found = find(keys, &err);
	assert_string_equal(found->key, "FK");
	assert_string_equal(
	    found->source, "profile default of the shared files");
	credentials_give(found);
	setenv("AWS_PROFILE", "train", 1);
	found = find(keys, &err);
	assert_string_equal(found->secret, "TS");
	credentials_give(found);
	setenv("AWS_ACCESS_KEY_ID", "EK", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "ES", 1);
	setenv("AWS_SESSION_TOKEN", "ET", 1);
	found = find(keys, &err);
	assert_string_equal(found->key, "EK");
	assert_string_equal(found->token, "ET");
	assert_string_equal(found->source, "the environment");
	assert_int_equal(found->expires_s, -1);
	credentials_give(found);
	setenv("AWS_NO_SIGN_REQUEST", "yes", 1);
	found = find(keys, &err);
	assert_null(found->key);
	credentials_give(found);
	aws_environment_clear();
}

static void test_credentials_that_are_missing_are_explained(void **state)
{
	struct error err;

	(void)state;
	aws_environment_clear();
	assert_null(find("", &err));
	test_contains(err.text, "AWS_NO_SIGN_REQUEST=yes reads public data");
	setenv("AWS_PROFILE", "gone", 1);
	assert_null(find(keys, &err));
	test_contains(err.text, "there is no profile gone");
	setenv("AWS_PROFILE", "login", 1);
	assert_null(find(keys, &err));
	test_contains(err.text, "aws configure export-credentials");
	setenv("AWS_PROFILE", "half", 1);
	assert_null(find(keys, &err));
	test_contains(err.text, "profile half has only one of");
	assert_null(strstr(err.text, "HK"));
	setenv("AWS_SECRET_ACCESS_KEY", "word", 1);
	assert_null(find(keys, &err));
	test_contains(err.text,
	    "the environment has AWS_SECRET_ACCESS_KEY without "
	    "AWS_ACCESS_KEY_ID");
	assert_null(strstr(err.text, "word"));
	aws_environment_clear();
	setenv(
	    "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://evil.example/x", 1);
	assert_null(find("", &err));
	test_contains(err.text, "must be https, or an address of this machine");
	setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI",
	    "http://127.0.0.1@evil.example/", 1);
	assert_null(find("", &err));
	test_contains(err.text, "must be https, or an address of this machine");
	aws_environment_clear();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_profile_takes_all_forms),
		cmocka_unit_test(test_profile_does_not_mix_keys_of_two_files),
		cmocka_unit_test(
		    test_credentials_come_from_the_first_that_has_them),
		cmocka_unit_test(
		    test_credentials_that_are_missing_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
