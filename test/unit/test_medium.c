/* test_medium.c - local files, and an emulated slower storage. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/mapping.h"
#include "lib/media/medium.h"
#include "test/unit/test.h"

static void test_medium_reads_what_was_written(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *path = test_path(dir, "f");
	struct medium_file *file = medium_create(medium, path, &err);
	char text[8] = "";

	(void)state;
	test_ok(medium_write(file, "abcdef", 6, &err), &err);
	test_ok(medium_sync(file, &err), &err);
	medium_close(file);
	file = medium_open(medium, path, &err);
	assert_int_equal(medium_size(file), 6);
	assert_int_equal(medium_read(file, 4, text, 8, &err), 2);
	assert_string_equal(text, "ef");
	assert_int_equal(medium_read_full(file, 4, text, 4, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "ends at byte 6, 2 bytes too early");
	assert_int_equal(medium_bytes_read(medium), 4);
	assert_int_equal(medium_requests(medium), 4);
	medium_close(file);
	free(path);
	test_scratch_remove(dir);
	medium_free(medium);
}

static void test_medium_names_what_it_cannot_open(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);

	(void)state;
	assert_null(medium_open(medium, "/nonexistent/a", &err));
	test_contains(err.text, "/nonexistent/a");
	assert_null(medium_open(medium, "/", &err));
	test_contains(err.text, "folder");
	medium_free(medium);
}

/* ---- emulated ---- */

enum { FILE_BYTES = 1000000, THREADS_MOST = 8 };

enum action { ACTION_READ, ACTION_WRITE, ACTION_SYNC, ACTION_OPEN };

struct job { /* of a thread */
	struct medium *medium;
	const char *dir;
	enum action action;
	size_t bytes;
	unsigned times, number;
	pthread_t thread;
};

static void do_job(struct job *job, struct medium_file *file, char *data)
{
	struct error err = ERROR_INIT;
	char *path = test_path(job->dir, "f");

	for (unsigned i = 0; i < job->times; i++)
		switch (job->action) {
		case ACTION_READ:
			test_ok(
			    medium_read_full(file, 0, data, job->bytes, &err),
			    &err);
			break;
		case ACTION_WRITE:
			test_ok(
			    medium_write(file, data, job->bytes, &err), &err);
			break;
		case ACTION_SYNC:
			test_ok(medium_sync(file, &err), &err);
			break;
		case ACTION_OPEN:
			medium_close(medium_open(job->medium, path, &err));
			break;
		}
	free(path);
}

static void *job_main(void *arg)
{
	struct job *job = arg;
	struct error err = ERROR_INIT;
	char name[16], *path, *data = calloc(1, FILE_BYTES);
	struct medium_file *file;

	snprintf(name, sizeof(name), "own%u", job->number);
	path = test_path(job->dir, job->action == ACTION_READ ? "f" : name);
	file = job->action == ACTION_READ
	           ? medium_open(job->medium, path, &err)
	           : medium_begin(job->medium, path, &err);
	assert_non_null(file);
	do_job(job, file, data);
	medium_close(file);
	free(path);
	free(data);
	return NULL;
}

/* How long so many threads take, who open a file each and do as `like`. */
static double job_seconds(const struct job *like, unsigned threads)
{
	struct job jobs[THREADS_MOST];
	const uint64_t start = clock_now(&clock_monotonic);

	for (unsigned i = 0; i < threads; i++) {
		jobs[i] = *like;
		jobs[i].number = i;
		assert_int_equal(
		    pthread_create(&jobs[i].thread, NULL, job_main, &jobs[i]),
		    0);
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(jobs[i].thread, NULL);
	return (double)(clock_now(&clock_monotonic) - start) / 1e9;
}

struct emulated_case {
	const char *what;
	struct storage_limits limits;
	enum action action;
	size_t bytes; /* of a request */
	unsigned times, threads;
	double least_s;
};

/*
 * Never faster than asked: only lower bounds, for a busy machine is slower.
 * What they are by how much is in test/bench/bench_storage.c.
 */
static const struct emulated_case emulated_cases[] = {
	{ "the line is one", { .bandwidth = 50e6 }, ACTION_READ, 1000000, 5, 1,
	    0.1 },
	{ "of all threads", { .bandwidth = 80e6 }, ACTION_READ, 1000000, 2, 4,
	    0.1 },
	{ "of short requests too", { .bandwidth = 1e6 }, ACTION_READ, 10, 2500,
	    4, 0.1 },
	{ "to write as to read", { .bandwidth = 50e6 }, ACTION_WRITE, 1000000,
	    5, 1, 0.1 },
	{ "latency of each", { .latency = 0.02 }, ACTION_READ, 1000, 5, 1,
	    0.1 },
	{ "below what one can sleep", { .latency = 5e-6 }, ACTION_READ, 10,
	    10000, 1, 0.05 },
	{ "a sync is a request", { .latency = 0.02 }, ACTION_SYNC, 0, 5, 1,
	    0.1 },
	/* The first begins at once. */
	{ "requests", { .iops = 50 }, ACTION_READ, 1000000, 6, 1, 0.1 },
	{ "requests of all threads", { .iops = 2000 }, ACTION_READ, 100, 50, 4,
	    0.199 / 2 },
	{ "both", { .bandwidth = 50e6, .latency = 0.01 }, ACTION_READ, 1000000,
	    5, 1, 0.15 },
	{ "files", { .open = 0.02 }, ACTION_OPEN, 0, 4, 1, 0.1 },
	/* Each job has a file of its own; the line is not full. */
	{ "a stream", { .stream = 50e6 }, ACTION_READ, 1000000, 5, 1, 0.1 },
	{ "each of several streams", { .bandwidth = 1e9, .stream = 50e6 },
	    ACTION_READ, 1000000, 5, 2, 0.1 },
	/* The first begins at once. */
	{ "openings", { .opens = 50 }, ACTION_OPEN, 0, 6, 1, 0.1 },
	{ "openings of all threads", { .opens = 200 }, ACTION_OPEN, 0, 6, 4,
	    0.119 },
	{ "to create a file", { .open = 0.1 }, ACTION_WRITE, 10, 1, 1, 0.1 },
};

static void check_least(const char *dir, const struct emulated_case *c)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&c->limits, &err);
	const struct job job = { .medium = medium,
		.dir = dir,
		.action = c->action,
		.bytes = c->bytes,
		.times = c->times };
	double seconds;

	for (int again = 0; again < 2; again++) { /* it owes nothing */
		seconds = job_seconds(&job, c->threads);
		if (seconds < c->least_s)
			fail_msg("%s: took %f s, at least %f were asked",
			    c->what, seconds, c->least_s);
		medium_set_warm(medium, false);
	}
	medium_free(medium);
}

static void make_file(char *dir)
{
	char *text = calloc(1, FILE_BYTES + 1);

	memset(text, 'x', FILE_BYTES);
	test_write(dir, "f", text);
	free(text);
}

static void test_medium_is_never_faster_than_emulated(void **state)
{
	char *dir = test_scratch();

	(void)state;
	make_file(dir);
	for (size_t i = 0; i < ARRAY_LEN(emulated_cases); i++)
		check_least(dir, &emulated_cases[i]);
	test_scratch_remove(dir);
}

/* The quickest of some tries: much else goes on. */
static double quickest(struct medium *medium, const char *dir,
    enum action action, unsigned times, unsigned threads)
{
	const struct job job = { .medium = medium,
		.dir = dir,
		.action = action,
		.bytes = 1000,
		.times = times };
	double least = 1e9;

	for (int i = 0; i < 5; i++) {
		const double seconds = job_seconds(&job, threads);

		if (seconds < least)
			least = seconds;
	}
	return least;
}

/* One after the other it would be 0.8 s. */
static void test_medium_latencies_and_opens_overlap(void **state)
{
	const struct storage_limits limits = { .latency = 0.01, .open = 0.01 };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&limits, &err);
	char *dir = test_scratch();

	(void)state;
	make_file(dir);
	assert_true(quickest(medium, dir, ACTION_READ, 9, 8) < 0.4);
	assert_true(quickest(medium, dir, ACTION_OPEN, 9, 8) < 0.4);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_medium_warm_answers_at_once(void **state)
{
	const struct storage_limits limits = {
		.bandwidth = 1e4, .latency = 0.1, .iops = 10, .open = 0.1
	};
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&limits, &err);
	char *dir = test_scratch();

	(void)state;
	make_file(dir);
	medium_set_warm(medium, true);
	/* Else 4 s. */
	assert_true(quickest(medium, dir, ACTION_READ, 40, 1) < 1);
	assert_true(quickest(medium, dir, ACTION_OPEN, 40, 1) < 1);
	medium_free(medium);
	test_scratch_remove(dir);
}

struct sleeper {
	struct medium *medium;
	const char *dir;
};

static void *sleep_long(void *arg)
{
	const struct sleeper *sleeper = arg;

	quickest(sleeper->medium, sleeper->dir, ACTION_READ, 2, 1);
	return NULL;
}

/* The thread would sleep for minutes, now and the next times. */
static void test_medium_hurries(void **state)
{
	const struct storage_limits limits = { .latency = 100 };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&limits, &err);
	char *dir = test_scratch();
	struct sleeper sleeper = { medium, dir };
	const uint64_t start = clock_now(&clock_monotonic);
	pthread_t thread;

	(void)state;
	make_file(dir);
	assert_int_equal(
	    pthread_create(&thread, NULL, sleep_long, &sleeper), 0);
	while (medium_requests(medium) == 0)
		clock_sleep_until(clock_now(&clock_monotonic) + 1000000);
	medium_hurry(medium, true);
	pthread_join(thread, NULL);
	medium_hurry(medium, false);
	assert_true(clock_now(&clock_monotonic) - start < 60000000000);
	medium_free(medium);
	test_scratch_remove(dir);
}

/* A request asks for what is there; and what was waited for is counted. */
static void test_medium_counts_and_reads_what_is_there(void **state)
{
	const struct storage_limits limits = { .bandwidth = 1000 };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&limits, &err);
	char *dir = test_scratch(), *path = test_path(dir, "f"), data[60000];
	struct medium_file *file;
	uint64_t start;

	(void)state;
	test_write(dir, "f", "0123456789");
	file = medium_open(medium, path, &err);
	start = clock_now(&clock_monotonic);
	assert_int_equal(medium_read(file, 0, data, sizeof(data), &err), 10);
	assert_int_equal(medium_read(file, 1000, data, sizeof(data), &err), 0);
	/* All that was asked for would take 120 s. */
	assert_true(clock_now(&clock_monotonic) - start >= 10000000);
	assert_true(clock_now(&clock_monotonic) - start < 60000000000);
	assert_int_equal(medium_bytes_read(medium), 10);
	assert_int_equal(medium_requests(medium), 2);
	assert_int_equal(medium_opened(medium), 1);
	medium_close(file);
	medium_free(medium);
	free(path);
	test_scratch_remove(dir);
}

static void test_medium_tells_opening_from_reading(void **state)
{
	const struct storage_limits limits = { .latency = 0.01, .open = 0.02 };
	char *dir = test_scratch();
	char *path = test_path(dir, "f");
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_emulated(&limits, &err);
	struct medium_times times;
	char data[10];

	(void)state;
	test_write(dir, "f", "0123456789");
	for (unsigned timed = 0; timed < 3; timed++) {
		struct medium_file *file;

		medium_set_timed(medium, timed < 2);
		file = medium_open(medium, path, &err);
		assert_non_null(file);
		assert_int_equal(medium_read_full(file, 0, data, 10, &err), 0);
		assert_int_equal(medium_read_full(file, 5, data, 5, &err), 0);
		medium_close(file);
		times = medium_get_times(medium);
		if (timed < 2) {
			assert_int_equal(times.opened, 1);
			assert_int_equal(times.requests, 2);
		}
	}
	/* Whoever was woken too late waits less the next time. */
	assert_true(times.open_ns >= 10000000);
	assert_true(times.read_ns >= 10000000);
	medium_free(medium);
	free(path);
	test_scratch_remove(dir);
}

/* ---- large files, which are sent to the disk before they are synced ---- */

enum { LARGE = 11000003 };

static unsigned char *make_large(void)
{
	unsigned char *bytes = malloc(LARGE);
	uint32_t x = 1;

	for (size_t i = 0; i < LARGE; i++) {
		x = x * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(x >> 24);
	}
	return bytes;
}

static void check_file(
    struct medium *medium, const char *path, const unsigned char *bytes)
{
	struct error err = ERROR_INIT;
	struct buf is = BUF_INIT;

	test_ok(medium_slurp(medium, path, &is, &err), &err);
	assert_int_equal(is.len, LARGE);
	assert_memory_equal(is.data, bytes, LARGE);
	buf_release(&is);
}

/* Written in pieces of so many bytes; closed with, or without, a sync. */
static void write_large(struct medium *medium, const char *path,
    const unsigned char *bytes, size_t piece, bool sync)
{
	struct error err = ERROR_INIT;
	struct medium_file *file = medium_begin(medium, path, &err);

	for (size_t at = 0; at < LARGE; at += piece) {
		const size_t left = LARGE - at;

		test_ok(medium_write(file, bytes + at,
		            left < piece ? left : piece, &err),
		    &err);
	}
	assert_int_equal(medium_size(file), LARGE);
	if (sync)
		test_ok(medium_sync(file, &err), &err);
	test_ok(medium_publish(file, &err), &err);
	medium_close(file);
}

static void test_medium_writes_large_files_in_any_pieces(void **state)
{
	static const size_t pieces[] = { 1000, 4096, 262144, 262145, 999983,
		4 << 20, LARGE };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *path = test_path(dir, "f");
	unsigned char *bytes = make_large();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
		for (int sync = 0; sync < 2; sync++) {
			write_large(medium, path, bytes, pieces[i], sync);
			check_file(medium, path, bytes);
		}
	free(bytes);
	free(path);
	test_scratch_remove(dir);
	medium_free(medium);
}

/* What is written over is there already, and what is appended goes behind. */
static void test_medium_writes_over_and_on(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *path = test_path(dir, "f");
	unsigned char *bytes = make_large();
	struct medium_file *file = medium_create(medium, path, &err);
	const size_t part = LARGE / 3;

	(void)state;
	for (size_t at = 0; at < LARGE;) {
		const size_t n = LARGE - at < part ? LARGE - at : part;

		test_ok(medium_write(file, bytes + at, n, &err), &err);
		at += n;
		bytes[at - n / 2] = 77;
		test_ok(medium_write_at(
		            file, at - n / 2, bytes + at - n / 2, 1, &err),
		    &err);
		if (at == part)
			test_ok(medium_sync(file, &err), &err);
	}
	medium_close(file);
	check_file(medium, path, bytes);
	free(bytes);
	free(path);
	test_scratch_remove(dir);
	medium_free(medium);
}

struct large_job {
	struct medium *medium;
	char *path;
	const unsigned char *bytes;
	pthread_t thread;
};

static void *write_many(void *arg)
{
	const struct large_job *job = arg;

	for (size_t i = 0; i < 3; i++)
		write_large(
		    job->medium, job->path, job->bytes, 1 << 20, i != 1);
	return NULL;
}

static void test_medium_writes_large_files_at_once(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), name[8];
	unsigned char *bytes = make_large();
	struct large_job jobs[4];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
		snprintf(name, sizeof(name), "f%zu", i);
		jobs[i] = (struct large_job){ .medium = medium,
			.path = test_path(dir, name),
			.bytes = bytes };
		assert_int_equal(
		    pthread_create(&jobs[i].thread, NULL, write_many, &jobs[i]),
		    0);
	}
	for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
		pthread_join(jobs[i].thread, NULL);
		check_file(medium, jobs[i].path, bytes);
		free(jobs[i].path);
	}
	free(bytes);
	test_scratch_remove(dir);
	medium_free(medium);
}

/* Whatever is there when the disk is full, the writer is told in the end. */
static void test_medium_tells_what_it_could_not_write(void **state)
{
	const size_t limits[] = { 1000, 300000, 5000000, LARGE - 1 };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch(), *path = test_path(dir, "f");
	unsigned char *bytes = make_large();
	struct rlimit before, limit;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		struct medium_file *file = medium_begin(medium, path, &err);
		int rc = 0;

		limit = before;
		limit.rlim_cur = limits[i];
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		err = (struct error)ERROR_INIT;
		for (size_t at = 0; rc == 0 && at + 100000 <= LARGE;
		     at += 100000)
			rc = medium_write(file, bytes + at, 100000, &err);
		if (rc == 0)
			rc = medium_write(file, bytes, LARGE % 100000, &err);
		if (rc == 0)
			rc = medium_sync(file, &err);
		medium_close(file);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(rc, -1);
		assert_int_equal(err.code, ERROR_SYSTEM);
		test_contains(err.text, "cannot write ");
		test_contains(err.text, path);
		/* And the next file is whole again. */
		write_large(medium, path, bytes, 1 << 20, true);
		check_file(medium, path, bytes);
	}
	free(bytes);
	free(path);
	test_scratch_remove(dir);
	medium_free(medium);
}

/* ---- names: the same laws for all backends that write ---- */

static void write_file(
    struct medium *medium, const char *path, bool is_new, int result)
{
	struct error err = ERROR_INIT;
	struct medium_file *file = medium_begin(medium, path, &err);

	assert_non_null(file);
	test_ok(medium_write(file, "abc", 3, &err), &err);
	if (is_new)
		assert_int_equal(medium_publish_new(file, &err), result);
	else
		assert_int_equal(medium_publish(file, &err), result);
	medium_close(file);
}

static int note_name(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	char *names = arg;

	(void)err;
	assert_int_equal(status->kind, MEDIUM_FILE);
	assert_int_equal(status->bytes, 3);
	snprintf(names + strlen(names), 32, "%s", name);
	return 0;
}

static enum medium_kind kind_of(struct medium *medium, const char *path)
{
	struct error err = ERROR_INIT;
	struct medium_status status;

	test_ok(medium_get_status(medium, path, &status, &err), &err);
	assert_int_equal(status.bytes, status.kind == MEDIUM_FILE ? 3 : 0);
	return status.kind;
}

static void check_names(struct medium *medium, const char *dir)
{
	struct error err = ERROR_INIT;
	char *folder = test_path(dir, "names");
	char *path = test_path(folder, "a"), names[64] = "";

	assert_int_equal(kind_of(medium, path), MEDIUM_NOTHING);
	test_ok(medium_make_dirs(medium, folder, &err), &err);
	write_file(medium, path, true, 1);
	write_file(medium, path, true, 0);
	write_file(medium, path, false, 0);
	assert_int_equal(kind_of(medium, path), MEDIUM_FILE);
	assert_int_equal(kind_of(medium, folder), MEDIUM_FOLDER);
	test_ok(medium_list(medium, folder, note_name, names, &err), &err);
	assert_string_equal(names, "a");
	test_ok(medium_remove(medium, path, &err), &err);
	test_ok(medium_remove(medium, path, &err), &err);
	assert_int_equal(kind_of(medium, path), MEDIUM_NOTHING);
	free(path);
	free(folder);
}

static void test_medium_names_are_alike(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	struct medium *local = medium_new_local(&err);
	struct medium *memory = medium_new_memory(NULL, &err);

	(void)state;
	check_names(local, dir);
	check_names(memory, "/memory");
	medium_free(local);
	medium_free(memory);
	test_scratch_remove(dir);
}

/* Many files in many folders: some go, and the others are still found. */
static void test_memory_finds_what_is_left(void **state)
{
	enum { FILES = 1000, IN_FOLDER = 10 };
	struct error err = ERROR_INIT;
	struct medium *memory = medium_new_memory(NULL, &err);
	char path[64];

	UNUSED(state);
	for (unsigned i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "/m/%u/%u", i / IN_FOLDER, i);
		write_file(memory, path, false, 0);
	}
	for (unsigned i = 0; i < FILES; i++) {
		if (i % 3 && i / IN_FOLDER != 7)
			continue;
		snprintf(path, sizeof(path), "/m/%u/%u", i / IN_FOLDER, i);
		test_ok(medium_remove(memory, path, &err), &err);
	}
	for (unsigned i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "/m/%u/%u", i / IN_FOLDER, i);
		assert_int_equal(
		    medium_exists(memory, path), i % 3 && i / IN_FOLDER != 7);
	}
	assert_true(medium_exists(memory, "/m/6"));
	assert_false(medium_exists(memory, "/m/7"));
	assert_false(medium_exists(memory, "/m/6/6"));
	test_ok(medium_rename(memory, "/m/6", "/n/7", &err), &err);
	assert_false(medium_exists(memory, "/m/6"));
	assert_true(medium_exists(memory, "/m"));
	assert_true(medium_exists(memory, "/n/7/61"));
	medium_free(memory);
}

/* A folder in memory keeps the file; what it holds stays the same anyway. */
static void test_medium_drops_what_it_holds(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	struct medium *held = medium_new_memory(dir, &err);
	struct medium *kernels = medium_new_memory(NULL, &err);
	struct medium *local = medium_new_local(&err);
	struct medium_file *file = medium_begin(held, "/held/a", &err);
	char bytes[4] = "";

	(void)state;
	assert_non_null(file);
	test_ok(medium_write(file, "abc", 3, &err), &err);
	test_ok(medium_publish(file, &err), &err);
	medium_close(file);
	medium_drop_held(held);
	file = medium_open(held, "/held/a", &err);
	assert_non_null(file);
	test_ok(medium_read_full(file, 0, bytes, 3, &err), &err);
	assert_string_equal(bytes, "abc");
	medium_close(file);
	/* Nothing is held, the kernel's own memory, files of others. */
	assert_false(medium_drop_held(kernels));
	assert_false(medium_drop_held(local));
	medium_free(local);
	medium_free(kernels);
	medium_free(held);
	test_scratch_remove(dir);
}

/* A mapped page stays in memory, wherever the folder lies. */
static void test_medium_tells_that_what_it_holds_stayed(void **state)
{
	static const unsigned char bytes[MAPPING_LEAST + 100];
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	struct medium *held = medium_new_memory(dir, &err);
	struct medium_file *file = medium_begin(held, "/held/a", &err);
	struct mapping mapping;
	unsigned char *data;

	(void)state;
	assert_non_null(file);
	test_ok(medium_write(file, bytes, sizeof(bytes), &err), &err);
	test_ok(medium_publish(file, &err), &err);
	medium_close(file);
	file = medium_open(held, "/held/a", &err);
	assert_non_null(file);
	assert_true(medium_map(file, 0, sizeof(bytes), &mapping, &data));
	assert_false(medium_drop_held(held));
	mapping_release(&mapping);
	medium_close(file);
	medium_free(held);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_finds_what_is_left),
		cmocka_unit_test(test_medium_drops_what_it_holds),
		cmocka_unit_test(test_medium_tells_that_what_it_holds_stayed),
		cmocka_unit_test(test_medium_names_are_alike),
		cmocka_unit_test(test_medium_reads_what_was_written),
		cmocka_unit_test(test_medium_writes_large_files_in_any_pieces),
		cmocka_unit_test(test_medium_writes_over_and_on),
		cmocka_unit_test(test_medium_writes_large_files_at_once),
		cmocka_unit_test(test_medium_tells_what_it_could_not_write),
		cmocka_unit_test(test_medium_names_what_it_cannot_open),
		cmocka_unit_test(test_medium_is_never_faster_than_emulated),
		cmocka_unit_test(test_medium_latencies_and_opens_overlap),
		cmocka_unit_test(test_medium_warm_answers_at_once),
		cmocka_unit_test(test_medium_hurries),
		cmocka_unit_test(test_medium_counts_and_reads_what_is_there),
		cmocka_unit_test(test_medium_tells_opening_from_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
