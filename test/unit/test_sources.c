/*
 * test_sources.c - rules for every source, and parsing of [dataset].
 *
 * A new source in the table needs a dataset here, and is then tested.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/medium.h"
#include "lib/sample/npy.h"
#include "lib/sample/reader.h"
#include "lib/signal/hdf5_writer.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/option.h"
#include "test/unit/dataset.h"
#include "test/unit/lmdb_maker.h"
#include "test/unit/pack.h"
#include "test/unit/test.h"

enum { SAMPLES = 50 };

/* A dataset of SAMPLES samples for each source. */
struct trial {
	const char *source;
	const char *section;
	void (*make)(const char *dir);
};

static void make_folder(const char *dir)
{
	char name[64];

	for (int i = 0; i < SAMPLES; i++) {
		snprintf(name, sizeof(name), "c%d/%04d.txt", i % 3, i);
		test_write(dir, name, name);
		snprintf(name, sizeof(name), "c%d/%04d.json", i % 3, i);
		test_write(dir, name, "{}");
	}
}

/* Lines of all kinds, the last of a file without its end. */
static void make_lines(const char *dir)
{
	struct buf text = BUF_INIT;
	struct error err = ERROR_INIT;

	for (int i = 0; i < SAMPLES; i++) {
		test_ok(buf_printf(&text, &err, "%d\t%0*d%s", i,
		            i % 7 == 0 ? 1 + 900 * i : 1, i,
		            i % 10 == 9 ? "" : "\r\n\n\n"),
		    &err);
		if (i % 10 == 9) {
			char name[64];

			snprintf(name, sizeof(name), "d%d/part.txt", i / 10);
			test_write(dir, name, (const char *)text.data);
			text.len = 0;
		}
	}
	test_write(dir, "nothing.txt", "\n\n");
	buf_release(&text);
}

static void make_graphs(const char *dir)
{
	char name[64];

	for (int i = 0; i < SAMPLES; i++) {
		snprintf(name, sizeof(name), "g%02d/a.edges", i);
		test_write(dir, name, "0 1\n");
		snprintf(name, sizeof(name), "g%02d/a_features.json", i);
		test_write(dir, name, "{}");
	}
}

static void make_archives(const char *dir)
{
#ifdef WITH_ARCHIVE
	char *block = calloc(1, 100000), name[64];

	for (int i = 0; i < SAMPLES; i += 10) {
		char *path;
		struct pack *pack;

		snprintf(name, sizeof(name), "%d.tar", i);
		path = test_path(dir, name);
		pack = pack_new(path, PACK_TAR);
		for (int k = i; k < i + 10; k++) {
			snprintf(name, sizeof(name), "k%d.bin", k);
			memcpy(block, name, sizeof(name));
			pack_add(pack, name, block, 100000);
			snprintf(name, sizeof(name), "k%d.txt", k);
			pack_add_text(pack, name, name);
		}
		pack_close(pack);
		free(path);
	}
	free(block);
#else
	UNUSED(dir);
#endif
}

/* A sample is one count. */
static void make_signals(const char *dir)
{
#ifdef WITH_HDF5
	static const int16_t counts[SAMPLES] = { 3, 1, 4 };
	const struct hdf5_signal signal = { .name = "/voltage",
		.counts = counts };
	struct buf file = BUF_INIT;
	struct error err = ERROR_INIT;

	test_ok(hdf5_encode(&signal, 1, SAMPLES, 16, &file, &err), &err);
	test_write_file(dir, "a.hdf5", buf_span(&file));
	buf_release(&file);
#else
	UNUSED(dir);
#endif
}

/* Of some blocks, in two shards. */
static void make_stored_as(const char *dir, const char *store)
{
	static const float row[100000] = { 3, 1, 4 };
	const struct manifest_note note = { .strategy = "raw/tar/none",
		.fingerprint = "f1" };
	const struct shape shape = { .count = 1, .dims = { ARRAY_LEN(row) } };
	const struct type type = { .dtype = DTYPE_F32, .shape = shape };
	struct medium *medium;
	struct error err = ERROR_INIT;
	struct sink sink;
	struct store_form form;
	struct codec codec;
	struct schema schema = { .count = 0 };

	medium = sink.medium = medium_new_local(&err);
	sink = (struct sink){ .medium = medium };
	test_ok(codec_parse("none", &codec, &err), &err);
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	test_ok(
	    store_form_init(&form, store_find(store), &codec, &schema, &err),
	    &err);
	for (unsigned s = 0; s < 2; s++) {
		struct shard_writer *writer =
		    shard_writer_new(medium, dir, &form, s, &err);

		test_ok(writer ? 0 : -1, &err);
		for (int i = s ? 20 : 0; i < (s ? SAMPLES : 20); i++) {
			struct sample sample = SAMPLE_INIT;
			char key[32];

			snprintf(key, sizeof(key), "a/%d", i);
			sample.key = span_text(key);
			sample.count = 1;
			tensor_view(&sample.fields[0], DTYPE_F32, &shape, row);
			test_ok(shard_writer_add(writer, &sample, &err), &err);
		}
		test_ok(shard_writer_commit(writer, &err), &err);
		shard_writer_free(writer);
	}
	test_ok(manifest_write(&sink, dir, &form, 2, &note, &err), &err);
	medium_free(medium);
}

static void make_stored(const char *dir)
{
	make_stored_as(dir, "tar");
}

static void make_mds(const char *dir)
{
	make_stored_as(dir, "mds");
}

/* Values in leaves, and on pages of their own. */
static void make_lmdb(const char *dir)
{
	char *bytes = calloc(1, 100000), key[16];
	char *path = test_path(dir, "data.mdb");
	struct error err = ERROR_INIT;
	struct lmdb_maker *maker = lmdb_maker_new(path, 4096, 0, &err);

	assert_non_null(bytes);
	test_ok(maker ? 0 : -1, &err);
	for (unsigned i = 0; i < SAMPLES; i++) {
		snprintf(key, sizeof(key), "c%u/%02u", i / 20, i);
		test_ok(lmdb_maker_add(maker, span_text(key),
		            (struct span){ (unsigned char *)bytes,
		                i % 5 ? 100 * i : 100000 },
		            &err),
		    &err);
	}
	test_ok(lmdb_maker_end(maker, &err) < 0 ? -1 : 0, &err);
	lmdb_maker_free(maker);
	free(path);
	free(bytes);
}

static void make_parquet(const char *dir)
{
	make_stored_as(dir, "parquet");
}

/* What pyarrow wrote: see test_table_sources.c. */
static void make_arrow(const char *dir)
{
	struct buf bytes = BUF_INIT;

	test_read_file("test/fuzz/corpus/arrow", "stream.arrow", &bytes);
	test_write_file(dir, "a.arrow", buf_span(&bytes));
	buf_release(&bytes);
}

/* Records with a label and a text each. */
static void make_examples(const char *dir)
{
	const struct type type = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct schema schema = { .count = 0 };
	struct buf file = BUF_INIT;
	struct error err = ERROR_INIT;
	char *text = calloc(1, 100000);

	assert_non_null(text);
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	for (int i = 0; i < SAMPLES; i++) {
		struct sample sample = SAMPLE_INIT;
		char key[32], name[32];

		snprintf(key, sizeof(key), "a/%d", i);
		sample.key = span_text(key);
		sample.label = i % 3;
		sample.count = 1;
		tensor_view_encoded(
		    &sample.fields[0], text, 2000 * (size_t)i, "txt");
		test_ok(
		    store_tfrecord.append(&schema, &sample, &file, &err), &err);
		snprintf(name, sizeof(name), "part-%d.tfrecord", i);
		if (i == 30 || i == SAMPLES - 1) {
			test_write_file(dir, name, buf_span(&file));
			file.len = 0;
		}
	}
	test_write(dir, "none.tfrecord", "");
	buf_release(&file);
	free(text);
}

/* All samples are rows of one file. */
static void pack_rows(const char *dir, const char *name, struct span file)
{
#ifdef WITH_ARCHIVE
	char *path = test_path(dir, name);
	struct pack *pack = pack_new(path, PACK_ZIP);

	pack_add(pack, "x.npy", file.data, file.len);
	pack_close(pack);
	free(path);
#else
	UNUSED(dir);
	UNUSED(name);
	UNUSED(file);
#endif
}

static void make_rows(const char *dir, const char *name)
{
	const struct shape shape = { 2, { SAMPLES, 50000 } };
	unsigned char header[NPY_HEADER_MAX];
	const size_t len = npy_header(DTYPE_I16, &shape, header);
	struct buf file = BUF_INIT;
	struct error err = ERROR_INIT;

	test_ok(buf_append(&file, header, len, &err), &err);
	for (int16_t i = 0; i < SAMPLES; i++)
		for (int k = 0; k < 50000; k++)
			test_ok(buf_append(&file, &i, sizeof(i), &err), &err);
	if (strstr(name, ".npz"))
		pack_rows(dir, name, buf_span(&file));
	else
		test_write_file(dir, name, buf_span(&file));
	buf_release(&file);
}

static void make_npy(const char *dir)
{
	make_rows(dir, "a.npy");
}

static void make_npz(const char *dir)
{
	make_rows(dir, "a.npz");
}

static void make_nothing(const char *dir)
{
	UNUSED(dir);
}

static const struct trial trials[] = {
	{ "arrow", "source = arrow\npath = .", make_arrow },
	{ "edges", "source = edges\npath = .", make_graphs },
	{ "folder",
	    "source = folder\npath = .\nlabel = directory\n"
	    "fields = data:txt,more:json",
	    make_folder },
	{ "hdf5", "source = hdf5\npath = .\nfields = /voltage", make_signals },
	{ "lines",
	    "source = lines\npath = .\nmatch = *.txt\n"
	    "label = column\nskip_empty = yes",
	    make_lines },
	{ "lmdb", "source = lmdb\npath = .\nlabel = directory", make_lmdb },
	{ "mds", "source = mds\npath = .\nlabel = label", make_mds },
	{ "npy", "source = npy\npath = a.npy", make_npy },
	{ "npz", "source = npz\npath = a.npz", make_npz },
	{ "parquet", "source = parquet\npath = .\nlabel = label",
	    make_parquet },
	{ "presto", "source = presto\npath = .", make_stored },
	{ "synthetic",
	    "source = synthetic\nshape = 300x1000\ncount = 50\nclasses = 3",
	    make_nothing },
	{ "tar", "source = tar\npath = .", make_archives },
	{ "tfrecord", "source = tfrecord\npath = .", make_examples },
};

static const struct trial *find_trial(const char *source)
{
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		if (strcmp(trials[i].source, source) == 0)
			return &trials[i];
	fail_msg("test_sources.c has no dataset for source %s", source);
	return NULL;
}

/* The same dataset, opened again, read in another order. */
static void check_again(const struct seen *seen, size_t count, const char *dir,
    const char *section, uint64_t limit)
{
	struct opened again;

	test_ok(opened_open(&again, dir, section, limit), &again.err);
	test_ok(opened_read(&again, 1), &again.err);
	assert_int_equal(again.count, count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(again.seen[i].key, seen[i].key);
		assert_int_equal(again.seen[i].hash, seen[i].hash);
		assert_int_equal(again.seen[i].stream, seen[i].stream);
	}
	opened_close(&again);
}

static int add_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	uint64_t *sum = arg;

	UNUSED(err);
	if (!path_exists(path))
		fail_msg("%s is not there", path);
	*sum += bytes;
	return 0;
}

static int stop_visit(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	UNUSED(arg);
	UNUSED(bytes);
	return error_set(err, ERROR_DATA, "stop at %s", path);
}

static void check_files(struct opened *opened)
{
	const struct reader_ops *ops = opened->reader->ops;
	struct error err = ERROR_INIT;
	uint64_t sum = 0;

	test_ok(ops->each_file(opened->reader, add_file, &sum, &err), &err);
	assert_int_equal(sum, opened->reader->bytes);
	if (opened->reader->total_bytes) /* it is known of all */
		assert_int_equal(sum, opened->reader->total_bytes);
	if (sum == 0)
		return;
	assert_int_equal(
	    ops->each_file(opened->reader, stop_visit, NULL, &err), -1);
	test_contains(err.text, "stop at ");
}

static void check_source(
    const struct trial *trial, const char *dir, uint64_t limit)
{
	const uint64_t wanted = limit && limit < SAMPLES ? limit : SAMPLES;
	struct opened opened;
	struct seen *seen;

	opened_all(&opened, dir, trial->section, limit);
	assert_int_equal(opened.count, wanted);
	assert_int_equal(opened.reader->total_samples, SAMPLES);
	assert_string_equal(opened.reader->codec, "");
	if (limit == 0)
		check_files(&opened);
	seen = opened.seen;
	opened.seen = NULL;
	opened_close(&opened);
	check_again(seen, (size_t)wanted, dir, trial->section, limit);
	free(seen);
}

static void test_sources_give_what_they_say(void **state)
{
	const struct source_ops *source;

	UNUSED(state);
	for (size_t i = 0; (source = source_at(i)); i++) {
		const struct trial *trial = find_trial(source->name);
		char *dir;

		if (source->needs)
			continue;
		dir = test_scratch();

		trial->make(dir);
		for (uint64_t limit = 0; limit < SAMPLES + 10; limit += 11)
			check_source(trial, dir, limit);
		test_scratch_remove(dir);
	}
}

static void test_sources_table_is_in_order(void **state)
{
	const struct source_ops *source;

	UNUSED(state);
	for (size_t i = 0; (source = source_at(i)); i++) {
		const struct option *o = source->options;

		assert_ptr_equal(source_find(source->name), source);
		assert_int_equal(strspn(source->name,
		                     "abcdefghijklmnopqrstuvwxyz0123456789_"),
		    strlen(source->name));
		if (source->needs)
			continue;
		assert_true(strlen(source->summary) > 0);
		assert_int_not_equal(
		    source->summary[strlen(source->summary) - 1], '.');
		if (i > 0)
			assert_true(
			    strcmp(source_at(i - 1)->name, source->name) < 0);
		for (; o && o->name && o[1].name; o++)
			assert_true(strcmp(o->name, o[1].name) < 0);
	}
	assert_null(source_find("nothing"));
}

static int read_text(struct dataset *dataset, struct ini *ini, const char *path,
    const char *text, struct error *err)
{
	test_ok(ini_parse_text(ini, path, text, strlen(text), err), err);
	return dataset_read(dataset, ini, err);
}

static void test_dataset_says_file_and_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[dataset]\nsource = folder\npath = x\nmach = *\n",
		    "a.conf:4: source folder has no key 'mach'; did you mean "
		    "'match'? See presto list sources" },
		{ "[dataset]\nsource = folder\npth = x\n",
		    "a.conf:3: source folder has no key 'pth'; did you mean "
		    "'path'? See presto list sources" },
		{ "[dataset]\nsource = foldr\n",
		    "a.conf:2: unknown source 'foldr'; did you mean "
		    "'folder'? See presto list sources" },
		{ "[dataset]\nsource = files\n",
		    "a.conf:2: 'files' is a store and no source: 'source = "
		    "presto' reads what presto stored, 'source = folder' other "
		    "files" },
		{ "\n[dataset]\npath = x\n",
		    "a.conf:2: [dataset] needs 'source = folder', or another "
		    "source" },
		{ "[pipeline]\na = identity\n",
		    "a.conf: the section [dataset] is missing" },
		{ "[dataset]\nsource = npy\n",
		    "a.conf:1: source npy needs 'path = ...'" },
		{ "[dataset]\nsource = synthetic\non_error = stop\n",
		    "a.conf:3: on_error must be one of fail, skip, got "
		    "'stop'; did you mean 'skip'?" },
		{ "[dataset]\nsource = synthetic\nfull_samples = many\n",
		    "a.conf:3: full_samples must be a whole number, got "
		    "'many'" },
		{ "[dataset]\nsource = synthetic\nzzz = x\n",
		    "a.conf:3: source synthetic has no key 'zzz'; see "
		    "presto list sources" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct dataset dataset = DATASET_INIT;
		struct ini ini = INI_INIT;
		struct error err = ERROR_INIT;

		test_error_is(
		    read_text(&dataset, &ini, "a.conf", cases[i].text, &err),
		    &err, cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
		dataset_release(&dataset);
		ini_release(&ini);
	}
}

static void test_dataset_paths_are_relative_to_the_file(void **state)
{
	static const struct {
		const char *file, *path, *resolved;
	} cases[] = {
		{ "conf/a.conf", "data", "conf/data" },
		{ "conf/a.conf", "../data", "conf/../data" },
		{ "conf/a.conf", ".", "conf" },
		{ "a.conf", ".", "." },
		{ "a.conf", "data", "data" },
		{ "/x/a.conf", "data", "/x/data" },
		{ "/x/a.conf", "/data", "/data" },
	};
	char text[128];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct dataset dataset = DATASET_INIT;
		struct ini ini = INI_INIT;
		struct error err = ERROR_INIT;

		snprintf(text, sizeof(text),
		    "[dataset]\nsource = folder\npath = %s\n", cases[i].path);
		test_ok(
		    read_text(&dataset, &ini, cases[i].file, text, &err), &err);
		assert_string_equal(dataset.path, cases[i].resolved);
		dataset_release(&dataset);
		test_ok(ini_set(&ini, "dataset.path=here", &err), &err);
		test_ok(dataset_read(&dataset, &ini, &err), &err);
		assert_string_equal(dataset.path, "here");
		dataset_release(&dataset);
		ini_release(&ini);
	}
}

static void test_dataset_common_keys(void **state)
{
	struct dataset dataset = DATASET_INIT;
	struct ini ini = INI_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(read_text(&dataset, &ini, "a.conf",
	            "[dataset]\nsource = folder ; a comment\npath = x\n"
	            "full_samples = 1281167\non_error = skip\n",
	            &err),
	    &err);
	assert_ptr_equal(dataset.source, source_find("folder"));
	assert_int_equal(dataset.full_samples, 1281167);
	assert_true(dataset.skip_errors);
	test_ok(ini_set(&ini, "dataset.mach=x", &err), &err);
	dataset_release(&dataset);
	test_error_is(dataset_read(&dataset, &ini, &err), &err,
	    "command line: dataset.mach: source folder has no key 'mach'; did "
	    "you mean 'match'? See presto list sources");
	dataset_release(&dataset);
	ini_release(&ini);
}

/* The number of the file is of the dataset of the file. */
static void test_dataset_full_samples_belong_to_a_path(void **state)
{
	static const struct full_case {
		const char *set[2];
		uint64_t full, other;
	} cases[] = {
		{ { NULL }, 500, 0 },
		{ { "dataset.match=*.jpg" }, 500, 0 },
		{ { "dataset.path=y" }, 0, 500 },
		{ { "dataset.full_samples=9" }, 9, 0 },
		{ { "dataset.path=y", "dataset.full_samples=9" }, 9, 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct dataset dataset = DATASET_INIT;
		struct error err = ERROR_INIT;
		struct ini ini = INI_INIT;

		test_ok(read_text(&dataset, &ini, "a.conf",
		            "[dataset]\nsource = folder\npath = x\n"
		            "full_samples = 500\n",
		            &err),
		    &err);
		dataset_release(&dataset);
		for (size_t k = 0; k < 2 && cases[i].set[k]; k++)
			test_ok(ini_set(&ini, cases[i].set[k], &err), &err);
		test_ok(dataset_read(&dataset, &ini, &err), &err);
		assert_int_equal(dataset.full_samples, cases[i].full);
		assert_int_equal(dataset.other_full_samples, cases[i].other);
		dataset_release(&dataset);
		ini_release(&ini);
	}
}

static int read_example(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct dataset dataset = DATASET_INIT;
	struct ini ini = INI_INIT;
	unsigned *count = arg;
	char *path;

	UNUSED(bytes);
	if (!strstr(name, ".conf"))
		return 0;
	path = test_path("datasets", name);
	test_ok(ini_read(&ini, path, err), err);
	test_ok(dataset_read(&dataset, &ini, err), err);
	dataset_release(&dataset);
	ini_release(&ini);
	free(path);
	++*count;
	return 0;
}

static void test_example_pipelines_are_read(void **state)
{
	struct error err = ERROR_INIT;
	unsigned count = 0;

	UNUSED(state);
	test_ok(path_each("datasets", read_example, &count, &err), &err);
	assert_true(count > 4);
}

static void test_edges_finds_what_lies_beside(void **state)
{
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	test_write(dir, "a/x_edges.csv", "id1,id2\n0,1\n");
	test_write(dir, "a/x_target.csv", "id,target\n0,1\n");
	test_write(dir, "b/y.txt", "0 1\n");
	opened_fails(dir, "source = edges\npath = .",
	    "b/y.txt has no file of labels beside it, though other graphs "
	    "have");
	test_write(dir, "b/y.labels", "0 1\n");
	opened_all(&opened, dir, "source = edges\npath = .", 0);
	assert_int_equal(opened.count, 2);
	assert_string_equal(opened.seen[0].key, "a/x_edges");
	assert_string_equal(opened.seen[1].key, "b/y");
	assert_int_equal(opened.reader->schema.count, 2);
	assert_string_equal(opened.reader->schema.fields[1].name, "labels");
	opened_close(&opened);
	test_write(dir, "b/y2.labels", "0 1\n");
	opened_fails(dir, "source = edges\npath = .",
	    "b/y.txt has two files of labels, b/y.labels and b/y2.labels: "
	    "tell which by labels=GLOB");
	test_write(dir, "b/z.txt", "0 1\n");
	opened_fails(dir, "source = edges\npath = .",
	    "b/y.txt and b/z.txt are in one folder: whose are the labels? "
	    "tell which are edges by edges=GLOB");
	opened_fails(dir, "source = edges\npath = .\nfeatures = *.json",
	    "no file matches '*.json'");
	opened_fails(dir, "source = edges\npath = .\nedges = *.el",
	    "no file matches '*.el'");
	test_scratch_remove(dir);
}

/* Real files, where there are some. */
static void test_folder_reads_real_images(void **state)
{
	const char *data = getenv("PRESTO_TEST_DATA");
	char section[1024];
	struct opened opened;

	UNUSED(state);
	snprintf(section, sizeof(section), "source = folder\npath = %s/images",
	    data ? data : "../shared/data");
	if (!path_exists(strstr(section, "path = ") + 7))
		skip();
	opened_all(&opened, ".", section, 0);
	assert_true(opened.count > 100);
	assert_int_equal(opened.count, opened.reader->total_samples);
	opened_close(&opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sources_give_what_they_say),
		cmocka_unit_test(test_sources_table_is_in_order),
		cmocka_unit_test(test_dataset_says_file_and_line),
		cmocka_unit_test(test_dataset_paths_are_relative_to_the_file),
		cmocka_unit_test(test_dataset_common_keys),
		cmocka_unit_test(test_dataset_full_samples_belong_to_a_path),
		cmocka_unit_test(test_example_pipelines_are_read),
		cmocka_unit_test(test_edges_finds_what_lies_beside),
		cmocka_unit_test(test_folder_reads_real_images),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
