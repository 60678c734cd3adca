/*
 * test_own_folder.c - presto removes only what it made, also after it was
 * killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/lock.h"
#include "lib/files/own_folder.h"
#include "lib/files/own_folder_sweep.h"
#include "lib/files/path.h"
#include "test/unit/test.h"

static char *make(const char *parent, bool keep, struct lock *lock)
{
	struct error err = ERROR_INIT;
	char *dir;

	test_ok(path_make_dirs(parent, &err), &err);
	dir = own_folder_new(parent, OWN_FOLDER_WORK, keep, lock, &err);
	test_ok(dir ? 0 : -1, &err);
	return dir;
}

static unsigned mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 07777;
}

static void test_own_folder_is_made_and_removed(void **state)
{
	char *scratch = test_scratch(), *parent = test_path(scratch, "a/b");
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;
	char *dir = make(parent, false, &lock), *data, *mark;

	UNUSED(state);
	mark = test_path(dir, OWN_FOLDER_MARK);
	assert_int_equal(mode_of(dir), 0700);
	data = own_folder_below(dir, "resized/tar/gzip:6", &err);
	assert_string_equal(path_base(data), "resized-tar-gzip_6");
	test_ok(path_make_dirs(data, &err), &err);
	test_write(data, "shard", "x");
	lock_release(&lock);
	test_ok(
	    own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err), &err);
	assert_true(path_exists(data));
	test_ok(own_folder_empty(dir, &err), &err);
	assert_true(lock_is_held(mark));
	assert_false(path_exists(data));
	assert_true(path_exists(dir));
	test_ok(own_folder_remove(dir, &lock, &err), &err);
	assert_false(path_exists(dir));
	test_ok(own_folder_remove(dir, &lock, &err), &err);
	test_is_empty(parent);
	free(mark);
	free(data);
	free(dir);
	free(parent);
	test_scratch_remove(scratch);
}

static void test_own_folder_of_others_is_left_alone(void **state)
{
	static const char *const names[] = { "theirs", "presto-work-abc",
		"presto-work-abcdefg", "presto-work-abc.ef" };
	char *scratch = test_scratch();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *dir = test_path(scratch, names[i]);
		char *file = test_path(dir, "mine.txt");
		struct error err = ERROR_INIT;
		struct lock lock = LOCK_INIT;

		test_write(dir, "mine.txt", "keep");
		assert_int_equal(own_folder_remove(dir, &lock, &err), -1);
		test_contains(err.text, "left alone; move it away");
		assert_int_equal(
		    own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err),
		    -1);
		test_contains(err.text, "left alone");
		assert_int_equal(own_folder_empty(dir, &err), -1);
		test_reads(file, "keep");
		free(file);
		free(dir);
	}
	test_scratch_remove(scratch);
}

/* Nor is a link to one followed. */
static void test_own_folder_is_no_link(void **state)
{
	char *scratch = test_scratch(), *dir = test_path(scratch, "theirs");
	char *file = test_path(dir, "mine.txt");
	char *link = test_path(scratch, "presto-work-abcdef");
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;

	UNUSED(state);
	test_write(dir, "mine.txt", "keep");
	assert_int_equal(symlink("theirs", link), 0);
	assert_int_equal(
	    own_folder_take(link, OWN_FOLDER_WORK, false, &lock, &err), -1);
	test_contains(err.text, "left alone");
	own_folder_sweep(scratch, NULL, NULL);
	test_reads(file, "keep");
	free(link);
	free(file);
	free(dir);
	test_scratch_remove(scratch);
}

/* Runs in a child process, since locks are between processes. */
static void test_own_folder_in_use_is_not_taken_up(void **state)
{
	char *scratch = test_scratch();
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;
	int status = 0;
	char *dir = make(scratch, false, &lock);
	pid_t child;

	UNUSED(state);
	child = fork();
	if (child == 0) {
		const bool in_use = own_folder_in_use(dir);
		const int rc =
		    own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err);

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
		_exit(own_folder_in_use(dir) ? 1 : 7);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
	free(dir);
	test_scratch_remove(scratch);
}

/* So deep that the child below runs out of descriptors as it goes down. */
static void make_deep(const char *dir, const char *name)
{
	enum { DEPTH = 40 };
	struct error err = ERROR_INIT;
	struct buf path = BUF_INIT;

	test_ok(buf_printf(&path, &err, "%s/%s", dir, name), &err);
	for (int i = 0; i < DEPTH; i++)
		test_ok(buf_printf(&path, &err, "/d"), &err);
	test_ok(path_make_dirs((const char *)path.data, &err), &err);
	buf_release(&path);
}

/* Removes the folder with few descriptors: it gets stuck in the midst. */
static void remove_half(const char *dir)
{
	const struct rlimit few = { .rlim_cur = 24, .rlim_max = 24 };
	int status = 0;
	const pid_t child = fork();
	struct error err = ERROR_INIT;
	struct lock lock;

	if (child == 0) {
		if (own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err) ||
		    setrlimit(RLIMIT_NOFILE, &few))
			_exit(1);
		_exit(own_folder_remove(dir, &lock, &err) ? 7 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
}

/*
 * In which order a folder names what is in it, its file system decides: with
 * many names the mark comes first in some.
 */
static void test_own_folder_loses_its_mark_last(void **state)
{
	char *scratch = test_scratch(), name[] = "a";
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (; *name < 'q'; ++*name) {
		struct lock lock = LOCK_INIT;
		char *dir = make(scratch, false, &lock);
		char *mark = test_path(dir, OWN_FOLDER_MARK);

		make_deep(dir, name);
		test_ok(lock_remove(&lock, &err), &err);
		remove_half(dir);
		assert_true(path_exists(mark));
		test_ok(
		    own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err),
		    &err);
		test_ok(own_folder_remove(dir, &lock, &err), &err);
		free(mark);
		free(dir);
	}
	test_is_empty(scratch);
	test_scratch_remove(scratch);
}

/* Also what an earlier presto left without its mark, or open to others. */
static void test_own_folder_is_taken_without_its_mark(void **state)
{
	char *scratch = test_scratch(), *mark, *dir, *data;
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;

	UNUSED(state);
	dir = make(scratch, false, &lock);
	mark = test_path(dir, OWN_FOLDER_MARK);
	data = test_path(dir, "shard");
	test_write(dir, "shard", "x");
	test_ok(lock_remove(&lock, &err), &err);
	assert_int_equal(chmod(dir, 0755), 0);
	test_ok(
	    own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err), &err);
	assert_int_equal(mode_of(dir), 0700);
	assert_true(lock_is_held(mark));
	assert_true(path_exists(data));
	test_ok(own_folder_remove(dir, &lock, &err), &err);
	/* And one that is gone is made again, as it was. */
	test_ok(
	    own_folder_take(dir, OWN_FOLDER_WORK, false, &lock, &err), &err);
	assert_int_equal(mode_of(dir), 0700);
	test_ok(own_folder_remove(dir, &lock, &err), &err);
	test_is_empty(scratch);
	free(data);
	free(mark);
	free(dir);
	test_scratch_remove(scratch);
}

/* ---- what killed processes left ---- */

struct told {
	unsigned lines;
	char text[8192];
};

static void note(void *arg, const char *text)
{
	struct told *told = arg;
	const size_t len = strlen(told->text);

	told->lines++;
	snprintf(told->text + len, sizeof(told->text) - len, "%s\n", text);
}

static unsigned sweep(const char *dir, struct told *told)
{
	*told = (struct told){ .lines = 0 };
	own_folder_sweep(dir, note, told);
	return told->lines;
}

/* A folder of a process that has ended, with a file of 1000 bytes. */
static char *leave(const char *parent, enum own_folder_kind kind, bool keep)
{
	static const unsigned char bytes[1000];
	const struct span data = { .data = bytes, .len = sizeof(bytes) };
	struct error err = ERROR_INIT;
	struct lock lock = LOCK_INIT;
	char *dir = own_folder_new(parent, kind, keep, &lock, &err);

	test_ok(dir ? 0 : -1, &err);
	test_write_file(dir, "shard", data);
	lock_release(&lock);
	return dir;
}

static void test_own_folder_sweep_removes_what_the_dead_left(void **state)
{
	char *scratch = test_scratch();
	char *work = leave(scratch, OWN_FOLDER_WORK, false);
	char *probe = leave(scratch, OWN_FOLDER_PROBE, false);
	char *kept = leave(scratch, OWN_FOLDER_WORK, true);
	char *file = test_path(kept, "shard");
	struct lock lock = LOCK_INIT;
	struct told told;
	char *living;

	UNUSED(state);
	living = make(scratch, false, &lock);
	assert_int_equal(sweep(scratch, &told), 2);
	test_contains(told.text, work);
	test_contains(told.text, probe);
	test_contains(told.text, "(1 kB), left by a run that was killed");
	assert_false(path_exists(work));
	assert_false(path_exists(probe));
	assert_true(path_exists(file));
	assert_true(path_exists(living));
	assert_int_equal(sweep(scratch, &told), 0);
	lock_release(&lock);
	assert_int_equal(sweep(scratch, &told), 1);
	test_contains(told.text, living);
	/* Nothing is kept where nothing was written yet. */
	assert_int_equal(unlink(file), 0);
	assert_int_equal(sweep(scratch, &told), 1);
	test_is_empty(scratch);
	free(living);
	free(file);
	free(kept);
	free(probe);
	free(work);
	test_scratch_remove(scratch);
}

/* Killed after mkdtemp, and as the mark was made. */
static void test_own_folder_sweep_removes_what_has_no_mark_yet(void **state)
{
	char *scratch = test_scratch();
	char *bare = test_path(scratch, "presto-work-bareAA");
	char *empty = test_path(scratch, "presto-probe-markAA");
	struct told told;

	UNUSED(state);
	assert_int_equal(mkdir(bare, 0700), 0);
	assert_int_equal(mkdir(empty, 0700), 0);
	test_write(empty, OWN_FOLDER_MARK, "");
	assert_int_equal(sweep(scratch, &told), 2);
	test_is_empty(scratch);
	test_scratch_remove(scratch);
	free(empty);
	free(bare);
}

/* What looks like presto's, and is not. */
static void test_own_folder_sweep_leaves_what_others_made(void **state)
{
	static const char *const names[] = { "presto-work-abcdef/data",
		"presto-probe-abcdef/large.0", "presto-work-abc/.presto-work",
		"presto-workshop/notes", "presto-sync-abcdef",
		"presto-sync-abcdefg", "presto-work-ghijkl" };
	char *scratch = test_scratch();
	char *open = test_path(scratch, "presto-work-openAA");
	char *link = test_path(scratch, "presto-work-linkAA");
	struct told told;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		test_write(scratch, names[i], "theirs");
	assert_int_equal(mkdir(open, 0755), 0);
	assert_int_equal(symlink("presto-workshop", link), 0);
	assert_int_equal(sweep(scratch, &told), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *path = test_path(scratch, names[i]);

		test_reads(path, "theirs");
		free(path);
	}
	assert_true(path_exists(open));
	assert_true(path_exists(link));
	free(link);
	free(open);
	test_scratch_remove(scratch);
}

/* Makes folders and sweeps, again and again: nobody takes what it has. */
static int make_and_sweep(const char *parent)
{
	enum { TIMES = 30 };
	struct error err = ERROR_INIT;
	struct lock lock;

	for (int i = 0; i < TIMES; i++) {
		char *dir =
		    own_folder_new(parent, OWN_FOLDER_WORK, false, &lock, &err);
		char *mark = dir ? test_path(dir, OWN_FOLDER_MARK) : NULL;

		own_folder_sweep(parent, NULL, NULL);
		if (!mark || !lock_is_held(mark) ||
		    own_folder_remove(dir, &lock, &err))
			return 1;
		free(mark);
		free(dir);
	}
	return 7;
}

static void test_own_folder_sweeps_at_once_take_nothing_alive(void **state)
{
	enum { PROCESSES = 3 };
	char *scratch = test_scratch();
	pid_t children[PROCESSES];
	int status = 0;

	UNUSED(state);
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (children[i] == 0)
			_exit(make_and_sweep(scratch));
	}
	for (int i = 0; i < PROCESSES; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(WEXITSTATUS(status), 7);
	}
	test_is_empty(scratch);
	test_scratch_remove(scratch);
}

/* What earlier versions left as they timed the disk. */
static void test_own_folder_sweep_removes_old_files_of_zeros(void **state)
{
	static const unsigned char zeros[4096];
	const struct span data = { .data = zeros, .len = sizeof(zeros) };
	char *scratch = test_scratch();
	struct told told;

	UNUSED(state);
	test_write_file(scratch, "presto-sync-zeroAA", data);
	test_write(scratch, "presto-sync-noneAA", "");
	assert_int_equal(sweep(scratch, &told), 1);
	test_contains(told.text, "removed 2 temporary files (4.10 kB) in ");
	test_is_empty(scratch);
	test_scratch_remove(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_folder_is_made_and_removed),
		cmocka_unit_test(test_own_folder_of_others_is_left_alone),
		cmocka_unit_test(test_own_folder_is_no_link),
		cmocka_unit_test(test_own_folder_in_use_is_not_taken_up),
		cmocka_unit_test(test_own_folder_loses_its_mark_last),
		cmocka_unit_test(test_own_folder_is_taken_without_its_mark),
		cmocka_unit_test(
		    test_own_folder_sweep_removes_what_the_dead_left),
		cmocka_unit_test(
		    test_own_folder_sweep_removes_what_has_no_mark_yet),
		cmocka_unit_test(test_own_folder_sweep_leaves_what_others_made),
		cmocka_unit_test(
		    test_own_folder_sweeps_at_once_take_nothing_alive),
		cmocka_unit_test(
		    test_own_folder_sweep_removes_old_files_of_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
