/* test_stopwatch.c - extrapolating from a timed part of the iterations. */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/measure/stopwatch.h"
#include "test/unit/test.h"

/* A thread that does nothing but what it is told, and reads clocks. */
struct thread {
	uint64_t wall_ns, cpu_ns, readings;
};

enum { WALL_COST = 20, CPU_COST = 300, INTERRUPTION = 3000000 };

static void work(struct thread *thread, uint64_t ns)
{
	thread->wall_ns += ns;
	thread->cpu_ns += ns;
}

static uint64_t read_wall(void *arg)
{
	struct thread *thread = arg;

	work(thread, WALL_COST);
	thread->readings++;
	return thread->wall_ns;
}

static uint64_t read_cpu(void *arg)
{
	struct thread *thread = arg;

	work(thread, CPU_COST);
	return thread->cpu_ns;
}

struct setup {
	struct thread thread;
	struct clock wall, cpu;
	struct stopwatch watch;
	struct sampling sampling;
	struct activity_cost a, b;
};

static void set_up(struct setup *s, uint64_t seed)
{
	*s = (struct setup){ .thread = { .wall_ns = 1 } };
	s->wall = (struct clock){ .now_ns = read_wall, .arg = &s->thread };
	s->cpu = (struct clock){ .now_ns = read_cpu, .arg = &s->thread };
	stopwatch_init(
	    &s->watch, &s->wall, &s->cpu, random_stream(seed, 0, 0, 0));
	sampling_init(&s->sampling);
}

/* A round of two parts. */
static void run_round(struct setup *s, uint64_t a_ns, uint64_t b_ns)
{
	stopwatch_start(&s->watch, &s->sampling);
	work(&s->thread, a_ns);
	stopwatch_lap(&s->watch, &s->a);
	work(&s->thread, b_ns);
	stopwatch_lap(&s->watch, &s->b);
	stopwatch_stop(&s->watch);
}

static void assert_close(uint64_t got, double want, double within)
{
	if ((double)got < want * (1 - within) ||
	    (double)got > want * (1 + within))
		fail_msg("%llu is not %g within %g %%", (unsigned long long)got,
		    want, 100 * within);
}

static void test_long_rounds_are_all_timed(void **state)
{
	struct setup s;

	(void)state;
	set_up(&s, 1);
	for (unsigned i = 0; i < 1000; i++)
		run_round(&s, 100000, 900000);
	activity_cost_extrapolate(&s.a);
	activity_cost_extrapolate(&s.b);
	assert_int_equal(s.a.timed, 1000);
	assert_int_equal(s.sampling.timed, 1000);
	assert_close(s.a.cpu_ns, 1000 * 100000.0, 0.01);
	assert_close(s.b.cpu_ns, 1000 * 900000.0, 0.01);
}

static void test_of_short_rounds_a_part_tells_of_all(void **state)
{
	enum { ROUNDS = 200000 };
	struct setup s;
	uint64_t start;

	(void)state;
	for (uint64_t seed = 1; seed < 4; seed++) {
		set_up(&s, seed);
		start = s.thread.cpu_ns;
		for (unsigned i = 0; i < ROUNDS; i++)
			run_round(&s, 200, 800);
		/* The clocks take two in a hundred. */
		assert_close(s.thread.cpu_ns - start, ROUNDS * 1020.0, 0.01);
		assert_int_equal(s.a.calls, ROUNDS);
		assert_true(s.sampling.timed < ROUNDS / 10);
		activity_cost_extrapolate(&s.a);
		activity_cost_extrapolate(&s.b);
		assert_close(s.a.cpu_ns, ROUNDS * 200.0, 0.05);
		assert_close(s.b.cpu_ns, ROUNDS * 800.0, 0.05);
	}
}

/* Every 64th round, as the last of a batch, is ten times as long. */
static void test_regular_rounds_do_not_mislead(void **state)
{
	enum { ROUNDS = 400000 };
	const double mean = 1000 + 9000 / 64.0;
	struct setup s;

	(void)state;
	set_up(&s, 5);
	for (unsigned i = 0; i < ROUNDS; i++)
		run_round(&s, 500, i % 64 == 63 ? 10000 : 1000);
	activity_cost_extrapolate(&s.a);
	activity_cost_extrapolate(&s.b);
	assert_close(s.a.cpu_ns, ROUNDS * 500.0, 0.05);
	assert_close(s.b.cpu_ns, ROUNDS * mean, 0.15);
}

static void test_interruptions_are_not_the_steps(void **state)
{
	enum { ROUNDS = 100000 };
	struct setup s;

	(void)state;
	set_up(&s, 9);
	for (unsigned i = 0; i < ROUNDS; i++) {
		stopwatch_start(&s.watch, &s.sampling);
		work(&s.thread, 300);
		if (i % 97 == 0)
			s.thread.wall_ns += INTERRUPTION;
		stopwatch_lap(&s.watch, &s.a);
		work(&s.thread, 700);
		stopwatch_lap(&s.watch, &s.b);
		stopwatch_stop(&s.watch);
	}
	activity_cost_extrapolate(&s.a);
	activity_cost_extrapolate(&s.b);
	assert_close(s.a.cpu_ns, ROUNDS * 300.0, 0.2);
	assert_close(s.b.cpu_ns, ROUNDS * 700.0, 0.05);
}

static void test_what_was_never_timed_stays_unknown(void **state)
{
	struct activity_cost never = { .calls = 5 }, sum = { .calls = 0 };

	(void)state;
	activity_cost_extrapolate(&never);
	assert_int_equal(never.cpu_ns, 0);
	activity_cost_add(
	    &sum, &(struct activity_cost){ .calls = 2, .bytes_in = 3 });
	activity_cost_add(&sum, &never);
	assert_int_equal(sum.calls, 7);
	assert_int_equal(sum.bytes_in, 3);
}

/* Laps of a round follow each other, and parts lie within theirs. */
static void test_laps_are_events_of_a_log(void **state)
{
	struct activity_cost part = { .calls = 0 };
	struct error err = ERROR_INIT;
	struct event_log log;
	struct setup s;

	(void)state;
	set_up(&s, 1);
	test_ok(event_log_init(&log, 7, &err), &err);
	s.watch.log = &log;
	run_round(&s, 200, 800);
	stopwatch_start(&s.watch, &s.sampling);
	work(&s.thread, 1000);
	stopwatch_read(&s.watch);
	stopwatch_give_part(&s.watch, &s.a, 400, 1000);
	stopwatch_give_part(&s.watch, &part, 600, 600);
	work(&s.thread, 300);
	stopwatch_add(&s.watch, &s.b);
	stopwatch_stop(&s.watch);
	assert_int_equal(log.count, 5);
	assert_ptr_equal(log.list[0].subject, &s.a);
	assert_ptr_equal(log.list[1].subject, &s.b);
	assert_ptr_equal(log.list[3].subject, &part);
	assert_int_equal(
	    log.list[0].end_ns - log.list[0].begin_ns, 200 + WALL_COST);
	assert_int_equal(log.list[0].end_ns, log.list[1].begin_ns);
	assert_int_equal(log.list[3].begin_ns, log.list[2].end_ns);
	/* They fill the lap, with the clock's own time. */
	assert_int_equal(
	    log.list[3].end_ns - log.list[2].begin_ns, 1000 + WALL_COST);
	assert_int_equal(log.list[2].end_ns - log.list[2].begin_ns,
	    (1000 + WALL_COST) * 2 / 5);
	assert_true(log.list[4].begin_ns >= log.list[3].end_ns);
	event_log_release(&log);
}

static void test_a_log_has_all_rounds_until_it_is_full(void **state)
{
	enum { ROUNDS = 1000 };
	struct error err = ERROR_INIT;
	struct event_log log;
	struct setup s;

	(void)state;
	set_up(&s, 1);
	test_ok(event_log_init(&log, 2 * ROUNDS, &err), &err);
	s.watch.log = &log;
	for (unsigned i = 0; i < ROUNDS; i++)
		run_round(&s, 20, 80);
	assert_int_equal(log.count, 2 * ROUNDS);
	assert_true(log.full_ns == UINT64_MAX);
	for (unsigned i = 0; i < 100 * ROUNDS; i++)
		run_round(&s, 20, 80);
	assert_int_equal(log.count, 2 * ROUNDS);
	assert_true(log.full_ns >= log.list[log.count - 1].end_ns);
	assert_true(s.sampling.timed < 10 * ROUNDS);
	event_log_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_rounds_are_all_timed),
		cmocka_unit_test(test_of_short_rounds_a_part_tells_of_all),
		cmocka_unit_test(test_regular_rounds_do_not_mislead),
		cmocka_unit_test(test_interruptions_are_not_the_steps),
		cmocka_unit_test(test_what_was_never_timed_stays_unknown),
		cmocka_unit_test(test_laps_are_events_of_a_log),
		cmocka_unit_test(test_a_log_has_all_rounds_until_it_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
