/*
 * ranksum.h - compares two sets of measurements: do they differ, and by how
 * much?  Their distribution may be any, if one is the other shifted.
 *
 * The test is that of Mann and Whitney (1947), also known as Wilcoxon's rank
 * sum.  The shift is that of Hodges and Lehmann (1963), the median of all
 * differences between a value of one set and a value of the other.  Its
 * interval goes from the k-th smallest to the k-th largest of them.  It
 * contains the shifts that the test does not reject (Hollander & Wolfe,
 * Nonparametric Statistical Methods, sections 4.1 to 4.3).
 */
#ifndef LIB_STATS_RANKSUM_H
#define LIB_STATS_RANKSUM_H

#include <stddef.h>

struct error;

/* Up to this number of values in total, results are exact. */
enum { RANKSUM_EXACT = 60 };

struct ranksum_values { /* borrowed */
	const double *values;
	size_t count;
};

/*
 * Computes the probability of ranks at least so far apart, in either direction,
 * if both sets are alike.  Ties share the mean of their ranks.  Beyond
 * RANKSUM_EXACT it uses the normal distribution, corrected for ties and
 * continuity.  1 if one set is empty.
 */
int ranksum_test(const struct ranksum_values *a, const struct ranksum_values *b,
    double *p, struct error *err);

struct ranksum_shift {
	double shift; /* b - a */
	double low, high;
};

/*
 * Computes the shift, and the interval that contains it with a probability of
 * at least `confidence` (0.95).  With too few values it is from minus to plus
 * infinity.  Neither set may be empty.
 */
int ranksum_shift(const struct ranksum_values *a,
    const struct ranksum_values *b, double confidence,
    struct ranksum_shift *shift, struct error *err);

#endif
