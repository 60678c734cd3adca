/*
 * rates.h - the runs of the trials that both sides of a comparison have, as
 * logarithms of their throughputs, by session and round.
 */
#ifndef STRATEGIES_COMPARE_RATES_H
#define STRATEGIES_COMPARE_RATES_H

#include <stddef.h>
#include <stdint.h>

struct compare_session;
struct error;
struct figures;

/* The two sides; an index of arrays of SIDES. */
enum { BASE, NEW, SIDES };

/* One side.  Rounds are counted from 0; NAN: no such run. */
struct rates {
	double *logs; /* owned */
	size_t sessions, rounds, trials;
};

/* The rate of a trial in a round of a session. */
double *rates_at(
    const struct rates *rates, size_t session, size_t round, size_t trial);

/* Reads the runs of `trials`, in their order. */
int rates_read(struct rates *rates, const struct compare_session *side,
    const struct figures *const *trials, size_t count, struct error *err);
void rates_release(struct rates *rates);

/* Fills `to` with the rates of a trial that are known; returns their number. */
size_t rates_of_trial(const struct rates *rates, size_t trial, double *to);

#endif
