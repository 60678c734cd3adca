/* test_own_output.c - output of presto is not part of a dataset. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/folder/made.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

/* Three files of the user's, and many of presto's. */
static char *make_files(const char *ending, const char *mark)
{
	static const char *const names[] = { "a/1", "a/2", "b/3",
		"presto-work-Ab12Cd/resized-tar-none/shard-000000",
		"presto-probe-Ab12Cd/4", "a/presto-sync-Ab12Cd", "out/5",
		"a/begun/deep/6", "marked/7" };
	char *dir = test_scratch(), name[128];

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(name, sizeof(name), "%s%s", names[i],
		    strstr(names[i], "sync") ? "" : ending);
		test_write(dir, name, "one line\n");
	}
	test_write(dir, "out/presto.manifest", "");
	test_write(dir, mark, "");
	test_write(dir, "marked/.presto-work", "");
	return dir;
}

static void expect(
    const char *dir, const char *section, uint64_t samples, const char *note)
{
	struct opened opened;

	if (opened_open(&opened, dir, section, 0))
		fail_msg("%s", opened.err.text);
	assert_int_equal(opened.reader->total_samples, samples);
	if (note)
		test_contains((const char *)opened.reader->notes.data, note);
	else
		assert_int_equal(opened.reader->notes.len, 0);
	opened_close(&opened);
}

static void test_own_folders_are_passed_over_with_a_word(void **state)
{
	char *dir = make_files(".txt", "a/begun/presto.partial");

	(void)state;
	expect(dir, "source = folder\npath = .\n", 3, "/a/begun, and 5 more:");
	expect(dir, "source = folder\npath = .\nmatch = *.txt\n", 3,
	    "/a/begun, and 4 more: presto wrote it, and it is no part of the "
	    "dataset");
	expect(dir, "source = lines\npath = .\nmatch = *.txt\n", 3,
	    "/a/begun, and 4 more:");
	expect(dir, "source = lines\npath = {a,b}\nmatch = *.txt\n", 3,
	    "a/begun: presto");
	expect(dir, "source = folder\npath = b\n", 1, NULL);
	test_scratch_remove(dir);
}

/* Who says the name of a folder gets it. */
static void test_own_folders_are_taken_when_they_are_named(void **state)
{
	char *dir = make_files(".txt", "a/begun/presto.job");

	(void)state;
	expect(dir, "source = folder\npath = out\nmatch = *.txt\n", 1, NULL);
	expect(dir, "source = folder\npath = .\nmatch = out/*.txt\n", 1,
	    "/a/begun");
	expect(dir, "source = lines\npath = {a,out}\nmatch = *.txt\n", 3,
	    "a/begun: presto");
	expect(dir, "source = lines\npath = out/5.txt\n", 1, NULL);
	opened_fails(dir, "source = folder\npath = .\nmatch = *.jpg\n",
	    "looked at, and what presto wrote passed over)");
	test_scratch_remove(dir);
}

static void test_own_folders_are_passed_over_by_patterns(void **state)
{
	char *dir = test_scratch();
	char tar[10240] = { 0 }, *out;
	int here;
	const struct span bytes = { (unsigned char *)tar, sizeof(tar) };

	(void)state;
	snprintf(tar, 100, "1.txt");
	snprintf(tar + 100, 8, "0000644");
	snprintf(tar + 124, 12, "%011o", 1U);
	snprintf(tar + 257, 6, "ustar");
	memcpy(tar + 263, "00", 2);
	memset(tar + 148, ' ', 8);
	tar[156] = '0';
	tar[512] = 'x';
	{
		unsigned sum = 0;

		for (int i = 0; i < 512; i++)
			sum += (unsigned char)tar[i];
		snprintf(tar + 148, 8, "%06o", sum);
	}
	test_write(dir, "mine/keep", "");
	test_write(dir, "out/presto.manifest", "");
	test_write_file(dir, "mine/a.tar", bytes);
	test_write_file(dir, "out/shard-000000.tar", bytes);
	expect(dir, "source = tar\npath = */*.tar\n", 1, "/out: presto wrote");
	expect(dir, "source = tar\npath = .\nmatch = *.tar\n", 1,
	    "/out: presto wrote");
	expect(dir, "source = tar\npath = out/*.tar\n", 1, NULL);
	out = test_path(dir, "out");
	here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(here >= 0);
	assert_int_equal(chdir(out), 0);
	expect(".", "source = tar\npath = *.tar\n", 1, NULL);
	assert_int_equal(fchdir(here), 0);
	close(here);
	free(out);
	test_scratch_remove(dir);
}

/* Databases and pages are known by what is in them. */
static void test_own_files_are_passed_over(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "other.sqlite");
	struct error err = ERROR_INIT;
	struct results *results = results_open(path, true, &err);

	(void)state;
	assert_non_null(results);
	results_close(results);
	test_write(dir, "1.txt", "x");
	test_write(dir, "mine.db", "SQLite format 3, or so it says, but no");
	test_write(dir, "mine.html", "<!doctype html><title>presto</title>");
	test_write(dir, "presto.db", "");
	test_write(dir, "presto.db-wal", "x");
	test_write(dir, "other.sqlite-shm", "x");
	test_write(dir, "page.html",
	    "<!doctype html>\n<meta name=\"generator\" content=\"presto 1\">");
	expect(dir, "source = folder\npath = .\n", 3,
	    "/other.sqlite, and 4 more: presto wrote it");
	free(path);
	test_scratch_remove(dir);
}

static void test_own_names_of_the_moment_have_six_characters(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);

	(void)state;
	test_ok(medium ? 0 : -1, &err);
	assert_true(made_is_folder(medium, "data/presto-work-abcdef"));
	assert_false(made_is_folder(medium, "data/presto-work-abcdefg"));
	assert_false(made_is_folder(medium, "data/presto-workshop"));
	assert_false(made_may_be_file("presto-work.jpg"));
	assert_true(made_is_file(medium, "presto-sync-abcdef"));
	medium_free(medium);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_folders_are_passed_over_with_a_word),
		cmocka_unit_test(
		    test_own_folders_are_taken_when_they_are_named),
		cmocka_unit_test(test_own_folders_are_passed_over_by_patterns),
		cmocka_unit_test(test_own_files_are_passed_over),
		cmocka_unit_test(
		    test_own_names_of_the_moment_have_six_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
