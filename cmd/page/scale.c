/* scale.c - see scale.h. */
#include "cmd/page/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/units.h"

/* Larger ranges are drawn on a logarithmic axis. */
static const double log_ratio = 20;
/* Tolerance for ticks at the ends of the axis. */
static const double nearly = 1e-9;

/* The smallest of 1, 2 and 5 times a power of ten that is at least `value`. */
static double nice_above(double value)
{
	const double power = pow(10, floor(log10(value) + nearly));
	const double times = value / power;

	if (times <= 1 + nearly)
		return power;
	if (times <= 2 + nearly)
		return 2 * power;
	return times <= 5 + nearly ? 5 * power : 10 * power;
}

/* The largest of them that is at most `value`. */
static double nice_below(double value)
{
	const double power = pow(10, floor(log10(value) + nearly));
	const double times = value / power;

	if (times >= 5 - nearly)
		return 5 * power;
	return times >= 2 - nearly ? 2 * power : power;
}

/* The step whose number of ticks is nearest to the one wanted. */
static double find_step(const struct scale *scale, unsigned ticks)
{
	return nice_above(
	    0.75 * (scale->high - scale->low) / (ticks ? ticks : 1));
}

/* Moves both ends to ticks. */
static void widen(struct scale *scale, unsigned ticks)
{
	const double step = find_step(scale, ticks);

	scale->low = step * floor(scale->low / step + nearly);
	scale->high = step * ceil(scale->high / step - nearly);
}

struct scale scale_from_zero(double high)
{
	return (struct scale){ .high = high > 0 ? high : 1 };
}

struct scale scale_of_range(double low, double high, unsigned ticks)
{
	struct scale scale = { .low = fmin(low, high),
		.high = fmax(low, high) };

	if (!(scale.high > 0))
		return scale_from_zero(1);
	if (scale.low > 0 && scale.high / scale.low > log_ratio) {
		scale.is_log = true;
		scale.low = nice_below(scale.low);
		scale.high = nice_above(scale.high);
		return scale;
	}
	scale.low = 0;
	widen(&scale, ticks);
	return scale;
}

double scale_at(const struct scale *scale, double value)
{
	double place;

	if (scale->is_log)
		place = log(fmax(value, scale->low) / scale->low) /
		        log(scale->high / scale->low);
	else
		place = (value - scale->low) / (scale->high - scale->low);
	return scale->from + place * (scale->to - scale->from);
}

/* Ticks at powers of ten; also at 2 and 5 times them, if there is room. */
static size_t log_ticks(
    const struct scale *scale, unsigned most, double ticks[SCALE_TICKS])
{
	const double decades = log10(scale->high / scale->low);
	const bool is_fine = 3 * decades <= most;
	const int every = (int)fmax(1, ceil(decades / fmax(most, 1)));
	double tick = pow(10, floor(log10(scale->low) + nearly));
	size_t count = 0;
	int decade = 0;

	for (; tick <= scale->high * (1 + nearly); decade++, tick *= 10)
		for (double times = 1; times < 10; times = times < 2   ? 2
		                                           : times < 5 ? 5
		                                                       : 10) {
			const double at = times * tick;

			if ((times > 1 && !is_fine) || decade % every ||
			    at < scale->low * (1 - nearly) ||
			    at > scale->high * (1 + nearly) ||
			    count == SCALE_TICKS)
				continue;
			ticks[count++] = at;
		}
	return count;
}

size_t scale_ticks(
    const struct scale *scale, unsigned most, double ticks[SCALE_TICKS])
{
	const double step = find_step(scale, most);
	size_t count = 0;

	if (scale->is_log)
		return log_ticks(scale, most, ticks);
	for (double i = ceil(scale->low / step - nearly); count < SCALE_TICKS;
	     i++) {
		if (i * step > scale->high + nearly * step)
			break;
		ticks[count++] = i * step;
	}
	return count;
}

/* Makes "50.0 MB" to "50 MB": ticks are round numbers. */
static void strip_zeros(char *text)
{
	char *point = strchr(text, '.');
	char *rest = point ? point + 1 + strspn(point + 1, "0123456789") : NULL;
	char *keep = rest;

	if (!point)
		return;
	while (keep > point && (keep[-1] == '0' || keep[-1] == '.'))
		keep--;
	memmove(keep, rest, strlen(rest) + 1);
}

const char *scale_text(
    enum scale_unit unit, double value, char text[SCALE_TEXT])
{
	char number[UNITS_TEXT];

	if (unit == SCALE_BYTES)
		units_bytes(value, number);
	else if (unit == SCALE_TIME)
		units_time(value, number);
	else
		units_number(value, number);
	if (!(value > 0) && !(value < 0))
		snprintf(number, sizeof(number), "0");
	strip_zeros(number);
	snprintf(text, SCALE_TEXT, "%s", number);
	return text;
}
