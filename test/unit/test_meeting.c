/* test_meeting.c - processes that work in step through files in a folder. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/meeting/meeting.h"
#include "lib/meeting/state.h"
#include "test/unit/test.h"

enum { ROUNDS = 40 };

struct task {
	unsigned among, rounds;
};

static struct meeting_plan plan_of(
    const char *dir, unsigned rank, unsigned count)
{
	return (struct meeting_plan){ .dir = dir,
		.rank = rank,
		.count = count,
		.purpose = 7,
		.join_s = 60,
		.silence_s = 60 };
}

/* Each round, each rank gives its number and gets those of the others. */
static int exchange_all(
    struct meeting *meeting, const struct task *task, struct error *err)
{
	const unsigned own = meeting_rank(meeting);

	for (unsigned i = 0; own < task->among && i < task->rounds; i++) {
		const unsigned mine = 100 * i + own;
		unsigned all[8];

		if (meeting_exchange(
		        meeting, task->among, NULL, 0, NULL, err) ||
		    meeting_exchange(
		        meeting, task->among, &mine, sizeof(mine), all, err))
			return -1;
		for (unsigned r = 0; r < task->among; r++)
			if (all[r] != 100 * i + r)
				return error_set(err, ERROR_DATA,
				    "rank %u gave %u", r, all[r]);
	}
	return meeting_done(meeting, err);
}

/* A process that hears tasks until one without rounds. */
static int hear_all(const struct meeting_plan *plan)
{
	struct error err = ERROR_INIT;
	struct meeting *meeting = meeting_join(plan, &err);
	struct task task = { .rounds = 1 };
	int rc = meeting ? 0 : -1;

	while (rc == 0 && task.rounds > 0) {
		rc = meeting_hear(meeting, &task, sizeof(task), &err);
		if (rc == 0)
			rc = exchange_all(meeting, &task, &err);
	}
	meeting_leave(meeting, rc ? &err : NULL);
	return rc ? 1 : 0;
}

static pid_t start(int (*run)(const struct meeting_plan *plan),
    const struct meeting_plan *plan)
{
	const pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		_exit(run(plan));
	return child;
}

static int status_of(pid_t child)
{
	int status = 0;

	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static struct meeting *lead(const char *dir, unsigned count)
{
	const struct meeting_plan plan = plan_of(dir, 0, count);
	struct error err = ERROR_INIT;
	struct meeting *meeting = meeting_join(&plan, &err);

	test_ok(meeting ? 0 : -1, &err);
	return meeting;
}

static void lead_task(struct meeting *meeting, unsigned among, unsigned rounds)
{
	const struct task task = { among, rounds };
	struct error err = ERROR_INIT;

	test_ok(meeting_tell(meeting, &task, sizeof(task), &err), &err);
	test_ok(exchange_all(meeting, &task, &err), &err);
}

/* With all ranks, with some, and with the leader alone; nothing is left. */
static void test_meeting_gives_each_what_the_others_gave(void **state)
{
	static const unsigned among[] = { 4, 2, 1, 4, 3 };
	char *dir = test_scratch();
	struct meeting_plan plans[3];
	struct meeting *meeting;
	pid_t children[3];

	UNUSED(state);
	for (unsigned i = 0; i < 3; i++) {
		plans[i] = plan_of(dir, i + 1, 4);
		children[i] = start(hear_all, &plans[i]);
	}
	meeting = lead(dir, 4);
	assert_true(meeting_is_one_machine(meeting));
	assert_true(strlen(meeting_host(meeting, 3)) > 0);
	for (size_t i = 0; i < ARRAY_LEN(among); i++)
		lead_task(meeting, among[i], ROUNDS);
	lead_task(meeting, 4, 0);
	meeting_leave(meeting, NULL);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(status_of(children[i]), 0);
	test_is_empty(dir);
	test_scratch_remove(dir);
}

/* The process ends in the midst of a task, and cannot say why. */
static int die(const struct meeting_plan *plan)
{
	struct error err = ERROR_INIT;
	struct meeting *meeting = meeting_join(plan, &err);
	struct task task;

	if (meeting && meeting_hear(meeting, &task, sizeof(task), &err) == 0)
		kill(getpid(), SIGKILL);
	return 1;
}

static int give_up(const struct meeting_plan *plan)
{
	struct error err = ERROR_INIT;
	struct meeting *meeting = meeting_join(plan, &err);
	struct task task;

	if (meeting && meeting_hear(meeting, &task, sizeof(task), &err) == 0) {
		error_set(&err, ERROR_DATA, "shard 3 is damaged");
		meeting_leave(meeting, &err);
	}
	return 0;
}

static int exit_at_once(const struct meeting_plan *plan)
{
	UNUSED(plan);
	return 0;
}

/* A rank that ends ends the leader, and through it the third process. */
static void expect_end(
    int (*run)(const struct meeting_plan *plan), const char *words)
{
	const struct task task = { 3, ROUNDS };
	char *dir = test_scratch();
	struct meeting_plan bad = plan_of(dir, 1, 3), good = plan_of(dir, 2, 3);
	const pid_t one = start(run, &bad), other = start(hear_all, &good);
	struct meeting *meeting = lead(dir, 3);
	struct error err = ERROR_INIT;
	int status;

	test_ok(meeting_tell(meeting, &task, sizeof(task), &err), &err);
	assert_int_equal(exchange_all(meeting, &task, &err), -1);
	test_contains(err.text, "rank 1, host ");
	test_contains(err.text, words);
	meeting_leave(meeting, &err);
	status_of(one);
	status = status_of(other);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	test_scratch_remove(dir);
}

static void test_meeting_ends_when_a_process_was_killed(void **state)
{
	UNUSED(state);
	expect_end(die, "its process has ended");
}

static void test_meeting_ends_with_the_words_of_who_failed(void **state)
{
	UNUSED(state);
	expect_end(give_up, "shard 3 is damaged");
}

/* Its last record was written behind our look, and before it ended. */
static void test_meeting_looks_again_at_a_process_that_ended(void **state)
{
	char *dir = test_scratch();
	const struct meeting_plan other = plan_of(dir, 1, 2);
	struct meeting *meeting = lead(dir, 1);
	struct error err = ERROR_INIT;
	struct watched watched;
	struct record record;
	const pid_t child = start(exit_at_once, &other);

	UNUSED(state);
	status_of(child);
	record_init(&record, &other);
	record.meeting = meeting->number;
	record.pid = child;
	test_ok(watched_init(&watched, meeting, 1, PACE_BEGIN, &err), &err);
	record_write((const char *)watched.path.data, &record, true);
	assert_true(watched_look(&watched));
	record.state = RECORD_FAILED;
	snprintf(record.why, sizeof(record.why), "shard 3 is damaged");
	record_write((const char *)watched.path.data, &record, false);
	test_ok(watched_judge(&watched, &err), &err);
	assert_true(watched_look(&watched));
	assert_int_equal(watched_judge(&watched, &err), -1);
	test_contains(err.text, "shard 3 is damaged");
	watched_release(&watched);
	meeting_leave(meeting, NULL);
	test_scratch_remove(dir);
}

/* A process that is stopped gives no sign of life. */
static void test_meeting_waits_for_no_silent_process(void **state)
{
	const struct task task = { 2, ROUNDS };
	char *dir = test_scratch();
	struct meeting_plan other = plan_of(dir, 1, 2),
	                    own = plan_of(dir, 0, 2);
	const pid_t child = start(hear_all, &other);
	struct error err = ERROR_INIT;
	struct meeting *meeting;

	UNUSED(state);
	own.silence_s = 1.5;
	meeting = meeting_join(&own, &err);
	test_ok(meeting ? 0 : -1, &err);
	kill(child, SIGSTOP);
	test_ok(meeting_tell(meeting, &task, sizeof(task), &err), &err);
	assert_int_equal(exchange_all(meeting, &task, &err), -1);
	test_contains(err.text, "no sign of life for 2 seconds");
	kill(child, SIGKILL);
	kill(child, SIGCONT);
	status_of(child);
	meeting_leave(meeting, &err);
	test_scratch_remove(dir);
}

static void test_meeting_says_who_did_not_come(void **state)
{
	char *dir = test_scratch();
	struct meeting_plan first = plan_of(dir, 0, 2),
	                    second = plan_of(dir, 1, 2);
	struct error err = ERROR_INIT;

	UNUSED(state);
	first.join_s = second.join_s = 0.2;
	assert_null(meeting_join(&first, &err));
	test_contains(err.text, "rank 1 did not come within 0 seconds");
	test_contains(err.text, dir);
	err = (struct error)ERROR_INIT;
	assert_null(meeting_join(&second, &err));
	test_contains(err.text, "rank 0 did not come within 0 seconds");
	err = (struct error)ERROR_INIT;
	first.rank = 2;
	assert_null(meeting_join(&first, &err));
	test_contains(err.text, "not rank 2 of 2");
	test_scratch_remove(dir);
}

static void test_meeting_refuses_another_pipeline(void **state)
{
	char *dir = test_scratch();
	struct meeting_plan other = plan_of(dir, 1, 2),
	                    own = plan_of(dir, 0, 2);
	struct error err = ERROR_INIT;
	pid_t child;

	UNUSED(state);
	other.purpose = 8;
	child = start(hear_all, &other);
	assert_null(meeting_join(&own, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, "rank 1, host ");
	test_contains(err.text, "has another pipeline, other options");
	kill(child, SIGKILL);
	status_of(child);
	test_scratch_remove(dir);
}

/* 3: it was told that there are two of its rank, which is below 10. */
static int join_twice(const struct meeting_plan *plan)
{
	struct error err = ERROR_INIT;
	struct meeting *meeting = meeting_join(plan, &err);
	const bool told =
	    !meeting && strstr(err.text, " is here twice") == err.text + 6;

	meeting_leave(meeting, NULL);
	return told ? 3 : 1;
}

/* Nobody else comes: both would wait for a rank 1 in vain. */
static void test_meeting_of_two_jobs_is_refused(void **state)
{
	char *dir = test_scratch();
	const struct meeting_plan plan = plan_of(dir, 0, 2);
	const pid_t children[] = { start(join_twice, &plan),
		start(join_twice, &plan) };
	int status = 0;
	const pid_t first = wait(&status);
	const pid_t other = first == children[0] ? children[1] : children[0];

	UNUSED(state);
	assert_int_equal(WEXITSTATUS(status), 3);
	kill(other, SIGKILL);
	status_of(other);
	test_scratch_remove(dir);
}

/* A job that comes late to the folder of another one does it no harm. */
static void test_meeting_goes_on_beside_a_second_job(void **state)
{
	char *dir = test_scratch();
	const struct meeting_plan plans[] = { plan_of(dir, 0, 2),
		plan_of(dir, 1, 2) };
	const pid_t child = start(hear_all, &plans[1]);
	struct meeting *meeting = lead(dir, 2);

	UNUSED(state);
	lead_task(meeting, 2, 1);
	for (size_t i = 0; i < ARRAY_LEN(plans); i++) {
		const pid_t late = start(join_twice, &plans[i]);

		assert_int_equal(WEXITSTATUS(status_of(late)), 3);
		lead_task(meeting, 2, ROUNDS);
	}
	lead_task(meeting, 2, 0);
	meeting_leave(meeting, NULL);
	assert_int_equal(status_of(child), 0);
	test_is_empty(dir);
	test_scratch_remove(dir);
}

/* Rank 0 joins, tells a task and is killed. */
static int lead_and_die(const struct meeting_plan *plan)
{
	const struct task task = { 2, ROUNDS };
	struct error err = ERROR_INIT;
	struct meeting *meeting = meeting_join(plan, &err);

	if (meeting && meeting_tell(meeting, &task, sizeof(task), &err) == 0)
		kill(getpid(), SIGKILL);
	return 1;
}

/* Files of killed processes lie in the folder, of both ranks. */
static void test_meeting_begins_beside_what_killed_ones_left(void **state)
{
	char *dir = test_scratch();
	struct meeting_plan first = plan_of(dir, 0, 2),
	                    second = plan_of(dir, 1, 2);
	pid_t leader = start(lead_and_die, &first);
	pid_t child = start(hear_all, &second);
	struct meeting *meeting;

	UNUSED(state);
	assert_true(WIFSIGNALED(status_of(leader)));
	assert_int_equal(WEXITSTATUS(status_of(child)), 1);
	child = start(hear_all, &second);
	meeting = lead(dir, 2);
	lead_task(meeting, 2, ROUNDS);
	lead_task(meeting, 2, 0);
	meeting_leave(meeting, NULL);
	assert_int_equal(status_of(child), 0);
	test_is_empty(dir);
	test_scratch_remove(dir);
}

/* A file of other bytes, and an empty one, are no process. */
static void test_meeting_takes_no_damaged_file_for_a_process(void **state)
{
	char *dir = test_scratch();
	struct meeting_plan own = plan_of(dir, 0, 3);
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_write(dir, "rank-1", "");
	test_write(dir, "rank-2", "PRESTOm1 and nothing else");
	own.join_s = 0.2;
	assert_null(meeting_join(&own, &err));
	test_contains(err.text, "rank 1 did not come");
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meeting_gives_each_what_the_others_gave),
		cmocka_unit_test(test_meeting_ends_when_a_process_was_killed),
		cmocka_unit_test(
		    test_meeting_ends_with_the_words_of_who_failed),
		cmocka_unit_test(
		    test_meeting_looks_again_at_a_process_that_ended),
		cmocka_unit_test(test_meeting_waits_for_no_silent_process),
		cmocka_unit_test(test_meeting_says_who_did_not_come),
		cmocka_unit_test(test_meeting_refuses_another_pipeline),
		cmocka_unit_test(test_meeting_of_two_jobs_is_refused),
		cmocka_unit_test(test_meeting_goes_on_beside_a_second_job),
		cmocka_unit_test(
		    test_meeting_begins_beside_what_killed_ones_left),
		cmocka_unit_test(
		    test_meeting_takes_no_damaged_file_for_a_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
