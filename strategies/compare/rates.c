/* rates.c - see rates.h. */
#include "strategies/compare/rates.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "strategies/compare/compare.h"
#include "strategies/figures/runs.h"

double *rates_at(
    const struct rates *rates, size_t session, size_t round, size_t trial)
{
	return &rates->logs[(session * rates->rounds + round) * rates->trials +
	                    trial];
}

/*
 * Takes the runs of a trial in a session: the n-th runs of all trials were made
 * in the same round.  Returns their number; `rates` NULL: only that.
 */
static size_t take_runs(const struct rates *rates, size_t session, size_t trial,
    const struct compare_turn *turn, const struct figures *figures)
{
	const struct figures *here = figures_find(turn->trials, figures);
	size_t n = 0;

	for (size_t i = 0; here && i < turn->runs->count; i++) {
		const struct timed_run *run = &turn->runs->list[i];

		if (run->trial != here->trial)
			continue;
		if (rates && run->samples_per_s > 0)
			*rates_at(rates, session, n, trial) =
			    log(run->samples_per_s);
		n++;
	}
	return n;
}

/* The number of rounds in the session that has the most. */
static size_t count_rounds(const struct compare_session *side,
    const struct figures *const *trials, size_t count)
{
	size_t most = 1; /* nothing is no error */

	for (size_t s = 0; s < side->turn_count; s++)
		for (size_t t = 0; t < count; t++) {
			const size_t n =
			    take_runs(NULL, s, t, &side->turns[s], trials[t]);

			most = n > most ? n : most;
		}
	return most;
}

int rates_read(struct rates *rates, const struct compare_session *side,
    const struct figures *const *trials, size_t count, struct error *err)
{
	size_t cells;

	*rates = (struct rates){ .sessions = side->turn_count,
		.rounds = count_rounds(side, trials, count),
		.trials = count };
	cells = rates->sessions * rates->rounds * count;
	rates->logs = malloc((cells + 1) * sizeof(double));
	if (!rates->logs)
		return error_memory(err, (cells + 1) * sizeof(double));
	for (size_t i = 0; i < cells; i++)
		rates->logs[i] = NAN;
	for (size_t s = 0; s < rates->sessions; s++)
		for (size_t t = 0; t < count; t++)
			take_runs(rates, s, t, &side->turns[s], trials[t]);
	return 0;
}

void rates_release(struct rates *rates)
{
	free(rates->logs);
	*rates = (struct rates){ .logs = NULL };
}

size_t rates_of_trial(const struct rates *rates, size_t trial, double *to)
{
	size_t n = 0;

	for (size_t s = 0; s < rates->sessions; s++)
		for (size_t r = 0; r < rates->rounds; r++)
			if (!isnan(*rates_at(rates, s, r, trial)))
				to[n++] = *rates_at(rates, s, r, trial);
	return n;
}
