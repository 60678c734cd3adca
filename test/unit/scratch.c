/* scratch.c - see test.h. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/path_write.h"
#include "test/unit/test.h"

enum { FILE_MOST = 64 << 20 };

void test_ok(int rc, const struct error *err)
{
	if (rc)
		fail_msg("rc %d: %s", rc, err->text);
}

void test_error_is(int rc, const struct error *err, const char *text)
{
	assert_int_equal(rc, -1);
	assert_string_equal(err->text, text);
}

void test_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

static char *make_scratch(const char *above)
{
	struct error err = ERROR_INIT;
	char *dir = path_join(above, "presto-test-XXXXXX", &err);

	assert_non_null(dir);
	assert_non_null(mkdtemp(dir));
	return dir;
}

char *test_scratch_on_disk(void)
{
	const char *above = getenv("TMPDIR");

	return make_scratch(above && *above ? above : "/tmp");
}

char *test_scratch(void)
{
	const char *memory = getenv("PRESTO_TEST_SCRATCH");

	return memory ? make_scratch(memory) : test_scratch_on_disk();
}

void test_scratch_remove(char *dir)
{
	struct error err = ERROR_INIT;

	test_ok(path_remove_tree(dir, &err), &err);
	free(dir);
}

char *test_path(const char *dir, const char *name)
{
	struct error err = ERROR_INIT;
	char *path = path_join(dir, name, &err);

	assert_non_null(path);
	return path;
}

void test_write(const char *dir, const char *name, const char *text)
{
	struct error err = ERROR_INIT;
	char *path = test_path(dir, name);
	char *above = path_dir(path, &err);

	assert_non_null(above);
	test_ok(path_make_dirs(above, &err), &err);
	test_ok(path_write(path, span_text(text), &err), &err);
	free(above);
	free(path);
}

void test_reads(const char *path, const char *text)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	test_ok(path_read(path, FILE_MOST, &bytes, &err), &err);
	test_ok(buf_append(&bytes, "", 1, &err), &err);
	assert_string_equal((const char *)bytes.data, text);
	buf_release(&bytes);
}

void test_is_empty(const char *dir)
{
	DIR *open = opendir(dir);
	const struct dirent *entry;

	assert_non_null(open);
	while ((entry = readdir(open)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			fail_msg("%s holds %s", dir, entry->d_name);
	closedir(open);
}

void test_read_file(const char *dir, const char *name, struct buf *bytes)
{
	struct error err = ERROR_INIT;
	char *path = test_path(dir, name);

	bytes->len = 0;
	test_ok(path_read(path, FILE_MOST, bytes, &err), &err);
	free(path);
}

void test_write_file(const char *dir, const char *name, struct span bytes)
{
	struct error err = ERROR_INIT;
	char *path = test_path(dir, name);

	test_ok(path_write(path, bytes, &err), &err);
	free(path);
}
