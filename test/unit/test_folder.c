/* test_folder.c - samples from the files of a folder. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/sample/npy.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

static void write_bytes(
    const char *dir, const char *name, const void *data, size_t len)
{
	const struct span bytes = { .data = data, .len = len };
	struct error err = ERROR_INIT;
	char *path = test_path(dir, name);

	test_ok(path_write(path, bytes, &err), &err);
	free(path);
}

/* A .npy file of `count` float32 numbers. */
static void write_npy(const char *dir, const char *name, int64_t count)
{
	const struct shape shape = { .count = 2, .dims = { count, 2 } };
	unsigned char bytes[NPY_HEADER_MAX + 512] = { 0 };
	const size_t len = npy_header(DTYPE_F32, &shape, bytes);

	write_bytes(dir, name, bytes, len + (size_t)count * 8);
}

static void check_keys(const struct opened *opened, const char *const *keys,
    const int64_t *labels, size_t count)
{
	assert_int_equal(opened->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(opened->seen[i].key, keys[i]);
		assert_int_equal(opened->seen[i].label, labels[i]);
	}
}

static char *make_tree(void)
{
	char *dir = test_scratch();

	test_write(dir, "b/cat_2.jpg", "second cat");
	test_write(dir, "b/dog_1.JPG", "a dog");
	test_write(dir, "a/cat_1.jpg", "a cat");
	test_write(dir, "a/.hidden.jpg", "no");
	test_write(dir, ".git/cat_9.jpg", "no");
	test_write(dir, "zebra-7.png", "a zebra");
	test_write(dir, "notes.txt", "");
	return dir;
}

static void test_folder_reads_all_but_hidden_files(void **state)
{
	static const char *const keys[] = { "a/cat_1", "b/cat_2", "b/dog_1",
		"notes", "zebra-7" };
	static const int64_t labels[] = { -1, -1, -1, -1, -1 };
	struct opened opened;
	char *dir = make_tree();

	UNUSED(state);
	opened_all(&opened, dir, "source = folder\npath = .", 0);
	check_keys(&opened, keys, labels, ARRAY_LEN(keys));
	assert_int_equal(opened.reader->bytes, 5 + 10 + 5 + 0 + 7);
	assert_string_equal(opened.reader->schema.fields[0].name, "data");
	assert_string_equal(opened.reader->schema.fields[0].type.suffix, "jpg");
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_folder_matches_names_and_paths(void **state)
{
	static const struct {
		const char *match;
		size_t count;
	} cases[] = {
		{ "*.jpg", 2 },
		{ "*.jpg, *.JPG", 3 },
		{ "b/*", 2 },
		{ "*/cat*.jpg", 2 },
		{ "cat_?.jpg", 2 },
		{ "[nz]*", 2 },
	};
	char *dir = make_tree(), section[128];
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section),
		    "source = folder\npath = .\nmatch = %s", cases[i].match);
		opened_all(&opened, dir, section, 0);
		assert_int_equal(opened.count, cases[i].count);
		opened_close(&opened);
	}
	opened_fails(dir, "source = folder\npath = .\nmatch = *.tiff",
	    "no file matches '*.tiff'");
	test_scratch_remove(dir);
}

static void test_folder_labels(void **state)
{
	static const char *const keys[] = { "a/cat_1", "b/cat_2", "b/dog_1",
		"zebra-7" };
	static const struct {
		const char *rule;
		int64_t labels[4];
	} cases[] = {
		{ "none", { -1, -1, -1, -1 } },
		{ "directory", { 1, 2, 2, 0 } },
		{ "name", { 0, 0, 1, 2 } },
		{ "[_-]([0-9]+)$", { 1, 2, 1, 7 } },
		{ "[0-9]$", { 1, 2, 1, 7 } },
		{ "([a-z]+)[_-]", { 0, 0, 1, 2 } },
	};
	char *dir = make_tree(), section[160];
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section),
		    "source = folder\npath = .\nmatch = *.jpg,*.JPG,*.png\n"
		    "label = %s",
		    cases[i].rule);
		opened_all(&opened, dir, section, 0);
		check_keys(&opened, keys, cases[i].labels, 4);
		opened_close(&opened);
	}
	test_scratch_remove(dir);
}

static void test_folder_says_which_label_rule_fails(void **state)
{
	char *dir = make_tree();

	UNUSED(state);
	opened_fails(dir, "source = folder\npath = .\nlabel = directry",
	    "label 'directry' does not match the key of a/cat_1.jpg; did you "
	    "mean 'directory'?");
	opened_fails(dir, "source = folder\npath = .\nlabel = (", "label '('");
	test_scratch_remove(dir);
}

static void test_folder_keys_differ(void **state)
{
	static const char *const keys[] = { "a.b", "a.jpg", "a.jpg.png",
		"a.png", "c" };
	static const int64_t labels[] = { -1, -1, -1, -1, -1 };
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	test_write(dir, "a.jpg", "1");
	test_write(dir, "a.png", "2");
	test_write(dir, "a.jpg.png", "3");
	test_write(dir, "a.b.jpg", "4");
	test_write(dir, "c", "5");
	opened_all(&opened, dir, "source = folder\npath = .", 0);
	check_keys(&opened, keys, labels, ARRAY_LEN(keys));
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_folder_joins_files_of_a_stem(void **state)
{
	static const char *const keys[] = { "x/1", "x/2" };
	static const int64_t labels[] = { 1, 2 };
	const char *section = "source = folder\npath = .\nlabel = [0-9]+\n"
	                      "fields = image:jpg|png, mask:mask.png, "
	                      "depth:_depth.npy";
	char *dir = test_scratch();
	struct opened opened;
	const struct schema *schema;

	UNUSED(state);
	test_write(dir, "x/1.jpg", "image 1");
	test_write(dir, "x/1.mask.png", "mask 1");
	write_npy(dir, "x/1_depth.npy", 3);
	test_write(dir, "x/2.mask.PNG", "mask 2!");
	test_write(dir, "x/2.PNG", "image 2");
	write_npy(dir, "x/2_depth.npy", 5);
	test_write(dir, "x/readme.txt", "not a field");
	opened_all(&opened, dir, section, 0);
	check_keys(&opened, keys, labels, 2);
	schema = &opened.reader->schema;
	assert_int_equal(schema->count, 3);
	assert_string_equal(schema->fields[1].name, "mask");
	assert_int_equal(schema->fields[1].type.layout, LAYOUT_ENCODED);
	assert_int_equal(schema->fields[2].type.dtype, DTYPE_F32);
	assert_int_equal(schema->fields[2].type.shape.count, 2);
	assert_int_equal(opened.seen[0].fields, 7 + 6 + 24);
	assert_int_equal(opened.seen[1].fields, 7 + 7 + 40);
	opened_close(&opened);

	test_write(dir, "x/3.jpg", "alone");
	opened_fails(
	    dir, section, "sample 'x/3' has no file for the field 'mask'");
	test_write(dir, "x/3.png", "two");
	opened_fails(dir, section, "the field 'image' has two files, x/3.jpg");
	test_scratch_remove(dir);
}

/* Images and masks that lie in folders of their own. */
static char *make_parallel(void)
{
	char *dir = test_scratch();

	test_write(dir, "images/a/cat_1.jpg", "image 1");
	test_write(dir, "images/b/dog_1.PNG", "image 2!");
	test_write(dir, "images/b/dog_1.txt", "no field");
	test_write(dir, "masks/a/cat_1.png", "mask 1");
	test_write(dir, "masks/b/dog_1.png", "mask 2");
	return dir;
}

static void test_folder_pairs_files_of_parallel_folders(void **state)
{
	static const char *const fields[] = {
		"data:images/*.jpg|png,mask:masks/*.png",
		"data:./images/**/*.jpg|images/*.png, mask:masks/*",
		"data:images/*.jpg|.png,mask:masks/*.*",
	};
	static const char *const keys[] = { "a/cat_1", "b/dog_1" };
	static const struct {
		const char *rule;
		int64_t labels[2];
	} cases[] = {
		{ "directory", { 0, 1 } },
		{ "name", { 0, 1 } },
		{ "_([0-9])$", { 1, 1 } },
		{ "none", { -1, -1 } },
	};
	char *dir = make_parallel(), section[256];
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(fields) * ARRAY_LEN(cases); i++) {
		const size_t k = i % ARRAY_LEN(cases);

		snprintf(section, sizeof(section),
		    "source = folder\npath = .\nlabel = %s\nfields = %s",
		    cases[k].rule, fields[i / ARRAY_LEN(cases)]);
		opened_all(&opened, dir, section, 0);
		check_keys(&opened, keys, cases[k].labels, 2);
		assert_int_equal(opened.seen[0].fields, 7 + 6);
		assert_int_equal(opened.seen[1].fields, 8 + 6);
		opened_close(&opened);
		opened_all(&opened, dir, section, 1);
		check_keys(&opened, keys, cases[k].labels, 1);
		opened_close(&opened);
	}
	test_scratch_remove(dir);
}

static void test_folder_takes_keys_out_of_names(void **state)
{
	static const char *const keys[] = { "1", "2" };
	static const int64_t labels[] = { 1, 2 };
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	test_write(dir, "left/img_1_rgb.jpg", "1");
	test_write(dir, "left/img_2_rgb.jpg", "2");
	test_write(dir, "seen/1/mask.png", "one");
	test_write(dir, "seen/2/mask.png", "two");
	opened_all(&opened, dir,
	    "source = folder\npath = .\nlabel = .*\n"
	    "fields = data:left/img_*_rgb.jpg,mask:seen/*/mask.png",
	    0);
	check_keys(&opened, keys, labels, 2);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_folder_names_what_has_no_pair(void **state)
{
	const char *section = "source = folder\npath = .\n"
	                      "fields = data:images/*.jpg|png,mask:masks/*.png";
	char *dir = make_parallel();

	UNUSED(state);
	test_write(dir, "masks/c/rat.png", "alone");
	opened_fails(dir, section,
	    "sample 'c/rat' has no file for the field 'data': there is "
	    "masks/c/rat.png, but no images/c/rat.jpg; add it, or leave "
	    "samples out by 'match'");
	test_write(dir, "images/a/ant.jpg", "alone, too");
	opened_fails(dir, section,
	    "sample 'a/ant' has no file for the field 'mask' (and 1 other "
	    "sample): there is images/a/ant.jpg, but no masks/a/ant.png");
	test_write(dir, "masks/a/ant.png", "its mask");
	test_write(dir, "images/a/ant.png", "again");
	opened_fails(dir, section,
	    "the field 'data' has two files, images/a/ant.jpg and "
	    "images/a/ant.png");
	test_scratch_remove(dir);
}

static void test_folder_refuses_patterns_it_cannot_pair_by(void **state)
{
	static const struct {
		const char *fields, *error;
	} cases[] = {
		{ "data:images/", "the pattern 'images/' has no '*'" },
		{ "data:*/*.jpg", "the pattern '*/*.jpg' must have one '*'" },
		{ "data:images/?/*.jpg", "neither '?' nor '['" },
		{ "data:../images/*.jpg", "leads out of the folder" },
		{ "data:/data/*.jpg", "leads out of the folder" },
		{ "data:a/*.jpg|jpg", "the ending 'a/*.jpg' is given twice" },
		{ "data:x/*.jpg", "is a field of 'fields'" },
	};
	char *dir = make_parallel(), section[128];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section),
		    "source = folder\npath = .\nfields = %s", cases[i].fields);
		opened_fails(dir, section, cases[i].error);
	}
	test_scratch_remove(dir);
}

static void test_folder_looks_at_content_before_names(void **state)
{
	static const unsigned char png[] = "\x89PNG\r\n\x1a\nrest";
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	write_bytes(dir, "a.jpeg", png, sizeof(png));
	opened_all(&opened, dir, "source = folder\npath = .", 0);
	assert_string_equal(opened.reader->schema.fields[0].type.suffix, "png");
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_folder_spreads_what_it_selects(void **state)
{
	char *dir = test_scratch(), name[32];
	struct opened opened;

	UNUSED(state);
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%02d.txt", i);
		test_write(dir, name, name);
	}
	opened_all(
	    &opened, dir, "source = folder\npath = .\nlabel = [0-9]+", 10);
	assert_int_equal(opened.count, 10);
	assert_int_equal(opened.reader->total_samples, 100);
	for (int64_t i = 0; i < 10; i++)
		assert_int_equal(opened.seen[i].label, i * 10);
	assert_int_equal(opened.reader->bytes, 10 * 6);
	assert_int_equal(opened.reader->total_bytes, 100 * 6);
	opened_close(&opened);
	opened_all(&opened, dir, "source = folder\npath = .", 1000);
	assert_int_equal(opened.count, 100);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_folder_groups_small_files(void **state)
{
	char *dir = test_scratch(), name[32];
	char *big = calloc(1, 200 << 10);
	struct opened opened;

	UNUSED(state);
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "%02d.txt", i);
		test_write(dir, name, name);
	}
	write_bytes(dir, "20.txt", big, 200 << 10);
	opened_all(&opened, dir, "source = folder\npath = .", 0);
	assert_int_equal(opened.reader->streams, 2 + 1 + 2);
	assert_int_equal(opened.seen[19].stream, 1);
	assert_int_equal(opened.seen[20].stream, 2);
	assert_int_equal(opened.seen[21].stream, 3);
	opened_close(&opened);
	free(big);
	test_scratch_remove(dir);
}

static void test_folder_follows_links_once(void **state)
{
	char *dir = make_tree();
	char *loop = test_path(dir, "a/up"), *link = test_path(dir, "link.jpg");
	struct opened opened;

	UNUSED(state);
	assert_int_equal(symlink("..", loop), 0);
	assert_int_equal(symlink("a/cat_1.jpg", link), 0);
	opened_all(&opened, dir, "source = folder\npath = .\nmatch = *.jpg", 0);
	assert_true(opened.count >= 3);
	assert_string_equal(opened.seen[opened.count - 1].key, "link");
	opened_close(&opened);
	free(link);
	free(loop);
	test_scratch_remove(dir);
}

static void test_folder_names_files_that_fail(void **state)
{
	char *dir = make_tree(), *path = test_path(dir, "b/cat_2.jpg");
	struct opened opened;

	UNUSED(state);
	test_ok(opened_open(&opened, dir, "source = folder\npath = .", 0),
	    &opened.err);
	test_write(dir, "b/cat_2.jpg", "longer than before");
	assert_int_equal(opened_read(&opened, 0), -1);
	test_contains(opened.err.text, path);
	test_contains(opened.err.text, "had 10 when it was listed");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(opened_read(&opened, 0), -1);
	test_contains(opened.err.text, path);
	opened_close(&opened);
	free(path);
	test_scratch_remove(dir);
}

static void test_folder_names_tensors_that_are_none(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	write_npy(dir, "a.npy", 3);
	test_write(dir, "b.npy", "not one");
	opened_fails(dir, "source = folder\npath = .", "b.npy: ");
	test_scratch_remove(dir);
}

static void test_folder_that_is_missing(void **state)
{
	char *dir = make_tree();

	UNUSED(state);
	opened_fails(
	    dir, "source = folder\npath = nowhere", "/nowhere: no such folder");
	opened_fails(dir, "source = folder\npath = notes.txt",
	    "/notes.txt: not a folder");
	opened_fails(dir, "source = folder", "needs 'path = ...'");
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folder_reads_all_but_hidden_files),
		cmocka_unit_test(test_folder_matches_names_and_paths),
		cmocka_unit_test(test_folder_labels),
		cmocka_unit_test(test_folder_says_which_label_rule_fails),
		cmocka_unit_test(test_folder_keys_differ),
		cmocka_unit_test(test_folder_joins_files_of_a_stem),
		cmocka_unit_test(test_folder_pairs_files_of_parallel_folders),
		cmocka_unit_test(test_folder_takes_keys_out_of_names),
		cmocka_unit_test(test_folder_names_what_has_no_pair),
		cmocka_unit_test(
		    test_folder_refuses_patterns_it_cannot_pair_by),
		cmocka_unit_test(test_folder_looks_at_content_before_names),
		cmocka_unit_test(test_folder_spreads_what_it_selects),
		cmocka_unit_test(test_folder_groups_small_files),
		cmocka_unit_test(test_folder_follows_links_once),
		cmocka_unit_test(test_folder_names_files_that_fail),
		cmocka_unit_test(test_folder_names_tensors_that_are_none),
		cmocka_unit_test(test_folder_that_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
