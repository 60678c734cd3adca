/*
 * test_stores_damage.c - damaged stored data, and data that cannot be stored:
 * errors that say where, never a crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { FLIPS = 12 };

/* ---- files that are changed ---- */

struct search {
	const char *part;
	char *found;
};

static int look_at(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct search *search = arg;

	UNUSED(err);
	if (!search->found && bytes > 0 && strstr(name, search->part))
		search->found = strdup(name);
	return 0;
}

/* The first file of some bytes whose name has this in it; owned. */
static char *find_file(const char *dir, const char *part)
{
	struct search search = { .part = part };
	struct error err = ERROR_INIT;

	test_ok(path_each(dir, look_at, &search, &err), &err);
	assert_non_null(search.found);
	return search.found;
}

/* A file of a shard that has samples in it. */
static char *find_data(
    const char *dir, const struct store_form *form, unsigned number)
{
	const char *field =
	    form->ops->one_shape && form->schema.count > 1 ? ".data" : "";
	char name[64];

	snprintf(name, sizeof(name), "shard-%06u%s%s", number, field,
	    *form->ops->suffix ? form->ops->suffix : "/");
	return find_file(dir, name);
}

/* Reading fails with ERROR_DATA, and the message has `part` in it. */
static void check_refused(const char *dir, const char *part)
{
	struct error err = ERROR_INIT;

	if (stored_read(dir, NULL, NULL, &err) == 0)
		fail_msg("damage in %s was not found", part);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, part);
}

static void check_flips(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	struct random random = random_stream(3, 1, 4, 1);
	char *dir = test_scratch(), *name;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	UNUSED(arg);
	stored_write(dir, &form, kind);
	name = find_data(dir, &form, 1);
	test_read_file(dir, name, &bytes);
	for (unsigned i = 0; i < FLIPS; i++) {
		/* Head and tail of zlib are no block; not at the ends. */
		const size_t at =
		    8 + random_below(&random, (uint32_t)bytes.len - 16);

		bytes.data[at] ^= (unsigned char)(1 << i % 8);
		test_write_file(dir, name, buf_span(&bytes));
		check_refused(dir, "shard-000001");
		bytes.data[at] ^= (unsigned char)(1 << i % 8);
	}
	test_write_file(dir, name, buf_span(&bytes));
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	buf_release(&bytes);
	free(name);
	test_scratch_remove(dir);
}

static void test_store_finds_a_flipped_bit_and_names_the_shard(void **state)
{
	UNUSED(state);
	stored_each(check_flips, NULL);
}

static void check_cut(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_ENCODED);
	const struct store_form form = stored_form(store, codec, kind);
	char *dir = test_scratch(), *name, *path;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	UNUSED(arg);
	stored_write(dir, &form, kind);
	name = find_data(dir, &form, 2);
	test_read_file(dir, name, &bytes);
	bytes.len--;
	test_write_file(dir, name, buf_span(&bytes));
	check_refused(dir, "shard-000002");
	assert_false(stored_is_complete(dir, &form, 2));
	path = test_path(dir, name);
	remove(path);
	assert_int_equal(stored_read(dir, NULL, NULL, &err), -1);
	test_contains(err.text, "shard-000002");
	free(path);
	free(name);
	buf_release(&bytes);
	test_scratch_remove(dir);
}

static void test_store_check_names_the_first_damaged_shard(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	struct manifest manifest = MANIFEST_INIT;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *name;

	UNUSED(state);
	stored_write(dir, &form, STORED_ENCODED);
	test_ok(manifest_read(&manifest, medium, dir, &err), &err);
	test_ok(store_check_shards(medium, dir, &manifest, &err), &err);
	name = find_data(dir, &form, 2);
	test_write(dir, name, "cut");
	assert_int_equal(store_check_shards(medium, dir, &manifest, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "1 of 3 shards is missing or damaged");
	test_contains(err.text, ", the first is ");
	test_contains(err.text, "/shard-000002.tar");
	free(name);
	name = find_data(dir, &form, 1);
	test_write(dir, name, "cut");
	assert_int_equal(store_check_shards(medium, dir, &manifest, &err), -1);
	test_contains(err.text, "2 of 3 shards are missing or damaged");
	test_contains(err.text, "/shard-000001.tar");
	free(name);
	manifest_release(&manifest);
	medium_free(medium);
	test_scratch_remove(dir);
}

/* Each figure alone tells another shard. */
static void test_manifest_knows_its_shards(void **state)
{
	struct manifest_shard known = { 7, 700, 0x77, { 70, 0x70 } };
	struct manifest_shard others[] = { known, known, known, known, known };
	struct manifest manifest = { .shards = &known, .count = 1 };

	UNUSED(state);
	others[0].samples++;
	others[1].stored++;
	others[2].checksum++;
	others[3].index.bytes++;
	others[4].index.checksum++;
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		manifest.version = MANIFEST_FILES;
		assert_true(manifest_has_shard(&manifest, 0, &known));
		assert_false(manifest_has_shard(&manifest, 0, &others[i]));
		/* Earlier ones know no checksum of an index. */
		manifest.version = MANIFEST_FILES - 1;
		assert_true(manifest_has_shard(&manifest, 0, &known));
		assert_int_equal(
		    manifest_has_shard(&manifest, 0, &others[i]), i >= 3);
	}
}

static void test_store_finds_a_shard_that_is_cut_or_missing(void **state)
{
	UNUSED(state);
	stored_each(check_cut, NULL);
}

/* Every line changed, cut and doubled: an error each time. */
static void check_text_damage(const char *dir, const char *name)
{
	struct buf whole = BUF_INIT, changed = BUF_INIT;
	struct error err = ERROR_INIT;

	test_read_file(dir, name, &whole);
	for (size_t at = 0; at < whole.len; at += whole.len / 200 + 1) {
		changed.len = 0;
		test_ok(buf_append(&changed, whole.data, at, &err), &err);
		test_write_file(dir, name, buf_span(&changed));
		check_refused(dir, name);
	}
	test_write_file(dir, name, span_text("\x01\xff garbage\n\n[x]\n"));
	check_refused(dir, name);
	test_write_file(dir, name, buf_span(&whole));
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	buf_release(&whole);
	buf_release(&changed);
}

static void test_store_refuses_a_damaged_index(void **state)
{
	static const char *const stores[] = { "tar", "files" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		const struct store_form form =
		    stored_form(stores[i], "zstd", STORED_ENCODED);
		struct buf bytes = BUF_INIT;
		char *dir = test_scratch();

		stored_write(dir, &form, STORED_ENCODED);
		check_text_damage(dir, "shard-000001.index");
		test_read_file(dir, "shard-000001.index", &bytes);
		for (size_t at = 0; at < bytes.len; at += bytes.len / 300 + 1) {
			bytes.data[at] ^= 1;
			test_write_file(
			    dir, "shard-000001.index", buf_span(&bytes));
			check_refused(dir, "shard-000001.index");
			bytes.data[at] ^= 1;
		}
		buf_release(&bytes);
		test_scratch_remove(dir);
	}
}

static void test_store_refuses_a_damaged_manifest(void **state)
{
	const struct store_form form =
	    stored_form("tfrecord", "zlib:1", STORED_FIELDS);
	char *dir = test_scratch();

	UNUSED(state);
	stored_write(dir, &form, STORED_FIELDS);
	check_text_damage(dir, "presto.manifest");
	test_scratch_remove(dir);
}

static void test_store_says_that_there_is_no_manifest(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();

	UNUSED(state);
	assert_int_equal(stored_read(dir, NULL, NULL, &err), -1);
	test_contains(err.text, "presto.manifest is not there: the folder "
	                        "holds no complete dataset");
	test_scratch_remove(dir);
}

static void test_store_refuses_the_index_of_another_run(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	char *dir = test_scratch();

	UNUSED(state);
	stored_write(dir, &form, STORED_ENCODED);
	stored_write_shard(dir, &form, STORED_ENCODED, 1, 0, 5);
	check_refused(dir, "shard-000001.index: is not the index that the "
	                   "manifest was written from");
	test_scratch_remove(dir);
}

/* An index that agrees with itself and with its shard, and is none of ours. */
static void test_store_refuses_a_forged_index(void **state)
{
	static const struct {
		const char *store, *from, *to;
	} cases[] = {
		{ "files", "\nsample 2 ", "\nsample 3 " }, /* a label */
		{ "mds", "\nfile ", "\nfile 1" },
		{ "npy", "\nfile ", "\nfile 1" },
		{ "parquet", "\nfile ", "\nfile 1" },
		{ "tar", "\nfile ", "\nfile 1" },
		{ "tfrecord", "\nfile ", "\nfile 1" },
	};

	UNUSED(state);
	assert_null(store_at(ARRAY_LEN(cases)));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct store_form form =
		    stored_form(cases[i].store, "none", STORED_ROWS);
		char *dir = test_scratch();

		stored_write(dir, &form, STORED_ROWS);
		stored_forge(
		    dir, "shard-000001.index", cases[i].from, cases[i].to);
		check_refused(dir, "shard-000001.index: is not the index that "
		                   "the manifest was written from");
		test_scratch_remove(dir);
	}
}

static void test_store_refuses_a_manifest_that_was_edited(void **state)
{
	static const struct {
		const char *from, *to, *message;
	} cases[] = {
		{ "strategy = resized", "strategy = cropped",
		    "its own checksum differs: it was edited or damaged" },
		{ "[end]", "[the]", "its end is missing" },
		{ "[end]", "; [end]", "is not bytes and checksum" },
		{ "shard-000001.index = ", "shard-000009.index = ",
		    "the index of shard 000001 is not in [files]" },
		{ "shard-000001.index = ", "../shard-000001.index = ",
		    "a file's name is not one that presto gives" },
		{ "shard-000001.index = ", "shard-000001.index = x",
		    "is not bytes and checksum" },
		{ "[files]", "[flies]", "section [files] is missing" },
		{ "version = 3", "version = 5",
		    "has version 5, this reads 1 to 4" },
		{ "version = 3", "version = 2",
		    "its own checksum differs: it was edited or damaged" },
	};
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	char *dir = test_scratch();
	struct buf whole = BUF_INIT, text = BUF_INIT;

	UNUSED(state);
	stored_write(dir, &form, STORED_ENCODED);
	test_read_file(dir, MANIFEST_NAME, &whole);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const bool is_sealed = strstr(cases[i].message, "own") == NULL;

		stored_forge(dir, MANIFEST_NAME, cases[i].from, cases[i].to);
		if (!is_sealed) { /* the checksum as it was */
			text.len = 0;
			test_read_file(dir, MANIFEST_NAME, &text);
			memcpy(text.data + text.len - 17,
			    whole.data + whole.len - 17, 17);
			test_write_file(dir, MANIFEST_NAME, buf_span(&text));
		}
		check_refused(dir, cases[i].message);
		test_write_file(dir, MANIFEST_NAME, buf_span(&whole));
	}
	buf_release(&whole);
	buf_release(&text);
	test_scratch_remove(dir);
}

/* ---- samples that are refused ---- */

struct refusal {
	const char *store, *key, *message;
	size_t len; /* of the key, unless it is a text */
};

/* Adds a sample of this key; it fails, and the writer is as good as before. */
static void check_key(const struct refusal *refusal)
{
	const struct store_form form =
	    stored_form(refusal->store, "none", STORED_ENCODED);
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct shard_writer *writer =
	    shard_writer_new(medium, dir, &form, 0, &err);
	struct stored_sample good, bad;

	test_ok(writer ? 0 : -1, &err);
	stored_sample_init(&good, STORED_ENCODED, 1);
	stored_sample_init(&bad, STORED_ENCODED, 1);
	bad.sample.key = span_text(refusal->key);
	if (refusal->len)
		bad.sample.key.len = refusal->len;
	test_ok(shard_writer_add(writer, &good.sample, &err), &err);
	assert_int_equal(shard_writer_add(writer, &bad.sample, &err), -1);
	test_contains(err.text, refusal->message);
	assert_int_equal(err.code, ERROR_DATA);
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	stored_sample_release(&good);
	stored_sample_release(&bad);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_store_refuses_keys_that_lead_elsewhere(void **state)
{
	static const struct refusal refusals[] = {
		{ "files", "/etc/passwd",
		    "sample /etc/passwd: the key is absolute", 0 },
		{ "files", "../x", "sample ../x: the key has '..' in it", 0 },
		{ "files", "a/../x", "sample a/../x: the key has '..' in it",
		    0 },
		{ "files", "a//x", "sample a//x: a part of the key is empty",
		    0 },
		{ "files", "a/..", "sample a/..: the key has '..' in it", 0 },
		{ "files", "a\0b", "sample a\\x00b: the key has a zero byte",
		    3 },
		{ "files", "n01440764/img_1",
		    "sample n01440764/img_1: another sample has the same key",
		    0 },
		{ "files", "", "sample : the key is empty", 0 },
		{ "tar", "", "sample : the key is empty", 0 },
		{ "tar", "a/", "sample a/: the key ends in '/'", 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(refusals); i++)
		check_key(&refusals[i]);
}

static void test_store_refuses_names_that_are_too_long(void **state)
{
	struct refusal refusal = { .store = "files" };
	char key[5000], message[6000];

	UNUSED(state);
	memset(key, 'k', sizeof(key));
	key[300] = '\0';
	refusal.key = key;
	refusal.message = message;
	snprintf(message, sizeof(message),
	    "sample %s: a part of the key has 300 bytes, more than the 255 of "
	    "a file name; tar and tfrecord take it",
	    key);
	check_key(&refusal);
	/* Each part is short, and the path with the folder's is not. */
	for (size_t i = 0; i < 4090; i++)
		key[i] = i % 100 == 99 ? '/' : 'k';
	key[4090] = '\0';
	check_key(&(struct refusal){
	    .store = "files", .key = key, .message = "its path would have " });
	memset(key, 'k', sizeof(key));
	key[4500] = '\0';
	refusal.store = "tar";
	snprintf(message, sizeof(message),
	    "sample %.511s: the key has 4500 bytes, more than 4096", key);
	check_key(&refusal);
}

static void test_store_refuses_a_sample_of_another_type(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_TENSOR);
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct shard_writer *writer =
	    shard_writer_new(medium, dir, &form, 0, &err);
	struct stored_sample other;

	UNUSED(state);
	stored_sample_init(&other, STORED_ENCODED, 1);
	test_error_is(shard_writer_add(writer, &other.sample, &err), &err,
	    "sample n01440764/img_1: field image: is uint8, expected float32 "
	    "3x?x?");
	other.sample.count = 0;
	test_error_is(shard_writer_add(writer, &other.sample, &err), &err,
	    "sample n01440764/img_1: has 0 fields, expected 1");
	shard_writer_free(writer);
	stored_sample_release(&other);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_store_tfrecord_refuses_fields_called_as_its_own(void **state)
{
	struct store_form form =
	    stored_form("tfrecord", "none", STORED_ENCODED);
	const struct type type = { .dtype = DTYPE_F32 };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();

	UNUSED(state);
	test_ok(schema_add(&form.schema, "label", &type, &err), &err);
	assert_null(shard_writer_new(medium, dir, &form, 0, &err));
	assert_string_equal(err.text, "tfrecord cannot keep a field that is "
	                              "called 'key' or 'label'");
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_store_says_where_it_cannot_write(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	char *missing = test_path(dir, "not/there");

	UNUSED(state);
	for (size_t i = 0; store_at(i); i++) {
		const enum stored_kind kind =
		    stored_nearest(store_at(i)->name, STORED_ENCODED);
		const struct store_form form =
		    stored_form(store_at(i)->name, "none", kind);

		if (*form.ops->suffix == '\0')
			continue; /* makes the folder */
		assert_null(shard_writer_new(medium, missing, &form, 0, &err));
		test_contains(err.text, "not/there/shard-000000.");
	}
	free(missing);
	medium_free(medium);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_store_finds_a_flipped_bit_and_names_the_shard),
		cmocka_unit_test(
		    test_store_check_names_the_first_damaged_shard),
		cmocka_unit_test(test_manifest_knows_its_shards),
		cmocka_unit_test(
		    test_store_finds_a_shard_that_is_cut_or_missing),
		cmocka_unit_test(test_store_refuses_a_damaged_index),
		cmocka_unit_test(test_store_refuses_a_damaged_manifest),
		cmocka_unit_test(test_store_says_that_there_is_no_manifest),
		cmocka_unit_test(test_store_refuses_the_index_of_another_run),
		cmocka_unit_test(test_store_refuses_a_forged_index),
		cmocka_unit_test(test_store_refuses_a_manifest_that_was_edited),
		cmocka_unit_test(test_store_refuses_keys_that_lead_elsewhere),
		cmocka_unit_test(test_store_refuses_names_that_are_too_long),
		cmocka_unit_test(test_store_refuses_a_sample_of_another_type),
		cmocka_unit_test(
		    test_store_tfrecord_refuses_fields_called_as_its_own),
		cmocka_unit_test(test_store_says_where_it_cannot_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
