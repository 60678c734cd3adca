/* clock.h - clocks as arguments, so that tests can use their own. */
#ifndef LIB_BASE_CLOCK_H
#define LIB_BASE_CLOCK_H

#include <stdint.h>

struct clock {
	uint64_t (*now_ns)(void *arg); /* monotonic, any origin */
	void *arg;
};

extern const struct clock clock_monotonic; /* CLOCK_MONOTONIC */
/* CPU time of this thread, and of programs that it ran (outside.h). */
extern const struct clock clock_thread_cpu;

static inline uint64_t clock_now(const struct clock *clock)
{
	return clock->now_ns(clock->arg);
}

/* Sleeps until CLOCK_MONOTONIC reaches `deadline_ns`. */
void clock_sleep_until(uint64_t deadline_ns);

/* Nanoseconds since 1970, in UTC. */
uint64_t clock_unix_ns(void);

enum { CLOCK_TEXT = 32 };

/* Writes the current time in UTC as ISO 8601: "2026-11-21T04:06:00Z". */
void clock_utc(char text[CLOCK_TEXT]);
/* Seconds since 1970 as a date in UTC, "2026-11-21 04:06:00", for people. */
void clock_date(int64_t unix_s, char text[CLOCK_TEXT]);

#endif
