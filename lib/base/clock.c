/* clock.c - see clock.h. */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/outside.h"

enum { NS_PER_S = 1000000000 };

static uint64_t read_ns(clockid_t id)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t monotonic_ns(void *arg)
{
	UNUSED(arg);
	return read_ns(CLOCK_MONOTONIC);
}

static uint64_t thread_cpu_ns(void *arg)
{
	UNUSED(arg);
	return read_ns(CLOCK_THREAD_CPUTIME_ID) + outside_thread_ns();
}

const struct clock clock_monotonic = { .now_ns = monotonic_ns };
const struct clock clock_thread_cpu = { .now_ns = thread_cpu_ns };

void clock_sleep_until(uint64_t deadline_ns)
{
	const struct timespec deadline = {
		.tv_sec = (time_t)(deadline_ns / NS_PER_S),
		.tv_nsec = (long)(deadline_ns % NS_PER_S),
	};

	while (clock_nanosleep(
	           CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR)
		continue;
}

uint64_t clock_unix_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

void clock_utc(char text[CLOCK_TEXT])
{
	const time_t now = time(NULL);
	struct tm parts = { .tm_year = 0 };

	gmtime_r(&now, &parts);
	strftime(text, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void clock_date(int64_t unix_s, char text[CLOCK_TEXT])
{
	const time_t seconds = (time_t)unix_s;
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
	    !strftime(text, CLOCK_TEXT, "%Y-%m-%d %H:%M:%S", &parts))
		snprintf(text, CLOCK_TEXT, "?");
}
