/*
 * test_far_folders.c - stores, checks and claims below a URL.  A medium in
 * memory stands for the object store: it has files, and no folders either.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "lib/stores/folder_check.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/finished.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

#define FAR "s3://bucket/out"

static struct medium *far_medium(void)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_memory(NULL, &err);

	test_ok(medium ? 0 : -1, &err);
	return medium;
}

static void put(struct medium *medium, const char *path, const char *text)
{
	struct error err = ERROR_INIT;

	test_ok(medium_write_whole(medium, path, span_text(text), &err), &err);
}

static uint64_t bytes_of(struct medium *medium, const char *dir)
{
	struct error err = ERROR_INIT;
	uint64_t bytes = 0;

	test_ok(medium_folder_bytes(medium, dir, &bytes, &err), &err);
	return bytes;
}

/* ---- stores ---- */

static struct shard_writer *begin_shard(
    struct medium *medium, const struct store_form *form, unsigned number)
{
	struct error err = ERROR_INIT;
	struct shard_writer *writer =
	    shard_writer_new(medium, FAR, form, number, &err);

	test_ok(writer ? 0 : -1, &err);
	return writer;
}

static void add(struct shard_writer *writer, enum stored_kind kind,
    unsigned first, unsigned end)
{
	struct error err = ERROR_INIT;

	for (unsigned i = first; i < end; i++) {
		struct stored_sample stored;

		stored_sample_init(&stored, kind, i);
		test_ok(shard_writer_add(writer, &stored.sample, &err), &err);
		stored_sample_release(&stored);
	}
}

/* Writes two shards and their manifest, the second below a URL. */
static void write_both(struct medium *medium, const char *dir,
    const struct store_form *form, enum stored_kind kind)
{
	const struct manifest_note note = { .strategy = "a/b/c",
		.fingerprint = "f" };
	struct sink sink = { .medium = medium };
	struct error err = ERROR_INIT;

	for (unsigned s = 0; s < 2; s++) {
		struct shard_writer *writer = begin_shard(medium, form, s);

		stored_write_shard(dir, form, kind, s, 4 * s, 4 * s + 4);
		add(writer, kind, 4 * s, 4 * s + 4);
		test_ok(shard_writer_commit(writer, &err), &err);
		shard_writer_free(writer);
	}
	test_ok(stored_write_manifest(dir, form, 2, &note, &err), &err);
	test_ok(manifest_write(&sink, FAR, form, 2, &note, &err), &err);
}

struct twins {
	struct medium *medium;
	const char *dir;
	uint64_t files;
};

static int compare_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct twins *twins = arg;
	struct buf near = BUF_INIT, far = BUF_INIT;
	char *path = path_join(twins->dir, name, err);
	char *url = path_join(FAR, name, err);

	UNUSED(bytes);
	test_ok(path_read(path, 1 << 28, &near, err), err);
	test_ok(medium_read_whole(twins->medium, url, 1 << 28, &far, err), err);
	assert_true(span_equal(buf_span(&near), buf_span(&far)));
	twins->files++;
	buf_release(&near);
	buf_release(&far);
	free(path);
	free(url);
	return 0;
}

static void check_twins(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	struct medium *medium = far_medium();
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	struct twins twins = { medium, dir, 0 };
	struct reader *reader;
	uint64_t bytes = 0;

	UNUSED(arg);
	write_both(medium, dir, &form, kind);
	test_ok(path_each(dir, compare_file, &twins, &err), &err);
	assert_true(twins.files > 4);
	test_ok(path_bytes(dir, &bytes, &err), &err);
	assert_int_equal(bytes_of(medium, FAR), bytes);
	reader = store_open(medium, FAR, &err);
	test_ok(reader ? 0 : -1, &err);
	assert_int_equal(reader->samples, 8);
	assert_true(reader->is_far);
	reader_free(reader);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_far_stores_have_the_same_bytes(void **state)
{
	UNUSED(state);
	stored_each(check_twins, NULL);
}

static void check_discarded(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	struct medium *medium = far_medium();
	struct shard_writer *writer = begin_shard(medium, &form, 0);

	UNUSED(arg);
	add(writer, kind, 0, 3);
	shard_writer_free(writer);
	assert_int_equal(bytes_of(medium, FAR), 0);
	medium_free(medium);
}

static void test_far_shards_that_are_discarded_leave_nothing(void **state)
{
	UNUSED(state);
	stored_each(check_discarded, NULL);
}

/* What an earlier run has put there stays when a shard is discarded. */
static void check_kept(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	struct medium *medium = far_medium();
	struct shard_writer *writer = begin_shard(medium, &form, 0);
	struct error err = ERROR_INIT;
	uint64_t bytes;

	UNUSED(arg);
	add(writer, kind, 0, 3);
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	bytes = bytes_of(medium, FAR);
	/* The same samples again, and one more; then the program ends. */
	writer = begin_shard(medium, &form, 0);
	add(writer, kind, 0, 4);
	shard_writer_free(writer);
	assert_int_equal(bytes_of(medium, FAR), bytes);
	medium_free(medium);
}

static void test_far_shards_of_an_earlier_run_stay(void **state)
{
	UNUSED(state);
	stored_each(check_kept, NULL);
}

static void test_far_keys_must_differ(void **state)
{
	const struct store_form form =
	    stored_form("files", "none", STORED_ENCODED);
	struct medium *medium = far_medium();
	struct shard_writer *writer = begin_shard(medium, &form, 0);
	struct error err = ERROR_INIT;
	struct stored_sample stored;

	UNUSED(state);
	add(writer, STORED_ENCODED, 0, 1);
	stored_sample_init(&stored, STORED_ENCODED, 0);
	assert_int_equal(shard_writer_add(writer, &stored.sample, &err), -1);
	test_contains(err.text, "another sample has the same key");
	stored_sample_release(&stored);
	shard_writer_free(writer);
	medium_free(medium);
}

/* ---- checks ---- */

static void test_far_damage_is_found(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	struct medium *medium = far_medium();
	struct manifest manifest = MANIFEST_INIT;
	struct error err = ERROR_INIT;
	struct folder_check check = FOLDER_CHECK_INIT;
	struct folder_check_plan plan = { .medium = medium,
		.dir = FAR,
		.manifest = &manifest,
		.threads = 2,
		.is_whole = true };
	char *dir = test_scratch();

	UNUSED(state);
	write_both(medium, dir, &form, STORED_ENCODED);
	test_ok(manifest_read(&manifest, medium, FAR, &err), &err);
	test_ok(folder_check_run(&check, &plan, &err), &err);
	assert_true(folder_check_is_sound(&check));
	put(medium, FAR "/mine.txt", "mine");
	test_ok(folder_check_foreign(&check, &plan, &err), &err);
	assert_int_equal(check.count, 1);
	test_contains(check.findings[0].text, "mine.txt: is not in the");
	put(medium, FAR "/shard-000001.tar", "cut");
	test_ok(medium_remove(medium, FAR "/shard-000000.idx", &err), &err);
	test_ok(folder_check_run(&check, &plan, &err), &err);
	assert_int_equal(check.damaged, 2);
	assert_int_equal(store_check_shards(medium, FAR, &manifest, &err), -1);
	test_contains(err.text, FAR "/shard-000000.tar");
	folder_check_release(&check);
	manifest_release(&manifest);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_far_folders_have_the_names_of_their_files(void **state)
{
	struct medium *medium = far_medium();
	struct error err = ERROR_INIT;
	char name[MEDIUM_NAME];

	UNUSED(state);
	test_ok(medium_find_any(medium, FAR, NULL, name, &err), &err);
	assert_string_equal(name, "");
	put(medium, FAR "/presto.partial", "x");
	put(medium, "s3://bucket/outer/b", "x");
	test_ok(
	    medium_find_any(medium, FAR, "presto.partial", name, &err), &err);
	assert_string_equal(name, "");
	put(medium, FAR "/a/b", "x");
	test_ok(
	    medium_find_any(medium, FAR, "presto.partial", name, &err), &err);
	assert_string_equal(name, "a/b");
	test_ok(medium_remove_tree(medium, FAR, &err), &err);
	assert_int_equal(bytes_of(medium, FAR), 0);
	assert_int_equal(bytes_of(medium, "s3://bucket/outer"), 1);
	medium_free(medium);
}

/* ---- claims and notes ---- */

static void test_far_claim_is_of_the_work_that_was_first(void **state)
{
	struct medium *medium = far_medium();
	struct claim first = CLAIM_INIT, second = CLAIM_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(claim_is_there(medium, FAR, &err), 0);
	/* Both have seen an empty folder. */
	test_ok(claim_take(&first, medium, FAR, &err), &err);
	test_ok(claim_take(&second, medium, FAR, &err), &err);
	assert_string_equal(second.text, "");
	test_ok(claim_write(&first, "f1", &err), &err);
	assert_int_equal(claim_write(&second, "f2", &err), -1);
	test_contains(err.text, "has just begun here, with other work");
	/* The same work may go on there. */
	test_ok(claim_write(&second, "f1", &err), &err);
	claim_release(&second);
	test_ok(claim_take(&second, medium, FAR, &err), &err);
	assert_string_equal(second.text, "f1");
	assert_int_equal(claim_is_there(medium, FAR, &err), 1);
	test_ok(claim_remove(&first, &err), &err);
	assert_int_equal(claim_is_there(medium, FAR, &err), 0);
	claim_release(&first);
	claim_release(&second);
	medium_free(medium);
}

static void test_far_notes_are_names(void **state)
{
	const struct file_sum sum = { .bytes = 12, .checksum = 345 };
	struct medium *medium = far_medium();
	const struct finished_place notes = { medium, FAR, FINISHED_NAME };
	struct finished finished = FINISHED_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(finished_open(&finished, &notes, "f", 4, &err), &err);
	test_ok(finished_add(&finished, 2, &sum, &err), &err);
	finished_close(&finished);
	put(medium, FAR "/presto.finished/f/what-is-this", "");
	put(medium, FAR "/presto.finished/f/000099-1-0000000000000001", "");
	test_ok(finished_open(&finished, &notes, "f", 4, &err), &err);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(finished.indexes[i].bytes, i == 2 ? 12 : 0);
	assert_int_equal(finished.indexes[2].checksum, 345);
	finished_close(&finished);
	test_ok(finished_open(&finished, &notes, "other", 4, &err), &err);
	assert_int_equal(finished.indexes[2].bytes, 0);
	finished_close(&finished);
	test_ok(finished_remove(&notes, &err), &err);
	test_ok(finished_remove(&notes, &err), &err);
	medium_free(medium);
}

static int count_note(void *arg, const char *fingerprint, unsigned shard,
    const struct file_sum *index, struct error *err)
{
	UNUSED(err);
	assert_string_equal(fingerprint, "f");
	assert_int_equal(shard, 999999);
	assert_int_equal(index->bytes, 7);
	++*(unsigned *)arg;
	return 0;
}

/* Anybody may have put a name there: only what presto writes counts. */
static void test_far_notes_are_as_presto_writes_them(void **state)
{
	static const char *const bad[] = { "000003-5-1",
		"+00003-5-0000000000000001", " 00003-5-0000000000000001",
		"000003-+5-0000000000000001", "000003- 5-0000000000000001",
		"000003-5-0x00000000000001", "000003-5-+000000000000001",
		"000003-5-00000000000000001", "-00001-5-0000000000000001",
		"000003-5-0000000000000001-",
		"000003-18446744073709551616-0000000000000001",
		"1000000-5-0000000000000001", "4294967299-5-0000000000000001" };
	struct medium *medium = far_medium();
	const struct finished_place notes = { medium, FAR, FINISHED_NAME };
	struct finished finished = FINISHED_INIT;
	struct error err = ERROR_INIT;
	unsigned count = 0;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char path[128];

		snprintf(
		    path, sizeof(path), FAR "/" FINISHED_NAME "/f/%s", bad[i]);
		put(medium, path, "");
	}
	put(medium, FAR "/" FINISHED_NAME "/f/999999-7-0000000000000001", "");
	test_ok(finished_open(&finished, &notes, "f", 4, &err), &err);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(finished.indexes[i].bytes, 0);
	finished_close(&finished);
	test_ok(finished_each(&notes, count_note, &count, &err), &err);
	assert_int_equal(count, 1);
	medium_free(medium);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far_stores_have_the_same_bytes),
		cmocka_unit_test(
		    test_far_shards_that_are_discarded_leave_nothing),
		cmocka_unit_test(test_far_shards_of_an_earlier_run_stay),
		cmocka_unit_test(test_far_keys_must_differ),
		cmocka_unit_test(test_far_damage_is_found),
		cmocka_unit_test(
		    test_far_folders_have_the_names_of_their_files),
		cmocka_unit_test(test_far_claim_is_of_the_work_that_was_first),
		cmocka_unit_test(test_far_notes_are_names),
		cmocka_unit_test(test_far_notes_are_as_presto_writes_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
