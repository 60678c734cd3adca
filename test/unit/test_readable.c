/* test_readable.c - which readers support which store and codec. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "test/unit/test.h"

static struct codec codec_of(const char *text)
{
	struct error err = ERROR_INIT;
	struct codec codec;

	test_ok(codec_parse(text, &codec, &err), &err);
	return codec;
}

/* All stock readers that take it: "dali webdataset". */
static void test_readable_says_who_takes_what(void **state)
{
	static const struct {
		const char *store, *codec, *readers;
	} cases[] = {
		{ "files", "none", "dali numpy" },
		{ "files", "png", "dali" },
		{ "files", "gzip", "" },
		{ "mds", "none", "streaming" },
		{ "mds", "zstd:1", "streaming" },
		{ "mds", "png", "streaming" },
		{ "mds", "delta+zstd", "" },
		{ "npy", "none", "numpy pytorch" },
		{ "npy", "gzip", "" },
		{ "parquet", "none", "pyarrow" },
		{ "parquet", "zstd", "pyarrow" },
		{ "parquet", "jpeg:90", "pyarrow" },
		{ "parquet", "shuffle+zstd", "" },
		{ "tar", "none", "dali pytorch webdataset" },
		{ "tar", "gzip:1", "pytorch webdataset" },
		{ "tar", "zlib", "" },
		{ "tar", "zstd:1", "" },
		{ "tar", "lz4", "" },
		{ "tar", "jpeg:90", "dali pytorch webdataset" },
		{ "tar", "delta+gzip", "" },
		{ "tar", "shuffle+zstd:1", "" },
		{ "tfrecord", "none", "dali tensorflow" },
		{ "tfrecord", "gzip", "tensorflow" },
		{ "tfrecord", "zlib:9", "tensorflow" },
		{ "tfrecord", "png", "dali tensorflow" },
		{ "tfrecord", "zstd", "" },
		{ "tfrecord", "delta+gzip", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct store_ops *store = store_find(cases[i].store);
		const struct codec codec = codec_of(cases[i].codec);
		const struct stock_reader *reader;
		char takers[128] = "";

		for (size_t k = 0; (reader = stock_reader_at(k)); k++) {
			const size_t used = strlen(takers);

			if (!reader->takes)
				assert_true(readable_by(reader, store, &codec));
			else if (readable_by(reader, store, &codec))
				snprintf(takers + used, sizeof(takers) - used,
				    "%s%s", used ? " " : "", reader->name);
		}
		if (strcmp(takers, cases[i].readers) != 0)
			fail_msg("%s/%s: '%s'", cases[i].store, cases[i].codec,
			    takers);
		assert_int_equal(
		    readable_by_any_stock(store, &codec), *takers != '\0');
	}
}

/* Each store can be had in a form that somebody else reads. */
static void test_readable_has_a_reader_for_every_store(void **state)
{
	const struct codec none = codec_of("none");

	(void)state;
	for (size_t i = 0; store_at(i); i++)
		assert_true(readable_by_any_stock(store_at(i), &none));
}

static void test_readable_table_is_sorted_and_found(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	for (size_t i = 0; stock_reader_at(i); i++) {
		const struct stock_reader *reader = stock_reader_at(i);

		assert_ptr_equal(
		    stock_reader_parse(reader->name, &err), reader);
		assert_true(
		    reader->summary[strlen(reader->summary) - 1] != '.');
		if (i > 0)
			assert_true(strcmp(stock_reader_at(i - 1)->name,
			                reader->name) < 0);
	}
	assert_null(stock_reader_parse("webdatset", &err));
	assert_string_equal(err.text,
	    "unknown reader 'webdatset'; did you mean 'webdataset'? See presto "
	    "list readers");
	assert_null(stock_reader_parse("x", &err));
	assert_string_equal(
	    err.text, "unknown reader 'x'; see presto list readers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readable_says_who_takes_what),
		cmocka_unit_test(test_readable_has_a_reader_for_every_store),
		cmocka_unit_test(test_readable_table_is_sorted_and_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
