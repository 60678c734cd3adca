/*
 * student.h - Student's t: how far the mean of a few values may be from the
 * truth.  The values are independent and about normal, such as the means of
 * several runs each.
 */
#ifndef LIB_STATS_STUDENT_H
#define LIB_STATS_STUDENT_H

#include <stddef.h>

/*
 * Returns the probability of a t at least so far from 0, in either direction.
 * `freedom` are the degrees of freedom, at least 1.  (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 26.7.3 and 26.7.4.)
 */
double student_p(double t, size_t freedom);

/* Returns the t that is exceeded, upwards, with probability `tail` below 0.5.
 */
double student_quantile(double tail, size_t freedom);

/* A mean, the standard error of it, and the degrees of freedom of that. */
struct student_mean {
	double mean, error;
	size_t freedom; /* 0: fewer than two values, `error` is infinite */
};

/* Returns the mean of `n` values; NAN if there is none. */
struct student_mean student_mean(const double *values, size_t n);

#endif
