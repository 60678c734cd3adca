/*
 * test_presto_source.c - a written folder is a dataset again, in every store
 * and with every codec.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/medium.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/reader.h"
#include "lib/stores/manifest.h"
#include "test/unit/dataset.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

static const char section[] = "source = presto\npath = .";

/* What was written, by the hash of what it was before the codec. */
static void check_sample(
    const struct opened *opened, enum stored_kind kind, unsigned i)
{
	struct stored_sample stored;
	struct schema schema;
	char key[sizeof(opened->seen->key)];
	uint64_t hash;

	stored_sample_init(&stored, kind, i);
	stored_schema(kind, &schema);
	hash = sample_hash(&stored.sample, &schema);
	assert_true(stored.key.len < sizeof(key));
	memcpy(key, stored.key.data, stored.key.len);
	key[stored.key.len] = '\0';
	for (size_t s = 0; s < opened->count; s++)
		if (strcmp(opened->seen[s].key, key) == 0) {
			assert_int_equal(
			    opened->seen[s].label, stored.sample.label);
			assert_true(opened->seen[s].hash == hash);
			stored_sample_release(&stored);
			return;
		}
	fail_msg("sample %s is lost", key);
}

static void check_form(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	const struct store_form form = stored_form(store, codec, kind);
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(arg);
	stored_write(dir, &form, kind);
	opened_all(&opened, dir, section, 0);
	assert_int_equal(opened.count, STORED_SAMPLES);
	for (unsigned i = 0; i < STORED_SAMPLES; i++)
		check_sample(&opened, kind, i);
	opened_close(&opened);
	for (uint64_t limit = 1; limit < STORED_SAMPLES; limit += 12) {
		opened_all(&opened, dir, section, limit);
		assert_int_equal(opened.count, limit);
		opened_close(&opened);
	}
	test_scratch_remove(dir);
}

static void test_presto_source_gives_back_what_was_stored(void **state)
{
	UNUSED(state);
	stored_each(check_form, NULL);
}

/* As prepare does: through the codec's transform, into two shards. */
static void write_transformed(
    const char *dir, const struct store_form *form, enum stored_kind kind)
{
	const struct manifest_note note = { .strategy = "raw/tar/none",
		.fingerprint = "f1" };
	struct pipeline pipeline = PIPELINE_INIT;
	const struct chain_plan plan = {
		.pipeline = &pipeline,
		.encode = &form->codec,
	};
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct sample out = SAMPLE_INIT;
	struct chain *chain;

	pipeline.schemas[0] = form->decoded;
	chain = chain_new(&plan, &err);
	test_ok(chain ? 0 : -1, &err);
	for (unsigned s = 0; s < 2; s++) {
		struct shard_writer *writer =
		    shard_writer_new(medium, dir, form, s, &err);

		test_ok(writer ? 0 : -1, &err);
		for (unsigned i = s; i < STORED_SAMPLES; i += 2) {
			struct stored_sample stored;

			stored_sample_init(&stored, kind, i);
			test_ok(
			    chain_run(chain, &stored.sample, &out, &err), &err);
			test_ok(shard_writer_add(writer, &out, &err), &err);
			stored_sample_release(&stored);
		}
		test_ok(shard_writer_commit(writer, &err), &err);
		shard_writer_free(writer);
	}
	test_ok(stored_write_manifest(dir, form, 2, &note, &err), &err);
	sample_release(&out);
	chain_free(chain);
	medium_free(medium);
}

/* What a filter made of tensors is undone. */
static void test_presto_source_undoes_filters(void **state)
{
	static const char *const stores[] = { "files", "npy", "tar",
		"tfrecord" };
	static const struct {
		const char *codec;
		enum stored_kind kind;
	} cases[] = {
		{ "shuffle+gzip", STORED_ROWS },
		{ "shuffle+zstd:1", STORED_EVEN },
		{ "delta+gzip", STORED_EVEN },
		{ "delta+lz4", STORED_EVEN },
	};

	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++)
		for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
			const struct store_form form = stored_form(
			    stores[s], cases[i].codec, cases[i].kind);
			char *dir = test_scratch();
			struct opened opened;

			write_transformed(dir, &form, cases[i].kind);
			opened_all(&opened, dir, section, 0);
			for (unsigned n = 0; n < STORED_SAMPLES; n++)
				check_sample(&opened, cases[i].kind, n);
			opened_close(&opened);
			test_scratch_remove(dir);
		}
}

/* The names that are in a folder, a line each. */
static int add_name(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	UNUSED(bytes);
	return buf_printf(arg, err, "%s\n", name);
}

/* No other reader finds what it looks for. */
static void test_presto_source_filters_have_names_of_their_own(void **state)
{
	static const struct {
		const char *store, *name;
	} cases[] = {
		{ "tar", "shard-000000.delta-tar.gz\n" },
		{ "tfrecord", "shard-000000.delta-tfrecord.gz\n" },
		{ "npy", "shard-000000.data.delta-npy.gz\n" },
		{ "files", "/n01440764/img_1.delta.gz\n" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct store_form form =
		    stored_form(cases[i].store, "delta+gzip", STORED_EVEN);
		struct buf names = BUF_INIT;
		struct error err = ERROR_INIT;
		char *dir = test_scratch();

		write_transformed(dir, &form, STORED_EVEN);
		test_ok(path_each(dir, add_name, &names, &err), &err);
		test_ok(buf_append(&names, "", 1, &err), &err);
		test_contains((const char *)names.data, cases[i].name);
		assert_null(strstr(
		    (const char *)names.data, "shard-000000.data.npy.gz"));
		buf_release(&names);
		test_scratch_remove(dir);
	}
}

/* The sources of others name the one that can. */
static void test_presto_source_is_what_others_ask_for(void **state)
{
	static const char *const sections[] = {
		"source = tar\npath = .\nlabel = cls",
		"source = tar\npath = shard-000000.delta-tar.gz",
		"source = folder\npath = .\nmatch = *.delta",
	};
	const struct store_form form =
	    stored_form("tar", "delta+gzip", STORED_EVEN);
	char *dir = test_scratch();

	UNUSED(state);
	write_transformed(dir, &form, STORED_EVEN);
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		opened_fails(dir, sections[i], "'source = presto'");
	test_scratch_remove(dir);
}

/* A shard alone, away from its manifest, is known by its first bytes. */
static void test_presto_source_shard_is_refused_alone(void **state)
{
	const struct store_form form =
	    stored_form("tar", "shuffle+gzip", STORED_ROWS);
	char *dir = test_scratch();
	char from[600], to[600];

	UNUSED(state);
	write_transformed(dir, &form, STORED_ROWS);
	snprintf(from, sizeof(from), "%s/shard-000000.shuffle-tar.gz", dir);
	snprintf(to, sizeof(to), "%s/alone", dir);
	assert_int_equal(mkdir(to, 0777), 0);
	snprintf(to, sizeof(to), "%s/alone/train.tar.gz", dir);
	assert_int_equal(rename(from, to), 0);
	opened_fails(dir, "source = tar\npath = alone",
	    "is a tensor filtered by presto: read its folder with "
	    "'source = presto'");
	test_scratch_remove(dir);
}

/* What was written before filters had names of their own. */
static void test_presto_source_reads_the_first_version(void **state)
{
	static const char *const stores[] = { "files", "npy", "tar",
		"tfrecord" };

	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++) {
		struct store_form form =
		    stored_form(stores[s], "delta+gzip", STORED_EVEN);
		struct manifest manifest = MANIFEST_INIT;
		const struct manifest_note note = { .strategy = "raw/tar/none",
			.fingerprint = "f1",
			.version = 1 };
		struct error err = ERROR_INIT;
		char *dir = test_scratch();
		struct opened opened;

		for (unsigned f = 0; f < form.schema.count; f++)
			form.schema.fields[f].type.suffix[0] = '\0';
		write_transformed(dir, &form, STORED_EVEN);
		stored_make_old(dir, &form, 2, &note);
		test_ok(stored_read_manifest(&manifest, dir, &err), &err);
		assert_int_equal(manifest.version, 1);
		manifest_release(&manifest);
		opened_all(&opened, dir, section, 0);
		for (unsigned n = 0; n < STORED_SAMPLES; n++)
			check_sample(&opened, STORED_EVEN, n);
		opened_close(&opened);
		test_scratch_remove(dir);
	}
}

/* The word of the store reads the manifest; that of another is refused. */
static void test_presto_source_by_the_name_of_the_store(void **state)
{
	const struct store_form form =
	    stored_form("tar", "delta+zstd", STORED_EVEN);
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	write_transformed(dir, &form, STORED_EVEN);
	opened_all(&opened, dir, "source = tar\npath = .", 0);
	assert_int_equal(opened.count, STORED_SAMPLES);
	for (unsigned n = 0; n < STORED_SAMPLES; n++)
		check_sample(&opened, STORED_EVEN, n);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_presto_source_needs_a_manifest(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	test_write(dir, "shard-000000.tar", "");
	opened_fails(dir, section, "presto.manifest is not there");
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_presto_source_gives_back_what_was_stored),
		cmocka_unit_test(test_presto_source_undoes_filters),
		cmocka_unit_test(
		    test_presto_source_filters_have_names_of_their_own),
		cmocka_unit_test(test_presto_source_is_what_others_ask_for),
		cmocka_unit_test(test_presto_source_shard_is_refused_alone),
		cmocka_unit_test(test_presto_source_reads_the_first_version),
		cmocka_unit_test(test_presto_source_by_the_name_of_the_store),
		cmocka_unit_test(test_presto_source_needs_a_manifest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
