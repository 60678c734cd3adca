/* test_temporary.c - unfinished files have names that nobody can guess. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"
#include "lib/files/temporary_sweep.h"
#include "test/unit/test.h"

typedef int begin(struct temporary *, const char *, struct error *);

/* With a name and without: the file system of the test may have both. */
static begin *const begins[] = { temporary_begin, temporary_begin_named };

static void put(struct temporary *temporary, const char *text)
{
	const ssize_t len = (ssize_t)strlen(text);

	assert_int_equal(write(temporary->fd, text, (size_t)len), len);
}

static void test_temporary_names_are_told_from_others(void **state)
{
	static const struct {
		const char *name;
		bool is;
	} cases[] = {
		{ ".presto-0123abcd-0123456789ab.tmp", true },
		{ "presto-0123abcd-0123456789ab.tmp", false },
		{ ".presto-0123abcd-0123456789ab.tm", false },
		{ ".presto-0123abcd-0123456789ab.tmp2", false },
		{ ".presto-0123abcg-0123456789ab.tmp", false },
		{ ".presto-0123abcd-0123456789a.tmp", false },
		{ ".presto-0123abcd", false },
		{ ".presto-", false },
		{ ".presto-0123abcd-0123456789AB.tmp", false },
		{ "shard-000000.tar.tmp", false },
		{ "", false },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (temporary_is_name(cases[i].name) != cases[i].is)
			fail_msg("'%s'", cases[i].name);
}

static void test_temporary_is_seen_when_it_is_published(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "a");
	char *theirs = test_path(dir, "theirs"), name[256];
	struct temporary file;
	struct stat status;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		test_ok(begins[i](&file, path, &err), &err);
		put(&file, "new");
		assert_false(path_exists(path));
		test_ok(path_find_any(dir, NULL, name, &err), &err);
		assert_string_equal(name, "");
		test_ok(temporary_publish(&file, &err), &err);
		temporary_end(&file);
		test_reads(path, "new");
		/* Over a file, and in place of a link. */
		test_ok(begins[i](&file, path, &err), &err);
		put(&file, "newer");
		test_ok(temporary_publish(&file, &err), &err);
		temporary_end(&file);
		test_reads(path, "newer");
		test_write(dir, "theirs", "theirs");
		assert_int_equal(unlink(path), 0);
		assert_int_equal(symlink("theirs", path), 0);
		test_ok(begins[i](&file, path, &err), &err);
		put(&file, "own");
		test_ok(temporary_publish(&file, &err), &err);
		temporary_end(&file);
		test_reads(path, "own");
		test_reads(theirs, "theirs");
		assert_int_equal(lstat(path, &status), 0);
		assert_true(S_ISREG(status.st_mode));
		/* And what is given up. */
		assert_int_equal(unlink(path), 0);
		assert_int_equal(unlink(theirs), 0);
		test_ok(begins[i](&file, path, &err), &err);
		put(&file, "never");
		temporary_end(&file);
		temporary_end(&file);
		test_is_empty(dir);
	}
	free(theirs);
	free(path);
	test_scratch_remove(dir);
}

static void test_temporary_of_no_folder_is_an_error(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "no/a");
	struct temporary file;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		err = (struct error)ERROR_INIT;
		assert_int_equal(begins[i](&file, path, &err), -1);
		test_contains(err.text, "no/a: No such file or directory");
		temporary_end(&file);
	}
	free(path);
	test_scratch_remove(dir);
}

/* A process that holds one, and waits; or is killed by whoever made it. */
static pid_t hold(const char *path, int ready)
{
	const pid_t child = fork();
	struct error err = ERROR_INIT;
	struct temporary file;

	assert_true(child >= 0);
	if (child > 0)
		return child;
	if (temporary_begin_named(&file, path, &err) == 0)
		put(&file, "12345");
	if (write(ready, "", 1) == 1)
		pause();
	_exit(0);
}

static void check_swept(const char *dir, bool own, uint64_t files)
{
	struct error err = ERROR_INIT;
	struct swept swept = { .count = 0 };

	test_ok(temporary_sweep(dir, own, &swept, &err), &err);
	assert_int_equal(swept.count, files);
	assert_int_equal(swept.bytes, 5 * files);
}

/* What is of such a name, and is not presto's file. */
static void lay_others(const char *dir)
{
	static const char folder[] = ".presto-00000000-000000000000.tmp";
	static const char link[] = ".presto-00000000-111111111111.tmp";
	char *path = test_path(dir, folder);

	test_write(dir, "presto.tmp", "theirs");
	test_write(dir, ".presto-0-0.tmp", "theirs");
	assert_int_equal(mkdir(path, 0700), 0);
	test_write(path, "theirs", "theirs");
	free(path);
	path = test_path(dir, link);
	assert_int_equal(symlink("presto.tmp", path), 0);
	free(path);
}

static void check_others(const char *dir)
{
	static const char *const names[] = { "presto.tmp", ".presto-0-0.tmp",
		".presto-00000000-000000000000.tmp/theirs",
		".presto-00000000-111111111111.tmp" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *path = test_path(dir, names[i]);

		test_reads(path, "theirs");
		free(path);
	}
}

static void test_temporary_sweep_takes_what_the_dead_left(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "a"), byte;
	pid_t dead, living;
	int ready[2];

	UNUSED(state);
	assert_int_equal(pipe(ready), 0);
	lay_others(dir);
	dead = hold(path, ready[1]);
	living = hold(path, ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	check_swept(dir, false, 0);
	assert_int_equal(kill(dead, SIGKILL), 0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	check_swept(dir, false, 1);
	check_swept(dir, false, 0);
	check_others(dir);
	assert_int_equal(kill(living, SIGKILL), 0);
	assert_int_equal(waitpid(living, NULL, 0), living);
	check_swept(dir, false, 1);
	close(ready[0]);
	close(ready[1]);
	free(path);
	test_scratch_remove(dir);
}

/* Only who has the folder for itself knows that nobody fills them. */
static void test_temporary_folders_are_swept_by_their_owner(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *folder = temporary_folder(dir, &err);

	UNUSED(state);
	assert_non_null(folder);
	assert_true(temporary_is_name(path_base(folder)));
	test_write(folder, "a/b", "12345");
	check_swept(dir, false, 0);
	assert_true(path_exists(folder));
	check_swept(dir, true, 1);
	test_is_empty(dir);
	free(folder);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_temporary_names_are_told_from_others),
		cmocka_unit_test(test_temporary_is_seen_when_it_is_published),
		cmocka_unit_test(test_temporary_of_no_folder_is_an_error),
		cmocka_unit_test(test_temporary_sweep_takes_what_the_dead_left),
		cmocka_unit_test(
		    test_temporary_folders_are_swept_by_their_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
