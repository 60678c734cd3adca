/*
 * test_far_listing.c - files of a far folder are found as those of a local one,
 * from one listing.  A medium in memory stands for the object store.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/tar_find.h"
#include "datasets/files/listing.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "test/unit/test.h"

#define FAR "s3://bucket/data"

/* Made in this order, which is not that of their bytes. */
static const char *const names[] = { "b/2.jpg", "a.jpg", "a/1.jpg", "a/.x.jpg",
	".hidden/3.jpg", "a b.jpg", "a/deep/er/4.jpg", "b/made/presto.manifest",
	"b/made/5.jpg", "b/made/in/6.jpg", "begun/presto.partial",
	"begun/7.jpg", "presto-work-abcdef/8.jpg", "notes.txt", "z.jpg" };

struct twins {
	struct medium *near, *far;
	char *dir;
};

static void make_twins(struct twins *twins)
{
	struct error err = ERROR_INIT;

	twins->near = medium_new_local(&err);
	test_ok(twins->near ? 0 : -1, &err);
	twins->far = medium_new_memory(NULL, &err);
	test_ok(twins->far ? 0 : -1, &err);
	twins->dir = test_scratch();
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const struct span text = span_text(names[i]);
		char *path = path_join(twins->dir, names[i], &err);
		char *dir = path_dir(path, &err);
		char *url = path_join(FAR, names[i], &err);

		test_ok(path_make_dirs(dir, &err), &err);
		test_ok(
		    medium_write_whole(twins->near, path, text, &err), &err);
		test_ok(medium_write_whole(twins->far, url, text, &err), &err);
		free(url);
		free(dir);
		free(path);
	}
}

static void free_twins(struct twins *twins)
{
	medium_free(twins->near);
	medium_free(twins->far);
	test_scratch_remove(twins->dir);
}

static void compare(const struct listing *a, const struct listing *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->passed.count, b->passed.count);
	for (size_t i = 0; i < a->count; i++) {
		assert_string_equal(listing_name(a, i), listing_name(b, i));
		assert_int_equal(a->files[i].bytes, b->files[i].bytes);
	}
}

static void check_patterns(const struct twins *twins, const char *patterns)
{
	struct listing near = LISTING_INIT, far = LISTING_INIT;
	struct error err = ERROR_INIT;

	test_ok(
	    listing_scan(&near, twins->near, twins->dir, patterns, &err), &err);
	test_ok(listing_scan(&far, twins->far, FAR, patterns, &err), &err);
	compare(&near, &far);
	listing_release(&near);
	listing_release(&far);
}

static void test_far_folder_is_listed_like_a_local_one(void **state)
{
	static const char *const patterns[] = { "*.jpg", "*", "a/*.jpg",
		"b/made/*.jpg", "**/*.jpg, *.txt", "begun/*" };
	struct twins twins;

	UNUSED(state);
	make_twins(&twins);
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
		check_patterns(&twins, patterns[i]);
	free_twins(&twins);
}

/* What presto made is read where the user names it. */
static void test_far_output_is_taken_when_it_is_named(void **state)
{
	struct listing listing = LISTING_INIT;
	struct error err = ERROR_INIT;
	struct twins twins;

	UNUSED(state);
	make_twins(&twins);
	test_ok(listing_find(&listing, twins.far, FAR "/b/made", "*.jpg", &err),
	    &err);
	assert_int_equal(listing.count, 2);
	assert_string_equal(listing.root, FAR "/b/made");
	listing_release(&listing);
	free_twins(&twins);
}

static void test_far_lists_have_a_root_in_front_of_their_braces(void **state)
{
	struct listing listing = LISTING_INIT;
	struct error err = ERROR_INIT;
	struct twins twins;
	char *path;

	UNUSED(state);
	make_twins(&twins);
	assert_int_equal(listing_find(&listing, twins.far,
	                     FAR "/{a,b}/{1..2}.jpg", "*", &err),
	    -1);
	test_contains(err.text, FAR "/a/2.jpg does not exist (2 of the 4");
	listing_release(&listing);
	test_ok(
	    listing_find(&listing, twins.far, FAR "/{a/1,b/2}.jpg", "*", &err),
	    &err);
	assert_int_equal(listing.count, 2);
	path = listing_path(&listing, 1, &err);
	assert_string_equal(path, FAR "/b/2.jpg");
	free(path);
	listing_release(&listing);
	assert_int_equal(
	    listing_find(&listing, twins.far, FAR "/none", "*", &err), -1);
	test_contains(err.text, FAR "/none");
	listing_release(&listing);
	free_twins(&twins);
}

static void test_far_archives_are_found_by_a_pattern(void **state)
{
	struct tar_set set = { .count = 0 };
	struct error err = ERROR_INIT;
	struct twins twins;

	UNUSED(state);
	make_twins(&twins);
	test_ok(
	    tar_find_archives(&set, twins.far, FAR "/a*.jpg", "*", &err), &err);
	assert_int_equal(set.count, 2);
	assert_string_equal(set.archives[0].path, FAR "/a b.jpg");
	assert_string_equal(set.archives[1].path, FAR "/a.jpg");
	tar_set_release(&set);
	test_ok(tar_find_archives(&set, twins.far, FAR "/*/?.jpg", "*", &err),
	    &err);
	/* What presto made is passed over. */
	assert_int_equal(set.count, 2);
	assert_string_equal(set.archives[1].path, FAR "/b/2.jpg");
	assert_true(set.passed.count >= 2);
	tar_set_release(&set);
	free_twins(&twins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far_folder_is_listed_like_a_local_one),
		cmocka_unit_test(test_far_output_is_taken_when_it_is_named),
		cmocka_unit_test(
		    test_far_lists_have_a_root_in_front_of_their_braces),
		cmocka_unit_test(test_far_archives_are_found_by_a_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
