/* test_path.c - paths, atomic writes, and folders. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/path_write.h"
#include "test/unit/test.h"

static void test_path_join_dir_and_base(void **state)
{
	static const struct {
		const char *dir, *name, *joined;
	} joins[] = {
		{ "a", "b", "a/b" },
		{ "a/", "b", "a/b" },
		{ "/", "b", "/b" },
		{ "", "b", "b" },
		{ ".", "b", "./b" },
		{ "a", "/b", "/b" },
		{ "a", "../b", "a/../b" },
	};
	static const struct {
		const char *path, *dir, *base;
	} parts[] = {
		{ "a", ".", "a" },
		{ "a/b", "a", "b" },
		{ "/a", "/", "a" },
		{ "/", "/", "" },
		{ "a/b/", "a", "" },
		{ "a//b", "a", "b" },
		{ "../a/b.c", "../a", "b.c" },
		{ "", ".", "" },
	};
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(joins); i++) {
		char *path = path_join(joins[i].dir, joins[i].name, &err);

		assert_string_equal(path, joins[i].joined);
		free(path);
	}
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		char *dir = path_dir(parts[i].path, &err);

		assert_string_equal(dir, parts[i].dir);
		assert_string_equal(path_base(parts[i].path), parts[i].base);
		free(dir);
	}
}

static void test_path_make_dirs_makes_those_above(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *deep = test_path(dir, "a/b//c/");
	char *below_file = test_path(dir, "file/x");
	char *file = test_path(dir, "file");

	UNUSED(state);
	assert_false(path_exists(deep));
	test_ok(path_make_dirs(deep, &err), &err);
	assert_true(path_exists(deep));
	test_ok(path_make_dirs(deep, &err), &err);
	test_ok(path_make_dirs("/", &err), &err);
	test_write(dir, "file", "x");
	assert_int_equal(path_make_dirs(below_file, &err), -1);
	test_contains(err.text, "Not a directory");
	assert_int_equal(path_make_dirs(file, &err), -1);
	test_contains(err.text, "make folder ");
	test_contains(err.text, "/file: Not a directory");
	free(file);
	free(below_file);
	free(deep);
	test_scratch_remove(dir);
}

static void test_path_read_appends_up_to_a_limit(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "a");

	UNUSED(state);
	test_write(dir, "a", "12345");
	test_ok(buf_append(&out, "<", 1, &err), &err);
	test_ok(path_read(path, 5, &out, &err), &err);
	assert_true(span_equal(buf_span(&out), span_text("<12345")));
	assert_int_equal(path_read(path, 4, &out, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	test_contains(err.text, "larger than 4 B");
	assert_int_equal(out.len, 6);
	assert_int_equal(path_read("/dev/zero", 100000, &out, &err), -1);
	test_contains(err.text, "is a device");
	assert_int_equal(path_read(dir, 100, &out, &err), -1);
	test_contains(err.text, "is a folder");
	free(path);
	buf_release(&out);
	test_scratch_remove(dir);
}

static void test_path_read_takes_large_files_and_unknown_sizes(void **state)
{
	struct error err = ERROR_INIT;
	struct buf data = BUF_INIT, out = BUF_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "large");

	UNUSED(state);
	for (unsigned i = 0; i < 100000; i++)
		test_ok(buf_append(&data, &i, sizeof(i), &err), &err);
	test_ok(path_write(path, buf_span(&data), &err), &err);
	test_ok(path_read(path, SIZE_MAX, &out, &err), &err);
	assert_true(span_equal(buf_span(&out), buf_span(&data)));
	out.len = 0;
	test_ok(path_read("/proc/self/status", 1 << 20, &out, &err), &err);
	assert_true(out.len > 100); /* a file that claims to have 0 bytes */
	free(path);
	buf_release(&data);
	buf_release(&out);
	test_scratch_remove(dir);
}

static void test_path_write_replaces_and_leaves_nothing_else(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "a");
	char *theirs = test_path(dir, "a.tmp");
	char *absent = test_path(dir, "no/a");

	UNUSED(state);
	test_write(dir, "a.tmp", "theirs");
	test_ok(path_write(path, span_text("old and long"), &err), &err);
	test_ok(path_write(path, span_text("new"), &err), &err);
	test_ok(path_read(path, 100, &out, &err), &err);
	assert_true(span_equal(buf_span(&out), span_text("new")));
	test_reads(theirs, "theirs");
	unlink(theirs);
	unlink(path);
	test_is_empty(dir);
	assert_int_equal(path_write(absent, span_text("x"), &err), -1);
	assert_int_equal(err.code, ERROR_SYSTEM);
	test_contains(err.text, "No such file or directory");
	buf_release(&out);
	free(absent);
	free(theirs);
	free(path);
	test_scratch_remove(dir);
}

/* rename refuses to put a file where a folder is. */
static void test_path_write_removes_the_new_file_when_it_fails(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "a");

	UNUSED(state);
	test_ok(path_make_dirs(path, &err), &err);
	assert_int_equal(path_write(path, span_text("x"), &err), -1);
	test_contains(err.text, "write ");
	assert_int_equal(rmdir(path), 0);
	test_is_empty(dir);
	free(path);
	test_scratch_remove(dir);
}

/* Were it not so, root's --output /dev/null would be the end of it. */
static void test_path_write_output_writes_to_links_and_pipes(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char *dir = test_scratch();
	char *link = test_path(dir, "link");
	char *target = test_path(dir, "target");
	char *pipe = test_path(dir, "pipe");
	struct stat status;
	char got[8];
	int fd;

	UNUSED(state);
	assert_int_equal(symlink("target", link), 0);
	test_ok(path_write_output(link, span_text("old"), &err), &err);
	test_ok(path_write_output(link, span_text("new"), &err), &err);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	test_ok(path_read(target, 100, &out, &err), &err);
	assert_true(span_equal(buf_span(&out), span_text("new")));

	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(path_write_output(pipe, span_text("abc"), &err), -1);
	test_contains(err.text, "is a pipe (FIFO) that nobody reads");
	fd = open(pipe, O_RDWR);
	assert_true(fd >= 0);
	test_ok(path_write_output(pipe, span_text("abc"), &err), &err);
	assert_int_equal(read(fd, got, sizeof(got)), 3);
	assert_int_equal(lstat(pipe, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	close(fd);
	buf_release(&out);
	free(pipe);
	free(target);
	free(link);
	test_scratch_remove(dir);
}

/* Through several, also to what is not there yet; never round and round. */
static void test_path_write_output_keeps_links(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *far = test_path(dir, "a/far"), *near = test_path(dir, "near");
	char *loop = test_path(dir, "loop"), *aside = test_path(dir, "a");
	struct stat status;

	UNUSED(state);
	test_write(dir, "a/theirs", "theirs");
	assert_int_equal(symlink("new", far), 0);
	assert_int_equal(symlink("a/far", near), 0);
	assert_int_equal(symlink("loop", loop), 0);
	test_ok(path_write_output(near, span_text("one"), &err), &err);
	test_ok(path_write_output(near, span_text("two"), &err), &err);
	test_reads(near, "two");
	assert_int_equal(lstat(near, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(lstat(far, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(path_write_output(loop, span_text("x"), &err), -1);
	test_contains(err.text, "loop");
	assert_int_equal(path_write_output(aside, span_text("x"), &err), -1);
	free(aside);
	free(loop);
	free(near);
	free(far);
	test_scratch_remove(dir);
}

/* In a folder like /tmp; only root can lay another user's link. */
static void test_path_write_output_refuses_links_of_others(void **state)
{
	struct error err = ERROR_INIT;
	char *dir, *all, *link, *theirs;

	UNUSED(state);
	if (geteuid() != 0)
		skip();
	dir = test_scratch();
	all = test_path(dir, "all");
	link = test_path(all, "out.csv");
	theirs = test_path(dir, "theirs");
	test_write(dir, "theirs", "theirs");
	assert_int_equal(mkdir(all, 0700), 0);
	assert_int_equal(chmod(all, 01777), 0);
	assert_int_equal(symlink("../theirs", link), 0);
	if (lchown(link, 65534, 65534)) {
		print_message("no other user here\n");
	} else {
		assert_int_equal(
		    path_write_output(link, span_text("x"), &err), -1);
		test_contains(err.text, "is a link of another user in a "
		                        "folder that all may write to");
		test_reads(theirs, "theirs");
		assert_int_equal(lchown(link, geteuid(), 65534), 0);
	}
	test_ok(path_write_output(link, span_text("own"), &err), &err);
	test_reads(theirs, "own");
	free(theirs);
	free(link);
	free(all);
	test_scratch_remove(dir);
}

static int note(void *arg, const char *name, uint64_t bytes, struct error *err)
{
	return buf_printf(arg, err, "%s %" PRIu64 "\n", name, bytes);
}

static void link_to(const char *dir, const char *name, const char *target)
{
	char *path = test_path(dir, name);

	assert_int_equal(symlink(target, path), 0);
	free(path);
}

static void test_path_each_visits_files_in_byte_order(void **state)
{
	struct error err = ERROR_INIT;
	struct buf seen = BUF_INIT;
	char *dir = test_scratch();
	char *slash = test_path(dir, "");
	uint64_t bytes = 0;

	UNUSED(state);
	test_write(dir, "b", "22");
	test_write(dir, "a/z", "1");
	test_write(dir, "a/c/d", "333");
	test_write(dir, "a.b", "4444");
	test_write(dir, "a0", "55555");
	test_write(dir, "Z", "");
	test_ok(path_each(dir, note, &seen, &err), &err);
	assert_string_equal(
	    (char *)seen.data, "Z 0\na.b 4\na/c/d 3\na/z 1\na0 5\nb 2\n");
	seen.len = 0;
	test_ok(path_each(slash, note, &seen, &err), &err);
	assert_memory_equal(seen.data, "Z 0\n", 4);
	test_ok(path_bytes(dir, &bytes, &err), &err);
	assert_int_equal(bytes, 15);
	buf_release(&seen);
	free(slash);
	test_scratch_remove(dir);
}

static void test_path_each_follows_links_but_not_in_circles(void **state)
{
	struct error err = ERROR_INIT;
	struct buf seen = BUF_INIT;
	char *dir = test_scratch();
	char *fifo = test_path(dir, "root/fifo");

	UNUSED(state);
	test_write(dir, "outside/x", "1");
	test_write(dir, "root/a/y", "22");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	free(fifo);
	link_to(dir, "root/a/up", "..");
	link_to(dir, "root/broken", "nowhere");
	link_to(dir, "root/file", "a/y");
	link_to(dir, "root/other", "../outside");
	link_to(dir, "root/self", "self");
	link_to(dir, "root/twice", "../outside");
	fifo = test_path(dir, "root");
	test_ok(path_each(fifo, note, &seen, &err), &err);
	assert_string_equal((char *)seen.data,
	    "a/y 2\nbroken 0\nfile 2\nother/x 1\nself 0\ntwice/x 1\n");
	free(fifo);
	buf_release(&seen);
	test_scratch_remove(dir);
}

static int refuse(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	unsigned *calls = arg;

	UNUSED(bytes);
	++*calls;
	return error_set(err, ERROR_DATA, "not %s", name);
}

static void test_path_each_stops_when_visit_fails(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *absent = test_path(dir, "absent");
	unsigned calls = 0;

	UNUSED(state);
	test_write(dir, "a/b/c", "");
	test_write(dir, "a/b/d", "");
	test_write(dir, "e", "");
	test_error_is(path_each(dir, refuse, &calls, &err), &err, "not a/b/c");
	assert_int_equal(calls, 1);
	assert_int_equal(path_each(absent, refuse, &calls, &err), -1);
	test_contains(err.text, "open folder ");
	free(absent);
	test_scratch_remove(dir);
}

static void test_path_remove_content_leaves_the_folder(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char name[256];

	UNUSED(state);
	test_write(dir, "a/b/c", "1");
	test_write(dir, "d", "1");
	link_to(dir, "broken", "nowhere");
	test_ok(path_remove_content(dir, NULL, NULL, &err), &err);
	assert_true(path_exists(dir));
	test_ok(path_find_any(dir, NULL, name, &err), &err);
	assert_string_equal(name, "");
	test_scratch_remove(dir);
}

static void test_path_remove_tree_does_not_follow_links(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *root = test_path(dir, "root");
	char *kept = test_path(dir, "kept/x");
	char *link = test_path(dir, "link");

	UNUSED(state);
	test_write(dir, "kept/x", "1");
	test_write(dir, "root/a/b/c", "1");
	test_write(dir, "root/d", "1");
	link_to(dir, "root/a/link", "../../kept");
	link_to(dir, "root/broken", "nowhere");
	link_to(dir, "link", "kept");
	test_ok(path_remove_tree(root, &err), &err);
	assert_false(path_exists(root));
	assert_true(path_exists(kept));
	test_ok(path_remove_tree(root, &err), &err);
	assert_int_equal(path_remove_tree(link, &err), -1);
	assert_int_equal(path_remove_tree(kept, &err), -1);
	assert_true(path_exists(kept));
	free(link);
	free(kept);
	free(root);
	test_scratch_remove(dir);
}

static void test_path_free_bytes_asks_what_is_above(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *absent = test_path(dir, "not/yet/there");
	uint64_t here = 0, there = 0;

	UNUSED(state);
	test_ok(path_free_bytes(dir, &here, &err), &err);
	test_ok(path_free_bytes(absent, &there, &err), &err);
	assert_true(here > 0 && there > 0);
	test_ok(path_free_bytes("not/yet/there", &there, &err), &err);
	free(absent);
	test_scratch_remove(dir);
}

static void test_path_rename_and_sync_say_what_failed(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *from = test_path(dir, "from");
	char *to = test_path(dir, "to");

	UNUSED(state);
	assert_int_equal(path_rename(from, to, &err), -1);
	test_contains(err.text, "rename ");
	test_write(dir, "from", "x");
	test_ok(path_rename(from, to, &err), &err);
	assert_true(path_exists(to));
	test_ok(path_sync_dir(dir, &err), &err);
	assert_int_equal(path_sync_dir(to, &err), -1);
	test_contains(err.text, "Not a directory");
	free(to);
	free(from);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path_join_dir_and_base),
		cmocka_unit_test(test_path_make_dirs_makes_those_above),
		cmocka_unit_test(test_path_read_appends_up_to_a_limit),
		cmocka_unit_test(
		    test_path_read_takes_large_files_and_unknown_sizes),
		cmocka_unit_test(
		    test_path_write_replaces_and_leaves_nothing_else),
		cmocka_unit_test(
		    test_path_write_removes_the_new_file_when_it_fails),
		cmocka_unit_test(
		    test_path_write_output_writes_to_links_and_pipes),
		cmocka_unit_test(test_path_write_output_keeps_links),
		cmocka_unit_test(
		    test_path_write_output_refuses_links_of_others),
		cmocka_unit_test(test_path_each_visits_files_in_byte_order),
		cmocka_unit_test(
		    test_path_each_follows_links_but_not_in_circles),
		cmocka_unit_test(test_path_each_stops_when_visit_fails),
		cmocka_unit_test(test_path_remove_content_leaves_the_folder),
		cmocka_unit_test(test_path_remove_tree_does_not_follow_links),
		cmocka_unit_test(test_path_free_bytes_asks_what_is_above),
		cmocka_unit_test(test_path_rename_and_sync_say_what_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
