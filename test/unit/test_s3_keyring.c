/*
 * test_s3_keyring.c - keys are asked for by one thread, and others go on with
 * those that hold.
 *
 * A program gives the keys.  One call of it waits until the test lets it go.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "test/unit/far_store.h"
#include "test/unit/test.h"

enum { THREADS = 3, CHILD_S = 60 };

struct asked {
	struct store *store;
	char *dir;
	struct medium *medium;
};

/* One call waits; those before it give keys that end soon. */
static void begin(struct asked *asked, struct store *store, unsigned waiting)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	char *program, *config;

	asked->store = store;
	asked->dir = test_scratch();
	program = test_path(asked->dir, "program");
	config = test_path(asked->dir, "config");
	test_ok(buf_printf(&text, &err,
	            "#!/bin/sh\n"
	            "cd '%s'\n"
	            "echo >>calls\n"
	            "calls=$(wc -l <calls)\n"
	            "end=2036-01-01T00:00:00Z\n"
	            "[ \"$calls\" -ge %u ] ||\n"
	            "end=$(date -u -d \"@$(($(date +%%s) + 250))\" "
	            "+%%Y-%%m-%%dT%%H:%%M:%%SZ)\n"
	            "if [ \"$calls\" -eq %u ]; then\n"
	            ": >waits; until [ -e go ]; do sleep 0.01; done\n"
	            "fi\n"
	            "echo '{\"Version\": 1, \"AccessKeyId\": \"tester\",'\n"
	            "echo '\"SecretAccessKey\": \"word-of-the-test\",'\n"
	            "echo \"\\\"Expiration\\\": \\\"$end\\\"}\"\n",
	            asked->dir, waiting, waiting),
	    &err);
	test_write(asked->dir, "program", (const char *)text.data);
	assert_int_equal(chmod(program, 0700), 0);
	text.len = 0;
	test_ok(buf_printf(&text, &err,
	            "[profile train]\ncredential_process = %s\n", program),
	    &err);
	test_write(asked->dir, "config", (const char *)text.data);
	setenv("AWS_CONFIG_FILE", config, 1);
	setenv("AWS_PROFILE", "train", 1);
	unsetenv("AWS_ACCESS_KEY_ID");
	unsetenv("AWS_SECRET_ACCESS_KEY");
	asked->medium = medium_new_local(&err);
	buf_release(&text);
	free(program);
	free(config);
}

static void end(struct asked *asked)
{
	medium_free(asked->medium);
	test_scratch_remove(asked->dir);
	unsetenv("AWS_PROFILE");
	setenv("AWS_CONFIG_FILE", "/dev/null", 1);
	setenv("AWS_ACCESS_KEY_ID", "tester", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "word-of-the-test", 1);
}

static void await_file(const struct asked *asked, const char *name)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	char *path = test_path(asked->dir, name);

	while (!path_exists(path))
		nanosleep(&moment, NULL);
	free(path);
}

static size_t calls(const struct asked *asked)
{
	struct buf text = BUF_INIT;
	size_t len;

	test_read_file(asked->dir, "calls", &text);
	len = text.len;
	buf_release(&text);
	return len;
}

static bool can_read(struct medium *medium)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	const bool can =
	    medium_slurp(medium, "s3://photos/in/a.txt", &bytes, &err) == 0 &&
	    bytes.len == 3;

	buf_release(&bytes);
	return can;
}

struct reading {
	pthread_t thread;
	struct medium *medium;
	atomic_bool is_done;
	bool can;
};

static void *read_once(void *arg)
{
	struct reading *reading = arg;

	reading->can = can_read(reading->medium);
	atomic_store(&reading->is_done, true);
	return NULL;
}

static void start(struct reading *reading, const struct asked *asked)
{
	*reading = (struct reading){ .medium = asked->medium };
	assert_int_equal(
	    pthread_create(&reading->thread, NULL, read_once, reading), 0);
}

static void join(struct reading *reading)
{
	pthread_join(reading->thread, NULL);
	assert_true(reading->can);
}

static void test_s3_keys_that_hold_are_used_while_others_come(void **state)
{
	struct reading reading;
	struct asked asked;

	begin(&asked, *state, 2);
	assert_true(can_read(asked.medium));
	start(&reading, &asked);
	await_file(&asked, "waits");
	for (unsigned i = 0; i < 3; i++)
		assert_true(can_read(asked.medium));
	assert_false(atomic_load(&reading.is_done));
	test_write(asked.dir, "go", "");
	join(&reading);
	assert_true(can_read(asked.medium));
	assert_int_equal(calls(&asked), 2);
	end(&asked);
}

static void test_s3_keys_that_are_missing_are_waited_for(void **state)
{
	struct reading readings[THREADS];
	struct asked asked;

	begin(&asked, *state, 1);
	for (unsigned i = 0; i < THREADS; i++)
		start(&readings[i], &asked);
	await_file(&asked, "waits");
	test_write(asked.dir, "go", "");
	for (unsigned i = 0; i < THREADS; i++)
		join(&readings[i]);
	/* One of them has asked. */
	assert_int_equal(calls(&asked), 1);
	end(&asked);
}

/* Sanitizers have locks of their own, which a fork does not free. */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

/* The thread that asks is not there in the child. */
static void test_s3_keys_are_found_anew_in_a_fork(void **state)
{
	struct reading readings[2];
	struct asked asked;
	pid_t child;
	int status;

	begin(&asked, *state, 1);
	for (unsigned i = 0; i < ARRAY_LEN(readings); i++)
		start(&readings[i], &asked);
	await_file(&asked, "waits");
	child = fork();
	if (child == 0) {
		alarm(CHILD_S);
		_exit(!can_read(asked.medium));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	test_write(asked.dir, "go", "");
	for (unsigned i = 0; i < ARRAY_LEN(readings); i++)
		join(&readings[i]);
	assert_int_equal(calls(&asked), 2);
	end(&asked);
}

#else

static void test_s3_keys_are_found_anew_in_a_fork(void **state)
{
	UNUSED(state);
	skip();
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_s3_keys_that_hold_are_used_while_others_come),
		cmocka_unit_test(test_s3_keys_that_are_missing_are_waited_for),
		cmocka_unit_test(test_s3_keys_are_found_anew_in_a_fork),
	};

	return cmocka_run_group_tests(tests, store_start, store_stop);
}
