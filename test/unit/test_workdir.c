/* test_workdir.c - presto removes what it made, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/path.h"
#include "strategies/workdir.h"
#include "test/unit/test.h"

static void test_workdir_is_made_and_removed(void **state)
{
	char *scratch = test_scratch(), *parent = test_path(scratch, "a/b");
	struct error err = ERROR_INIT;
	char *dir = workdir_new(parent, &err), *data;

	(void)state;
	assert_non_null(dir);
	assert_true(path_exists(dir));
	data = workdir_data(dir, "resized/tar/gzip:6", &err);
	assert_string_equal(path_base(data), "resized-tar-gzip_6");
	test_ok(path_make_dirs(data, &err), &err);
	test_write(data, "shard", "x");
	test_ok(workdir_renew(dir, &err), &err);
	assert_false(path_exists(data));
	assert_true(path_exists(dir));
	test_ok(workdir_remove(dir, &err), &err);
	assert_false(path_exists(dir));
	test_ok(workdir_remove(dir, &err), &err);
	free(data);
	free(dir);
	free(parent);
	test_scratch_remove(scratch);
}

static void test_workdir_of_others_is_left_alone(void **state)
{
	char *scratch = test_scratch(), *dir = test_path(scratch, "theirs");
	char *file = test_path(dir, "mine.txt");
	struct error err = ERROR_INIT;

	(void)state;
	test_write(dir, "mine.txt", "keep");
	assert_int_equal(workdir_remove(dir, &err), -1);
	test_contains(err.text, "left alone");
	assert_int_equal(workdir_renew(dir, &err), -1);
	assert_true(path_exists(file));
	free(file);
	free(dir);
	test_scratch_remove(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workdir_is_made_and_removed),
		cmocka_unit_test(test_workdir_of_others_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
