/*
 * test_late_read.c - parts of files that are read when they are used: what they
 * give is what is stored, and a file that is cut short is an error.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/cached.h"
#include "lib/files/late_read.h"
#include "lib/sample/reader.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

static const char text[] = "what is stored";

/* A file of the text; skips the test where the kernel tells of no cache. */
static int open_text(char *dir)
{
	char *path = test_path(dir, "a");
	int fd;

	test_write(dir, "a", text);
	fd = open(path, O_RDWR);
	free(path);
	assert_true(fd >= 0);
	if (!cached_ends(fd, 0, sizeof(text) - 1)) {
		close(fd);
		test_scratch_remove(dir);
		skip();
	}
	return fd;
}

static void test_late_read_reads_when_it_is_wanted(void **state)
{
	char *dir = test_scratch_on_disk(), to[sizeof(text)] = "";
	struct late_read late = { .bytes = 0 };
	struct error err = ERROR_INIT;
	const int fd = open_text(dir);

	UNUSED(state);
	late_read_release(&late);
	assert_false(late_read_note(&late, fd, 0, 0));
	assert_false(late_read_note(&late, fd, 0, LATE_READ_MOST + 1));
	assert_false(late_read_note(&late, fd, 0, sizeof(text)));
	assert_true(late_read_note(&late, fd, 5, 2));
	late_read_release(&late);
	assert_true(late_read_note(&late, fd, 5, sizeof(text) - 6));
	close(fd);
	test_ok(late_read_finish(&late, to, &err), &err);
	assert_string_equal(to, "is stored");
	assert_int_equal(late.bytes, 0);
	test_scratch_remove(dir);
}

static void test_late_read_of_a_file_that_is_cut_is_an_error(void **state)
{
	char *dir = test_scratch_on_disk(), to[sizeof(text)];
	struct late_read late = { .bytes = 0 };
	struct error err = ERROR_INIT;
	const int fd = open_text(dir);

	UNUSED(state);
	assert_true(late_read_note(&late, fd, 0, sizeof(text) - 1));
	assert_int_equal(ftruncate(fd, 4), 0);
	test_error_is(late_read_finish(&late, to, &err), &err,
	    "the file ends 10 bytes too early");
	assert_int_equal(err.code, ERROR_DATA);
	close(fd);
	test_scratch_remove(dir);
}

/* ---- stores ---- */

struct epoch {
	bool late;
	unsigned noted; /* chunks */
	uint64_t samples, sum;
};

static int read_chunk(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct epoch *epoch, struct error *err)
{
	struct sample sample = SAMPLE_INIT;
	int got;

	for (unsigned i = 0; i < FIELDS_MAX; i++)
		epoch->noted += chunk->late[i].bytes > 0;
	if (reader_unpack(reader, unpacker, chunk, err))
		return -1;
	while ((got = reader->ops->next(reader, chunk, &sample, err)) > 0) {
		epoch->sum += sample_hash(&sample, &reader->schema) ^
		              sample_id(sample.key);
		epoch->samples++;
	}
	return got;
}

static void read_all(const char *dir, struct epoch *epoch)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct reader *reader = store_open(medium, dir, &err);
	struct chunk chunk = CHUNK_INIT;
	void *unpacker = NULL, *stream;
	int got = 0;

	test_ok(reader ? 0 : -1, &err);
	test_ok(reader_unpacker_new(reader, &unpacker, &err), &err);
	for (size_t s = 0; s < reader->streams; s++) {
		stream = reader->ops->stream_open(reader, s, &err);
		test_ok(stream ? 0 : -1, &err);
		do {
			chunk_reset(&chunk);
			chunk.reads_late = epoch->late;
			got = reader->ops->stream_fetch(stream, &chunk, &err);
			if (got > 0)
				test_ok(read_chunk(reader, unpacker, &chunk,
				            epoch, &err),
				    &err);
		} while (got > 0);
		test_ok(got, &err);
		reader->ops->stream_close(stream);
	}
	chunk_release(&chunk);
	reader_unpacker_free(reader, unpacker);
	reader_free(reader);
	medium_free(medium);
}

static void check_store(const char *store, const char *codec, void *arg)
{
	unsigned *noted = arg;

	if (strcmp(codec, "none") != 0)
		return;
	for (int k = 0; k < STORED_KINDS; k++) {
		const enum stored_kind kind = (enum stored_kind)k;
		struct epoch at_once = { .late = false };
		struct epoch late = { .late = true };
		struct store_form form;
		char *dir;

		if (!stored_takes(store, kind))
			continue;
		dir = test_scratch_on_disk();
		form = stored_form(store, codec, kind);
		stored_write(dir, &form, kind);
		read_all(dir, &at_once);
		read_all(dir, &late);
		if (late.sum != at_once.sum)
			fail_msg("%s: other samples", store);
		assert_int_equal(late.samples, STORED_SAMPLES);
		assert_int_equal(at_once.noted, 0);
		*noted += late.noted;
		test_scratch_remove(dir);
	}
}

static void test_late_read_gives_what_stores_hold(void **state)
{
	char *dir = test_scratch_on_disk();
	unsigned noted = 0;

	UNUSED(state);
	close(open_text(dir));
	stored_each(check_store, &noted);
	assert_true(noted > 0);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_read_reads_when_it_is_wanted),
		cmocka_unit_test(
		    test_late_read_of_a_file_that_is_cut_is_an_error),
		cmocka_unit_test(test_late_read_gives_what_stores_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
