/* student.c - see student.h. */
#include "lib/stats/student.h"

#include <math.h>

/* The sum of the handbook: cos^first and every second power to freedom - 2. */
static double sum_of(double angle, size_t freedom)
{
	const double square = cos(angle) * cos(angle);
	const size_t first = freedom % 2;
	double term = first ? cos(angle) : 1, sum = 0;

	for (size_t power = first; power + 2 <= freedom; power += 2) {
		sum += term;
		term *= square * (double)(power + 1) / (double)(power + 2);
	}
	return sum * sin(angle);
}

double student_p(double t, size_t freedom)
{
	static const double half_pi = 1.57079632679489661923;
	const double angle = atan(fabs(t) / sqrt((double)freedom));
	const double sum = sum_of(angle, freedom);
	const double within = freedom % 2 ? (angle + sum) / half_pi : sum;

	return fmin(fmax(1 - within, 0), 1);
}

double student_quantile(double tail, size_t freedom)
{
	double low = 0, high = 1;

	while (student_p(high, freedom) > 2 * tail)
		high *= 2;
	for (unsigned i = 0; i < 60; i++) {
		const double middle = (low + high) / 2;

		if (student_p(middle, freedom) > 2 * tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct student_mean student_mean(const double *values, size_t n)
{
	struct student_mean to = { NAN, INFINITY, 0 };
	double sum = 0, squares = 0;

	if (n == 0)
		return to;
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	to.mean = sum / (double)n;
	if (n < 2)
		return to;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - to.mean) * (values[i] - to.mean);
	to.freedom = n - 1;
	to.error = sqrt(squares / (double)(n - 1) / (double)n);
	return to;
}
