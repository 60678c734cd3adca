/* test_stores.c - rules for every store with every codec. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

struct comparison {
	enum stored_kind kind;
	const char *store, *codec;
	struct schema schema;
};

/* Suffixes that no file name can have come back as unknown. */
static void check_suffix(
    const struct comparison *comparison, const char *is, const char *wanted)
{
	const bool is_raw = store_find(comparison->store)->append &&
	                    strcmp(comparison->store, "tar") != 0;

	if (!is_raw && strchr(wanted, ' '))
		wanted = "";
	assert_string_equal(is, wanted);
}

static void check_sample(void *arg, unsigned i, const struct sample *sample)
{
	const struct comparison *comparison = arg;
	struct stored_sample wanted;

	stored_sample_init(&wanted, comparison->kind, i);
	if (!span_equal(sample->key, wanted.sample.key))
		fail_msg("%s/%s: key '%.*s' came back as '%.*s'",
		    comparison->store, comparison->codec,
		    (int)wanted.sample.key.len, wanted.sample.key.data,
		    (int)sample->key.len, sample->key.data);
	assert_true(sample->label == wanted.sample.label);
	assert_int_equal(sample->count, wanted.sample.count);
	for (unsigned f = 0; f < sample->count; f++)
		check_suffix(comparison, sample->fields[f].suffix,
		    wanted.sample.fields[f].suffix);
	if (sample_hash(sample, &comparison->schema) !=
	    sample_hash(&wanted.sample, &comparison->schema))
		fail_msg("%s/%s: sample %u came back different",
		    comparison->store, comparison->codec, i);
	stored_sample_release(&wanted);
}

static void check_kind(
    const char *store, const char *codec, enum stored_kind kind)
{
	const struct store_form form = stored_form(store, codec, kind);
	struct comparison comparison = { kind, store, codec, form.schema };
	struct error err = ERROR_INIT;
	char *dir = test_scratch();

	stored_write(dir, &form, kind);
	test_ok(stored_read(dir, check_sample, &comparison, &err), &err);
	test_scratch_remove(dir);
}

static void check_round_trip(const char *store, const char *codec, void *arg)
{
	UNUSED(arg);
	for (enum stored_kind kind = 0; kind < STORED_KINDS; kind++)
		if (stored_takes(store, kind))
			check_kind(store, codec, kind);
}

static void test_store_gives_back_what_it_took(void **state)
{
	UNUSED(state);
	stored_each(check_round_trip, NULL);
}

struct visited {
	uint64_t bytes;
	char last[16]; /* the end of the last one's name */
};

static int count_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct visited *visited = arg;
	struct buf text = BUF_INIT;

	test_ok(path_read(path, 16 << 20, &text, err), err);
	assert_int_equal(text.len, bytes);
	visited->bytes += bytes;
	snprintf(visited->last, sizeof(visited->last), "%s",
	    path + strlen(path) - strlen(".index"));
	buf_release(&text);
	return 0;
}

static void check_description(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct visited visited = { .bytes = 0 };
	uint64_t there = 0;
	struct reader *reader;

	UNUSED(arg);
	stored_write(dir, &form, kind);
	reader = store_open(medium, dir, &err);
	test_ok(reader ? 0 : -1, &err);
	assert_int_equal(reader->streams, STORED_SHARDS);
	assert_int_equal(reader->samples, STORED_SAMPLES);
	assert_int_equal(reader->total_samples, STORED_SAMPLES);
	assert_string_equal(reader->codec, form.codec.ops->encode ? codec : "");
	assert_ptr_equal(store_form(reader)->ops, form.ops);
	assert_int_equal(store_form(reader)->codec.level, form.codec.level);
	assert_int_equal(reader->schema.count, form.schema.count);
	for (unsigned i = 0; i < form.schema.count; i++) {
		assert_string_equal(
		    reader->schema.fields[i].name, form.schema.fields[i].name);
		assert_true(type_equal(&reader->schema.fields[i].type,
		    &form.schema.fields[i].type));
	}
	test_ok(
	    reader->ops->each_file(reader, count_file, &visited, &err), &err);
	test_ok(path_bytes(dir, &there, &err), &err);
	assert_int_equal(visited.bytes, there);
	assert_int_equal(reader->bytes, there);
	/* It may be read on the way, and is to be out of the page cache. */
	assert_string_equal(visited.last, ".index");
	reader_free(reader);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_store_describes_all_of_its_files(void **state)
{
	UNUSED(state);
	stored_each(check_description, NULL);
}

/* Adds the name and the bytes of a file to a buffer. */
struct listing {
	const char *dir;
	struct buf bytes;
};

static int list_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct listing *listing = arg;
	char *path = test_path(listing->dir, name);

	UNUSED(bytes);
	test_ok(buf_printf(&listing->bytes, err, "[%s]", name), err);
	test_ok(path_read(path, 16 << 20, &listing->bytes, err), err);
	free(path);
	return 0;
}

static void check_repeats(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_TENSOR);
	const struct store_form form = stored_form(store, codec, kind);
	struct listing listings[2] = { { .dir = NULL } };
	struct error err = ERROR_INIT;

	UNUSED(arg);
	for (size_t i = 0; i < 2; i++) {
		char *dir = test_scratch();

		listings[i].dir = dir;
		stored_write(dir, &form, kind);
		test_ok(path_each(dir, list_file, &listings[i], &err), &err);
		test_scratch_remove(dir);
	}
	assert_true(span_equal(
	    buf_span(&listings[0].bytes), buf_span(&listings[1].bytes)));
	buf_release(&listings[0].bytes);
	buf_release(&listings[1].bytes);
}

static void test_store_writes_the_same_bytes_twice(void **state)
{
	UNUSED(state);
	stored_each(check_repeats, NULL);
}

/* Of a name in the folder: what a program might be tempted to write to. */
static int lay_trap(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	static const char *const ends[] = { ".tmp", ".new.tmp", "~", ".part" };
	char *dir = arg, trap[512];

	UNUSED(bytes);
	if (strstr(name, ".tmp") || strstr(name, "~"))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		char *path;

		snprintf(trap, sizeof(trap), "%.*s%s", (int)strcspn(name, "/"),
		    name, ends[i]);
		path = test_path(dir, trap);
		if (i % 2 == 0 && symlink("theirs", path) && errno != EEXIST)
			return error_errno(err, "link", path);
		if (i % 2)
			test_write_file(dir, trap, span_text("theirs"));
		free(path);
	}
	return 0;
}

static int check_trap(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	char *path = test_path(arg, name);
	const size_t len = strlen(name);
	struct stat status;

	UNUSED(bytes);
	UNUSED(err);
	assert_int_equal(lstat(path, &status), 0);
	if (name[len - 1] == '~' ||
	    (len > 4 && !strcmp(name + len - 4, ".tmp")))
		assert_int_equal(
		    S_ISLNK(status.st_mode), !strstr(name, ".new.tmp"));
	if (name[len - 1] == '~' || strstr(name, ".tmp") ||
	    strstr(name, ".part") || strcmp(name, "theirs") == 0)
		test_reads(path, "theirs");
	free(path);
	return 0;
}

/* Links and files of the user that are called as if they were temporary. */
static void check_names_of_others(
    const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_ENCODED);
	const struct store_form form = stored_form(store, codec, kind);
	struct comparison comparison = { kind, store, codec, form.schema };
	struct error err = ERROR_INIT;
	char *dir = test_scratch();

	UNUSED(arg);
	test_write(dir, "theirs", "theirs");
	stored_write(dir, &form, kind);
	test_ok(path_each(dir, lay_trap, dir, &err), &err);
	stored_write(dir, &form, kind);
	test_ok(path_each(dir, check_trap, dir, &err), &err);
	test_ok(stored_read(dir, check_sample, &comparison, &err), &err);
	test_scratch_remove(dir);
}

static void test_store_leaves_files_and_links_of_temporary_names(void **state)
{
	UNUSED(state);
	stored_each(check_names_of_others, NULL);
}

/* What a broken run leaves behind: a shard that has not its name yet. */
static void check_leftovers(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_ENCODED);
	const struct store_form form = stored_form(store, codec, kind);
	struct comparison comparison = { kind, store, codec, form.schema };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct shard_writer *writer;
	struct stored_sample stored;
	uint64_t bytes = 0;

	UNUSED(arg);
	assert_false(stored_is_complete(dir, &form, 0));
	/* One that was interrupted, and one that was killed. */
	writer = shard_writer_new(medium, dir, &form, 0, &err);
	test_ok(writer ? 0 : -1, &err);
	stored_sample_init(&stored, kind, 0);
	test_ok(shard_writer_add(writer, &stored.sample, &err), &err);
	stored_sample_release(&stored);
	shard_writer_free(writer);
	test_ok(path_bytes(dir, &bytes, &err), &err);
	assert_int_equal(bytes, 0);
	stored_write(dir, &form, kind);
	assert_true(stored_is_complete(dir, &form, 0));
	assert_true(stored_is_complete(dir, &form, 2));
	assert_false(stored_is_complete(dir, &form, 3));
	/* A shard that is there already is replaced. */
	stored_write(dir, &form, kind);
	test_ok(stored_read(dir, check_sample, &comparison, &err), &err);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_store_writes_over_what_was_left(void **state)
{
	UNUSED(state);
	stored_each(check_leftovers, NULL);
}

static void check_empty(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	const struct manifest_note note = { .strategy = "a/b/c",
		.fingerprint = "0" };
	struct error err = ERROR_INIT;
	char *dir = test_scratch();

	UNUSED(arg);
	stored_write_shard(dir, &form, kind, 0, 0, 0);
	stored_write_shard(dir, &form, kind, 1, 3, 4);
	assert_true(stored_is_complete(dir, &form, 0));
	test_ok(stored_write_manifest(dir, &form, 2, &note, &err), &err);
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	test_scratch_remove(dir);
}

static void test_store_may_have_shards_without_samples(void **state)
{
	UNUSED(state);
	stored_each(check_empty, NULL);
}

static void test_manifest_matches_by_its_fingerprint(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	struct manifest_note note = { .strategy = "resized/tar/none",
		.fingerprint = "f1n9e2" };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();

	UNUSED(state);
	assert_int_equal(
	    manifest_matches(medium, dir, &note, STORED_SHARDS, &err), 0);
	stored_write(dir, &form, STORED_ENCODED);
	assert_int_equal(
	    manifest_matches(medium, dir, &note, STORED_SHARDS, &err), 1);
	note.fingerprint = "another";
	assert_int_equal(
	    manifest_matches(medium, dir, &note, STORED_SHARDS, &err), -1);
	test_contains(err.text, "presto.manifest: holds resized/tar/none of "
	                        "another pipeline");
	assert_int_equal(manifest_matches(medium, dir, &note, 8, &err), -1);
	test_contains(err.text, "holds resized/tar/none in 3 shards, and not "
	                        "in 8");
	note.strategy = "resized/tar/lz4";
	assert_int_equal(manifest_matches(medium, dir, &note, 8, &err), -1);
	test_contains(err.text, "holds the strategy resized/tar/none, and not "
	                        "resized/tar/lz4");
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_manifest_refuses_what_it_cannot_keep(void **state)
{
	static const char *const bad[] = { "", "a;b", "a#b", " a", "a ",
		"a\nb" };
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	char *dir = test_scratch();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const struct manifest_note note = { .strategy = bad[i],
			.fingerprint = "0" };
		struct error err = ERROR_INIT;

		assert_int_equal(
		    stored_write_manifest(dir, &form, 0, &note, &err), -1);
		test_contains(err.text, "the manifest cannot keep the");
	}
	test_scratch_remove(dir);
}

static void test_store_table_is_sorted_and_well_named(void **state)
{
	UNUSED(state);
	for (size_t i = 0; store_at(i); i++) {
		const struct store_ops *ops = store_at(i);
		const size_t len = strlen(ops->summary);

		assert_true(
		    strspn(ops->name, "abcdefghijklmnopqrstuvwxyz"
		                      "0123456789_") == strlen(ops->name));
		assert_true(len > 0 && ops->summary[len - 1] != '.');
		assert_true(*ops->suffix == '.' || *ops->suffix == '\0');
		assert_ptr_equal(store_find(ops->name), ops);
		if (i > 0)
			assert_true(
			    strcmp(store_at(i - 1)->name, ops->name) < 0);
	}
	assert_null(store_find("zip"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_store_gives_back_what_it_took),
		cmocka_unit_test(test_store_describes_all_of_its_files),
		cmocka_unit_test(test_store_writes_the_same_bytes_twice),
		cmocka_unit_test(
		    test_store_leaves_files_and_links_of_temporary_names),
		cmocka_unit_test(test_store_writes_over_what_was_left),
		cmocka_unit_test(test_store_may_have_shards_without_samples),
		cmocka_unit_test(test_manifest_matches_by_its_fingerprint),
		cmocka_unit_test(test_manifest_refuses_what_it_cannot_keep),
		cmocka_unit_test(test_store_table_is_sorted_and_well_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
