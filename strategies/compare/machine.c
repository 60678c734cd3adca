/* machine.c - see machine.h. */
#include "strategies/compare/machine.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stats/statistics.h"
#include "strategies/figures/runs.h"

/* An idle system takes so many cores, or its counters are wrong by them. */
static const double unnoticed = 0.2;
/* The kernel leaves a run so many cores, however busy the others are. */
static const double least_left = 0.1;

int compare_machine_read(struct compare_side *side,
    const struct compare_session *session, int64_t trial, struct error *err)
{
	const struct timed_runs *from = session->runs;
	const size_t most = from->count + 1;
	double *own = malloc(3 * most * sizeof(*own));
	double *others, *times;
	size_t n = 0, timed = 0;

	if (!own)
		return error_memory(err, 3 * most * sizeof(*own));
	others = own + most;
	times = others + most;
	for (size_t i = 0; i < from->count; i++) {
		const struct timed_run *run = &from->list[i];

		if (run->trial != trial || !(run->samples_per_s > 0))
			continue;
		own[n] = run->own_cores;
		others[n++] = run->others_cores;
		if (run->reference_ns > 0)
			times[timed++] = run->reference_ns;
	}
	side->runs = n;
	side->own_cores = median_of(own, n);
	side->others_cores = median_of(others, n);
	side->reference_ms = median_of(times, timed) / 1e6;
	free(own);
	return 0;
}

/* NAN where it is not known. */
static double cores_left(
    const struct compare_session *session, const struct compare_side *side)
{
	if (!session->cores || isnan(side->others_cores))
		return NAN;
	return session->cores - fmax(side->others_cores - unnoticed, 0);
}

static double left_ratio(const struct compared *of,
    const struct compare_session *base, const struct compare_session *new_one)
{
	const double use = fmax(of->base.own_cores, of->new_one.own_cores) + 1;
	const double had = cores_left(base, &of->base);
	const double has = cores_left(new_one, &of->new_one);

	if (isnan(use) || isnan(had) || isnan(has))
		return 1;
	return fmax(fmin(has, use), least_left) /
	       fmax(fmin(had, use), least_left);
}

/* Are the times of the same program, on the same kind of machine? */
static bool is_same_reference(
    const struct compare_session *a, const struct compare_session *b)
{
	return a->cpu && b->cpu && strcmp(a->cpu, b->cpu) == 0 &&
	       strcmp(a->libraries, b->libraries) == 0;
}

void compare_machine_change(struct compared *to,
    const struct compare_session *base, const struct compare_session *new_one)
{
	const double speed = to->base.reference_ms / to->new_one.reference_ms;

	to->left_ratio = left_ratio(to, base, new_one);
	if (!isnan(speed) && is_same_reference(base, new_one))
		to->speed_ratio = speed;
}
