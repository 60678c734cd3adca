/*
 * test_lmdb.c - the source lmdb.
 *
 * The files in test/fuzz/corpus/lmdb were written by liblmdb 0.9.24. plain.mdb
 * and nested.mdb have the keys and values of key_of() and value_of(),
 * nested.mdb in its database "b". Others are made here, with pages of any size
 * (lmdb_maker.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/files/path.h"
#include "lib/formats/lmdb.h"
#include "lib/media/medium.h"
#include "lib/sample/classes.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/lmdb_maker.h"
#include "test/unit/made_lmdb.h"
#include "test/unit/test.h"

enum { MOST = 5000, SECTION = 512 };

/* ---- keys with values of known bytes ---- */

static struct span value_of(unsigned i)
{
	static unsigned char bytes[MOST];

	memset(bytes, (int)i, sizeof(bytes));
	return (
	    struct span){ bytes, i % 8 ? 37 * i * i % 60 : 37 * i * i % MOST };
}

static const char *key_of(unsigned i)
{
	static char key[16];

	snprintf(key, sizeof(key), "k/%03u", i);
	return key;
}

static uint64_t hash_of(const struct reader *reader, unsigned i, int64_t label)
{
	struct sample sample = { .label = label, .count = 1 };
	const struct span value = value_of(i);

	tensor_view_encoded(&sample.fields[0], value.data, value.len, "");
	return sample_hash(&sample, &reader->schema);
}

static void check_values(const struct opened *opened, unsigned count)
{
	assert_int_equal(opened->count, count);
	for (unsigned i = 0; i < count; i++) {
		assert_string_equal(opened->seen[i].key, key_of(i));
		if (opened->seen[i].hash != hash_of(opened->reader, i, -1))
			fail_msg("%s differs", key_of(i));
	}
}

static void test_lmdb_source_reads_pages_of_any_size(void **state)
{
	static const struct {
		uint32_t page_bytes;
		unsigned count;
		int depth;
	} cases[] = {
		{ 256, 1, 1 },
		{ 256, 300, 3 },
		{ 4096, 300, 2 },
		{ 32768, 900, 2 },
	};

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		struct opened opened;
		struct made made;

		made_begin(&made, cases[c].page_bytes, 0);
		for (unsigned i = 0; i < cases[c].count; i++)
			made_add(&made, key_of(i), value_of(i));
		assert_int_equal(made_end(&made), cases[c].depth);
		opened_all(&opened, made.dir, "source = lmdb\npath = .", 0);
		check_values(&opened, cases[c].count);
		opened_close(&opened);
		opened_all(&opened, made.dir,
		    "source = lmdb\npath = data.mdb\nmatch = k/*", 0);
		check_values(&opened, cases[c].count);
		opened_close(&opened);
		made_remove(&made);
	}
}

static void copy_of(const char *name, const char *dir)
{
	struct buf bytes = BUF_INIT;

	test_read_file("test/fuzz/corpus/lmdb", name, &bytes);
	test_write_file(dir, "data.mdb", buf_span(&bytes));
	buf_release(&bytes);
}

static void test_lmdb_source_reads_what_liblmdb_writes(void **state)
{
	static const struct {
		const char *name, *keys;
	} cases[] = {
		{ "plain.mdb", "" },
		{ "nested.mdb", "database = b" },
	};

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		char *dir = test_scratch(), section[SECTION];
		struct opened opened;

		copy_of(cases[c].name, dir);
		snprintf(section, sizeof(section),
		    "source = lmdb\npath = .\n%s", cases[c].keys);
		opened_all(&opened, dir, section, 0);
		check_values(&opened, 24);
		opened_close(&opened);
		test_scratch_remove(dir);
	}
}

static void test_lmdb_source_leaves_bookkeeping_out(void **state)
{
	static const unsigned char binary[] = { 1, 0, 200 };
	struct opened opened;
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	test_ok(lmdb_maker_add(made.maker, (struct span){ binary, 3 },
	            span_text("1"), &made.err),
	    &made.err);
	made_add(&made, "__keys__", span_text("2"));
	made_add(&made, "__len__", span_text("3"));
	made_add(&made, "image-1", span_text("4"));
	made_add(&made, "label-1", span_text("5"));
	made_end(&made);
	opened_all(&opened, made.dir, "source = lmdb\npath = .", 0);
	assert_int_equal(opened.count, 3);
	assert_string_equal(opened.seen[0].key, "0100c8");
	assert_string_equal(opened.seen[1].key, "image-1");
	test_contains((const char *)opened.reader->notes.data,
	    "2 keys of bookkeeping (__NAME__) are no sample");
	opened_close(&opened);
	opened_all(&opened, made.dir,
	    "source = lmdb\npath = .\nmatch = image-*, other*", 0);
	assert_int_equal(opened.count, 1);
	assert_string_equal(opened.seen[0].key, "image-1");
	opened_close(&opened);
	opened_fails(made.dir, "source = lmdb\npath = .\nmatch = x",
	    "has no keys that match");
	made_remove(&made);
}

/* The fields of a sample, and its label, have keys of their own. */
static void check_fields(const struct opened *opened, unsigned count)
{
	assert_int_equal(opened->count, count);
	assert_int_equal(opened->reader->schema.count, 2);
	assert_string_equal(opened->reader->schema.fields[1].name, "text");
	for (unsigned i = 0; i < count; i++) {
		struct sample want = { .label = -1, .count = 2 };
		const struct span value = value_of(i);
		char key[16];

		snprintf(key, sizeof(key), "%03u", i);
		assert_string_equal(opened->seen[i].key, key);
		tensor_view_encoded(&want.fields[0], value.data, value.len, "");
		tensor_view_encoded(&want.fields[1], key, strlen(key), "");
		assert_int_equal(opened->seen[i].hash,
		    sample_hash(&want, &opened->reader->schema));
	}
}

static void add_fields(struct made *made, unsigned count)
{
	char key[32];

	for (unsigned i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "image-%03u", i);
		made_add(made, key, value_of(i));
	}
	for (unsigned i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "label-%03u", i);
		made_add(made, key, span_text(key + 6));
	}
	made_add(made, "num-samples", span_text("300"));
}

static void test_lmdb_source_puts_fields_together(void **state)
{
	struct opened opened;
	struct made made;

	UNUSED(state);
	made_begin(&made, 1024, 0);
	add_fields(&made, 300);
	made_end(&made);
	opened_all(&opened, made.dir,
	    "source = lmdb\npath = .\nfields = data:image-*, text:label-*", 0);
	check_fields(&opened, 300);
	opened_close(&opened);
	made_remove(&made);
}

static void test_lmdb_source_checks_fields(void **state)
{
	static const struct {
		const char *keys, *words;
	} cases[] = {
		{ "fields = data:image", "'image' must have one '*'" },
		{ "fields = data:*-*", "'*-*' must have one '*'" },
		{ "fields = *-000\nmatch = *",
		    "'fields' or 'match', not both" },
		{ "fields = data:image-*,text:*-samples",
		    "the 1 keys of '*-samples' are not those of the 3 keys of "
		    "'image-*'" },
		{ "fields = x*", "has no keys that match" },
		{ "fields = data:image-*,data:label-*", "data" },
	};
	struct made made;

	UNUSED(state);
	made_begin(&made, 1024, 0);
	add_fields(&made, 3);
	made_end(&made);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char section[SECTION];

		snprintf(section, sizeof(section),
		    "source = lmdb\npath = .\n%s", cases[i].keys);
		opened_fails(made.dir, section, cases[i].words);
	}
	made_remove(&made);
}

/* Reads all chunks; returns the samples, and the bytes of the largest chunk. */
static uint64_t fetch_all(struct opened *opened, size_t *most)
{
	const struct reader *reader = opened->reader;
	struct chunk chunk = CHUNK_INIT;
	uint64_t samples = 0;

	*most = 0;
	for (size_t i = 0; i < reader->streams; i++) {
		void *stream =
		    reader->ops->stream_open(reader, i, &opened->err);

		test_ok(stream ? 0 : -1, &opened->err);
		while (reader->ops->stream_fetch(stream, &chunk, &opened->err) >
		       0) {
			samples += chunk.samples;
			if (chunk.stored.len > *most)
				*most = chunk.stored.len;
			chunk_reset(&chunk);
		}
		reader->ops->stream_close(stream);
	}
	chunk_release(&chunk);
	return samples;
}

/* Texts are small, so only the images tell how many samples have room. */
static void test_lmdb_source_bounds_chunks_by_all_fields(void **state)
{
	enum { COUNT = 2000, SMALL = 1950, LARGE = 100000 };
	static const unsigned char image[LARGE];
	struct opened opened;
	struct made made;
	char key[32];
	size_t most;

	UNUSED(state);
	made_begin(&made, 4096, 0);
	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(key, sizeof(key), "image-%04u", i);
		made_add(&made, key,
		    (struct span){ image, i < SMALL ? 10 : sizeof(image) });
	}
	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(key, sizeof(key), "label-%04u", i);
		made_add(&made, key, span_text("text"));
	}
	made_end(&made);
	opened_all(&opened, made.dir,
	    "source = lmdb\npath = .\nfields = text:label-*,data:image-*", 0);
	assert_int_equal(opened.count, COUNT);
	assert_in_range(opened.reader->streams, 2, 5);
	assert_int_equal(fetch_all(&opened, &most), COUNT);
	assert_in_range(most, 1 << 20, 3 << 20);
	opened_close(&opened);
	made_remove(&made);
}

static void test_lmdb_source_takes_types_from_patterns(void **state)
{
	struct opened opened;
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, "a.json", span_text("{}"));
	made_add(&made, "a.txt", span_text("one"));
	made_add(&made, "b.json", span_text("{}"));
	made_add(&made, "b.txt", span_text("two"));
	made_end(&made);
	opened_all(&opened, made.dir,
	    "source = lmdb\npath = .\nfields = text:*.txt,more:*.json", 0);
	assert_int_equal(opened.count, 2);
	assert_string_equal(opened.seen[1].key, "b");
	assert_string_equal(opened.reader->schema.fields[0].type.suffix, "txt");
	assert_string_equal(
	    opened.reader->schema.fields[1].type.suffix, "json");
	opened_close(&opened);
	made_remove(&made);
}

static void test_lmdb_source_prints_keys_that_are_numbers(void **state)
{
	struct opened opened;
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, LMDB_INTEGER_KEYS);
	for (uint32_t i = 7; i < 10; i++)
		test_ok(lmdb_maker_add(made.maker,
		            (struct span){ (const void *)&i, sizeof(i) },
		            span_text("x"), &made.err),
		    &made.err);
	made_end(&made);
	opened_all(&opened, made.dir, "source = lmdb\npath = .", 0);
	assert_int_equal(opened.count, 3);
	assert_string_equal(opened.seen[2].key, "9");
	opened_close(&opened);
	made_remove(&made);
}

static void test_lmdb_source_takes_labels_from_keys(void **state)
{
	static const struct {
		const char *rule;
		int64_t labels[3];
		size_t classes;
	} cases[] = {
		{ "none", { -1, -1, -1 }, 0 },
		{ "directory", { 0, 0, 1 }, 2 },
		{ "_([0-9]+)", { 7, 8, 7 }, 0 },
	};
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, "cat/a_7", span_text("1"));
	made_add(&made, "cat/b_8", span_text("2"));
	made_add(&made, "dog/c_7", span_text("3"));
	made_end(&made);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		struct opened opened;
		char section[SECTION];

		snprintf(section, sizeof(section),
		    "source = lmdb\npath = .\nlabel = %s", cases[c].rule);
		opened_all(&opened, made.dir, section, 0);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(
			    opened.seen[i].label, cases[c].labels[i]);
		assert_int_equal(
		    opened.reader->classes ? opened.reader->classes->count : 0,
		    cases[c].classes);
		opened_close(&opened);
	}
	opened_fails(made.dir, "source = lmdb\npath = .\nlabel = x",
	    "label does not match the key cat/a_7");
	made_remove(&made);
}

/* ---- errors ---- */

static void test_lmdb_source_says_what_is_wrong(void **state)
{
	static const struct {
		const char *keys, *words;
	} cases[] = {
		{ "", "give 'database = NAME'; there are 'a', 'b'" },
		{ "database = c", "there is no database 'c' in it; there "
		                  "'a', 'b'" },
		{ "label = (", "label '(': " },
	};
	char *dir = test_scratch();

	UNUSED(state);
	copy_of("nested.mdb", dir);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char section[SECTION];

		snprintf(section, sizeof(section),
		    "source = lmdb\npath = .\n%s", cases[i].keys);
		opened_fails(dir, section, cases[i].words);
	}
	opened_fails(
	    dir, "source = lmdb\npath = .\ndatabase = a", "has no keys");
	test_scratch_remove(dir);
}

static void test_lmdb_source_refuses_pickles(void **state)
{
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, "0",
	    BYTES("\x80\x04"
	          "tuple."));
	made_end(&made);
	opened_fails(made.dir, "source = lmdb\npath = .", "is a Python pickle");
	made_remove(&made);
}

static void test_lmdb_source_refuses_several_values(void **state)
{
	struct opened opened;
	char *dir = test_scratch();

	UNUSED(state);
	copy_of("several.mdb", dir);
	opened_fails(dir, "source = lmdb\npath = .",
	    "key k has several values, which are not read");
	opened_all(&opened, dir, "source = lmdb\npath = .\nmatch = one", 0);
	assert_int_equal(opened.count, 1);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_lmdb_source_refuses_other_files(void **state)
{
	static const struct {
		size_t at; /* of the changed byte in page 0 */
		const char *to, *words;
	} cases[] = {
		{ 16, "\xbe\xef\xc0\xde", "another byte order" },
		{ 12, "\xde\xc0\xef\xbe", "a 32-bit program" },
		{ 16, "SQLi", "is no LMDB file" },
		{ 20, "\xe7\x03\0\0", "has version 999 of LMDB's format" },
		{ 40, "\0\x03\0\0", "pages of 768 bytes" },
		{ 40, "\0\x02\0\0", "is " },
	};
	struct buf bytes = BUF_INIT;
	char *dir = test_scratch();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bytes.len = 0;
		test_read_file("test/fuzz/corpus/lmdb", "plain.mdb", &bytes);
		memcpy(bytes.data + cases[i].at, cases[i].to, 4);
		test_write_file(dir, "data.mdb", buf_span(&bytes));
		opened_fails(dir, "source = lmdb\npath = .", cases[i].words);
	}
	bytes.len = 100;
	test_write_file(dir, "data.mdb", buf_span(&bytes));
	opened_fails(dir, "source = lmdb\npath = .", "is no LMDB file");
	buf_release(&bytes);
	test_scratch_remove(dir);
	dir = test_scratch();
	opened_fails(dir, "source = lmdb\npath = .", "has no data.mdb");
	opened_fails(dir, "source = lmdb\npath = x.mdb", "x.mdb");
	test_scratch_remove(dir);
}

/* ---- another program writes meanwhile ---- */

static void test_lmdb_source_notices_a_writer(void **state)
{
	struct buf bytes = BUF_INIT;
	struct opened opened;
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	for (unsigned i = 0; i < 9; i++)
		made_add(&made, key_of(i), value_of(i));
	made_end(&made);
	test_ok(opened_open(&opened, made.dir, "source = lmdb\npath = .", 0),
	    &opened.err);
	test_read_file(made.dir, "data.mdb", &bytes);
	bytes.data[LMDB_HEAD + 128] = 2; /* the transaction of page 0 */
	test_write_file(made.dir, "data.mdb", buf_span(&bytes));
	assert_int_equal(opened_read(&opened, 0), -1);
	test_contains(opened.err.text, "was written to while it was read");
	opened_close(&opened);
	buf_release(&bytes);
	made_remove(&made);
}

/* Both files are of the same number of transactions. */
static void test_lmdb_source_notices_another_file(void **state)
{
	struct opened opened;
	struct made made, other;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, "a", span_text("one"));
	made_end(&made);
	test_ok(opened_open(&opened, made.dir, "source = lmdb\npath = .", 0),
	    &opened.err);
	made_begin(&other, 512, 0);
	for (unsigned i = 0; i < 99; i++)
		made_add(&other, key_of(i), value_of(i));
	made_end(&other);
	assert_int_equal(rename(other.path, made.path), 0);
	assert_int_equal(opened_read(&opened, 0), -1);
	test_contains(opened.err.text, "was written to");
	opened_close(&opened);
	made_remove(&other);
	made_remove(&made);
}

/* As of a program that wrote through a map. */
static void test_lmdb_source_tells_of_a_file_larger_than_its_pages(void **state)
{
	struct opened opened;
	struct made made;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, "0", span_text("x"));
	made_end(&made);
	assert_int_equal(truncate(made.path, 100 << 20), 0);
	opened_all(&opened, made.dir, "source = lmdb\npath = .", 0);
	test_contains((const char *)opened.reader->notes.data,
	    "the file has 105 MB, and LMDB uses 1.54 kB of it");
	opened_close(&opened);
	made_remove(&made);
}

/* ---- damage: an error or samples ---- */

static void test_lmdb_source_survives_damage(void **state)
{
	struct buf bytes = BUF_INIT;
	char *dir = test_scratch();
	struct made made;

	UNUSED(state);
	made_begin(&made, 256, 0);
	for (unsigned i = 0; i < 30; i++)
		made_add(&made, key_of(i),
		    (struct span){ value_of(i).data, value_of(i).len % 700 });
	made_end(&made);
	test_read_file(made.dir, "data.mdb", &bytes);
	for (size_t at = 0; at < bytes.len; at += 1 + bytes.len / 2000) {
		bytes.data[at] ^= (unsigned char)(1 << at % 8);
		test_write_file(dir, "data.mdb", buf_span(&bytes));
		opened_skim(dir, "source = lmdb\npath = .");
		bytes.data[at] ^= (unsigned char)(1 << at % 8);
	}
	for (size_t len = bytes.len; bytes.len > len / 50;) {
		bytes.len -= len / 50;
		test_write_file(dir, "data.mdb", buf_span(&bytes));
		opened_skim(dir, "source = lmdb\npath = .");
	}
	buf_release(&bytes);
	test_scratch_remove(dir);
	made_remove(&made);
}

/* Page 0 has no value. */
static void test_lmdb_source_refuses_values_in_page_0(void **state)
{
	static const unsigned char value[2000];
	static const char key[] = "large";
	struct buf bytes = BUF_INIT;
	struct made made;
	size_t at = 0;

	UNUSED(state);
	made_begin(&made, 512, 0);
	made_add(&made, key, (struct span){ value, sizeof(value) });
	made_end(&made);
	test_read_file(made.dir, "data.mdb", &bytes);
	while (memcmp(bytes.data + at, key, strlen(key)) != 0)
		at++;
	memset(bytes.data + at + strlen(key), 0, sizeof(uint64_t));
	test_write_file(made.dir, "data.mdb", buf_span(&bytes));
	opened_fails(made.dir, "source = lmdb\npath = .", "has a wrong value");
	buf_release(&bytes);
	made_remove(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lmdb_source_reads_pages_of_any_size),
		cmocka_unit_test(test_lmdb_source_reads_what_liblmdb_writes),
		cmocka_unit_test(test_lmdb_source_leaves_bookkeeping_out),
		cmocka_unit_test(test_lmdb_source_puts_fields_together),
		cmocka_unit_test(test_lmdb_source_checks_fields),
		cmocka_unit_test(test_lmdb_source_bounds_chunks_by_all_fields),
		cmocka_unit_test(test_lmdb_source_takes_types_from_patterns),
		cmocka_unit_test(test_lmdb_source_prints_keys_that_are_numbers),
		cmocka_unit_test(test_lmdb_source_takes_labels_from_keys),
		cmocka_unit_test(test_lmdb_source_says_what_is_wrong),
		cmocka_unit_test(test_lmdb_source_refuses_pickles),
		cmocka_unit_test(test_lmdb_source_refuses_several_values),
		cmocka_unit_test(test_lmdb_source_refuses_other_files),
		cmocka_unit_test(test_lmdb_source_notices_a_writer),
		cmocka_unit_test(test_lmdb_source_notices_another_file),
		cmocka_unit_test(
		    test_lmdb_source_tells_of_a_file_larger_than_its_pages),
		cmocka_unit_test(test_lmdb_source_survives_damage),
		cmocka_unit_test(test_lmdb_source_refuses_values_in_page_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
