/* test_csv_labels.c - labels of a folder's samples from a table. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/sample/classes.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

static char *make_files(void)
{
	char *dir = test_scratch();

	test_write(dir, "a/1.jpg", "one");
	test_write(dir, "a/2.jpg", "two");
	test_write(dir, "b,c/3.jpg", "three");
	return dir;
}

static void check_labels(
    const struct opened *opened, const int64_t *labels, size_t count)
{
	assert_int_equal(opened->count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(opened->seen[i].label, labels[i]);
}

/* Opens all .jpg files with the labels that `table` has. */
static void open_with(struct opened *opened, char *dir, const char *table,
    const char *more, uint64_t limit)
{
	char section[256];

	test_write(dir, "labels.csv", table);
	snprintf(section, sizeof(section),
	    "source = folder\npath = .\nlabels = labels.csv\n%s", more);
	opened_all(opened, dir, section, limit);
}

static void test_csv_labels_are_those_of_the_keys(void **state)
{
	static const struct {
		const char *table, *more;
		int64_t labels[3];
		size_t classes;
	} cases[] = {
		{ "key,label\n\"b,c/3\",7\na/1,30\na/2,-1\n", "", { 30, -1, 7 },
		    0 },
		{ "label;x;key\ncat;1;a/2\nant;2;a/1\ncat;3;b,c/3\n", "",
		    { 0, 1, 1 }, 2 },
		/* By the paths of files; and 10 is a name beside others. */
		{ "key,label\na/1.jpg,10\na/2.jpg,x\n\"b,c/3.jpg\",9\n", "",
		    { 0, 2, 1 }, 3 },
		{ "id,breed,key,label\na/1,pug,x,8\na/2,ant,y,9\n"
		  "\"b,c/3\",eel,z,9\n",
		    "label_key = id\nlabel_column = breed", { 2, 0, 1 }, 3 },
		/* The same row twice, one with no label, one with no sample. */
		{ "key,label\na/1,b\na/1,b\na/2,\na/2,c\n\"b,c/3\",b\n"
		  "none,a\n",
		    "", { 1, 2, 1 }, 3 },
	};
	char *dir = make_files();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct opened opened;

		open_with(&opened, dir, cases[i].table, cases[i].more, 0);
		check_labels(&opened, cases[i].labels, 3);
		assert_int_equal(
		    opened.reader->classes->count, cases[i].classes);
		opened_close(&opened);
		/* Numbers of classes are those of the whole table. */
		open_with(&opened, dir, cases[i].table, cases[i].more, 1);
		check_labels(&opened, cases[i].labels, 1);
		opened_close(&opened);
	}
	test_scratch_remove(dir);
}

static void test_csv_labels_tell_unused_rows(void **state)
{
	char *dir = make_files();
	struct opened opened;

	UNUSED(state);
	open_with(&opened, dir,
	    "key,label\na/1,1\nz,2\na/2,2\n\"b,c/3\",3\ny,4\n", "", 0);
	test_contains((const char *)opened.reader->notes.data,
	    "labels.csv: 2 of 5 rows have no sample, the first is 'z' in line "
	    "3; choose another column by label_key if they should");
	opened_close(&opened);
	open_with(
	    &opened, dir, "key,label\na/1,1\na/2,2\n\"b,c/3\",3\n", "", 0);
	assert_int_equal(opened.reader->notes.len, 0);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_csv_labels_of_parallel_folders(void **state)
{
	static const int64_t labels[] = { 4, 5 };
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	test_write(dir, "images/1.jpg", "image");
	test_write(dir, "masks/1.png", "mask");
	test_write(dir, "images/2.jpg", "image");
	test_write(dir, "masks/2.png", "mask");
	open_with(&opened, dir, "key,label\n1,4\n2,5\n",
	    "fields = data:images/*,mask:masks/*", 0);
	check_labels(&opened, labels, 2);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_csv_labels_say_what_is_wrong(void **state)
{
	static const struct {
		const char *table, *more, *error;
	} cases[] = {
		{ "key,label\na/2,1\n", "",
		    "labels.csv: 2 of 3 samples have no label, the first is "
		    "'a/1'; add rows, leave samples out by 'match', or choose "
		    "the columns by label_key and label_column" },
		{ "image,class\na/1,2\n", "",
		    "labels.csv:1: there is no column 'key'; the header has "
		    "'image', 'class': choose one by label_key = NAME" },
		{ "key,class\na/1,2\n", "",
		    "there is no column 'label'; the header has 'key', "
		    "'class': choose one by label_column = NAME" },
		{ "key,label\n", "",
		    "labels.csv: has no labels below its header" },
		{ "", "", "is empty; it must begin with a header" },
		{ "key,label\na/1,1,2\n", "",
		    "labels.csv:2: 3 fields where the header has 2" },
		{ "key,label\na/1,\"1\n", "",
		    "labels.csv:2: the quotation mark is never closed" },
		{ "key,label\na/1,1\na/2,2\n\na/1,3\n", "",
		    "labels.csv:5: 'a/1' has another label in line 2" },
		{ "key,label\na/1,1\na/2,-2\n", "",
		    "labels.csv:3: 'a/2' has the label -2: labels are 0 and "
		    "more, or -1" },
		{ "key,label\na/1,1\n", "label = directory",
		    "not both: leave out labels or label" },
		{ "key,label\na/1,1\n", "match = *.csv",
		    "there is no file but the table of labels" },
	};
	char *dir = make_files(), section[256];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		test_write(dir, "labels.csv", cases[i].table);
		snprintf(section, sizeof(section),
		    "source = folder\npath = .\nlabels = labels.csv\n%s",
		    cases[i].more);
		opened_fails(dir, section, cases[i].error);
	}
	opened_fails(dir, "source = folder\npath = .\nlabels = none.csv",
	    "none.csv: No such file");
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv_labels_are_those_of_the_keys),
		cmocka_unit_test(test_csv_labels_tell_unused_rows),
		cmocka_unit_test(test_csv_labels_of_parallel_folders),
		cmocka_unit_test(test_csv_labels_say_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
