/* units.c - see units.h. */
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/units.h"

struct unit {
	const char *name;
	double factor;
};

/* The first name of each size is the one written. */
static const struct unit sizes[] = {
	{ "B", 1 },
	{ "kB", 1e3 },
	{ "MB", 1e6 },
	{ "GB", 1e9 },
	{ "TB", 1e12 },
	{ "PB", 1e15 },
	{ "K", 1e3 },
	{ "M", 1e6 },
	{ "G", 1e9 },
	{ "T", 1e12 },
	{ "P", 1e15 },
	{ "KiB", 0x1p10 },
	{ "MiB", 0x1p20 },
	{ "GiB", 0x1p30 },
	{ "TiB", 0x1p40 },
	{ "PiB", 0x1p50 },
};
enum { SIZES_WRITTEN = 6 };

static const struct unit times[] = {
	{ "ns", 1e-9 },
	{ "us", 1e-6 },
	{ "ms", 1e-3 },
	{ "s", 1 },
	{ "min", 60 },
	{ "h", 3600 },
	{ "m", 60 },
};
enum { TIMES_WRITTEN = 6 };

/*
 * The program that uses this library may have called setlocale.  Numbers are
 * read and written in the C locale of this thread all the same.
 */
static locale_t locale_enter(locale_t *old)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	*old = uselocale(c);
	return c;
}

static void locale_leave(locale_t c, locale_t old)
{
	uselocale(old);
	if (c)
		freelocale(c);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static const char *skip_digits(const char *text)
{
	while (is_digit(*text))
		text++;
	return text;
}

/* Returns the position behind "12", "1.5", ".5" or "1e-3"; NULL: no number. */
static const char *skip_number(const char *text)
{
	const char *end = skip_digits(text), *exponent;
	bool digits = end > text;

	if (*end == '.') {
		const char *point = end++;

		end = skip_digits(end);
		digits = digits || end > point + 1;
	}
	if (!digits)
		return NULL;
	if (*end != 'e' && *end != 'E')
		return end;
	exponent = end + 1;
	if (*exponent == '+' || *exponent == '-')
		exponent++;
	return is_digit(*exponent) ? skip_digits(exponent) : end;
}

/* Reads a number without a sign; returns the position behind it, or NULL. */
static const char *parse_number(const char *text, double *number)
{
	const char *end = skip_number(text);
	locale_t c, old;

	if (!end)
		return NULL;
	c = locale_enter(&old);
	*number = strtod(text, NULL);
	locale_leave(c, old);
	return isfinite(*number) ? end : NULL;
}

static bool same_word(const char *word, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!word[i] || lower(word[i]) != lower(text[i]))
			return false;
	return word[len] == '\0';
}

/* Returns the factor of a unit, 1 for no unit, 0 for an unknown one. */
static double find_factor(
    const struct unit *units, size_t count, const char *text, size_t len)
{
	if (len && *text == ' ') {
		text++;
		len--;
	}
	if (!len)
		return 1;
	for (size_t i = 0; i < count; i++)
		if (same_word(units[i].name, text, len))
			return units[i].factor;
	return 0;
}

int units_parse_uint(const char *text, uint64_t *number)
{
	uint64_t sum = 0;

	if (!is_digit(*text))
		return -1;
	for (; is_digit(*text); text++)
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
			return -1;
	if (*text)
		return -1;
	*number = sum;
	return 0;
}

int units_parse_real(const char *text, double *number)
{
	const bool negative = *text == '-';
	const char *end;
	double value = 0;

	if (*text == '-' || *text == '+')
		text++;
	end = parse_number(text, &value);
	if (!end || *end)
		return -1;
	*number = negative ? -value : value;
	return 0;
}

int units_parse_bytes(const char *text, uint64_t *bytes)
{
	const char *end;
	double value = 0, factor;

	if (units_parse_uint(text, bytes) == 0)
		return 0; /* exact above 2^53, too */
	end = parse_number(text, &value);
	if (!end)
		return -1;
	factor = find_factor(sizes, ARRAY_LEN(sizes), end, strlen(end));
	value = round(value * factor);
	if (factor <= 0 || !(value < 0x1p64))
		return -1;
	*bytes = (uint64_t)value;
	return 0;
}

int units_parse_rate(const char *text, double *bytes_per_s)
{
	double value = 0, factor;
	const char *end = parse_number(text, &value);
	size_t len;

	if (!end)
		return -1;
	len = strlen(end);
	if (len < 2 || strcmp(end + len - 2, "/s") != 0)
		return -1;
	factor = find_factor(sizes, ARRAY_LEN(sizes), end, len - 2);
	if (factor <= 0 || !isfinite(value * factor))
		return -1;
	*bytes_per_s = value * factor;
	return 0;
}

/* 0.6 times 1e-3 is not the double nearest to 0.0006, but 0.6 over 1e3 is. */
static double scale(double value, double factor)
{
	return factor < 1 ? value / round(1 / factor) : value * factor;
}

int units_parse_time(const char *text, double *seconds)
{
	double value = 0, factor;
	const char *end = parse_number(text, &value);

	if (!end)
		return -1;
	factor = find_factor(times, ARRAY_LEN(times), end, strlen(end));
	if (factor <= 0 || !isfinite(scale(value, factor)))
		return -1;
	*seconds = scale(value, factor);
	return 0;
}

/* Writes three significant digits: 1.23, 12.3, 123. */
static const char *print_three(double value, const char *unit, char *text)
{
	const double size = fabs(value);
	const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
	const bool whole = size < 1000 && floor(value) >= value;
	locale_t old, c = locale_enter(&old);

	if (size >= 1e6 || !isfinite(value))
		snprintf(text, UNITS_TEXT, "%.3g %s", value, unit);
	else
		snprintf(text, UNITS_TEXT, "%.*f %s", whole ? 0 : decimals,
		    value, unit);
	locale_leave(c, old);
	return text;
}

const char *units_bytes(double bytes, char text[UNITS_TEXT])
{
	size_t i = 0;

	while (i + 1 < SIZES_WRITTEN && fabs(bytes) / sizes[i].factor >= 999.5)
		i++;
	return print_three(bytes / sizes[i].factor, sizes[i].name, text);
}

const char *units_time(double seconds, char text[UNITS_TEXT])
{
	const double size = fabs(seconds);
	size_t i = 0;

	if (size <= 0)
		return print_three(0, "s", text);
	/* Seconds are used up to two minutes, minutes up to two hours. */
	while (i + 1 < TIMES_WRITTEN &&
	       size >= times[i].factor * (times[i].factor < 1 ? 999.5 : 120))
		i++;
	return print_three(seconds / times[i].factor, times[i].name, text);
}

double units_rough(double number)
{
	const double unit = number > 0 ? pow(10, floor(log10(number)) - 1) : 1;

	return round(number / unit) * unit;
}

/* Shortens "32.3 min" to "32 min", "2.00 s" to "2 s", "123 ms" to "120 ms". */
const char *units_rough_time(double seconds, char text[UNITS_TEXT])
{
	char unit[8];
	double number = 0;
	const char *end;
	locale_t old, c;

	units_time(seconds, text);
	end = parse_number(text, &number);
	if (!end || strlen(end) >= sizeof(unit) || number >= 1e6)
		return text; /* negative, or too large to be useful */
	memcpy(unit, end, strlen(end) + 1);
	number = units_rough(number);
	c = locale_enter(&old);
	snprintf(text, UNITS_TEXT, "%.*f%s",
	    number < 10 && floor(number) < number ? 1 : 0, number, unit);
	locale_leave(c, old);
	return text;
}

/* Writes "-1234567" as "-1 234 567". */
static void group_digits(const char *digits, char *text)
{
	size_t left;

	if (*digits == '-')
		*text++ = *digits++;
	for (left = strlen(digits); left; left--) {
		*text++ = *digits++;
		if (left % 3 == 1 && left > 1)
			*text++ = ' ';
	}
	*text = '\0';
}

const char *units_number(double number, char text[UNITS_TEXT])
{
	const double size = fabs(number);
	const bool grouped = size >= 999.95 && size < 1e15;
	char digits[UNITS_TEXT];
	locale_t old, c = locale_enter(&old);

	if (grouped)
		snprintf(digits, sizeof(digits), "%.0f", number);
	else
		snprintf(text, UNITS_TEXT, "%.4g", number);
	locale_leave(c, old);
	if (grouped)
		group_digits(digits, text);
	return text;
}
