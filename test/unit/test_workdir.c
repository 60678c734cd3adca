/* test_workdir.c - presto removes what it made, and nothing else. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/lock.h"
#include "lib/base/path.h"
#include "strategies/workdir.h"
#include "test/unit/test.h"

static void test_workdir_is_made_and_removed(void **state)
{
	char *scratch = test_scratch(), *parent = test_path(scratch, "a/b");
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;
	char *dir = workdir_new(parent, &lock, &err), *data, *mark;

	(void)state;
	assert_non_null(dir);
	mark = test_path(dir, ".presto-work");
	assert_true(path_exists(dir));
	data = workdir_data(dir, "resized/tar/gzip:6", &err);
	assert_string_equal(path_base(data), "resized-tar-gzip_6");
	test_ok(path_make_dirs(data, &err), &err);
	test_write(data, "shard", "x");
	lock_release(&lock);
	test_ok(workdir_take(dir, &lock, &err), &err);
	assert_true(path_exists(data));
	test_ok(workdir_empty(dir, &err), &err);
	assert_true(lock_is_held(mark));
	assert_false(path_exists(data));
	assert_true(path_exists(dir));
	lock_release(&lock);
	test_ok(workdir_remove(dir, &err), &err);
	assert_false(path_exists(dir));
	test_ok(workdir_remove(dir, &err), &err);
	free(mark);
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
	struct lock lock = LOCK_INIT;

	(void)state;
	test_write(dir, "mine.txt", "keep");
	assert_int_equal(workdir_remove(dir, &err), -1);
	test_contains(err.text, "left alone");
	assert_int_equal(workdir_take(dir, &lock, &err), -1);
	assert_int_equal(workdir_empty(dir, &err), -1);
	assert_true(path_exists(file));
	free(file);
	free(dir);
	test_scratch_remove(scratch);
}

/* Locks are between processes: a child tries. */
static void test_workdir_in_use_is_not_taken_up(void **state)
{
	char *scratch = test_scratch();
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;
	int status = 0;
	char *dir = workdir_new(scratch, &lock, &err);
	pid_t child;

	(void)state;
	assert_non_null(dir);
	child = fork();
	if (child == 0) {
		const bool in_use = workdir_in_use(dir);
		const int rc = workdir_take(dir, &lock, &err);

		_exit(in_use && rc == -1 && strstr(err.text, "another presto")
		          ? 7
		          : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_true(path_exists(dir));
	lock_release(&lock);
	child = fork();
	if (child == 0)
		_exit(workdir_in_use(dir) ? 1 : 7);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
	free(dir);
	test_scratch_remove(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workdir_is_made_and_removed),
		cmocka_unit_test(test_workdir_of_others_is_left_alone),
		cmocka_unit_test(test_workdir_in_use_is_not_taken_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
