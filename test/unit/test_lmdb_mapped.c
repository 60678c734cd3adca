/*
 * test_lmdb_mapped.c - values of an LMDB file are mapped where somebody asks
 * afterwards whether the file changed meanwhile, and a loader does.
 */
#define _POSIX_C_SOURCE 200809L /* pwrite */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/formats/lmdb.h"
#include "lib/loader/loader.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/batch.h"
#include "lib/sample/reader.h"
#include "lib/sample/stream_list.h"
#include "test/unit/dataset.h"
#include "test/unit/lmdb_maker.h"
#include "test/unit/made_lmdb.h"
#include "test/unit/test.h"

enum { COUNT = 100, VALUE = 16000, PAGE = 4096 };

/* All values lie in one chunk. */
static void make(struct made *made)
{
	static unsigned char value[VALUE];

	made_begin(made, PAGE, 0);
	for (unsigned i = 0; i < COUNT; i++) {
		char key[16];

		snprintf(key, sizeof(key), "%03u", i);
		memset(value, (int)i, sizeof(value));
		made_add(made, key, (struct span){ value, sizeof(value) });
	}
	made_end(made);
}

/* As a program does that commits a transaction; its pages do not matter. */
static void commit(const struct made *made)
{
	const unsigned char two = 2;
	const int fd = open(made->path, O_WRONLY);

	assert_true(fd >= 0);
	/* The number of page 0's transaction. */
	assert_int_equal(pwrite(fd, &two, 1, LMDB_HEAD + 128), 1);
	close(fd);
}

static void *fetch(struct opened *opened, bool is_judged, struct chunk *chunk,
    unsigned *mapped)
{
	const struct reader *reader = opened->reader;
	void *stream = reader->ops->stream_open(reader, 0, &opened->err);

	test_ok(stream ? 0 : -1, &opened->err);
	chunk->is_judged = is_judged;
	assert_int_equal(
	    reader->ops->stream_fetch(stream, chunk, &opened->err), 1);
	*mapped = 0;
	for (unsigned i = 0; i < FIELDS_MAX; i++)
		*mapped += chunk->mappings[i].base != NULL;
	return stream;
}

/* Are files mapped here?  They are not where the kernel tells of no cache. */
static bool maps_files(void)
{
	struct chunk chunk = CHUNK_INIT;
	struct opened opened;
	struct made made;
	unsigned mapped;
	void *stream;

	make(&made);
	test_ok(opened_open(&opened, made.dir, "source = lmdb\npath = .", 0),
	    &opened.err);
	stream = fetch(&opened, true, &chunk, &mapped);
	opened.reader->ops->stream_close(stream);
	chunk_release(&chunk);
	opened_close(&opened);
	made_remove(&made);
	return mapped > 0;
}

static void test_lmdb_is_mapped_for_those_who_ask(void **state)
{
	const uint64_t losses = mapping_losses();

	UNUSED(state);
	if (!maps_files())
		skip();
	for (int is_judged = 0; is_judged < 2; is_judged++) {
		struct chunk chunk = CHUNK_INIT;
		struct opened opened;
		struct made made;
		unsigned mapped;
		void *stream;

		make(&made);
		test_ok(opened_open(
		            &opened, made.dir, "source = lmdb\npath = .", 0),
		    &opened.err);
		stream = fetch(&opened, is_judged, &chunk, &mapped);
		assert_int_equal(mapped, is_judged);
		test_ok(reader_judge(opened.reader, losses, 0, &opened.err),
		    &opened.err);
		commit(&made);
		/* What was read is as it was. */
		assert_int_equal(
		    reader_judge(opened.reader, losses, 0, &opened.err),
		    is_judged ? -1 : 0);
		if (is_judged)
			test_contains(opened.err.text,
			    "data.mdb: was written to while it was read");
		opened.reader->ops->stream_close(stream);
		chunk_release(&chunk);
		opened_close(&opened);
		made_remove(&made);
	}
}

/* Nobody would notice what is written to a copy in the place of the file. */
static void test_lmdb_maps_no_other_file(void **state)
{
	struct buf bytes = BUF_INIT;
	struct chunk chunk = CHUNK_INIT;
	struct opened opened;
	struct made made;
	unsigned mapped;
	void *stream;
	char *copy;

	UNUSED(state);
	make(&made);
	test_ok(opened_open(&opened, made.dir, "source = lmdb\npath = .", 0),
	    &opened.err);
	test_read_file(made.dir, "data.mdb", &bytes);
	test_write_file(made.dir, "copy.mdb", buf_span(&bytes));
	copy = test_path(made.dir, "copy.mdb");
	assert_int_equal(rename(copy, made.path), 0);
	stream = fetch(&opened, true, &chunk, &mapped);
	assert_int_equal(mapped, 0);
	opened.reader->ops->stream_close(stream);
	chunk_release(&chunk);
	opened_close(&opened);
	made_remove(&made);
	buf_release(&bytes);
	free(copy);
}

/*
 * The only chunk has been fetched when the file changes, and the loader has
 * fewer batches than samples.
 */
static void load(
    const struct reader *reader, const struct made *made, struct error *err)
{
	struct pipeline pipeline = PIPELINE_INIT;
	const struct loader_plan plan = {
		.reader = reader,
		.pipeline = &pipeline,
		.threads = 1,
		.batch = 1,
	};
	struct loader *loader;
	struct batch *batch;
	unsigned count = 0;

	pipeline.schemas[0] = reader->schema;
	loader = loader_new(&plan, err);
	test_ok(loader ? 0 : -1, err);
	loader_begin(loader, 0, false);
	while ((batch = loader_next(loader))) {
		const unsigned char *value = batch->slots[0].fields[0].data;

		assert_int_equal(batch->slots[0].fields[0].bytes, VALUE);
		assert_int_equal(value[0], count);
		assert_int_equal(value[VALUE - 1], count);
		if (count++ == 0)
			commit(made);
	}
	assert_int_equal(loader_end(loader, err), -1);
	test_contains(err->text, "data.mdb: was written to while it was read");
	assert_in_range(count, 1, COUNT - 1);
	loader_free(loader);
}

static void test_lmdb_loader_asks_before_it_hands_on(void **state)
{
	const size_t first = 0;

	UNUSED(state);
	if (!maps_files())
		skip();
	for (int is_listed = 0; is_listed < 2; is_listed++) {
		struct opened opened;
		struct stream_list list = {
			.streams = &first, .count = 1, .repeats = 1
		};
		struct reader *listed;
		struct made made;

		make(&made);
		test_ok(opened_open(
		            &opened, made.dir, "source = lmdb\npath = .", 0),
		    &opened.err);
		list.reader = opened.reader;
		listed = stream_list_open(&list, &opened.err);
		test_ok(listed ? 0 : -1, &opened.err);
		load(is_listed ? listed : opened.reader, &made, &opened.err);
		reader_free(listed);
		opened_close(&opened);
		made_remove(&made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lmdb_is_mapped_for_those_who_ask),
		cmocka_unit_test(test_lmdb_maps_no_other_file),
		cmocka_unit_test(test_lmdb_loader_asks_before_it_hands_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
