/* test_far_versions.c - when a far file counts as another one. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/folder/far_versions.h"
#include "lib/folder/inventory_take.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"
#include "test/unit/http_host.h"
#include "test/unit/test.h"

#define MODIFIED    "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n"
#define DATED(time) MODIFIED "Date: Wed, 21 Oct 2015 " time " GMT\r\n"

static uint64_t version_of(struct host_object *object, const char *headers)
{
	static const struct reader_ops ops = { .each_file = reader_no_files };
	const struct reader reader = { .ops = &ops };
	struct error err = ERROR_INIT;
	struct inventory_plan plan = { .reader = &reader };
	struct far_versions *versions;
	struct http_host host;
	char url[128];
	uint64_t version;
	bool has;

	object->version = headers;
	http_host_start(&host, host_answer_object, object);
	snprintf(url, sizeof(url), "%s/a", host.url);
	plan.medium = medium_new_local(&err);
	versions = far_versions_new(&plan, host.url, &err);
	test_ok(versions ? 0 : -1, &err);
	test_ok(far_versions_get(versions, url, &has, &version, &err), &err);
	assert_true(has);
	far_versions_free(versions);
	medium_free(plan.medium);
	http_host_stop(&host);
	return version;
}

/* The server sends no ETag, as Python's http.server does. */
static void test_far_versions_by_date_do_not_age(void **state)
{
	struct host_object object = { .size = 10 };
	const uint64_t at_once = version_of(&object, DATED("07:28:01"));

	UNUSED(state);
	assert_true(at_once == version_of(&object, DATED("09:28:00")));
	assert_true(at_once == version_of(&object, MODIFIED));
	assert_true(
	    at_once != version_of(&object, "Last-Modified: Wed, 21 Oct 2015 "
	                                   "07:28:01 GMT\r\n"));
}

/* A weak ETag is not the strong one of the same characters. */
static void test_far_versions_by_weak_etags_stay_weak(void **state)
{
	struct host_object object = { .size = 10 };

	UNUSED(state);
	assert_true(version_of(&object, "ETag: W/\"1\"\r\n") !=
	            version_of(&object, "ETag: \"1\"\r\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far_versions_by_date_do_not_age),
		cmocka_unit_test(test_far_versions_by_weak_etags_stay_weak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
