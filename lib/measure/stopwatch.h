/*
 * stopwatch.h - the CPU time of each part of what a thread does over and over,
 * found by timing some of the rounds: to read a clock takes longer than many a
 * step.
 *
 *	stopwatch_start(watch, pace)	a round begins; is it to be timed?
 *	stopwatch_lap(watch, a)		what was done since then was a's
 *	stopwatch_lap(watch, b)		and since then b's
 *	stopwatch_stop(watch)		it is over
 *
 * Which rounds are timed is drawn: each is with the same chance, 1 / every, and
 * counts as `every` rounds; so no regularity of the data can mislead.  `every`
 * follows from what a round takes, such that the clocks take a small share of
 * it; the first rounds all are timed, and all are where they are long.
 *
 * Laps are of the monotonic clock, which costs no system call.  A lap that was
 * long may hold another thread's time: it is held against the CPU time of this
 * one.
 */
#ifndef LIB_MEASURE_STOPWATCH_H
#define LIB_MEASURE_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/clock.h"
#include "lib/base/random.h"

/*
 * Whether the loader and its chain ask if they are traced.  Built with
 * -DWITHOUT_TRACE they do not, and never are: bench_trace finds by it what
 * asking costs.
 */
#ifdef WITHOUT_TRACE
enum { TRACES = false };
#else
enum { TRACES = true };
#endif

/* Of one thing that is done again and again. */
struct effort {
	uint64_t calls, bytes_in, bytes_out; /* of all */
	uint64_t cpu_ns, wall_ns, timed; /* of as many as `timed` stand for */
};

/* Which rounds of one kind are timed. */
struct pace {
	uint64_t every, gap; /* the next that is timed is the gap-th from now */
	uint64_t rounds, round_ns, clock_ns; /* of those timed lately */
	uint64_t timed;                      /* since it began */
};

struct stopwatch {
	const struct clock *wall, *cpu; /* of this thread */
	uint64_t wall_cost, cpu_cost;   /* of one reading */
	struct random random;
	struct pace *pace; /* of the round that runs */
	bool runs;
	unsigned laps, checks; /* in this round: readings of either clock */
	uint64_t at_ns, cpu_start_ns, given_ns, spent_ns;
	uint64_t lap_ns; /* wall time of the last */
};

/* Measures what the clocks cost; `seed` is of the draws. */
void stopwatch_init(struct stopwatch *watch, const struct clock *wall,
    const struct clock *cpu, struct random random);
void pace_init(struct pace *pace);

/*
 * The lap, of a round that is timed, for who divides it; and what is given to
 * one, once a round and effort.
 */
uint64_t stopwatch_read(struct stopwatch *watch);
void stopwatch_give(
    const struct stopwatch *watch, struct effort *effort, uint64_t cpu_ns);

/* The slow half of what follows. */
void stopwatch_begin_round(struct stopwatch *watch, struct pace *pace);
void stopwatch_take(struct stopwatch *watch, struct effort *effort);
void stopwatch_end_round(struct stopwatch *watch);

static inline void stopwatch_start(struct stopwatch *watch, struct pace *pace)
{
	watch->runs = --pace->gap == 0;
	if (watch->runs)
		stopwatch_begin_round(watch, pace);
}

/* Counts a call. */
static inline void stopwatch_lap(struct stopwatch *watch, struct effort *effort)
{
	effort->calls++;
	if (watch->runs)
		stopwatch_take(watch, effort);
}

/* The same without a call: it is the beginning of one. */
static inline void stopwatch_add(struct stopwatch *watch, struct effort *effort)
{
	if (watch->runs)
		effort->cpu_ns += stopwatch_read(watch) * watch->pace->every;
}

static inline void stopwatch_stop(struct stopwatch *watch)
{
	if (watch->runs)
		stopwatch_end_round(watch);
	watch->runs = false;
}

/* From what was timed to all calls. */
void effort_settle(struct effort *effort);
void effort_add(struct effort *sum, const struct effort *more);

#endif
