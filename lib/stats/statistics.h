/*
 * statistics.h - what repeated measurements say.  The distribution of the
 * values may be any; they are only taken to be alike and independent.
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

/*
 * The mean of the two in the middle, where n is even.  NAN when one of the
 * values is, and without values.
 */
double median_of(double *values, size_t n);

/*
 * Median, and the interval that holds the true median with 95 %: from the k-th
 * smallest to the k-th largest, k the largest number with P(X < k) <= 2.5 %
 * for X binomial (n, 1/2) (David & Nagaraja, Order Statistics, section 7.1).
 * Fewer than 6 values have no such k: smallest to largest, 94 % for 5.  Beyond
 * 1000 values k grows in proportion, which makes the interval somewhat wider
 * than it need be.  n > 0.
 */
struct interval interval_of(double *values, size_t n);

/* Fewer values hold the true median too seldom: 4 do with 87.5 %. */
enum { INTERVAL_LEAST = 5 };

/* Half of the interval's width over the median. */
double interval_width(const struct interval *interval);

/* With more values, Walsh averages are too many. */
enum { SIGNED_RANK_MOST = 60 };

/*
 * The k of ratio_interval: the largest with P(W < k) <= 2.5 %, W the sum of
 * those numbers of 1 to n that a coin chooses; at least 1.  n is at most
 * SIGNED_RANK_MOST.
 */
size_t signed_rank_order(size_t n);

/*
 * The interval that holds the true median of ratios with 95 %, if a ratio is
 * as likely to be above it by some factor as below it.  It goes from the k-th
 * smallest to the k-th largest Walsh average: the geometric means of two of
 * the ratios, or of one with itself.  It holds what the signed-rank test of
 * Wilcoxon does not reject (Hollander & Wolfe, Nonparametric Statistical
 * Methods, sections 3.1 to 3.3), and is narrower than that of interval_of.
 * More than SIGNED_RANK_MOST ratios get that one.  False: there are fewer than
 * INTERVAL_LEAST; for that many, the smallest to the largest hold 93.75 %.
 */
bool ratio_interval(double *ratios, size_t n, struct interval *interval);

/*
 * Marks the values that are unlike the others, by the modified z-score of
 * Iglewicz and Hoaglin: 0.6745 |x - median| / MAD, the median absolute
 * deviation, is beyond 3.5.  Where more than half of the values are the same,
 * so that the MAD is 0, 0.7979 |x - median| / the mean absolute deviation
 * takes its place.  Fewer than 5 values are too few to tell.  Values stay in
 * their order.
 */
int outliers_mark(
    const double *values, size_t n, bool *is_outlier, struct error *err);

#endif
