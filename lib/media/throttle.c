/*
 * throttle.c - emulates a slower storage: see throttle.h and medium.h.
 *
 * All threads share one line.  A request begins 1 / iops after the one before
 * it, occupies the line for len / bandwidth, and ends `latency` later.
 * Latencies of several requests overlap, and so do the times to open files.
 * Each open file is a stream with a line of its own, which the request occupies
 * for len / stream from its beginning on.  An opening begins 1 / opens after
 * the one before it.
 * The real transfer runs meanwhile; if it is faster, the thread sleeps until
 * the request would have ended.
 *
 * A thread never wakes up exactly on time.  Its delay is credited to the next
 * requests, which begin as much earlier: so the rate holds even for short
 * requests, and no request ends too early.  An idle line collects no credit, so
 * there are no bursts.  Time that the real storage needs beyond the emulated
 * time is not credited, except up to SHORT_NS, which the processor may need.
 */
#include <stdlib.h>
#include <sys/prctl.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/throttle.h"

enum { CREDIT_NS = 10000000, SHORT_NS = 200000, NAP_NS = 50000000 };

static double later(double a, double b)
{
	return a > b ? a : b;
}

bool storage_limits_any(const struct storage_limits *limits)
{
	return limits->bandwidth > 0 || limits->stream > 0 ||
	       limits->latency > 0 || limits->iops > 0 || limits->open > 0 ||
	       limits->opens > 0;
}

void throttle_set_warm(struct throttle *throttle, bool warm)
{
	atomic_store(&throttle->late_ns, 0);
	atomic_store(&throttle->warm, warm);
}

uint64_t throttle_now(const struct throttle *throttle)
{
	if (!throttle ||
	    atomic_load_explicit(&throttle->warm, memory_order_relaxed) ||
	    atomic_load_explicit(&throttle->hurried, memory_order_relaxed))
		return 0;
	return clock_now(&clock_monotonic);
}

/* Takes the credit for delays of all threads, as far as it counts. */
static uint64_t take_late(struct throttle *throttle)
{
	uint64_t late =
	    atomic_load_explicit(&throttle->late_ns, memory_order_relaxed);
	uint64_t taken;

	do
		taken = late < CREDIT_NS ? late : CREDIT_NS;
	while (taken &&
	       !atomic_compare_exchange_weak_explicit(&throttle->late_ns, &late,
	           late - taken, memory_order_relaxed, memory_order_relaxed));
	return taken;
}

/* Time since the throttle began: a double is exact to parts of nanoseconds. */
static double begin_ns(struct throttle *throttle, uint64_t now_ns)
{
	return (double)(now_ns - throttle->origin_ns) -
	       (double)take_late(throttle);
}

static uint64_t end_ns(const struct throttle *throttle, double end)
{
	return throttle->origin_ns + (uint64_t)later(end, 0);
}

void throttle_hurry(struct throttle *throttle, bool begin)
{
	if (begin)
		atomic_fetch_add(&throttle->hurried, 1);
	else
		atomic_fetch_sub(&throttle->hurried, 1);
}

static const struct turn at_once = { .began_ns = 0 };

/* Reserves `ns` of what serves one request at a time; returns the start. */
static double take_turn(_Atomic double *free_ns, double at, double ns)
{
	double free = atomic_load(free_ns), begin;

	do
		begin = later(at, free);
	while (!atomic_compare_exchange_weak(free_ns, &free, begin + ns));
	return begin;
}

struct turn throttle_request(struct throttle *throttle, uint64_t now_ns,
    uint64_t len, _Atomic double *stream_free_ns)
{
	const struct storage_limits *limits;
	double at, own = 0;

	if (!now_ns) /* NULL: no throttle */
		return at_once;
	limits = &throttle->limits;
	at = begin_ns(throttle, now_ns);
	if (limits->iops > 0)
		at = take_turn(
		    &throttle->lines->request_free_ns, at, 1e9 / limits->iops);
	if (limits->stream > 0) {
		const double ns = (double)len * 1e9 / limits->stream;

		own = take_turn(stream_free_ns, at, ns) + ns;
	}
	if (limits->bandwidth > 0) {
		const double ns = (double)len * 1e9 / limits->bandwidth;

		at = take_turn(&throttle->lines->line_free_ns, at, ns) + ns;
	}
	at = later(at, own) + limits->latency * 1e9;
	return (struct turn){ now_ns, end_ns(throttle, at) };
}

struct turn throttle_open(struct throttle *throttle, uint64_t now_ns)
{
	double at;

	if (!now_ns ||
	    (throttle->limits.open <= 0 && throttle->limits.opens <= 0))
		return at_once;
	at = begin_ns(throttle, now_ns);
	if (throttle->limits.opens > 0)
		at = take_turn(&throttle->lines->open_free_ns, at,
		    1e9 / throttle->limits.opens);
	at += throttle->limits.open * 1e9;
	return (struct turn){ now_ns, end_ns(throttle, at) };
}

/* Sleeps, looking for throttle_hurry now and then; returns the time. */
static uint64_t sleep_until(struct throttle *throttle, uint64_t until_ns)
{
	uint64_t now = clock_now(&clock_monotonic);

	/* Without this the kernel may add 50 us to each sleep. */
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	while (now < until_ns && atomic_load(&throttle->hurried) == 0) {
		clock_sleep_until(
		    until_ns - now > NAP_NS ? now + NAP_NS : until_ns);
		now = clock_now(&clock_monotonic);
	}
	return now;
}

void throttle_wait(struct throttle *throttle, const struct turn *turn)
{
	uint64_t now, late = 0;

	if (!turn->began_ns)
		return;
	now = clock_now(&clock_monotonic);
	if (now < turn->until_ns)
		now = sleep_until(throttle, turn->until_ns);
	else if (now > turn->began_ns + SHORT_NS) /* real one is slow */
		now = turn->began_ns + SHORT_NS;
	if (now > turn->until_ns)
		late = now - turn->until_ns;
	atomic_fetch_add_explicit(&throttle->late_ns,
	    late < CREDIT_NS ? late : CREDIT_NS, memory_order_relaxed);
}

struct throttle *throttle_new(
    const struct storage_limits *limits, struct error *err)
{
	struct throttle *throttle = memory_zeroed(sizeof(*throttle), err);

	if (!throttle)
		return NULL;
	throttle->limits = *limits;
	throttle->origin_ns = clock_now(&clock_monotonic);
	throttle->lines = &throttle->own_lines;
	atomic_init(&throttle->late_ns, 0);
	atomic_init(&throttle->warm, false);
	atomic_init(&throttle->hurried, 0);
	atomic_init(&throttle->lines->line_free_ns, 0);
	atomic_init(&throttle->lines->request_free_ns, 0);
	atomic_init(&throttle->lines->open_free_ns, 0);
	return throttle;
}

void throttle_free(struct throttle *throttle)
{
	if (throttle)
		throttle_unshare(throttle);
	free(throttle);
}
