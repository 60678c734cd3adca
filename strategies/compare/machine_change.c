/* machine_change.c - see machine_change.h. */
#include "strategies/compare/machine_change.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stats/ranksum.h"
#include "lib/stats/statistics.h"
#include "strategies/compare/fastest_runs.h"
#include "strategies/figures/runs.h"

/* An idle system takes so many cores, or its counters are wrong by them. */
static const double unnoticed = 0.2;
/* The kernel leaves a run so many cores, however busy the others are. */
static const double least_left = 0.1;
/* Times of the reference workload: all pairs of them are compared. */
enum { TIMES_MOST = 200, TIMES_LEAST = COMPARE_RUNS_LEAST };

/* ---- cores ---- */

/* NAN where it is not known. */
static double cores_left(
    const struct compare_session *session, const struct compare_side *side)
{
	if (!session->cores || isnan(side->others_cores))
		return NAN;
	return session->cores - fmax(side->others_cores - unnoticed, 0);
}

double compare_left_ratio(const struct compare_session *base,
    const struct compare_session *new_one, const struct compared *of)
{
	const double use = fmax(of->base.own_cores, of->new_one.own_cores) + 1;
	const double had = cores_left(base, &of->base);
	const double has = cores_left(new_one, &of->new_one);

	if (isnan(use) || isnan(had) || isnan(has))
		return 1;
	return fmax(fmin(has, use), least_left) /
	       fmax(fmin(had, use), least_left);
}

/* ---- speed ---- */

/* The beginnings of the first and the last run of a trial. */
struct span_ns {
	double first, last;
};

static struct span_ns span_of(const struct timed_runs *runs, int64_t trial)
{
	struct span_ns span = { INFINITY, -INFINITY };

	for (size_t i = 0; i < runs->count; i++) {
		const double at = runs->list[i].started_ns;

		if (runs->list[i].trial != trial)
			continue;
		span.first = fmin(span.first, at);
		span.last = fmax(span.last, at);
	}
	return span;
}

struct times {        /* the reference workload's during a trial */
	double *logs; /* owned */
	size_t count;
};

static int read_times(struct times *times,
    const struct compare_session *session, int64_t trial, struct error *err)
{
	const struct timed_runs *runs = session->runs;
	const struct span_ns span = span_of(runs, trial);

	*times =
	    (struct times){ .logs = calloc(runs->count + 1, sizeof(double)) };
	if (!times->logs)
		return error_memory(err, runs->count * sizeof(double));
	for (size_t i = 0; i < runs->count; i++) {
		const struct timed_run *run = &runs->list[i];

		if (run->reference_ns > 0 && run->started_ns >= span.first &&
		    run->started_ns <= span.last)
			times->logs[times->count++] = log(run->reference_ns);
	}
	return 0;
}

/* Keeps some of them, evenly spread. */
static void thin_out(struct times *times)
{
	const size_t all = times->count;

	if (all <= TIMES_MOST)
		return;
	for (size_t i = 0; i < TIMES_MOST; i++)
		times->logs[i] = times->logs[i * all / TIMES_MOST];
	times->count = TIMES_MOST;
}

/* Sorts them. */
static double median_ms(struct times *times)
{
	return times->count ? exp(median_of(times->logs, times->count)) / 1e6
	                    : NAN;
}

/* The time that its threads ran, over the time that they could; at most 1. */
static double busy_fraction(const struct compare_session *session,
    const struct compare_side *side, double threads)
{
	const double busy =
	    side->own_cores / fmin(cores_left(session, side), threads);

	return isnan(busy) ? NAN : fmin(busy, 1);
}

/* Are the times of the same program, on the same kind of machine? */
static bool is_same_reference(
    const struct compare_session *a, const struct compare_session *b)
{
	return a->cpu && b->cpu && strcmp(a->cpu, b->cpu) == 0 &&
	       strcmp(a->libraries, b->libraries) == 0;
}

/* The shortest times, as the fastest rates. */
static int fastest_of(
    const struct times *times, struct fastest_runs *to, struct error *err)
{
	for (size_t i = 0; i < times->count; i++)
		times->logs[i] = -times->logs[i];
	if (fastest_runs_of(times->logs, times->count, to, err))
		return -1;
	for (size_t i = 0; i < times->count; i++)
		times->logs[i] = -times->logs[i];
	return 0;
}

static int set_fastest_speed(struct compared *to, const struct times *base,
    const struct times *new_one, double busy, struct error *err)
{
	struct fastest_runs was, is;

	if (fastest_of(base, &was, err) || fastest_of(new_one, &is, err))
		return -1;
	if (!isnan(was.mean) && !isnan(is.mean))
		to->fastest_speed = exp(busy * (is.mean - was.mean));
	return 0;
}

static int set_speed(struct compared *to, struct times *base,
    struct times *new_one, double busy, struct error *err)
{
	struct ranksum_values a, b;
	struct ranksum_shift shift;

	if (set_fastest_speed(to, base, new_one, busy, err))
		return -1;
	thin_out(base);
	thin_out(new_one);
	a = (struct ranksum_values){ base->logs, base->count };
	b = (struct ranksum_values){ new_one->logs, new_one->count };
	if (ranksum_shift(&a, &b, COMPARE_CONFIDENCE, &shift, err))
		return -1;
	/* A change that may be none would only add its noise. */
	if (!isfinite(shift.low) || (shift.low <= 0 && shift.high >= 0))
		return 0;
	to->speed_ratio = exp(-shift.shift * busy);
	return 0;
}

int compare_set_speed(
    struct compared *to, const struct matched_trial *trial, struct error *err)
{
	const struct compare_session *base = trial->base;
	const struct compare_session *new_one = trial->new_one;
	const double busy =
	    (busy_fraction(base, &to->base, to->threads) +
	        busy_fraction(new_one, &to->new_one, to->threads)) /
	    2;
	struct times was = { .logs = NULL }, is = { .logs = NULL };
	int rc = -1;

	if (read_times(&was, base, trial->base_trial, err) ||
	    read_times(&is, new_one, trial->new_trial, err))
		goto done;
	rc = 0;
	if (was.count >= TIMES_LEAST && is.count >= TIMES_LEAST &&
	    !isnan(busy) && is_same_reference(base, new_one))
		rc = set_speed(to, &was, &is, busy, err);
	to->base.reference_ms = median_ms(&was);
	to->new_one.reference_ms = median_ms(&is);
done:
	free(was.logs);
	free(is.logs);
	return rc;
}
