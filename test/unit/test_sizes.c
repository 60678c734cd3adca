/*
 * test_sizes.c - the bytes that a manifest says are compared, each by itself:
 * where they alone differ, the data is refused.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/file_list.h"
#include "lib/media/medium.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

static void test_sums_of_other_sizes_differ(void **state)
{
	const struct file_sum is = { 10, 7 }, longer = { 11, 7 },
	                      other = { 10, 8 };
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_true(file_sum_equal(&is, &is));
	assert_false(file_sum_equal(&is, &longer));
	assert_false(file_sum_equal(&is, &other));
	test_ok(file_sum_check(&is, &is, "the list", &err), &err);
	assert_int_equal(file_sum_check(&is, &longer, "the list", &err), -1);
	assert_string_equal(err.text, "it has 10 bytes, the list says 11");
	assert_int_equal(file_sum_check(&is, &other, "the list", &err), -1);
	test_contains(err.text, "its checksum is");
}

static void test_files_of_other_sizes_are_refused(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *path = test_path(dir, "a");

	UNUSED(state);
	test_write(dir, "a", "ten bytes.");
	test_ok(layout_check_file(medium, path, 10, &err), &err);
	assert_int_equal(layout_check_file(medium, path, 9, &err), -1);
	test_contains(err.text, "has 10 bytes, expected 9");
	assert_int_equal(layout_check_file(medium, path, 11, &err), -1);
	medium_free(medium);
	free(path);
	test_scratch_remove(dir);
}

/* One more byte of a shard, or one more sample, in an otherwise true list. */
static void check_forged(
    const char *store, const char *codec, bool is_bytes, const char *dir)
{
	const enum stored_kind kind = stored_nearest(store, STORED_TENSOR);
	const struct store_form form = stored_form(store, codec, kind);
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	uint64_t samples, bytes;
	char from[96], to[96];
	const char *line;

	stored_write(dir, &form, kind);
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	test_read_file(dir, MANIFEST_NAME, &text);
	test_ok(buf_append(&text, "", 1, &err), &err);
	line = strstr((const char *)text.data, "000001 = ");
	assert_non_null(line);
	assert_int_equal(
	    sscanf(line, "000001 = %" SCNu64 " %" SCNu64, &samples, &bytes), 2);
	snprintf(from, sizeof(from), "000001 = %" PRIu64 " %" PRIu64 " ",
	    samples, bytes);
	snprintf(to, sizeof(to), "000001 = %" PRIu64 " %" PRIu64 " ",
	    samples + !is_bytes, bytes + is_bytes);
	stored_forge(dir, MANIFEST_NAME, from, to);
	assert_int_equal(stored_read(dir, NULL, NULL, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	buf_release(&text);
}

static void check_store(const char *store, const char *codec, void *arg)
{
	UNUSED(arg);
	for (unsigned i = 0; i < 2; i++) {
		char *dir = test_scratch();

		check_forged(store, codec, i == 0, dir);
		test_scratch_remove(dir);
	}
}

static void test_manifests_of_other_sizes_are_refused(void **state)
{
	UNUSED(state);
	stored_each(check_store, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_of_other_sizes_differ),
		cmocka_unit_test(test_files_of_other_sizes_are_refused),
		cmocka_unit_test(test_manifests_of_other_sizes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
