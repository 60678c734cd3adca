/* test_s3_medium.c - objects of S3 through the medium, and keys for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/far_store.h"
#include "test/unit/test.h"

static void test_s3_objects_are_written_read_and_removed(void **state)
{
	static const char *const keys[] = { "plain", "a/b/c", "a=b c+d%25~*",
		"\xc3\xa4/(1)'!" };
	struct store *store = *state;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		char url[64];

		snprintf(url, sizeof(url), "s3://photos/k/%s", keys[i]);
		store_put(store, url, keys[i]);
		store_holds(store, url, keys[i]);
		assert_int_equal(store_status(store, url).kind, MEDIUM_FILE);
		assert_int_equal(
		    store_status(store, url).bytes, strlen(keys[i]));
		assert_true(*store_status(store, url).version == '"');
		test_ok(medium_remove(store->medium, url, &err), &err);
		test_ok(medium_remove(store->medium, url, &err), &err);
		assert_int_equal(store_status(store, url).kind, MEDIUM_NOTHING);
	}
	store_put(store, "s3://photos/k/empty", "");
	assert_int_equal(store_status(store, "s3://photos/k/empty").bytes, 0);
	store_holds(store, "s3://photos/k/empty", "");
}

static void test_s3_prefixes_are_folders(void **state)
{
	static const struct {
		const char *url;
		enum medium_kind kind;
	} cases[] = {
		{ "s3://photos", MEDIUM_FOLDER },
		{ "s3://photos/", MEDIUM_FOLDER },
		{ "s3://photos/in", MEDIUM_FOLDER },
		{ "s3://photos/in/", MEDIUM_FOLDER },
		{ "s3://photos/i", MEDIUM_NOTHING },
		{ "s3://photos/in/a.txt", MEDIUM_FILE },
		{ "s3://photos/in/a.txt/", MEDIUM_NOTHING },
	};
	struct store *store = *state;
	struct medium_status status;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(
		    store_status(store, cases[i].url).kind, cases[i].kind);
	assert_int_equal(
	    medium_get_status(store->medium, "s3://no-bucket/x", &status, &err),
	    -1);
	test_contains(err.text, "NoSuchBucket");
}

static int count_name(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	unsigned *sum = arg;

	UNUSED(err);
	assert_int_equal(status->bytes, 1);
	assert_true(*status->version == '"');
	*sum += (unsigned)atoi(name);
	return 0;
}

static void test_s3_lists_have_all_pages(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;
	unsigned sum = 0;

	for (unsigned i = 1; i <= 120; i++) {
		char name[64];

		snprintf(name, sizeof(name), "photos/many/%03u a.txt", i);
		test_write(store->dir, name, "x");
	}
	test_ok(medium_list(
	            store->medium, "s3://photos/many", count_name, &sum, &err),
	    &err);
	assert_int_equal(sum, 120 * 121 / 2);
	sum = 0;
	test_ok(medium_list(store->medium, "s3://photos/nothing", count_name,
	            &sum, &err),
	    &err);
	assert_int_equal(sum, 0);
}

static int count_all(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	UNUSED(name);
	UNUSED(status);
	UNUSED(err);
	++*(unsigned *)arg;
	return 0;
}

/* The server gives one of three tokens, by turns. */
static void test_s3_lists_in_a_circle_end(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;
	unsigned count = 0;

	for (unsigned i = 1; i <= 120; i++) {
		char name[64];

		snprintf(name, sizeof(name), "photos/round/%03u", i);
		test_write(store->dir, name, "x");
	}
	store_fault(store, "circle 1\n");
	assert_int_equal(medium_list(store->medium, "s3://photos/round",
	                     count_all, &count, &err),
	    -1);
	store_fault(store, "");
	test_contains(
	    err.text, "s3://photos/round/: the server repeats a page of a");
}

static void test_s3_refusals_tell_no_secret(void **state)
{
	struct store *store = *state;
	struct medium *medium;
	struct error err = ERROR_INIT;

	setenv("AWS_SECRET_ACCESS_KEY", "another-word", 1);
	medium = medium_new_local(&err);
	assert_null(medium_open(medium, "s3://photos/in/a.txt", &err));
	test_contains(err.text, "SignatureDoesNotMatch");
	test_contains(err.text, "the key came from the environment");
	assert_null(strstr(err.text, "another-word"));
	medium_free(medium);
	setenv("AWS_NO_SIGN_REQUEST", "yes", 1);
	medium = medium_new_local(&err);
	assert_null(medium_open(medium, "s3://photos/in/a.txt", &err));
	test_contains(err.text, "the request was not signed");
	medium_free(medium);
	medium = store->medium;
	store->medium = medium_new_local(&err);
	store_holds(store, "s3://public/a.txt", "public");
	medium_free(store->medium);
	store->medium = medium;
	unsetenv("AWS_NO_SIGN_REQUEST");
	setenv("AWS_SECRET_ACCESS_KEY", "word-of-the-test", 1);
}

/* Reads with keys of this moment's environment. */
static void reads_now(struct store *store)
{
	struct medium *medium = store->medium;
	struct error err = ERROR_INIT;

	store->medium = medium_new_local(&err);
	store_holds(store, "s3://photos/in/a.txt", "aaa");
	/* These are refused: others are asked for. */
	store_fault(store, "expired 2\n");
	for (unsigned i = 0; i < 4; i++)
		store_holds(store, "s3://photos/in/a.txt", "aaa");
	store_fault(store, "");
	medium_free(store->medium);
	store->medium = medium;
}

static void test_s3_keys_come_from_other_services(void **state)
{
	struct store *store = *state;
	const char *address = getenv("AWS_ENDPOINT_URL");
	char *token = test_path(store->dir, ".token"), url[128];

	unsetenv("AWS_ACCESS_KEY_ID");
	unsetenv("AWS_SECRET_ACCESS_KEY");
	test_write(store->dir, ".token", "identity of the test\n");
	setenv("AWS_WEB_IDENTITY_TOKEN_FILE", token, 1);
	setenv("AWS_ROLE_ARN", "arn:aws:iam::1:role/test", 1);
	reads_now(store);
	unsetenv("AWS_WEB_IDENTITY_TOKEN_FILE");
	snprintf(url, sizeof(url), "%s/container", address);
	setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", url, 1);
	setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN", "container-token", 1);
	reads_now(store);
	unsetenv("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", address, 1);
	unsetenv("AWS_EC2_METADATA_DISABLED");
	reads_now(store);
	setenv("AWS_ACCESS_KEY_ID", "tester", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "word-of-the-test", 1);
	free(token);
}

/* A medium may be hurried before it has asked a server for the first time. */
static void test_s3_goes_on_when_nobody_hurries(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;
	struct medium *medium = store->medium;

	store->medium = medium_new_local(&err);
	medium_hurry(store->medium, true);
	assert_null(medium_open(store->medium, "s3://photos/in/a.txt", &err));
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	medium_hurry(store->medium, false);
	store_holds(store, "s3://photos/in/a.txt", "aaa");
	medium_free(store->medium);
	store->medium = medium;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s3_objects_are_written_read_and_removed),
		cmocka_unit_test(test_s3_prefixes_are_folders),
		cmocka_unit_test(test_s3_lists_have_all_pages),
		cmocka_unit_test(test_s3_lists_in_a_circle_end),
		cmocka_unit_test(test_s3_refusals_tell_no_secret),
		cmocka_unit_test(test_s3_goes_on_when_nobody_hurries),
		cmocka_unit_test(test_s3_keys_come_from_other_services),
	};

	return cmocka_run_group_tests(tests, store_start, store_stop);
}
