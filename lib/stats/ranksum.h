/*
 * ranksum.h - two sets of measurements: do they differ, and by how much?
 * Nothing is assumed of their distribution but that one is the other, shifted.
 *
 * The test is that of Mann and Whitney (1947), which Wilcoxon's rank sum is.
 * The shift is that of Hodges and Lehmann (1963): the median of all
 * differences between a value of one and a value of the other; its interval
 * ends at the k-th smallest and the k-th largest of them, and holds the true
 * shift wherever the test would not tell the sets apart (Hollander & Wolfe,
 * Nonparametric Statistical Methods, sections 4.1 to 4.3).
 */
#ifndef LIB_STATS_RANKSUM_H
#define LIB_STATS_RANKSUM_H

#include <stddef.h>

struct error;

/* Up to so many values in all, nothing is approximated. */
enum { RANKSUM_EXACT = 60 };

struct ranksum_values { /* borrowed */
	const double *values;
	size_t count;
};

/*
 * How likely ranks as far apart as these, or further, are when both sets are
 * alike; both directions.  Ties share the mean of their ranks.  Beyond
 * RANKSUM_EXACT by the normal distribution, corrected for ties and continuity.
 * 1 when one of them is empty.
 */
int ranksum_test(const struct ranksum_values *a, const struct ranksum_values *b,
    double *p, struct error *err);

struct ranksum_shift {
	double shift; /* b - a */
	double low, high;
};

/*
 * The shift, and the interval that holds it with `confidence` (0.95) at least;
 * where there are too few values for that, from minus to plus infinity.
 * Neither set is empty.
 */
int ranksum_shift(const struct ranksum_values *a,
    const struct ranksum_values *b, double confidence,
    struct ranksum_shift *shift, struct error *err);

#endif
