/*
 * stopwatch.h - estimates the CPU time of each activity of a thread by timing
 * some of its rounds: reading a clock takes longer than many steps.
 *
 *   stopwatch_start(watch, sampling)    a round begins, timed or not
 *   stopwatch_lap(watch, a)         the time since then belongs to a
 *   stopwatch_lap(watch, b)         and the time since then to b
 *   stopwatch_stop(watch)           the round ends
 *
 * Timed rounds are drawn at random, each with the probability 1 / every, and
 * count as `every` rounds: a regular pattern in the data cannot mislead.
 * `every` depends on the length of a round, so that the clocks take a small
 * fraction of the time. The first rounds are all timed, and so are long ones.
 *
 * Laps are timed with the monotonic clock, which needs no system call. A long
 * lap may include another thread's time, so it is checked against the CPU clock
 * of this thread.
 *
 * With an event log, laps are events of it, whose subject is the activity's
 * cost.  All rounds are timed until the log is full.
 */
#ifndef LIB_MEASURE_STOPWATCH_H
#define LIB_MEASURE_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "lib/measure/event_log.h"

/*
 * Whether the loader and its chain check if they are traced. Built with
 * -DWITHOUT_TRACE they do not, and never are: bench_trace measures the cost of
 * checking that way.
 */
#ifdef WITHOUT_TRACE
enum { TRACES = false };
#else
enum { TRACES = true };
#endif

/* Cost of one activity. */
struct activity_cost {
	uint64_t calls, bytes_in, bytes_out; /* all calls */
	uint64_t cpu_ns, wall_ns, timed;     /* calls that were timed */
};

/* Selects the rounds of one kind that are timed. */
struct sampling {
	uint64_t every, gap; /* the gap-th round from now is timed */
	uint64_t rounds, round_ns, clock_ns; /* recent timed rounds */
	uint64_t timed; /* timed rounds since the beginning */
};

struct stopwatch {
	const struct clock *wall, *cpu; /* clocks of this thread */
	uint64_t wall_cost, cpu_cost;   /* cost of one reading */
	struct random random;
	struct sampling *sampling; /* kind of the current round */
	bool runs;
	unsigned laps, checks; /* readings of each clock in this round */
	uint64_t at_ns, cpu_start_ns, given_ns, spent_ns;
	uint64_t lap_at_ns, lap_ns; /* wall time of the last lap */
	struct event_log *log;      /* borrowed; NULL: none */
	uint64_t shown_ns;          /* end of the last event in the log */
};

/* Measures the cost of the clocks; `random` selects the rounds. */
void stopwatch_init(struct stopwatch *watch, const struct clock *wall,
    const struct clock *cpu, struct random random);
void sampling_init(struct sampling *sampling);

/*
 * Reads the lap of a timed round, for a caller that divides it; then gives
 * parts to activities, once for each round and activity.
 */
uint64_t stopwatch_read(struct stopwatch *watch);
void stopwatch_give(
    const struct stopwatch *watch, struct activity_cost *cost, uint64_t cpu_ns);
/*
 * The same for a part of what ran as one.  The log shows the parts one after
 * the other, from the last event until now: `left_ns` is the CPU time of this
 * part and of those that follow.
 */
void stopwatch_give_part(struct stopwatch *watch, struct activity_cost *cost,
    uint64_t cpu_ns, uint64_t left_ns);
/* Adds the last lap to the log, for a caller that gives it to one activity. */
void stopwatch_show(struct stopwatch *watch, const struct activity_cost *cost);

/* Called in timed rounds only. */
void stopwatch_begin_round(struct stopwatch *watch, struct sampling *sampling);
void stopwatch_take(struct stopwatch *watch, struct activity_cost *cost);
void stopwatch_take_begun(struct stopwatch *watch, struct activity_cost *cost);
void stopwatch_end_round(struct stopwatch *watch);

static inline void stopwatch_start(
    struct stopwatch *watch, struct sampling *sampling)
{
	watch->runs = --sampling->gap == 0;
	if (watch->runs)
		stopwatch_begin_round(watch, sampling);
}

/* Counts a call. */
static inline void stopwatch_lap(
    struct stopwatch *watch, struct activity_cost *cost)
{
	cost->calls++;
	if (watch->runs)
		stopwatch_take(watch, cost);
}

/* Adds time without counting a call: the call has only begun. */
static inline void stopwatch_add(
    struct stopwatch *watch, struct activity_cost *cost)
{
	if (watch->runs)
		stopwatch_take_begun(watch, cost);
}

static inline void stopwatch_stop(struct stopwatch *watch)
{
	if (watch->runs)
		stopwatch_end_round(watch);
	watch->runs = false;
}

/* Extrapolates from the timed calls to all calls. */
void activity_cost_extrapolate(struct activity_cost *cost);
void activity_cost_add(
    struct activity_cost *sum, const struct activity_cost *more);

#endif
