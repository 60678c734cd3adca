/*
 * statistics.h - what repeated measurements say: nothing is assumed of their
 * distribution but that they are alike and independent.
 *
 * The same as the views of lib/db/schema.sql, for who must know it while it is
 * still being measured.
 */
#ifndef LIB_STATS_STATISTICS_H
#define LIB_STATS_STATISTICS_H

#include <stddef.h>

struct interval {
	double median, low, high;
};

/*
 * Median, and the interval that holds the true median with 95 %: from the k-th
 * smallest to the k-th largest, k the largest number with P(X < k) <= 2.5 %
 * for X binomial (n, 1/2) (David & Nagaraja, Order Statistics, section 7.1).
 * Fewer than 6 values have no such k: smallest to largest, 94 % for 5.  Sorts
 * the values; n > 0.
 */
struct interval interval_of(double *values, size_t n);

/* Fewer values hold the true median too seldom: 4 do with 87.5 %. */
enum { INTERVAL_LEAST = 5 };

/* Half of the interval's width over the median. */
double interval_width(const struct interval *interval);

#endif
