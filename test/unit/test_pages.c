/* test_pages.c - memory that two processes share. */
#define _GNU_SOURCE /* memfd_create, seals */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "test/unit/test.h"

enum { LARGE = PAGES_HUGE + 12345, PART = 3 * 4096 };

/* Memory that is shared and borrowed in this process, at two addresses. */
struct both {
	struct pages shared, borrowed;
	unsigned char *there, *here;
	int fd;
};

static void open_both(struct both *both, size_t bytes)
{
	struct error err = ERROR_INIT;

	both->there = pages_share(&both->shared, bytes, &both->fd, &err);
	test_ok(both->there ? 0 : -1, &err);
	assert_true(pages_fill(both->there, bytes));
	both->here = pages_borrow(&both->borrowed, both->fd, bytes, &err);
	test_ok(both->here ? 0 : -1, &err);
}

static void close_both(struct both *both)
{
	pages_give(&both->shared);
	pages_give(&both->borrowed);
	close(both->fd);
}

static void test_pages_are_the_same_on_both_sides(void **state)
{
	static const size_t sizes[] = { 1, PART, LARGE };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		const size_t bytes = sizes[i];
		struct both both;

		open_both(&both, bytes);
		memset(both.there, 1, bytes);
		assert_int_equal(both.here[0], 1);
		assert_int_equal(both.here[bytes - 1], 1);
		memset(both.here, 2, bytes);
		assert_int_equal(both.there[bytes - 1], 2);
		close_both(&both);
	}
}

static void test_pages_outlive_those_who_shared_them(void **state)
{
	struct both both;

	UNUSED(state);
	open_both(&both, PART);
	memset(both.there, 7, PART);
	pages_give(&both.shared);
	assert_int_equal(both.here[0], 7);
	assert_int_equal(both.here[PART - 1], 7);
	close_both(&both);
}

static bool is_all(const unsigned char *bytes, size_t count, int value)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != value)
			return false;
	return true;
}

/* Of three parts, the one in the middle is private for a time. */
static void test_a_private_part_does_not_change(void **state)
{
	unsigned char *part;
	struct both both;
	int status;
	pid_t child;

	UNUSED(state);
	open_both(&both, 3 * PART);
	part = both.here + PART;
	memset(both.there, 1, 3 * PART);
	assert_true(pages_part(part, PART, both.fd, PART));
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		bool is = is_all(part, PART, 1);

		memset(both.there, 2, 3 * PART);
		is = is && is_all(part, PART, 1);
		memset(part, 3, PART);
		_exit(is ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(is_all(both.there, 3 * PART, 2));
	assert_true(is_all(both.here, PART, 2));
	assert_true(is_all(part, PART, 1));
	assert_true(is_all(part + PART, PART, 2));
	assert_true(pages_rejoin(part, PART, both.fd, PART));
	assert_true(is_all(part, PART, 2));
	close_both(&both);
}

static void refuse(int fd, size_t bytes, const char *words)
{
	struct error err = ERROR_INIT;
	struct pages pages;

	assert_null(pages_borrow(&pages, fd, bytes, &err));
	test_contains(err.text, words);
}

/* An access to memory that is cut short would be a SIGBUS. */
static void test_pages_that_can_be_cut_short_are_refused(void **state)
{
	struct error err = ERROR_INIT;
	struct pages pages;
	int ends[2], fd;

	UNUSED(state);
	fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PART), 0);
	refuse(fd, PART, "not sealed");
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	refuse(fd, PART + 1, "smaller");
	assert_non_null(pages_borrow(&pages, fd, PART, &err));
	pages_give(&pages);
	close(fd);
	assert_int_equal(pipe(ends), 0);
	refuse(ends[0], 1, "not sealed");
	close(ends[0]);
	close(ends[1]);
	refuse(-1, 1, "not sealed");
	assert_non_null(pages_share(&pages, PART, &fd, &err));
	assert_true(ftruncate(fd, 1) != 0);
	pages_give(&pages);
	close(fd);
}

static void test_pages_are_rounded_up(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	UNUSED(state);
	assert_int_equal(pages_round(1), page);
	assert_int_equal(pages_round(page), page);
	assert_int_equal(pages_round(page + 1), 2 * page);
	assert_int_equal(pages_round(PAGES_HUGE), PAGES_HUGE);
	assert_int_equal(pages_round(PAGES_HUGE + 1), 2 * (size_t)PAGES_HUGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages_are_the_same_on_both_sides),
		cmocka_unit_test(test_pages_outlive_those_who_shared_them),
		cmocka_unit_test(test_a_private_part_does_not_change),
		cmocka_unit_test(test_pages_that_can_be_cut_short_are_refused),
		cmocka_unit_test(test_pages_are_rounded_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
