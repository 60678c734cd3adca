/* test_lock.c - only one process holds a lock, whatever happens to the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/lock.h"
#include "lib/files/lock_held.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "test/unit/test.h"

ssize_t __real_pread(int fd, void *bytes, size_t len, off_t at);
ssize_t __wrap_pread(int fd, void *bytes, size_t len, off_t at);
ssize_t __real_pwrite(int fd, const void *bytes, size_t len, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t len, off_t at);
int __real_lstat(const char *path, struct stat *status);
int __wrap_lstat(const char *path, struct stat *status);
int __real_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...);

/* Of which calls in turn the next one fails; 0: none. */
static unsigned bad_read, bad_write, bad_status;
/* What locks fail with, as on a file system that has none; 0: they work. */
static int no_locks;

static bool is_bad(unsigned *until)
{
	errno = EIO;
	return *until && --*until == 0;
}

ssize_t __wrap_pread(int fd, void *bytes, size_t len, off_t at)
{
	return is_bad(&bad_read) ? -1 : __real_pread(fd, bytes, len, at);
}

int __wrap_fcntl(int fd, int what, ...)
{
	va_list args;
	void *lock;

	va_start(args, what);
	lock = va_arg(args, void *);
	va_end(args);
	if (!no_locks)
		return __real_fcntl(fd, what, lock);
	errno = no_locks;
	return -1;
}

/* Half of it arrives, as on a disk that is full. */
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	return __real_pwrite(fd, bytes, is_bad(&bad_write) ? len / 4 : len, at);
}

int __wrap_lstat(const char *path, struct stat *status)
{
	return is_bad(&bad_status) ? -1 : __real_lstat(path, status);
}

static void test_lock_that_is_held_says_by_whom(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock first = LOCK_INIT, second = LOCK_INIT;
	struct error err = ERROR_INIT;
	char pid[64], host[64];

	(void)state;
	assert_false(lock_is_held(path));
	test_ok(lock_take(&first, path, &err), &err);
	assert_true(lock_is_held(path));
	assert_int_equal(lock_take(&second, path, &err), -1);
	assert_int_equal(err.code, ERROR_SYSTEM);
	snprintf(pid, sizeof(pid), "another presto: process %ld on ",
	    (long)getpid());
	test_contains(err.text, pid);
	assert_int_equal(gethostname(host, sizeof(host)), 0);
	test_contains(err.text, host);
	test_contains(err.text, " since 2");
	test_contains(err.text, "UTC; wait until it has ended");
	lock_release(&second);
	lock_release(&first);
	lock_release(&first);
	free(path);
	test_scratch_remove(scratch);
}

/* The first line is the caller's; nothing is left of a lock without one. */
static void test_lock_keeps_its_text_when_it_is_given_back(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	char line[LOCK_TEXT];

	(void)state;
	lock_peek(path, line);
	assert_string_equal(line, "");
	test_ok(lock_take(&lock, path, &err), &err);
	assert_string_equal(lock.text, "");
	lock_release(&lock);
	assert_false(path_exists(path));
	test_ok(lock_take(&lock, path, &err), &err);
	test_ok(lock_write(&lock, "a long line, and shorter then", &err), &err);
	test_ok(lock_write(&lock, "a line", &err), &err);
	lock_peek(path, line);
	assert_string_equal(line, "a line");
	lock_release(&lock);
	lock_peek(path, line);
	assert_string_equal(line, "a line");
	assert_true(path_exists(path));
	assert_false(lock_is_held(path));
	test_ok(lock_take(&lock, path, &err), &err);
	assert_string_equal(lock.text, "a line");
	test_ok(lock_remove(&lock, &err), &err);
	assert_false(path_exists(path));
	free(path);
	test_scratch_remove(scratch);
}

/* Reading the file does not end the lock, as closing ends those of POSIX. */
static void test_lock_outlives_readers_of_the_file(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	int status = 0;
	pid_t child;

	(void)state;
	test_ok(lock_take(&lock, path, &err), &err);
	test_ok(path_read(path, 4096, &text, &err), &err);
	buf_release(&text);
	child = fork();
	if (child == 0) {
		struct lock own = LOCK_INIT;

		_exit(lock_take(&own, path, &err) == -1 ? 7 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
	lock_release(&lock);
	free(path);
	test_scratch_remove(scratch);
}

/* Another file of the name is another's: it stays, and is not locked. */
static void test_lock_removes_only_what_it_locked(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	test_ok(lock_take(&lock, path, &err), &err);
	assert_int_equal(unlink(path), 0);
	test_write(scratch, "lock", "mine");
	test_ok(lock_remove(&lock, &err), &err);
	test_read_file(scratch, "lock", &text);
	assert_int_equal(text.len, 4);
	buf_release(&text);
	free(path);
	test_scratch_remove(scratch);
}

static void test_lock_follows_no_link(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	test_write(scratch, "mine.txt", "keep");
	assert_int_equal(symlink("mine.txt", path), 0);
	assert_int_equal(lock_take(&lock, path, &err), -1);
	test_read_file(scratch, "mine.txt", &text);
	assert_int_equal(text.len, 4);
	buf_release(&text);
	free(path);
	test_scratch_remove(scratch);
}

enum { RACERS = 8, ROUNDS = 200 };

/*
 * Takes the lock again and again; a second holder would find the file that
 * the first one made under it.
 */
static int race(const char *path, const char *inside)
{
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	int held = 0;

	for (int i = 0; i < ROUNDS; i++) {
		if (lock_take(&lock, path, &err))
			continue;
		held++;
		if (mkdir(inside, 0700))
			return 1;
		if (rmdir(inside) || lock_remove(&lock, &err))
			return 2;
	}
	return held ? 0 : 3;
}

static void race_for_it(void)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	char *inside = test_path(scratch, "inside");
	pid_t children[RACERS];

	for (int i = 0; i < RACERS; i++) {
		children[i] = fork();
		if (children[i] == 0)
			_exit(race(path, inside));
	}
	for (int i = 0; i < RACERS; i++) {
		int status = 0;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status));
		assert_true(
		    WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
	}
	assert_false(path_exists(path));
	free(inside);
	free(path);
	test_scratch_remove(scratch);
}

static void test_lock_is_held_by_one_of_many(void **state)
{
	(void)state;
	race_for_it();
}

/* ---- a file system without locks ---- */

/* Each of its errors, and back. */
static void test_lock_without_locks_is_held_by_one_of_many(void **state)
{
	static const int errors[] = { ENOLCK, EOPNOTSUPP, ENOSYS };

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		no_locks = errors[i];
		race_for_it();
	}
	no_locks = EIO;
	{
		char *scratch = test_scratch();
		char *path = test_path(scratch, "lock");
		struct lock lock = LOCK_INIT;
		struct error err = ERROR_INIT;

		assert_int_equal(lock_take(&lock, path, &err), -1);
		free(path);
		test_scratch_remove(scratch);
	}
	no_locks = 0;
}

static void test_lock_without_locks_says_by_whom(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	char *held = test_path(scratch, "lock.held");
	struct lock first = LOCK_INIT, second = LOCK_INIT;
	struct error err = ERROR_INIT;
	char pid[64];

	(void)state;
	no_locks = ENOLCK;
	test_ok(lock_take(&first, path, &err), &err);
	test_ok(lock_write(&first, "a line", &err), &err);
	assert_true(lock_is_held(path));
	assert_int_equal(lock_take(&second, path, &err), -1);
	snprintf(pid, sizeof(pid), "another presto: process %ld on ",
	    (long)getpid());
	test_contains(err.text, pid);
	test_contains(err.text, "has no locks");
	lock_release(&first);
	assert_false(lock_is_held(path));
	assert_false(path_exists(held));
	test_ok(lock_take(&first, path, &err), &err);
	assert_string_equal(first.text, "a line");
	test_ok(lock_remove(&first, &err), &err);
	test_is_empty(scratch);
	no_locks = 0;
	free(held);
	free(path);
	test_scratch_remove(scratch);
}

/* A killed process of this host holds nothing, one elsewhere may be alive. */
static void test_lock_without_locks_goes_on_after_a_kill(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	int status;
	pid_t child;

	(void)state;
	no_locks = ENOLCK;
	child = fork();
	if (child == 0)
		_exit(lock_take(&lock, path, &err) ? 1 : 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_false(lock_is_held(path));
	test_ok(lock_take(&lock, path, &err), &err);
	assert_true(lock_is_held(path));
	test_ok(lock_remove(&lock, &err), &err);
	test_is_empty(scratch);
	test_write(scratch, "lock.held", "process 1 on another since then");
	assert_int_equal(lock_take(&lock, path, &err), -1);
	test_contains(err.text, "process 1 on another since then");
	test_contains(err.text, "lock.held");
	no_locks = 0;
	free(path);
	test_scratch_remove(scratch);
}

/* A folder that is empty but for its lock is empty, and keeps that lock. */
static void test_lock_without_locks_is_no_content(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;
	char name[256];

	(void)state;
	no_locks = ENOLCK;
	test_ok(lock_take(&lock, path, &err), &err);
	test_ok(path_find_any(scratch, "lock", name, &err), &err);
	assert_string_equal(name, "");
	test_write(scratch, "lock.other", "1");
	test_ok(path_find_any(scratch, "lock", name, &err), &err);
	assert_string_equal(name, "lock.other");
	test_ok(path_remove_content(scratch, "lock", NULL, &err), &err);
	test_ok(path_find_any(scratch, "lock", name, &err), &err);
	assert_string_equal(name, "");
	assert_true(lock_is_held(path));
	test_ok(lock_remove(&lock, &err), &err);
	test_is_empty(scratch);
	no_locks = 0;
	free(path);
	test_scratch_remove(scratch);
}

/* What cannot be read now is there the next time. */
static void test_lock_leaves_a_text_that_it_cannot_read(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(lock_take(&lock, path, &err), &err);
	test_ok(lock_write(&lock, "a line", &err), &err);
	lock_release(&lock);
	bad_read = 1;
	assert_int_equal(lock_take(&lock, path, &err), -1);
	test_contains(err.text, path);
	lock_release(&lock);
	bad_status = 1;
	assert_int_equal(lock_take(&lock, path, &err), -1);
	test_contains(err.text, path);
	test_ok(lock_take(&lock, path, &err), &err);
	assert_string_equal(lock.text, "a line");
	test_ok(lock_remove(&lock, &err), &err);
	free(path);
	test_scratch_remove(scratch);
}

/* Half a text would be taken for that of other work. */
static void test_lock_leaves_no_half_text(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(lock_take(&lock, path, &err), &err);
	bad_write = 1;
	assert_int_equal(lock_write(&lock, "00112233445566778899", &err), -1);
	lock_release(&lock);
	test_ok(lock_take(&lock, path, &err), &err);
	assert_string_equal(lock.text, "");
	lock_release(&lock);
	free(path);
	test_scratch_remove(scratch);
}

/* What cannot be removed is an error, and not left behind in silence. */
static void test_lock_that_cannot_be_removed_is_an_error(void **state)
{
	char *scratch = test_scratch(), *path = test_path(scratch, "lock");
	struct lock lock = LOCK_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(lock_take(&lock, path, &err), &err);
	test_ok(lock_write(&lock, "a line", &err), &err);
	bad_status = 1;
	assert_int_equal(lock_remove(&lock, &err), -1);
	test_contains(err.text, path);
	free(path);
	test_scratch_remove(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lock_that_is_held_says_by_whom),
		cmocka_unit_test(
		    test_lock_keeps_its_text_when_it_is_given_back),
		cmocka_unit_test(test_lock_outlives_readers_of_the_file),
		cmocka_unit_test(test_lock_removes_only_what_it_locked),
		cmocka_unit_test(test_lock_follows_no_link),
		cmocka_unit_test(test_lock_is_held_by_one_of_many),
		cmocka_unit_test(
		    test_lock_without_locks_is_held_by_one_of_many),
		cmocka_unit_test(test_lock_without_locks_says_by_whom),
		cmocka_unit_test(test_lock_without_locks_goes_on_after_a_kill),
		cmocka_unit_test(test_lock_without_locks_is_no_content),
		cmocka_unit_test(test_lock_leaves_a_text_that_it_cannot_read),
		cmocka_unit_test(test_lock_leaves_no_half_text),
		cmocka_unit_test(test_lock_that_cannot_be_removed_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
