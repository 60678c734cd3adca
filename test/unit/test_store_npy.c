/*
 * test_store_npy.c - the store npy: its files, equal for any expected number of
 * samples, and refusals.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/formats/index.h"
#include "lib/formats/index_parse.h"
#include "lib/sample/npy.h"
#include "lib/stores/layout.h"
#include "lib/stores/sink.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { LIMIT = 64 << 20, SAMPLES = 14, NOT_LABELLED = -1 };

enum { LONG_KEYS = 700, LONG_KEY = 2000 };

/* The i-th key: so many bytes that the file of keys is not read as a whole. */
static struct span long_key(unsigned i, char text[LONG_KEY + 1])
{
	memset(text, 'k', LONG_KEY + 1);
	snprintf(text + LONG_KEY - 8, 9, "%08u", i);
	return (struct span){ (const unsigned char *)text, LONG_KEY };
}

static void check_long_key(void *arg, unsigned i, const struct sample *sample)
{
	char text[LONG_KEY + 1];

	UNUSED(arg);
	assert_true(span_equal(sample->key, long_key(i, text)));
	assert_true(sample->label == (int64_t)i);
	assert_int_equal(
	    *(const unsigned char *)sample->fields[0].data, (unsigned char)i);
}

static void test_npy_keeps_many_long_keys(void **state)
{
	static const struct type type = { DTYPE_U8, LAYOUT_PLAIN, { 1, { 1 } },
		"" };
	const struct manifest_note note = { .strategy = "a/npy/none",
		.fingerprint = "f1" };
	struct schema schema = { .count = 0 };
	struct codec codec;
	struct store_form form;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), text[LONG_KEY + 1];
	struct shard_writer *writer;

	UNUSED(state);
	test_ok(codec_parse("none", &codec, &err), &err);
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	test_ok(
	    store_form_init(&form, store_find("npy"), &codec, &schema, &err),
	    &err);
	writer = shard_writer_new(medium, dir, &form, 0, &err);
	test_ok(writer ? 0 : -1, &err);
	for (unsigned i = 0; i < LONG_KEYS; i++) {
		const unsigned char byte = (unsigned char)i;
		struct sample sample = SAMPLE_INIT;

		sample.key = long_key(i, text);
		sample.label = i;
		sample.count = 1;
		tensor_view(&sample.fields[0], DTYPE_U8, &type.shape, &byte);
		test_ok(shard_writer_add(writer, &sample, &err), &err);
	}
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	test_ok(stored_write_manifest(dir, &form, 1, &note, &err), &err);
	test_ok(stored_read(dir, check_long_key, NULL, &err), &err);
	medium_free(medium);
	test_scratch_remove(dir);
}

/* One shard of SAMPLES, for which `expected` were announced. */
static void write_expecting(const char *dir, const struct store_form *form,
    enum stored_kind kind, uint64_t expected)
{
	const struct manifest_note note = { .strategy = "a/npy/none",
		.fingerprint = "f1" };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct shard_writer *writer =
	    shard_writer_new(medium, dir, form, 0, &err);

	test_ok(writer ? 0 : -1, &err);
	shard_writer_expect(writer, expected);
	for (unsigned i = 0; i < SAMPLES; i++) {
		struct stored_sample stored;

		stored_sample_init(&stored, kind, i);
		test_ok(shard_writer_add(writer, &stored.sample, &err), &err);
		stored_sample_release(&stored);
	}
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	test_ok(stored_write_manifest(dir, form, 1, &note, &err), &err);
	medium_free(medium);
}

static int add_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	UNUSED(bytes);
	return path_read(path, LIMIT, arg, err);
}

/* All bytes of all files, but for those of the manifest. */
static void read_all(const char *dir, struct buf *bytes)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct reader *reader = store_open(medium, dir, &err);

	test_ok(reader ? 0 : -1, &err);
	test_ok(reader->ops->each_file(reader, add_file, bytes, &err), &err);
	reader_free(reader);
	medium_free(medium);
}

static void test_npy_bytes_do_not_depend_on_what_was_expected(void **state)
{
	static const char *const codecs[] = { "none", "gzip:1", "zlib:1", "lz4",
		"zstd:1" };
	static const uint64_t expected[] = { SAMPLES, 0, 1000000, 13 };

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(codecs); c++) {
		const struct store_form form =
		    stored_form("npy", codecs[c], STORED_ROWS);
		struct buf first = BUF_INIT;

		for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
			char *dir = test_scratch();
			struct error err = ERROR_INIT;
			struct buf bytes = BUF_INIT;

			write_expecting(dir, &form, STORED_ROWS, expected[i]);
			test_ok(stored_read(dir, NULL, NULL, &err), &err);
			read_all(dir, i == 0 ? &first : &bytes);
			if (i > 0 &&
			    !span_equal(buf_span(&first), buf_span(&bytes)))
				fail_msg("%s: other bytes when %d were "
				         "expected",
				    codecs[c], (int)expected[i]);
			buf_release(&bytes);
			test_scratch_remove(dir);
		}
		buf_release(&first);
	}
}

static void test_npy_files_are_arrays_of_all_samples(void **state)
{
	static const struct shape row = { 3, { 127, 128, 3 } };
	const struct store_form form = stored_form("npy", "none", STORED_EVEN);
	struct buf bytes = BUF_INIT;
	struct error err = ERROR_INIT;
	struct tensor array = TENSOR_INIT;
	char *dir = test_scratch();

	UNUSED(state);
	write_expecting(dir, &form, STORED_EVEN, SAMPLES);
	test_read_file(dir, "shard-000000.data.npy", &bytes);
	test_ok(npy_view(buf_span(&bytes), &array, &err), &err);
	assert_int_equal(array.shape.count, 4);
	assert_int_equal(array.shape.dims[0], SAMPLES);
	assert_int_equal(array.dtype, DTYPE_U8);
	assert_int_equal(bytes.len, 128 + SAMPLES * shape_elements(&row));
	test_read_file(dir, "shard-000000.count.npy", &bytes);
	test_ok(npy_view(buf_span(&bytes), &array, &err), &err);
	assert_int_equal(array.shape.count, 1);
	assert_int_equal(array.shape.dims[0], SAMPLES);
	test_read_file(dir, "shard-000000.labels.npy", &bytes);
	test_ok(npy_view(buf_span(&bytes), &array, &err), &err);
	assert_int_equal(array.dtype, DTYPE_I64);
	assert_true(((const int64_t *)array.data)[0] == NOT_LABELLED);
	assert_true(((const int64_t *)array.data)[1] == 1);
	assert_true(((const int64_t *)array.data)[6] == INT64_MAX);
	test_read_file(dir, "shard-000000.keys.txt", &bytes);
	test_ok(buf_append(&bytes, "", 1, &err), &err);
	test_contains((const char *)bytes.data,
	    "plain\nn01440764/img_1\nv1.0/with.dots.in.it.jpg\na%20b%20%20c\n"
	    "100%25%20of%20%2541%20and%20%25\ntab%09here,%20line%0Aend,");
	buf_release(&bytes);
	test_scratch_remove(dir);
}

static void test_npy_has_no_labels_where_there_are_none(void **state)
{
	const struct store_form form = stored_form("npy", "lz4", STORED_ROWS);
	char *dir = test_scratch();
	char *labels = test_path(dir, "shard-000000.labels.npy");
	struct error err = ERROR_INIT;

	UNUSED(state);
	/* The samples 0, 4, 8 ... have none. */
	stored_write_shard(dir, &form, STORED_ROWS, 0, 0, 2);
	assert_true(path_exists(labels));
	stored_write_shard(dir, &form, STORED_ROWS, 0, 0, 1);
	assert_false(path_exists(labels));
	assert_true(stored_is_complete(dir, &form, 0));
	test_ok(stored_write_manifest(dir, &form, 1,
	            &(struct manifest_note){
	                .strategy = "a/npy/lz4", .fingerprint = "f" },
	            &err),
	    &err);
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	free(labels);
	test_scratch_remove(dir);
}

static void test_npy_refuses_samples_of_another_shape(void **state)
{
	const struct store_form form = stored_form("npy", "none", STORED_ROWS);
	static const struct shape other = { 3, { 3, 127, 129 } };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct shard_writer *writer =
	    shard_writer_new(medium, dir, &form, 0, &err);
	struct stored_sample stored;

	UNUSED(state);
	stored_sample_init(&stored, STORED_ROWS, 1);
	test_ok(shard_writer_add(writer, &stored.sample, &err), &err);
	stored.sample.fields[0].shape = other;
	test_error_is(shard_writer_add(writer, &stored.sample, &err), &err,
	    "sample n01440764/img_1: field image: its shape is 3x127x129, "
	    "that of the shard is 3x128x129: npy needs samples of one shape");
	assert_int_equal(err.code, ERROR_DATA);
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	stored_sample_release(&stored);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_npy_refuses_what_has_no_shape(void **state)
{
	static const struct {
		struct field field;
		const char *message;
	} cases[] = {
		{ { "data",
		      { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } }, "jpg" } },
		    "npy stores arrays, and field data has jpg bytes: use tar, "
		    "tfrecord or files" },
		{ { "data", { DTYPE_U8, LAYOUT_PLAIN,
		                { 8, { 1, 1, 1, 1, 1, 1, 1, 1 } }, "" } },
		    "npy takes 7 dimensions, and field data has 8" },
		{ { "labels", { DTYPE_U8, LAYOUT_PLAIN, { 1, { 4 } }, "" } },
		    "npy cannot keep a field that is called 'labels'" },
	};
	static const struct type fine = { DTYPE_U8, LAYOUT_PLAIN, { 1, { -1 } },
		"" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct schema schema = { .count = 0 };
		struct error err = ERROR_INIT;

		test_ok(schema_add(&schema, "mask", &fine, &err), &err);
		test_ok(store_npy.check(&schema, &err), &err);
		test_ok(schema_add(&schema, cases[i].field.name,
		            &cases[i].field.type, &err),
		    &err);
		test_error_is(
		    store_npy.check(&schema, &err), &err, cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
	}
}

/* ---- damage ---- */

static void check_refused(const char *dir, const char *part)
{
	struct error err = ERROR_INIT;

	if (stored_read(dir, NULL, NULL, &err) == 0)
		fail_msg("damage in %s was not found", part);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, part);
}

/* A bit in each of some bytes, a byte less, a byte more. */
static void check_file(const char *dir, const char *name)
{
	struct buf bytes = BUF_INIT;
	struct error err = ERROR_INIT;

	test_read_file(dir, name, &bytes);
	for (size_t at = 3; at < bytes.len - 8; at += bytes.len / 9 + 1) {
		bytes.data[at] ^= 4;
		test_write_file(dir, name, buf_span(&bytes));
		check_refused(dir, name);
		check_refused(dir, "block at byte ");
		bytes.data[at] ^= 4;
	}
	bytes.len--;
	test_write_file(dir, name, buf_span(&bytes));
	check_refused(dir, name);
	bytes.len++;
	test_ok(buf_append(&bytes, "x", 1, &err), &err);
	test_write_file(dir, name, buf_span(&bytes));
	check_refused(dir, name);
	bytes.len--;
	test_write_file(dir, name, buf_span(&bytes));
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	buf_release(&bytes);
}

static void test_npy_names_the_file_that_is_damaged(void **state)
{
	static const char *const names[] = { "shard-000000.data.npy",
		"shard-000000.count.npy", "shard-000000.a_f16.npy",
		"shard-000000.labels.npy", "shard-000000.keys.txt" };
	const struct store_form form = stored_form("npy", "none", STORED_EVEN);
	char *dir = test_scratch();

	UNUSED(state);
	write_expecting(dir, &form, STORED_EVEN, SAMPLES);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		check_file(dir, names[i]);
	test_scratch_remove(dir);
}

/* Makes the index tell what is in the first part of a file now. */
static void forge(const char *dir, const struct store_form *form,
    struct span bytes, unsigned part)
{
	const struct index_form wanted = store_index_form(form);
	const struct manifest_note note = { .strategy = "a/npy/none",
		.fingerprint = "f1" };
	struct shard_index index = SHARD_INDEX_INIT;
	char *path = test_path(dir, "shard-000000.index");
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	test_ok(path_read(path, LIMIT, &text, &err), &err);
	test_ok(
	    shard_index_parse(&index, buf_span(&text), &wanted, &err), &err);
	index.parts[part].checksum =
	    hash_bytes(bytes.data, index.parts[part].stored, 0);
	index.blocks[0].checksum = shard_index_sum_parts(&index, 0);
	index.checksum = shard_index_sum_blocks(&index);
	text.len = 0;
	test_ok(shard_index_print(&index, &text, &err), &err);
	test_ok(path_write(path, buf_span(&text), &err), &err);
	test_ok(stored_write_manifest(dir, form, 1, &note, &err), &err);
	shard_index_release(&index);
	buf_release(&text);
	free(path);
}

static void test_npy_checks_what_the_header_says(void **state)
{
	static const struct {
		const char *from, *to; /* the same length */
		const char *message;
	} cases[] = {
		{ "(14, ", "(15, ", "is not what the index says" },
		{ "(14, ", "(1, 4", "is not what the index says" },
		{ "128, 129", "129, 128", "is not what the index says" },
		{ "<f4", "<i4", "is not what the index says" },
		{ "<f4", "<q9", "type '<q9', which presto does not take" },
		{ "False", "True ", "is in Fortran order" },
		{ "NUMPY", "NUMPI", "is not a .npy file" },
	};
	const struct store_form form = stored_form("npy", "none", STORED_ROWS);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const size_t len = strlen(cases[i].from);
		char *dir = test_scratch();
		struct buf bytes = BUF_INIT;
		size_t at = 0;

		write_expecting(dir, &form, STORED_ROWS, SAMPLES);
		test_read_file(dir, "shard-000000.npy", &bytes);
		while (memcmp(bytes.data + at, cases[i].from, len) != 0)
			assert_true(at++ < 128);
		memcpy(bytes.data + at, cases[i].to, len);
		test_write_file(dir, "shard-000000.npy", buf_span(&bytes));
		check_refused(dir, "its checksum differs");
		forge(dir, &form, buf_span(&bytes), 0);
		check_refused(dir, cases[i].message);
		check_refused(dir, "shard-000000.npy: block at byte 0");
		buf_release(&bytes);
		test_scratch_remove(dir);
	}
}

static void test_npy_checks_keys(void **state)
{
	const struct store_form form = stored_form("npy", "none", STORED_ROWS);
	char *dir = test_scratch();
	struct buf bytes = BUF_INIT;

	UNUSED(state);
	write_expecting(dir, &form, STORED_ROWS, SAMPLES);
	test_read_file(dir, "shard-000000.keys.txt", &bytes);
	memcpy(bytes.data, "%zz", 3);
	test_write_file(dir, "shard-000000.keys.txt", buf_span(&bytes));
	forge(dir, &form, buf_span(&bytes), 2);
	check_refused(dir, "shard-000000.keys.txt: block at byte 0: a key is "
	                   "damaged");
	memcpy(bytes.data, "plain", 5);
	bytes.data[5] = 'x'; /* was a newline */
	test_write_file(dir, "shard-000000.keys.txt", buf_span(&bytes));
	forge(dir, &form, buf_span(&bytes), 2);
	check_refused(dir, "there are too few keys");
	buf_release(&bytes);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_npy_bytes_do_not_depend_on_what_was_expected),
		cmocka_unit_test(test_npy_files_are_arrays_of_all_samples),
		cmocka_unit_test(test_npy_keeps_many_long_keys),
		cmocka_unit_test(test_npy_has_no_labels_where_there_are_none),
		cmocka_unit_test(test_npy_refuses_samples_of_another_shape),
		cmocka_unit_test(test_npy_refuses_what_has_no_shape),
		cmocka_unit_test(test_npy_names_the_file_that_is_damaged),
		cmocka_unit_test(test_npy_checks_what_the_header_says),
		cmocka_unit_test(test_npy_checks_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
