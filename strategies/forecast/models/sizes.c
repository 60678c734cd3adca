/* sizes.c - see sizes.h. */
#include "strategies/forecast/models/sizes.h"

#include <math.h>

void sizes_add(
    struct sizes *sizes, double source, const double bytes[PIPELINE_STEPS + 1])
{
	if (sizes->count == SIZES_MOST)
		return;
	sizes->source[sizes->count] = source;
	for (unsigned r = 0; r <= PIPELINE_STEPS; r++)
		sizes->bytes[r][sizes->count] = bytes[r];
	sizes->count++;
}

static double mean_of(const double *values, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / n : 0;
}

/* Sums of squares and products of deviations from the means. */
struct moments {
	double x, y, xx, xy, yy;
};

static struct moments moments_of(const double *x, const double *y, unsigned n)
{
	struct moments m = { .x = mean_of(x, n), .y = mean_of(y, n) };

	for (unsigned i = 0; i < n; i++) {
		const double dx = x[i] - m.x, dy = y[i] - m.y;

		m.xx += dx * dx;
		m.xy += dx * dy;
		m.yy += dy * dy;
	}
	return m;
}

struct size_mean sizes_mean(
    const struct sizes *sizes, unsigned rep, uint64_t samples)
{
	const unsigned n = sizes->count;
	const struct moments m =
	    moments_of(sizes->source, sizes->bytes[rep], n);
	const bool is_known = sizes->mean_source > 0 && m.xx > 0 && n > 2;
	const double slope = is_known ? m.xy / m.xx : 0;
	const unsigned freedom = is_known ? n - 2 : n - 1;
	const double left = m.yy - slope * m.xy; /* not explained */
	struct size_mean mean = { .mean = m.y };
	double variance;

	if (is_known)
		mean.mean += slope * (sizes->mean_source - m.x);
	if (n < 2 || mean.mean <= 0)
		return mean;
	variance = fmax(left, 0) / freedom / n;
	if (samples > 0) /* samples that were seen are known */
		variance *= 1 - fmin((double)n / (double)samples, 1);
	mean.error = sqrt(variance) / mean.mean;
	return mean;
}
