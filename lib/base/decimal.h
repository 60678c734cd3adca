/*
 * decimal.h - decimal numbers in text, to the nearest double, in any locale.
 */
#ifndef LIB_BASE_DECIMAL_H
#define LIB_BASE_DECIMAL_H

#include <stddef.h>

/*
 * Reads a number at `text`, which has `len` bytes and need not end with a NUL:
 * -12, .5, 1e-3, inf, nan.  Returns the bytes that it has, 0 when there is
 * none.  Rounds as strtod does: to nearest, ties to even; more than the
 * largest double is an infinity.
 */
size_t decimal_parse(const char *text, size_t len, double *number);

#endif
