/*
 * dependence.h - does the noise of runs hang together in time?  If it does, a
 * median of n runs is less certain than one of n independent values, and the
 * runs may all lie in one phase of the machine.
 *
 * Trials whose runs were made round by round see the same machine, so they are
 * asked together.  Values are rates; their logarithms are compared.  There are
 * two signs:
 *
 * serial	A run resembles the one before.  r is the autocorrelation at lag
 *		1, the mean over the trials.  In a short series it is too low;
 *		(n r + 1) / (n - 4) corrects that (Kendall, Biometrika 41,
 *		1954: the mean of r is about rho - (1 + 4 rho) / n).
 * common	All trials move alike from round to round: the mean correlation
 *		of two trials is above 0 for sure, and at least a quarter.  With
 *		fewer than DEPENDENCE_FEW rounds a slow change cannot be told
 *		from a quick one, so this alone is a sign.
 *
 * Noise that stays the same while it is observed gives no sign: a calm phase
 * looks like a calm machine.  So fewer than DEPENDENCE_ENOUGH rounds without a
 * sign do not tell whether the machine drifts.
 *
 * The limits were chosen by test/simulate (make simulate).
 */
#ifndef LIB_STATS_DEPENDENCE_H
#define LIB_STATS_DEPENDENCE_H

#include <stdbool.h>
#include <stddef.h>

struct error;

/* With so many rounds the serial correlation is known well enough. */
enum { DEPENDENCE_FEW = 20 };

/*
 * A state of the machine that lasts for 10 rounds in the mean outlasts 10
 * rounds in 39 % of sessions, and 60 in 0.2 %.
 */
enum { DEPENDENCE_ENOUGH = 60 };

/* The runs of a trial.  The i-th values of all trials are of one round. */
struct rate_series {
	const double *rates; /* positive; borrowed */
	size_t count;
};

struct dependence {
	/*
	 * If it is serial, the autocorrelation at lag 1, corrected, and one
	 * standard error more: what it may well be.  0 to 0.98.
	 */
	double correlation;
	bool is_serial; /* above 0 at the level of 5 % */
	bool is_common;
};

/*
 * Computes the dependence that the trials have in common.  Series of fewer than
 * INTERVAL_LEAST values tell nothing.
 */
int dependence_of(struct dependence *dependence,
    const struct rate_series *series, size_t count, struct error *err);

/*
 * Returns by how much the variance of a median is larger than that of
 * independent values: (1 + rho) / (1 - rho), as for a mean of an autoregressive
 * series (Box, Jenkins & Reinsel, Time Series Analysis, section 2.1).
 */
double dependence_inflation(const struct dependence *dependence);

enum drift { DRIFT_NO, DRIFT_YES, DRIFT_UNKNOWN };

/*
 * Do `count` runs tell too little about the long-run median?  DRIFT_YES: there
 * is a sign of it, and they count for fewer than INTERVAL_LEAST independent
 * ones.  DRIFT_UNKNOWN: there is none, and they are too few to have one.
 */
enum drift dependence_drift(const struct dependence *dependence, size_t count);

#endif
