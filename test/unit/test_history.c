/* test_history.c - the versions of a dataset, and the names of their files. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/history.h"
#include "test/unit/test.h"

static void test_history_row_comes_back_from_its_text(void **state)
{
	const struct history_row row = { "2026-11-23T21:40:00Z", 9, 118, 1, 2,
		3 };
	struct history_row back;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	UNUSED(state);
	test_ok(history_row_print(&row, &text, &err), &err);
	assert_string_equal((const char *)text.data,
	    "2026-11-23T21:40:00Z shards 9 samples 118 added 1 changed 2 "
	    "removed 3");
	test_ok(history_row_parse(&back, buf_span(&text), &err), &err);
	assert_string_equal(back.time, row.time);
	assert_int_equal(back.shards, 9);
	assert_int_equal(back.samples, 118);
	assert_int_equal(back.added, 1);
	assert_int_equal(back.changed, 2);
	assert_int_equal(back.removed, 3);
	buf_release(&text);
}

static void test_history_row_refuses_damage(void **state)
{
	static const char *const texts[] = { "", "-", "- shards 9",
		"- shards x samples 1 added 1 changed 0 removed 0",
		"- shards 9 samples 1 added 1 changed 0 removed 0 more",
		"- samples 9 shards 1 added 1 changed 0 removed 0",
		"a-time-of-more-than-thirty-one-characters shards 9 samples 1 "
		"added 1 changed 0 removed 0" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct history_row row;
		struct error err = ERROR_INIT;

		assert_int_equal(
		    history_row_parse(&row, span_text(texts[i]), &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
	}
}

static void test_history_names_files_by_version(void **state)
{
	char text[HISTORY_NAME];

	UNUSED(state);
	assert_string_equal(
	    history_name("dataset.json", 0, text), "dataset.json");
	assert_string_equal(
	    history_name("dataset.json", 1, text), "dataset.json");
	assert_string_equal(
	    history_name("dataset.json", 2, text), "dataset-2.json");
	assert_string_equal(
	    history_kept_name("presto.manifest", 1, text), "presto-1.manifest");
}

static void test_history_counts_versions(void **state)
{
	const struct history_row row = { "-", 1, 1, 1, 0, 0 };
	struct history history = HISTORY_INIT, copy = HISTORY_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(history_version(&history), 1);
	test_ok(history_add(&history, &row, &err), &err);
	test_ok(history_add(&history, &row, &err), &err);
	test_ok(history_copy(&copy, &history, &err), &err);
	assert_int_equal(history_version(&copy), 2);
	history_release(&history);
	history_release(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history_row_comes_back_from_its_text),
		cmocka_unit_test(test_history_row_refuses_damage),
		cmocka_unit_test(test_history_names_files_by_version),
		cmocka_unit_test(test_history_counts_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
