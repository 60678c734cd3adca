/* test_process.c - programs that run beside: pipes, ends, time, costs. */
#define _GNU_SOURCE /* pipe2 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/outside.h"
#include "lib/process/process.h"
#include "test/unit/test.h"

enum { LARGE = 3 << 20, SOON_NS = 50000000 };

static struct process run;
static struct buf output, input;

static int set_up(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	run = (struct process)PROCESS_INIT;
	if (buf_reserve(&input, LARGE, &err))
		return -1;
	for (size_t i = 0; i < LARGE; i++)
		input.data[i] = (unsigned char)(i * 31 >> 3);
	input.len = LARGE;
	output.len = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	process_kill(&run);
	buf_release(&output);
	buf_release(&input);
	return 0;
}

static void start_with(const struct process_plan *plan)
{
	struct error err = ERROR_INIT;

	test_ok(process_start(&run, plan, &err), &err);
}

static void start(const char *script)
{
	const char *const words[] = { "sh", "-c", script, NULL };
	const struct process_plan plan = { .words = words };

	start_with(&plan);
}

/* Sends all, and receives to the end. */
static enum process_heard talk(size_t bytes, uint64_t most, uint64_t wait_ns)
{
	struct process_talk all = {
		.input = { input.data, bytes },
		.is_last = true,
		.output = &output,
		.wanted = SIZE_MAX,
		.most = most,
		.deadline_ns =
		    wait_ns ? clock_now(&clock_monotonic) + wait_ns : 0,
	};
	struct error err = ERROR_INIT;

	return process_talk(&run, &all, &err);
}

static void end(const char *message)
{
	struct error err = ERROR_INIT;
	int rc = process_end(&run, 0, &err);

	if (!message) {
		test_ok(rc, &err);
		return;
	}
	process_blame(&run, &err);
	test_error_is(rc, &err, message);
	assert_int_equal(err.code, ERROR_DATA);
}

static void test_process_sends_and_receives_at_the_same_time(void **state)
{
	(void)state;
	start("cat");
	assert_int_equal(talk(LARGE, 0, 0), PROCESS_CLOSED);
	end(NULL);
	assert_int_equal(output.len, LARGE);
	assert_memory_equal(output.data, input.data, LARGE);
}

static void test_process_may_leave_its_input_unread(void **state)
{
	(void)state;
	start("exec 0<&-; echo done");
	assert_int_equal(talk(LARGE, 0, 0), PROCESS_CLOSED);
	end(NULL);
	assert_int_equal(output.len, 5);
	assert_memory_equal(output.data, "done\n", 5);
}

static void test_process_may_write_more_than_it_reads(void **state)
{
	(void)state;
	start("head -c 3000000 /dev/zero; cat");
	assert_int_equal(talk(LARGE, 0, 0), PROCESS_CLOSED);
	end(NULL);
	assert_int_equal(output.len, 3000000 + LARGE);
}

static void test_process_that_writes_without_end_is_stopped(void **state)
{
	(void)state;
	start("yes");
	assert_int_equal(talk(0, 100000, 0), PROCESS_EXCESS);
	assert_in_range(output.len, 100001, 100000 + (1 << 16));
	process_kill(&run);
	assert_int_equal(run.id, 0);
}

static void test_process_that_complains_without_end_is_late(void **state)
{
	(void)state;
	start("yes >&2");
	assert_int_equal(talk(LARGE, 0, SOON_NS), PROCESS_LATE);
}

static void test_process_that_trickles_is_late(void **state)
{
	(void)state;
	start("while :; do echo; done");
	assert_int_equal(talk(0, 0, SOON_NS), PROCESS_LATE);
}

/* All that has the pipe open must die, so that its other end sees an end. */
static void test_process_that_hangs_is_killed_with_its_children(void **state)
{
	const char *const words[] = { "sh", "-c",
		"sleep 1000 & sleep 1000; sleep 1000", NULL };
	struct process_plan plan = { .words = words, .fd_count = 1 };
	int ends[2];
	char byte;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	plan.fds[0] = ends[1];
	start_with(&plan);
	close(ends[1]);
	assert_int_equal(talk(10, 0, SOON_NS), PROCESS_LATE);
	process_kill(&run);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

static void test_process_end_kills_what_does_not_end(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	start("exec >&-; sleep 1000");
	assert_int_equal(talk(10, 0, 0), PROCESS_CLOSED);
	test_error_is(
	    process_end(&run, clock_now(&clock_monotonic) + SOON_NS, &err),
	    &err, "does not end");
}

static void test_process_tells_how_it_ended(void **state)
{
	static const struct {
		const char *script, *message;
	} cases[] = {
		{ "exit 3", "exit status 3" },
		{ "echo one >&2; echo two words >&2; exit 4",
		    "exit status 4: two words" },
		{ "printf 'no newline' >&2; exit 1",
		    "exit status 1: no newline" },
		{ "printf 'a\\n\\n \\n' >&2; exit 1", "exit status 1: a" },
		{ "kill -9 $$", "ended by signal 9 (Killed)" },
		{ "kill -PIPE $$", "ended by signal 13 (Broken pipe)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		start(cases[i].script);
		assert_int_equal(talk(LARGE, 0, 0), PROCESS_CLOSED);
		end(cases[i].message);
	}
}

static void test_process_keeps_the_end_of_a_long_complaint(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	start("head -c 2000000 /dev/zero | tr '\\0' x >&2; echo >&2;"
	      "echo 'the reason' >&2; exit 1");
	assert_int_equal(talk(0, 0, 0), PROCESS_CLOSED);
	assert_int_equal(process_end(&run, 0, &err), -1);
	process_blame(&run, &err);
	assert_string_equal(err.text, "exit status 1: the reason");
}

static void test_process_gets_folder_environment_and_descriptors(void **state)
{
	static const char *const words[] = { "sh", "-c",
		"echo $PRESTO_X; pwd; cat <&3; cat <&4", NULL };
	static const char *const more[] = { "PRESTO_X=a b", NULL };
	struct process_plan plan = {
		.words = words,
		.folder = "/",
		.environment = more,
		.fd_count = 2,
	};
	int one[2], two[2];

	(void)state;
	assert_int_equal(setenv("PRESTO_X", "before", 1), 0);
	assert_int_equal(pipe2(one, O_CLOEXEC), 0);
	assert_int_equal(pipe2(two, O_CLOEXEC), 0);
	/* Whatever their numbers are here. */
	plan.fds[0] = two[0];
	plan.fds[1] = one[0];
	assert_int_equal(write(one[1], "one", 3), 3);
	assert_int_equal(write(two[1], "two", 3), 3);
	close(one[1]);
	close(two[1]);
	start_with(&plan);
	assert_int_equal(talk(0, 0, 0), PROCESS_CLOSED);
	end(NULL);
	close(one[0]);
	close(two[0]);
	assert_int_equal(output.len, 12);
	assert_memory_equal(output.data, "a b\n/\ntwoone", 12);
}

static void test_process_that_is_not_there_is_told(void **state)
{
	static const char *const words[] = { "presto-nope", NULL };
	const struct process_plan plan = { .words = words };
	struct error err = ERROR_INIT;

	(void)state;
	test_error_is(process_start(&run, &plan, &err), &err,
	    "cannot run presto-nope: No such file or directory");
	assert_int_equal(run.id, 0);
	process_kill(&run);
}

/* Asks for answers one by one, as a worker that stays does. */
static void test_process_answers_one_by_one(void **state)
{
	struct error err = ERROR_INIT;
	struct process_talk one = { .output = &output };

	(void)state;
	start("cat");
	for (unsigned i = 0; i < 20; i++) {
		output.len = 0;
		one.input = (struct span){ input.data + i, 100000 };
		one.wanted = 100000;
		assert_int_equal(process_talk(&run, &one, &err), PROCESS_HEARD);
		assert_int_equal(output.len, 100000);
		assert_memory_equal(output.data, input.data + i, 100000);
		process_count(&run);
	}
	end(NULL);
	assert_int_equal(outside_running_ns(), 0);
}

static void test_process_costs_are_those_of_the_thread(void **state)
{
	const uint64_t before = clock_now(&clock_thread_cpu);
	const uint64_t outside = outside_thread_ns();
	uint64_t user_ns, system_ns, user_after, system_after;

	(void)state;
	outside_read(&user_ns, &system_ns);
	start("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done");
	assert_int_equal(talk(0, 0, 0), PROCESS_CLOSED);
	end(NULL);
	outside_read(&user_after, &system_after);
	assert_true(outside_thread_ns() > outside);
	assert_int_equal(user_after + system_after - user_ns - system_ns,
	    outside_thread_ns() - outside);
	assert_true(clock_now(&clock_thread_cpu) - before >=
	            outside_thread_ns() - outside);
}

static void test_process_find_looks_as_a_shell_does(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "tool"), *found;
	struct error err = ERROR_INIT;

	(void)state;
	test_write(dir, "tool", "#!/bin/sh\n");
	test_error_is(process_find("./tool", dir, &err) ? 0 : -1, &err,
	    "no program './tool'");
	assert_int_equal(chmod(path, 0755), 0);
	found = process_find("./tool", dir, &err);
	assert_non_null(found);
	test_contains(found, "/./tool");
	free(found);
	found = process_find(path, "/", &err);
	assert_string_equal(found, path);
	free(found);
	found = process_find("sh", dir, &err);
	assert_non_null(found);
	test_contains(found, "/sh");
	free(found);
	test_error_is(process_find("presto-nope", dir, &err) ? 0 : -1, &err,
	    "no program 'presto-nope' in PATH");
	free(path);
	test_scratch_remove(dir);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_process_sends_and_receives_at_the_same_time),
		TEST(test_process_may_leave_its_input_unread),
		TEST(test_process_may_write_more_than_it_reads),
		TEST(test_process_that_writes_without_end_is_stopped),
		TEST(test_process_that_complains_without_end_is_late),
		TEST(test_process_that_trickles_is_late),
		TEST(test_process_that_hangs_is_killed_with_its_children),
		TEST(test_process_end_kills_what_does_not_end),
		TEST(test_process_tells_how_it_ended),
		TEST(test_process_keeps_the_end_of_a_long_complaint),
		TEST(test_process_gets_folder_environment_and_descriptors),
		TEST(test_process_that_is_not_there_is_told),
		TEST(test_process_answers_one_by_one),
		TEST(test_process_costs_are_those_of_the_thread),
		TEST(test_process_find_looks_as_a_shell_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
