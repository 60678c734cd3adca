/* test_http_objects.c - what objects behind a server on the loopback cost. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/backends/fork_lock.h"
#include "lib/media/medium.h"
#include "test/unit/http_host.h"
#include "test/unit/test.h"

#define MB(n) ((size_t)(n) << 20)
#define HEAD  ((size_t)256 << 10) /* what opening brings */

enum { CHILD_S = 60 };

static struct medium_file *open_at(
    struct medium *medium, const struct http_host *host, const char *name)
{
	struct error err = ERROR_INIT;
	struct medium_file *file;
	char url[128];

	snprintf(url, sizeof(url), "%s/%s", host->url, name);
	file = medium_open(medium, url, &err);
	test_ok(file ? 0 : -1, &err);
	return file;
}

static struct medium *new_medium(void)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);

	test_ok(medium ? 0 : -1, &err);
	return medium;
}

/* Are these the right bytes?  One of 61 is looked at, and the last. */
static bool is_right(const unsigned char *bytes, uint64_t at, size_t len)
{
	for (size_t i = 0; i < len; i += 61)
		if (bytes[i] != host_byte(at + i))
			return false;
	return len == 0 || bytes[len - 1] == host_byte(at + len - 1);
}

/* Returns whether it was read, and is right. */
static bool reads(struct medium_file *file, uint64_t at, size_t len)
{
	struct error err = ERROR_INIT;
	unsigned char *bytes = malloc(len);
	const bool is = medium_read_full(file, at, bytes, len, &err) == 0 &&
	                is_right(bytes, at, len);

	free(bytes);
	return is;
}

/* ---- bytes ---- */

/* Reads at places in an order that never goes on where a read ended. */
static void read_scattered(struct medium_file *file, uint64_t size, size_t len)
{
	const uint64_t places = size / len;

	for (uint64_t i = 1; i <= places; i++)
		assert_true(reads(file, i * 5 % places * len, len));
}

static void read_in_order(struct medium_file *file, uint64_t size, size_t len)
{
	for (uint64_t at = 0; at < size; at += len)
		assert_true(reads(
		    file, at, size - at < len ? (size_t)(size - at) : len));
}

/* Scattered reads cost their bytes, whatever their size; so do all in order. */
static void test_http_objects_cost_the_bytes_that_are_read(void **state)
{
	static const struct {
		size_t len, places;
		bool is_scattered;
	} cases[] = {
		{ MB(1), 16, true },
		{ MB(4), 11, true },
		{ MB(8), 6, true },
		{ MB(9), 6, true },
		{ MB(20), 3, true },
		{ HEAD / 4, 61, false },
		{ MB(4), 6, false },
		{ MB(9), 4, false },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct host_object object = {
			.size = cases[i].places * cases[i].len,
			.version = "ETag: \"1\"\r\n",
		};
		const uint64_t most = object.size + HEAD + HEAD / 8;
		struct medium *medium = new_medium();
		struct medium_file *file;
		struct http_host host;

		http_host_start(&host, host_answer_object, &object);
		file = open_at(medium, &host, "a");
		if (cases[i].is_scattered)
			read_scattered(file, object.size, cases[i].len);
		else
			read_in_order(file, object.size, cases[i].len);
		medium_close(file);
		medium_free(medium);
		http_host_stop(&host);
		if (atomic_load(&object.bytes) > most)
			fail_msg("case %zu: %" PRIu64 " bytes for %" PRIu64, i,
			    (uint64_t)atomic_load(&object.bytes), object.size);
	}
}

/* ---- forks ---- */

static void *hold(void *arg)
{
	struct fork_lock *lock = arg;
	static atomic_uint never;

	fork_lock_take(lock);
	while (!atomic_load(&never))
		sleep(1);
	return NULL;
}

static int exit_of(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Whatever the parent holds, a child gets the lock, and is told once. */
static int take_in_child(struct fork_lock *lock)
{
	alarm(CHILD_S);
	if (!fork_lock_take(lock))
		return 1;
	fork_lock_give(lock);
	if (fork_lock_take(lock))
		return 2;
	fork_lock_give(lock);
	fork_lock_destroy(lock);
	return 0;
}

static void test_http_objects_have_locks_that_a_fork_frees(void **state)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	static struct fork_lock held, fixed = FORK_LOCK_INIT;
	pthread_t thread;
	pid_t child;

	UNUSED(state);
	fork_lock_init(&held);
	assert_false(fork_lock_take(&held));
	fork_lock_give(&held);
	assert_true(fork_lock_take(&fixed));
	fork_lock_give(&fixed);
	assert_false(fork_lock_take(&fixed));
	fork_lock_give(&fixed);
	assert_int_equal(pthread_create(&thread, NULL, hold, &held), 0);
	pthread_detach(thread);
	do
		nanosleep(&moment, NULL);
	while (pthread_mutex_trylock(&held.mutex) == 0 &&
	       pthread_mutex_unlock(&held.mutex) == 0);
	child = fork();
	if (child == 0)
		_exit(take_in_child(&held));
	assert_int_equal(exit_of(child), 0);
}

/* Sanitizers have locks of their own, which a fork does not free. */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

struct reading {
	struct medium *medium;
	struct medium_file *file;
	const char *own; /* what a child opens */
	uint64_t size;
	atomic_bool stop, failed;
};

/* Reads in order and elsewhere by turns, so that every lock is taken. */
static void *read_always(void *arg)
{
	struct reading *reading = arg;

	for (uint64_t i = 0; !atomic_load(&reading->stop); i++) {
		const uint64_t at =
		    i % 32 < 24 ? i % 32 * 100000 : i * 77777 % reading->size;
		const uint64_t left = reading->size - at;

		if (!reads(reading->file, at,
		        left < 100000 ? (size_t)left : 100000))
			atomic_store(&reading->failed, true);
	}
	return NULL;
}

/* The child reads what its parent opened, and opens it itself. */
static int read_in_child(struct reading *reading)
{
	struct error err = ERROR_INIT;
	struct medium_file *own;
	int rc = 0;

	alarm(CHILD_S);
	for (uint64_t at = 0; at < MB(2); at += 90000)
		if (!reads(reading->file, at, 90000))
			return 1;
	own = medium_open(reading->medium, reading->own, &err);
	if (!own || !reads(own, MB(3), 100000))
		rc = 2;
	medium_close(own);
	medium_close(reading->file);
	medium_free(reading->medium);
	return rc;
}

static void fork_while_it_reads(bool is_kept, bool is_s3)
{
	enum { FORKS = 12, THREADS = 3 };
	struct host_object object = { .size = MB(4),
		.version = "ETag: \"1\"\r\n" };
	char *dir = test_scratch();
	struct error err = ERROR_INIT;
	struct reading reading = { .size = object.size };
	struct http_host host;
	pthread_t threads[THREADS];
	char url[128];

	http_host_start(&host, host_answer_object, &object);
	setenv("AWS_ENDPOINT_URL", host.url, 1);
	setenv("AWS_NO_SIGN_REQUEST", "yes", 1);
	snprintf(url, sizeof(url), "%s/a", is_s3 ? "s3://bucket" : host.url);
	reading.own = url;
	reading.medium = new_medium();
	if (is_kept)
		test_ok(medium_keep(reading.medium, dir, MB(100), &err), &err);
	reading.file = medium_open(reading.medium, url, &err);
	test_ok(reading.file ? 0 : -1, &err);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, read_always, &reading),
		    0);
	for (size_t i = 0; i < FORKS; i++) {
		const pid_t child = fork();

		if (child == 0)
			_exit(read_in_child(&reading));
		assert_int_equal(exit_of(child), 0);
	}
	atomic_store(&reading.stop, true);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_false(atomic_load(&reading.failed));
	medium_close(reading.file);
	medium_free(reading.medium);
	http_host_stop(&host);
	test_scratch_remove(dir);
}

static void test_http_objects_are_read_in_a_fork(void **state)
{
	UNUSED(state);
	fork_while_it_reads(false, false);
	fork_while_it_reads(true, false);
	fork_while_it_reads(false, true);
}

#else

static void test_http_objects_are_read_in_a_fork(void **state)
{
	UNUSED(state);
	skip();
}

#endif

/* ---- status ---- */

enum { SIZE = 5000 };

/* HEAD does not say how long it is; GET has ranges or, with `arg`, no total. */
static bool answer_without_length(void *arg, const struct http_ask *ask)
{
	struct host_object object = { .size = SIZE,
		.version = "ETag: \"1\"\r\n" };

	if (strcmp(ask->method, "HEAD") == 0)
		return host_say(ask->socket,
		           "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nConnection: "
		           "close\r\n\r\n") &&
		       false;
	if (arg)
		return host_say(ask->socket,
		    "HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n");
	return host_answer_object(&object, ask);
}

/* The size is asked for in another way, at HTTP and at S3. */
static void test_http_objects_without_length_are_opened(void **state)
{
	static const char *const urls[] = { "%s/a", "s3://bucket/a" };
	struct http_host host;
	struct medium *medium = new_medium();

	UNUSED(state);
	http_host_start(&host, answer_without_length, NULL);
	setenv("AWS_ENDPOINT_URL", host.url, 1);
	setenv("AWS_NO_SIGN_REQUEST", "yes", 1);
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		struct medium_status status;
		struct error err = ERROR_INIT;
		char url[128];

		if (i == 0)
			snprintf(url, sizeof(url), "%s/a", host.url);
		else
			snprintf(url, sizeof(url), "%s", urls[i]);
		test_ok(medium_get_status(medium, url, &status, &err), &err);
		assert_int_equal(status.kind, MEDIUM_FILE);
		assert_int_equal(status.bytes, SIZE);
		assert_string_equal(status.version, "\"1\"");
	}
	medium_free(medium);
	http_host_stop(&host);
}

/* A server that never tells is an error in words. */
static void test_http_objects_say_that_a_size_is_not_told(void **state)
{
	struct medium_status status;
	struct error err = ERROR_INIT;
	struct http_host host;
	struct medium *medium = new_medium();
	char url[128];

	UNUSED(state);
	http_host_start(&host, answer_without_length, &host);
	snprintf(url, sizeof(url), "%s/a", host.url);
	assert_int_equal(medium_get_status(medium, url, &status, &err), -1);
	test_contains(err.text, url);
	test_contains(err.text, "it has no bytes from 0 on");
	medium_free(medium);
	http_host_stop(&host);
}

/* ---- a cache on the disk ---- */

#define DAY "Wed, 21 Oct 2015 "

/* A version that other bytes may have as well is not kept on the disk. */
static void test_http_objects_with_weak_versions_are_not_kept(void **state)
{
	static const struct {
		const char *version;
		bool is_kept;
	} cases[] = {
		{ "ETag: \"1\"\r\n", true },
		{ "ETag: W/\"1\"\r\n", false },
		{ "Last-Modified: " DAY "07:28:00 GMT\r\n"
		  "Date: " DAY "07:30:00 GMT\r\n",
		    true },
		{ "Last-Modified: " DAY "07:28:00 GMT\r\n"
		  "Date: " DAY "07:28:01 GMT\r\n",
		    false },
		{ "Last-Modified: " DAY "07:28:00 GMT\r\n", false },
		{ "", false },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct host_object object = { .size = MB(1),
			.version = cases[i].version };
		char *dir = test_scratch();
		struct error err = ERROR_INIT;
		struct http_host host;
		uint64_t before = 0;

		http_host_start(&host, host_answer_object, &object);
		for (unsigned round = 0; round < 2; round++) {
			struct medium *medium = new_medium();
			struct medium_file *file;

			before = atomic_load(&object.bytes);
			test_ok(medium_keep(medium, dir, MB(100), &err), &err);
			file = open_at(medium, &host, "a");
			assert_true(reads(file, 0, MB(1)));
			medium_close(file);
			medium_free(medium);
		}
		if ((atomic_load(&object.bytes) == before) != cases[i].is_kept)
			fail_msg("case %zu", i);
		http_host_stop(&host);
		test_scratch_remove(dir);
	}
}

/* A file that changes stays an error: no read mixes both versions. */
static void test_http_objects_that_change_are_never_mixed(void **state)
{
	struct host_object object = { .size = MB(9),
		.version = "ETag: \"1\"\r\n" };
	char *dir = test_scratch();
	struct error err = ERROR_INIT;
	struct http_host host;
	struct medium *medium = new_medium();
	struct medium_file *file;

	UNUSED(state);
	http_host_start(&host, host_answer_object, &object);
	test_ok(medium_keep(medium, dir, MB(100), &err), &err);
	file = open_at(medium, &host, "a");
	assert_true(reads(file, 0, 1000));
	medium_close(file);
	file = open_at(medium, &host, "a"); /* it needs no request yet */
	object.version = "ETag: \"2\"\r\n";
	assert_true(reads(file, 0, 1000));
	for (unsigned i = 0; i < 3; i++) {
		char bytes[10];

		err = (struct error)ERROR_INIT;
		assert_int_equal(
		    medium_read_full(file, MB(5), bytes, 10, &err), -1);
		test_contains(err.text, "it changed while it was read");
	}
	medium_close(file);
	medium_free(medium);
	http_host_stop(&host);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_http_objects_cost_the_bytes_that_are_read),
		cmocka_unit_test(
		    test_http_objects_have_locks_that_a_fork_frees),
		cmocka_unit_test(test_http_objects_are_read_in_a_fork),
		cmocka_unit_test(test_http_objects_without_length_are_opened),
		cmocka_unit_test(test_http_objects_say_that_a_size_is_not_told),
		cmocka_unit_test(
		    test_http_objects_with_weak_versions_are_not_kept),
		cmocka_unit_test(test_http_objects_that_change_are_never_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
