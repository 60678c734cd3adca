/* test_input.c - only files can be opened for reading. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/files/input.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/tokens/embedding.h"
#include "test/unit/test.h"

enum { LIMIT = 1 << 20 };

static void make_pipe(const char *path)
{
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_true(fd >= 0 && strlen(path) < sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path) + 1);
	assert_int_equal(
	    bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static void make_folder(const char *path)
{
	assert_int_equal(mkdir(path, 0700), 0);
}

static const struct kind {
	void (*make)(const char *path);
	const char *path, *words;
} kinds[] = {
	{ make_pipe, NULL, "is a pipe (FIFO)" },
	{ make_socket, NULL, "is a socket, not a file" },
	{ make_folder, NULL, "is a folder, not a file" },
	{ NULL, "/dev/zero", "is a device, not a file" },
};

/* Each way to read a file of the user's. */
static int read_path(const char *path, struct error *err)
{
	struct buf bytes = BUF_INIT;
	const int rc = path_read(path, LIMIT, &bytes, err);

	buf_release(&bytes);
	return rc;
}

static int read_medium(const char *path, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	struct medium_file *file = medium_open(medium, path, err);
	const int rc = file ? 0 : -1;

	medium_close(file);
	medium_free(medium);
	return rc;
}

static int read_ini(const char *path, struct error *err)
{
	struct ini ini;
	const int rc = ini_read(&ini, path, err);

	ini_release(&ini);
	return rc;
}

static int read_embedding(const char *path, struct error *err)
{
	const struct embedding_plan plan = { .path = path, .any_dtype = true };
	const struct embedding *embedding = embedding_take(&plan, err);

	if (!embedding)
		return -1;
	embedding_give(embedding);
	return 0;
}

static int read_database(const char *path, struct error *err)
{
	struct results *results = results_open(path, false, err);

	results_close(results);
	return results ? 0 : -1;
}

static int (*const readers[])(const char *path, struct error *err) = {
	read_path,
	read_medium,
	read_ini,
	read_embedding,
	read_database,
};

/* None of them waits: the test would not end. */
static void test_input_that_is_no_file_is_refused_by_every_reader(void **state)
{
	UNUSED(state);
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		const struct kind *kind = &kinds[k];
		char *dir = test_scratch();
		char *made = test_path(dir, "it");
		const char *path = kind->make ? made : kind->path;

		if (kind->make)
			kind->make(path);
		assert_false(lock_is_held(path));
		for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
			struct error err = ERROR_INIT;

			if (readers[i] == read_database && k == 2)
				continue; /* has words of its own */
			assert_int_equal(readers[i](path, &err), -1);
			test_contains(err.text, path);
			test_contains(err.text, kind->words);
		}
		free(made);
		test_scratch_remove(dir);
	}
}

/* A journal beside the database is opened by SQLite, which would wait. */
static void test_input_beside_a_database_is_looked_at(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "a.db");
	char *journal = test_path(dir, "a.db-journal");
	struct results *results = results_open(path, true, &err);

	UNUSED(state);
	assert_non_null(results);
	results_close(results);
	make_pipe(journal);
	assert_null(results_open(path, false, &err));
	test_contains(err.text, "a.db-journal is a pipe (FIFO)");
	free(journal);
	free(path);
	test_scratch_remove(dir);
}

struct writing {
	const char *path;
	struct span text;
};

static void *write_slowly(void *arg)
{
	const struct writing *writing = arg;
	const int fd = open(writing->path, O_WRONLY);

	assert_true(fd >= 0);
	for (size_t i = 0; i < writing->text.len; i++)
		assert_int_equal(write(fd, writing->text.data + i, 1), 1);
	close(fd);
	return NULL;
}

/* A pipeline file of `mkfifo`, or of a shell's <(COMMAND). */
static void test_input_of_a_text_may_be_a_pipe(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "a.conf");
	struct writing writing = { .path = path,
		.text = span_text("[dataset]\npath = some/where\n") };
	struct ini ini;
	char *where;
	pthread_t writer;

	UNUSED(state);
	make_pipe(path);
	assert_int_equal(
	    pthread_create(&writer, NULL, write_slowly, &writing), 0);
	test_ok(ini_read(&ini, path, &err), &err);
	pthread_join(writer, NULL);
	/* Its paths are those of whoever wrote it. */
	where =
	    ini_resolve(&ini, ini_entry(ini_section(&ini, "dataset"), "path"),
	        "some/where", &err);
	assert_string_equal(where, "some/where");
	free(where);
	ini_release(&ini);
	free(path);
	test_scratch_remove(dir);
}

static void test_input_of_a_pipe_is_bounded(void **state)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char path[64];
	bool is_pipe = false;
	int ends[2];

	UNUSED(state);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "123456", 6), 6);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(path_read_text(path, 5, &out, &is_pipe, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	assert_int_equal(out.len, 0);
	assert_int_equal(write(ends[1], "123", 3), 3);
	close(ends[1]);
	test_ok(path_read_text(path, 5, &out, &is_pipe, &err), &err);
	assert_true(is_pipe);
	assert_true(span_equal(buf_span(&out), span_text("123")));
	close(ends[0]);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_input_that_is_no_file_is_refused_by_every_reader),
		cmocka_unit_test(test_input_beside_a_database_is_looked_at),
		cmocka_unit_test(test_input_of_a_text_may_be_a_pipe),
		cmocka_unit_test(test_input_of_a_pipe_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
