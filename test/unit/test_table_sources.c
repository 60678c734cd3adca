/*
 * test_table_sources.c - Parquet, Arrow and MDS of other programs.
 *
 * The files in test/fuzz/corpus/parquet and arrow were written by pyarrow 24.
 * They hold the same 50 rows, with several encodings, compressions and versions
 * of pages. Row i has
 *
 *   image  {bytes: i * 7 % 90 times the byte i, path: "a/I.JPEG"}
 *   text   "row I", with i / 5      ids    the numbers below i % 4, int32
 *   vec    i + 0.5 and -i, float32  flag   is i a multiple of 3?
 *   big    as image.bytes           some   i, null for odd i
 *   label  i % 3
 *
 * nulls.arrow and nulls.parquet have 12 rows, with i % 3 as label:
 *
 *   image  {bytes: null for i below 3 and for i = 7, else JPEG's mark and i,
 *          path: "I.jpg"}
 *   text   "row I", null for odd i   none   bytes, null in all rows
 *   lost   {bytes: null, path: "I.jpg"}
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/files/path.h"
#include "lib/sample/classes.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { ROWS = 50, SECTION = 1024 };

static const char *const parquet_files[] = { "delta", "delta-zstd", "gzip",
	"lz4", "pages", "snappy", "zstd" };
static const char *const arrow_files[] = { "file", "lz4", "stream", "zstd" };

/* The section of a file that pyarrow wrote. */
static void set_section(char section[SECTION], const char *source,
    const char *name, const char *keys)
{
	struct error err = ERROR_INIT;
	char relative[256];
	char *path;

	snprintf(relative, sizeof(relative), "test/fuzz/corpus/%s/%s.%s",
	    source, name, source);
	path = path_absolute(relative, &err);
	assert_non_null(path);
	snprintf(
	    section, SECTION, "source = %s\npath = %s\n%s", source, path, keys);
	free(path);
}

/* The hash of a row's field, as a sample with the row's label. */
static uint64_t hash_of(
    const struct reader *reader, unsigned i, struct tensor *tensor)
{
	struct sample sample = { .label = i % 3, .count = 1 };

	sample.fields[0] = *tensor;
	return sample_hash(&sample, &reader->schema);
}

static void want_bytes(unsigned i, struct tensor *tensor)
{
	static unsigned char bytes[90];

	memset(bytes, (int)i, sizeof(bytes));
	tensor_view_encoded(tensor, bytes, i * 7 % 90, "");
}

static void want_text(unsigned i, struct tensor *tensor)
{
	static char text[16];

	snprintf(text, sizeof(text), "row %u", i / 5);
	tensor_view_encoded(tensor, text, strlen(text), "");
}

static void want_ids(unsigned i, struct tensor *tensor)
{
	static const int32_t ids[] = { 0, 1, 2 };
	const struct shape shape = { 1, { i % 4 } };

	tensor_view(tensor, DTYPE_I32, &shape, ids);
}

static void want_vec(unsigned i, struct tensor *tensor)
{
	static float vec[2];
	const struct shape shape = { 1, { 2 } };

	vec[0] = (float)i + 0.5F;
	vec[1] = (float)-(int)i;
	tensor_view(tensor, DTYPE_F32, &shape, vec);
}

static void want_flag(unsigned i, struct tensor *tensor)
{
	static const unsigned char flags[] = { 1, 0, 0 };
	const struct shape scalar = { .count = 0 };

	tensor_view(tensor, DTYPE_U8, &scalar, &flags[i % 3]);
}

static const struct {
	const char *column;
	void (*want)(unsigned i, struct tensor *tensor);
} columns[] = {
	{ "image", want_bytes },
	{ "text", want_text },
	{ "ids", want_ids },
	{ "vec", want_vec },
	{ "flag", want_flag },
	{ "big", want_bytes },
};

static void check_column(const char *source, const char *name, size_t column)
{
	char section[SECTION], fields[64];
	struct opened opened;

	snprintf(fields, sizeof(fields), "fields = %s", columns[column].column);
	set_section(section, source, name, fields);
	opened_all(&opened, ".", section, 0);
	assert_int_equal(opened.count, ROWS);
	for (unsigned s = 0; s < ROWS; s++) {
		const struct seen *seen = &opened.seen[s];
		struct tensor tensor = TENSOR_INIT;
		unsigned i = 0;

		assert_int_equal(sscanf(strrchr(seen->key, '-'), "-%u", &i), 1);
		columns[column].want(i, &tensor);
		if (seen->label != (int64_t)(i % 3) ||
		    seen->hash != hash_of(opened.reader, i, &tensor))
			fail_msg("%s/%s: row %u of %s differs", source, name, i,
			    columns[column].column);
	}
	assert_non_null(opened.reader->classes);
	assert_int_equal(opened.reader->classes->count, 3);
	assert_string_equal(opened.reader->classes->names[2], "owl");
	opened_close(&opened);
}

static void test_parquet_source_reads_what_pyarrow_writes(void **state)
{
	UNUSED(state);
	for (size_t f = 0; f < ARRAY_LEN(parquet_files); f++)
		for (size_t c = 0; c < ARRAY_LEN(columns); c++)
			check_column("parquet", parquet_files[f], c);
}

static void test_arrow_source_reads_what_pyarrow_writes(void **state)
{
	UNUSED(state);
	for (size_t f = 0; f < ARRAY_LEN(arrow_files); f++)
		for (size_t c = 0; c < ARRAY_LEN(columns); c++)
			check_column("arrow", arrow_files[f], c);
}

static void test_table_source_says_what_is_wrong(void **state)
{
	static const struct {
		const char *keys, *words;
	} cases[] = {
		{ "fields = y", "no column 'y'; there are image.bytes (binary)"
		                ", image.path (string), text (string), ids " },
		{ "key = y", "no column 'y'" },
		{ "key = label",
		    "column 'label' is int64, and a key is a text" },
		{ "label = vec", "and a label is a whole number" },
		{ "label = text", "column 'text' is not a whole number: give "
		                  "'label = COLUMN', or 'label = none'" },
		{ "fields = a b:text", "'a b' is not a field name" },
	};

	UNUSED(state);
	for (size_t i = 0; i < 2 * ARRAY_LEN(cases); i++) {
		const size_t c = i / 2;
		char section[SECTION];

		set_section(section, i % 2 ? "arrow" : "parquet",
		    i % 2 ? "stream" : "snappy", cases[c].keys);
		opened_fails(".", section, cases[c].words);
	}
}

static void test_table_source_takes_key_fields_and_limit(void **state)
{
	static const char keys[] =
	    "fields = picture:image, ids\nkey = image.path\nlabel = none";
	char section[SECTION];
	struct opened opened;

	UNUSED(state);
	for (unsigned i = 0; i < 2; i++) {
		set_section(section, i ? "arrow" : "parquet",
		    i ? "file" : "zstd", keys);
		opened_all(&opened, ".", section, 7);
		assert_int_equal(opened.count, 7);
		assert_int_equal(opened.reader->total_samples, ROWS);
		assert_int_equal(opened.reader->schema.count, 2);
		assert_string_equal(
		    opened.reader->schema.fields[0].name, "picture");
		assert_string_equal(
		    opened.reader->schema.fields[0].type.suffix, "jpg");
		assert_string_equal(opened.seen[0].key, "a/0.JPEG");
		assert_int_equal(opened.seen[0].label, -1);
		opened_close(&opened);
	}
}

/* ---- damage: an error or samples, and never more ---- */

static void check_damage(
    const char *source, const char *name, const char *fields)
{
	char from[64], file[64], section[SECTION];
	char *dir = test_scratch();
	struct buf bytes = BUF_INIT;
	size_t len;

	snprintf(from, sizeof(from), "test/fuzz/corpus/%s", source);
	snprintf(file, sizeof(file), "%s.%s", name, source);
	snprintf(section, sizeof(section),
	    "source = %s\npath = %s\nfields = %s", source, file, fields);
	test_read_file(from, file, &bytes);
	len = bytes.len;
	for (size_t at = 0; at < len; at += 1 + len / 600) {
		bytes.data[at] ^= (unsigned char)(1 << at % 8);
		test_write_file(dir, file, buf_span(&bytes));
		opened_skim(dir, section);
		bytes.data[at] ^= (unsigned char)(1 << at % 8);
	}
	for (size_t cut = 0; cut < len; cut += 1 + len / 40) {
		bytes.len = cut;
		test_write_file(dir, file, buf_span(&bytes));
		opened_skim(dir, section);
	}
	buf_release(&bytes);
	test_scratch_remove(dir);
}

static void test_table_sources_survive_damage(void **state)
{
	static const char all[] = "image, ids, vec, text";

	UNUSED(state);
	check_damage("parquet", "snappy", all);
	check_damage("parquet", "delta", all);
	check_damage("parquet", "gzip", all);
	check_damage("parquet", "nulls", "image, text");
	check_damage("arrow", "stream", all);
	check_damage("arrow", "zstd", all);
	check_damage("arrow", "nulls", "image, text");
}

static void test_table_source_refuses_other_files(void **state)
{
	static const struct {
		const char *source, *name, *text, *words;
	} cases[] = {
		{ "parquet", "a.parquet", "", "is no Parquet file" },
		{ "parquet", "a.parquet", "a text that is longer",
		    "is no Parquet file: it does not end with PAR1" },
		{ "parquet", "a.parquet", "....PARE", "is encrypted" },
		{ "parquet", "a.parquet", "....\xff\xff\xff\x7fPAR1",
		    "larger than the file" },
		{ "arrow", "a.arrow", "", "is no Arrow stream" },
		{ "arrow", "a.arrow", "a text that is longer",
		    "is no Arrow stream" },
		{ "mds", "index.json", "[", "index.json:" },
		{ "mds", "index.json", "{\"shards\": []}", "has no shards" },
		{ "mds", "index.json", "{\"shards\": [3]}",
		    "shard 0 is no object" },
	};
	char *dir = test_scratch();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char section[SECTION];

		test_write(dir, cases[i].name, cases[i].text);
		snprintf(section, sizeof(section), "source = %s\npath = %s",
		    cases[i].source, cases[i].name);
		opened_fails(dir, section, cases[i].words);
	}
	test_scratch_remove(dir);
}

/* ---- nulls ---- */

/* The rule of errors refuses a sample, since its field matches no type. */
static void check_nulls(const char *source, const char *name,
    const char *fields, size_t samples, size_t nulls)
{
	const struct tensor null = { .absent = "is null" };
	char section[SECTION];
	struct opened opened;

	set_section(section, source, name, fields);
	test_ok(opened_open(&opened, ".", section, 0), &opened.err);
	test_ok(opened_read(&opened, 0), &opened.err);
	assert_int_equal(opened.count, samples);
	assert_int_equal(opened.nulls, nulls);
	assert_int_equal(
	    tensor_check(
	        &null, &opened.reader->schema.fields[0].type, &opened.err),
	    -1);
	assert_string_equal(opened.err.text, "is null");
	opened_close(&opened);
}

static void test_a_null_is_a_sample_that_is_refused(void **state)
{
	static const char *const sources[] = { "arrow", "parquet" };

	UNUSED(state);
	check_nulls("arrow", "stream", "fields = some", ROWS, ROWS / 2);
	check_nulls("parquet", "zstd", "fields = some", ROWS, ROWS / 2);
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		check_nulls(sources[i], "nulls", "fields = image", 12, 4);
		check_nulls(sources[i], "nulls", "fields = text", 12, 6);
		check_nulls(
		    sources[i], "nulls", "fields = image, text", 12, 10);
		/* A row without a key has none of its values. */
		check_nulls(
		    sources[i], "nulls", "fields = image\nkey = text", 12, 8);
	}
}

static void test_a_column_of_nulls_has_no_type(void **state)
{
	char section[SECTION];

	UNUSED(state);
	set_section(section, "arrow", "nulls", "fields = none");
	opened_fails(
	    ".", section, "column 'none' is null in all of the first 12 rows");
	set_section(section, "parquet", "nulls", "fields = lost");
	opened_fails(".", section, "'source = folder'");
}

static void test_a_type_is_that_of_the_first_value(void **state)
{
	char section[SECTION];
	struct opened opened;

	UNUSED(state);
	set_section(section, "arrow", "nulls", "");
	test_ok(opened_open(&opened, ".", section, 0), &opened.err);
	assert_string_equal(opened.reader->schema.fields[0].type.suffix, "jpg");
	opened_close(&opened);
}

/* ---- folders of the library `datasets` ---- */

static void copy_rows(const char *dir, const char *name)
{
	struct buf bytes = BUF_INIT;

	test_read_file("test/fuzz/corpus/arrow", "stream.arrow", &bytes);
	test_write_file(dir, name, buf_span(&bytes));
	buf_release(&bytes);
}

/* Opens the folder; returns the samples. */
static uint64_t count_rows(
    const char *dir, const char *keys, struct opened *opened)
{
	char section[SECTION];

	snprintf(section, sizeof(section),
	    "source = arrow\npath = %s\nfields = text\n%s", dir, keys);
	test_ok(opened_open(opened, ".", section, 0), &opened->err);
	return opened->reader->samples;
}

static void check_rows(const char *dir, const char *keys, uint64_t wanted)
{
	struct opened opened;

	assert_int_equal(count_rows(dir, keys, &opened), wanted);
	assert_int_equal(opened.reader->notes.len, 0);
	opened_close(&opened);
}

static const char one_file[] =
    "{\"_data_files\": [{\"filename\": \"data-00000-of-00001.arrow\"}]}";

static void test_a_saved_folder_has_the_files_of_its_state(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	copy_rows(dir, "data-00000-of-00001.arrow");
	copy_rows(dir, "cache-0123456789abcdef.arrow");
	copy_rows(dir, "other.arrow");
	check_rows(dir, "", 2 * ROWS);
	test_write(dir, "state.json", one_file);
	check_rows(dir, "", ROWS);
	check_rows(dir, "match = cache-*.arrow", ROWS);
	test_write(dir, "state.json", "{\"step\": 7}");
	check_rows(dir, "", 2 * ROWS);
	test_scratch_remove(dir);
}

static void test_caches_are_read_where_there_is_nothing_else(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	copy_rows(dir, "cache-0123456789abcdef.arrow");
	copy_rows(dir, "cache-1123456789abcdef.arrow");
	check_rows(dir, "", 2 * ROWS);
	test_scratch_remove(dir);
}

static void test_a_state_that_lies_is_an_error(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "[", "state.json:" },
		{ "{\"_data_files\": [{\"filename\": \"../a.arrow\"}]}",
		    "state.json: names '../a.arrow', which is not in its "
		    "folder" },
		{ "{\"_data_files\": [7]}", "'_data_files' must have objects" },
		{ "{\"_data_files\": [{}]}", "'filename' is missing" },
		{ "{\"_data_files\": []}", "no file matches '*.arrow'" },
	};
	char *dir = test_scratch();

	UNUSED(state);
	copy_rows(dir, "a.arrow");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		test_write(dir, "state.json", cases[i].text);
		opened_fails(dir, "source = arrow\npath = .\nfields = text",
		    cases[i].words);
	}
	test_scratch_remove(dir);
}

static void test_several_splits_are_told(void **state)
{
	char *dir = test_scratch(), list[SECTION];
	struct opened opened;

	UNUSED(state);
	test_write(dir, "train/state.json", one_file);
	copy_rows(dir, "train/data-00000-of-00001.arrow");
	copy_rows(dir, "train/cache-0123456789abcdef.arrow");
	test_write(dir, "test/state.json", one_file);
	copy_rows(dir, "test/data-00000-of-00001.arrow");
	assert_int_equal(count_rows(dir, "", &opened), 2 * ROWS);
	test_contains((const char *)opened.reader->notes.data,
	    "reads the splits train, test as one dataset");
	opened_close(&opened);
	check_rows(dir, "match = train/data-*.arrow", ROWS);
	snprintf(list, sizeof(list), "%s/{train,test}", dir);
	check_rows(list, "", 2 * ROWS);
	test_scratch_remove(dir);
}

/* ---- MDS, as presto's own store writes it; keys make it a source ---- */

static void write_mds(const char *dir, const char *codec)
{
	const struct store_form form = stored_form("mds", codec, STORED_ROWS);

	stored_write(dir, &form, STORED_ROWS);
}

static void test_mds_source_reads_shards_plain_and_compressed(void **state)
{
	static const char *const codecs[] = { "none", "zstd" };
	uint64_t hashes[2] = { 0 };

	UNUSED(state);
	for (unsigned i = 0; i < 2; i++) {
		char *dir = test_scratch();
		struct opened opened;

		write_mds(dir, codecs[i]);
		opened_all(
		    &opened, dir, "source = mds\npath = .\nfields = image", 0);
		assert_int_equal(opened.count, STORED_SAMPLES);
		assert_int_equal(opened.reader->in_order_only, i);
		assert_string_equal(opened.seen[0].key, "shard-000000-0");
		for (size_t s = 0; s < opened.count; s++)
			hashes[i] += opened.seen[s].hash * (s + 1);
		opened_close(&opened);
		test_scratch_remove(dir);
	}
	assert_true(hashes[0] == hashes[1]);
}

static void test_mds_source_wants_the_folder_of_a_split(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	test_write(dir, "train/index.json", "{}");
	opened_fails(dir, "source = mds\npath = .",
	    "has no index.json; a dataset of several splits has one");
	opened_fails(dir, "source = mds\npath = train", "'shards' is missing");
	test_scratch_remove(dir);
}

static void test_mds_source_checks_its_index(void **state)
{
	static const struct {
		const char *from, *to, *words;
	} cases[] = {
		{ "\"samples\": 1", "\"samples\": 9",
		    "the table of offsets is damaged" },
		{ "shard-000000.mds", "../rd-000000.mds", "'basename'" },
		{ "\"bytes\": ", "\"bytes\": 1", "and index.json says" },
		{ "ndarray:float32", "ndarray:foat32x",
		    "its encoding 'ndarray:foat32x" },
		{ "\"raw_data\"", "\"raw_dada\"", "'raw_data' is missing" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = BUF_INIT;
		char *dir = test_scratch(), *at;
		struct error err = ERROR_INIT;

		write_mds(dir, "none");
		test_read_file(dir, "index.json", &text);
		test_ok(buf_append(&text, "", 1, &err), &err);
		at = strstr((char *)text.data, cases[i].from);
		assert_non_null(at);
		memcpy(at, cases[i].to, strlen(cases[i].to));
		test_write(dir, "index.json", (const char *)text.data);
		opened_fails(dir, "source = mds\npath = .\nfields = image",
		    cases[i].words);
		buf_release(&text);
		test_scratch_remove(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parquet_source_reads_what_pyarrow_writes),
		cmocka_unit_test(test_arrow_source_reads_what_pyarrow_writes),
		cmocka_unit_test(test_table_source_says_what_is_wrong),
		cmocka_unit_test(test_table_source_takes_key_fields_and_limit),
		cmocka_unit_test(test_table_sources_survive_damage),
		cmocka_unit_test(test_table_source_refuses_other_files),
		cmocka_unit_test(test_a_null_is_a_sample_that_is_refused),
		cmocka_unit_test(test_a_column_of_nulls_has_no_type),
		cmocka_unit_test(test_a_type_is_that_of_the_first_value),
		cmocka_unit_test(
		    test_a_saved_folder_has_the_files_of_its_state),
		cmocka_unit_test(
		    test_caches_are_read_where_there_is_nothing_else),
		cmocka_unit_test(test_a_state_that_lies_is_an_error),
		cmocka_unit_test(test_several_splits_are_told),
		cmocka_unit_test(
		    test_mds_source_reads_shards_plain_and_compressed),
		cmocka_unit_test(test_mds_source_wants_the_folder_of_a_split),
		cmocka_unit_test(test_mds_source_checks_its_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
