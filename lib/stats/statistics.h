/*
 * statistics.h - statistics of repeated measurements.  Their distribution may
 * be any; they must be equally distributed, and independent unless a function
 * says otherwise.
 *
 * Functions that take `double *values` sort them.
 */
#ifndef LIB_STATS_STATISTICS_H
#define LIB_STATS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct error;

struct interval {
	double median, low, high;
};

void values_sort(double *values, size_t n); /* smallest first; none is NAN */

/*
 * Returns the median; for even n, the mean of the two in the middle.  NAN if
 * any value is NAN, or n is 0.
 */
double median_of(double *values, size_t n);

/*
 * Returns the standard deviation over the median, of a normal distribution that
 * has the quartiles of the values: a few that are far off count for nothing.
 * The median is above 0, and so is n.
 */
double deviation_of(double *values, size_t n);

/*
 * Computes the median, and the interval that contains the true median with 95
 * %.  It goes from the k-th smallest to the k-th largest value, where k is the
 * largest number with P(X < k) <= 2.5 % for X binomial (n, 1/2) (David &
 * Nagaraja, Order Statistics, section 7.1).  For n < 6 there is no such k: it
 * goes from the smallest to the largest value, which is 94 % for 5.  Beyond
 * 1000 values k grows in proportion to n, and the interval is slightly wider
 * than needed.  n > 0.
 */
struct interval interval_of(double *values, size_t n);

/*
 * As interval_of, for values that resemble each other: the variance of their
 * median is `inflation` times that of independent ones (dependence.h), 1 or
 * more.  k is the largest number below n / 2 - 1.96 sqrt(n inflation) / 2, the
 * normal approximation of the binomial, at least 1, and at most that of
 * interval_of.
 */
struct interval interval_inflated(double *values, size_t n, double inflation);

/* Fewer values contain the true median too rarely: 4 with 87.5 %. */
enum { INTERVAL_LEAST = 5 };

/* Returns half of the interval's width, divided by the median. */
double interval_width(const struct interval *interval);

/* With more values there would be too many Walsh averages. */
enum { SIGNED_RANK_MOST = 60 };

/*
 * Returns the k of ratio_interval: the largest with P(W < k) <= 2.5 %, at least
 * 1.  W is the sum of a random subset of the numbers 1 to n; n is at most
 * SIGNED_RANK_MOST.
 */
size_t signed_rank_order(size_t n);

/*
 * Computes the interval that contains the true median of ratios with 95 %, if a
 * ratio is as likely to be above it by some factor as below it.  It goes from
 * the k-th smallest to the k-th largest Walsh average: the geometric mean of
 * two ratios, or of one with itself.
 *
 * It contains the medians that Wilcoxon's signed-rank test does not reject
 * (Hollander & Wolfe, Nonparametric Statistical Methods, sections 3.1 to 3.3),
 * and is narrower than interval_of, which is used for more than
 * SIGNED_RANK_MOST ratios.  Returns false for fewer than INTERVAL_LEAST ratios;
 * for exactly so many, the smallest to the largest have 93.75 %.
 */
bool ratio_interval(double *ratios, size_t n, struct interval *interval);

/*
 * Marks outliers by the modified z-score of Iglewicz and Hoaglin: 0.6745 |x -
 * median| / MAD (median absolute deviation) is above 3.5.  If more than half of
 * the values are equal, the MAD is 0, and 0.7979 |x - median| / mean absolute
 * deviation is used instead.  With fewer than 5 values none is marked.  The
 * order of the values does not change.
 */
int outliers_mark(
    const double *values, size_t n, bool *is_outlier, struct error *err);

#endif
