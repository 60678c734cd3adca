/* test_inventory.c - recording and comparing the files of a dataset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/path_write.h"
#include "lib/folder/inventory.h"
#include "lib/folder/inventory_compare.h"
#include "lib/folder/inventory_take.h"
#include "test/unit/test.h"

static const struct inventory_file plain[] = {
	{ .name = "a/1.jpg", .bytes = 10, .mtime_ns = 1700000000123456789 },
	{ .name = "a/2.jpg", .bytes = 0, .mtime_ns = -5 },
	{ .name = "b/\xc3\xa9.jpg",
	    .bytes = UINT64_MAX,
	    .mtime_ns = INT64_MAX },
	{ .name = "c", .bytes = 12, .mtime_ns = INT64_MIN },
};

static void fill(struct inventory *inventory,
    const struct inventory_file *files, size_t count)
{
	struct error err = ERROR_INIT;

	*inventory = (struct inventory)INVENTORY_INIT;
	for (size_t i = 0; i < count; i++)
		test_ok(inventory_add(inventory, &files[i], &err), &err);
}

/* What comes back of `then` with one file in place of another. */
static void expect(const struct inventory_file *now_files, size_t count,
    enum inventory_mode mode, bool is_part, const char *text)
{
	struct inventory then, now;
	struct inventory_change change;
	struct error err = ERROR_INIT;
	int rc;

	fill(&then, plain, ARRAY_LEN(plain));
	fill(&now, now_files, count);
	now.mode = mode;
	rc = inventory_compare(
	    &(struct inventory_comparison){
	        .then = &then, .now = &now, .is_part = is_part },
	    &change, &err);
	assert_int_equal(rc, text != NULL);
	if (text)
		test_contains(change.text, text);
	inventory_release(&then);
	inventory_release(&now);
}

static void test_inventory_is_the_same_when_it_is_read(void **state)
{
	struct inventory inventory, back;
	struct buf bytes = BUF_INIT, again = BUF_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	fill(&inventory, plain, ARRAY_LEN(plain));
	inventory.division = 7;
	test_ok(inventory_print(&inventory, &bytes, &err), &err);
	test_ok(inventory_parse(&back, buf_span(&bytes), &err), &err);
	assert_int_equal(back.count, ARRAY_LEN(plain));
	assert_int_equal(back.division, 7);
	test_ok(inventory_print(&back, &again, &err), &err);
	assert_true(span_equal(buf_span(&bytes), buf_span(&again)));
	inventory_release(&back);
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.data[i] ^= 1;
		assert_int_equal(
		    inventory_parse(&back, buf_span(&bytes), &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		bytes.data[i] ^= 1;
		assert_int_equal(inventory_parse(&back,
		                     (struct span){ bytes.data, i }, &err),
		    -1);
	}
	buf_release(&bytes);
	buf_release(&again);
	inventory_release(&inventory);
}

/* Far files have versions in place of times. */
static void test_inventory_compares_versions(void **state)
{
	const struct inventory_file files[] = {
		{ .name = "a", .bytes = 1, .has_version = true, .version = 5 },
		{ .name = "b",
		    .bytes = 2,
		    .has_version = true,
		    .version = 6,
		    .has_hash = true,
		    .hash = 7 },
	};
	struct inventory_comparison comparison = { .is_part = false };
	struct inventory then, now, back;
	struct inventory_file other[2];
	struct inventory_change change;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	(void)state;
	fill(&then, files, 2);
	test_ok(inventory_print(&then, &bytes, &err), &err);
	test_ok(inventory_parse(&back, buf_span(&bytes), &err), &err);
	comparison.then = &back;
	comparison.now = &then;
	assert_int_equal(inventory_compare(&comparison, &change, &err), 0);
	memcpy(other, files, sizeof(other));
	other[0].version = 4;
	fill(&now, other, 2);
	comparison.now = &now;
	assert_int_equal(inventory_compare(&comparison, &change, &err), 1);
	test_contains(change.text, "a was written anew: its version (ETag)");
	now.mode = INVENTORY_SIZES;
	assert_int_equal(inventory_compare(&comparison, &change, &err), 0);
	inventory_release(&now);
	/* The same bytes were put once more. */
	memcpy(other, files, sizeof(other));
	other[1].version = 4;
	fill(&now, other, 2);
	assert_int_equal(inventory_compare(&comparison, &change, &err), 0);
	inventory_release(&now);
	inventory_release(&then);
	inventory_release(&back);
	buf_release(&bytes);
}

static void test_inventory_names_the_first_file_that_differs(void **state)
{
	struct inventory_file now[5];
	const size_t count = ARRAY_LEN(plain);

	(void)state;
	memcpy(now, plain, sizeof(plain));
	expect(now, count, INVENTORY_TIMES, false, NULL);
	now[1].mtime_ns = 5;
	now[3].bytes = 13;
	expect(now, count, INVENTORY_TIMES, false,
	    "a/2.jpg was modified at 1970-01-01 00:00:00.000000005 UTC, "
	    "before at 1969-12-31 23:59:59.999999995 UTC");
	expect(
	    now, count, INVENTORY_SIZES, false, "c has 13 bytes, and had 12");
	expect(plain, count - 1, INVENTORY_TIMES, false, "c was removed");
	memcpy(now, plain, sizeof(plain));
	now[2].name = "b/0.jpg";
	expect(now, count, INVENTORY_TIMES, false, "\xa9.jpg was removed");
	memcpy(now + 1, plain, sizeof(plain));
	now[0] = (struct inventory_file){ .name = "0.jpg" };
	expect(now, count + 1, INVENTORY_TIMES, false, "0.jpg was added");
	expect(now, count + 1, INVENTORY_TIMES, true, NULL);
	now[2].bytes = 1;
	expect(now, count + 1, INVENTORY_TIMES, true, "a/2.jpg has 1 byte");
}

/* With hashes the bytes decide, whatever the time. */
static void test_inventory_compares_contents(void **state)
{
	struct inventory_file file = {
		.name = "a", .bytes = 1, .has_hash = true, .hash = 1
	};
	struct inventory then, now;
	struct inventory_change change;
	struct error err = ERROR_INIT;
	const struct inventory_comparison comparison = {
		.then = &then,
		.now = &now,
	};

	(void)state;
	fill(&then, &file, 1);
	file.mtime_ns = 1;
	fill(&now, &file, 1);
	assert_int_equal(inventory_compare(&comparison, &change, &err), 0);
	inventory_release(&now);
	file.hash = 2;
	fill(&now, &file, 1);
	assert_int_equal(inventory_compare(&comparison, &change, &err), 1);
	test_contains(change.text, "and has other bytes");
	assert_false(change.only_time);
	inventory_release(&now);
	/* A file that was not hashed, nor is read here, may be the same. */
	file.has_hash = false;
	fill(&now, &file, 1);
	assert_int_equal(inventory_compare(&comparison, &change, &err), 1);
	assert_null(strstr(change.text, "other bytes"));
	assert_true(change.only_time);
	inventory_release(&now);
	file.has_hash = true;
	file.mtime_ns = 0;
	fill(&now, &file, 1);
	now.mode = INVENTORY_CONTENTS;
	assert_int_equal(inventory_compare(&comparison, &change, &err), 1);
	test_contains(change.text, "its size and time are the same");
	inventory_release(&now);
	inventory_release(&then);
}

/* A million files of a dataset take about 20 bytes each. */
static void test_inventory_is_compact(void **state)
{
	const unsigned files = 10000;
	struct inventory inventory = INVENTORY_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	for (unsigned i = 0; i < files; i++) {
		char name[64];
		const struct inventory_file file = {
			.name = name,
			.bytes = 110000 + i % 1000,
			.mtime_ns = 1700000000000000000 + (int64_t)i * 7777777,
		};

		snprintf(name, sizeof(name), "train/n%08u/n%08u_%u.JPEG",
		    i / 1000, i / 1000, i);
		test_ok(inventory_add(&inventory, &file, &err), &err);
	}
	assert_true(inventory.entries.len < 24 * files);
	inventory_release(&inventory);
}

/* Of what cannot be looked at, no time is made up. */
static void test_inventory_needs_the_time_of_each_file(void **state)
{
	char *scratch = test_scratch(), *file = test_path(scratch, "file");
	char *below = test_path(file, "below"),
	     *gone = test_path(scratch, "no");
	const struct inventory_plan plan = { .mode = INVENTORY_TIMES };
	struct inventory inventory = INVENTORY_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(path_write(file, span_text("text"), &err), &err);
	test_ok(inventory_take_besides(&inventory, &plan, gone, &err), &err);
	test_ok(inventory_take_besides(&inventory, &plan, file, &err), &err);
	assert_int_equal(
	    inventory_take_besides(&inventory, &plan, below, &err), -1);
	test_contains(err.text, "cannot look at");
	assert_int_equal(inventory.count, 1);
	inventory_release(&inventory);
	test_ok(path_remove_tree(scratch, &err), &err);
	free(gone);
	free(below);
	free(file);
	free(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inventory_is_the_same_when_it_is_read),
		cmocka_unit_test(
		    test_inventory_names_the_first_file_that_differs),
		cmocka_unit_test(test_inventory_compares_contents),
		cmocka_unit_test(test_inventory_compares_versions),
		cmocka_unit_test(test_inventory_needs_the_time_of_each_file),
		cmocka_unit_test(test_inventory_is_compact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
