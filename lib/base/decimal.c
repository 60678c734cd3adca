/*
 * decimal.c - see decimal.h.
 *
 * A number of up to 19 digits is an integer w times a power of ten.  If w and
 * the power are exact doubles, one multiplication or division rounds correctly
 * (Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990).  If
 * the power of five fits in 64 bits, the product or quotient is computed in 128
 * bits and rounded here.  The rare rest is left to strtod.
 */
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/decimal.h"

enum {
	DIGITS_MAX = 19,  /* so many digits always fit in 64 bits */
	POWER_EXACT = 22, /* 10^22 is an exact double */
	FIVES = 28,       /* 5^27 fits in 64 bits */
	SHORT = 128,      /* size that is enough for nearly all numbers */
	EXPONENT_MAX = 100000,
};

__extension__ typedef unsigned __int128 wide;

static const double tens[POWER_EXACT + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6,
	1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	1e19, 1e20, 1e21, 1e22 };

static const uint64_t fives[FIVES] = { 1, 5, 25, 125, 625, 3125, 15625, 78125,
	390625, 1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625,
	30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125,
	95367431640625, 476837158203125, 2384185791015625, 11920928955078125,
	59604644775390625, 298023223876953125, 1490116119384765625,
	7450580596923828125 };

/* The parts of a number in the text. */
struct decimal {
	bool negative;
	uint64_t digits; /* the first 19 significant digits */
	unsigned count;  /* how many of them there are */
	bool cut;        /* there are more digits */
	int exponent;    /* power of ten */
	size_t len;
};

static bool is_digit(const char *text, size_t at, size_t len)
{
	return at < len && text[at] >= '0' && text[at] <= '9';
}

static void add_digit(struct decimal *decimal, char digit, bool behind_point)
{
	if (decimal->count < DIGITS_MAX) {
		decimal->digits =
		    decimal->digits * 10 + (uint64_t)(digit - '0');
		decimal->count += decimal->digits > 0;
		decimal->exponent -= behind_point;
	} else {
		decimal->cut = true;
		decimal->exponent += !behind_point;
	}
}

/* Reads "e-3" at `at`.  Returns the position behind it; `at` if none. */
static size_t scan_exponent(
    struct decimal *decimal, const char *text, size_t at, size_t len)
{
	const size_t begin = at;
	bool negative = false;
	int exponent = 0;

	if (at >= len || (text[at] != 'e' && text[at] != 'E'))
		return at;
	at++;
	if (at < len && (text[at] == '-' || text[at] == '+'))
		negative = text[at++] == '-';
	if (!is_digit(text, at, len))
		return begin;
	for (; is_digit(text, at, len); at++)
		if (exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (text[at] - '0');
	decimal->exponent += negative ? -exponent : exponent;
	return at;
}

/* Returns false when the text does not begin with a number. */
static bool scan(struct decimal *decimal, const char *text, size_t len)
{
	size_t at = 0, digits = 0;

	*decimal = (struct decimal){ .len = 0 };
	if (at < len && (text[at] == '-' || text[at] == '+'))
		decimal->negative = text[at++] == '-';
	for (; is_digit(text, at, len); at++, digits++)
		add_digit(decimal, text[at], false);
	if (at < len && text[at] == '.') {
		at++;
		for (; is_digit(text, at, len); at++, digits++)
			add_digit(decimal, text[at], true);
	}
	if (!digits)
		return false;
	decimal->len = scan_exponent(decimal, text, at, len);
	return true;
}

/* Rounds n times 2^exponent; n is not 0.  `sticky`: bits below n were lost. */
static double round_wide(wide n, int exponent, bool sticky)
{
	const uint64_t high = (uint64_t)(n >> 64);
	const int bits = high ? 128 - __builtin_clzll(high)
	                      : 64 - __builtin_clzll((uint64_t)n);
	const int drop = bits - 53;
	uint64_t kept;
	wide rest, half;

	if (drop <= 0)
		return ldexp((double)(uint64_t)n, exponent);
	kept = (uint64_t)(n >> drop);
	rest = n & (((wide)1 << drop) - 1);
	half = (wide)1 << (drop - 1);
	if (rest > half || (rest == half && (sticky || (kept & 1))))
		kept++;
	return ldexp((double)kept, exponent + drop);
}

/* Computes digits * 10^exponent; digits > 0, exponent from -27 to 27. */
static double scale_exactly(uint64_t digits, int exponent)
{
	const int shift = __builtin_clzll(digits);
	const wide raised = (wide)(digits << shift) << 64;
	uint64_t five;

	if (exponent >= 0)
		return round_wide(
		    (wide)digits * fives[exponent], exponent, false);
	/* The quotient of 128 bits by 64 bits has at least 64 bits. */
	five = fives[-exponent];
	return round_wide(
	    raised / five, exponent - 64 - shift, raised % five != 0);
}

static double by_library(const char *text, size_t len)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	const locale_t old = uselocale(c);
	char short_copy[SHORT];
	char *copy = len < SHORT ? short_copy : malloc(len + 1);
	double value = NAN;

	if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
		value = strtod(copy, NULL);
	}
	if (copy != short_copy)
		free(copy);
	uselocale(old);
	if (c)
		freelocale(c);
	return value;
}

/* Reads "nan", "inf", "-Infinity".  Returns the length, 0 for anything else. */
static size_t parse_word(const char *text, size_t len, double *number)
{
	static const struct {
		const char *word;
		double value;
	} words[] = { { "infinity", INFINITY }, { "inf", INFINITY },
		{ "nan", NAN } };
	const size_t sign = len > 0 && (*text == '-' || *text == '+');

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const size_t n = strlen(words[i].word);
		size_t k = 0;

		while (k < n && sign + k < len &&
		       (text[sign + k] | 0x20) == words[i].word[k])
			k++;
		if (k < n)
			continue;
		*number =
		    sign && *text == '-' ? -words[i].value : words[i].value;
		return sign + n;
	}
	return 0;
}

size_t decimal_parse(const char *text, size_t len, double *number)
{
	struct decimal d;
	double value;

	if (!scan(&d, text, len))
		return parse_word(text, len, number);
	if (d.digits == 0)
		value = 0;
	else if (d.cut || d.exponent < -(FIVES - 1) || d.exponent > FIVES - 1)
		value = fabs(by_library(text, d.len));
	else if (d.digits > UINT64_C(1) << 53 || d.exponent < -POWER_EXACT ||
	         d.exponent > POWER_EXACT)
		value = scale_exactly(d.digits, d.exponent);
	else if (d.exponent < 0)
		value = (double)d.digits / tens[-d.exponent];
	else
		value = (double)d.digits * tens[d.exponent];
	*number = d.negative ? -value : value;
	return d.len;
}
