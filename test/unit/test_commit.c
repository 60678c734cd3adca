/* test_commit.c - an update must go on from the newest version of the folder.
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/stores/manifest.h"
#include "strategies/update/commit.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

static int check(
    const struct manifest *then, const char *dir, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	char version[MEDIUM_VERSION_TEXT];
	const int rc =
	    medium ? commit_check_newest(then, medium, dir, version, err) : -1;

	assert_string_equal(version, "");
	medium_free(medium);
	return rc;
}

static void test_commit_knows_another_version(void **state)
{
	const struct store_form form = stored_form("tar", "none", STORED_ROWS);
	const struct history_row row = { .shards = STORED_SHARDS };
	struct manifest then = MANIFEST_INIT;
	struct error err = ERROR_INIT;
	char *dir = test_scratch();

	UNUSED(state);
	assert_int_equal(check(&then, dir, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	stored_write(dir, &form, STORED_ROWS);
	test_ok(stored_read_manifest(&then, dir, &err), &err);
	test_ok(check(&then, dir, &err), &err);
	for (int i = 0; i < 2; i++) /* as if it had been version 2 */
		test_ok(history_add(&then.history, &row, &err), &err);
	assert_int_equal(check(&then, dir, &err), -1);
	assert_int_equal(err.code, ERROR_SYSTEM);
	assert_non_null(strstr(err.text, "it holds version 1 now"));
	manifest_release(&then);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commit_knows_another_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
