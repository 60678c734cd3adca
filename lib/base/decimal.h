/* decimal.h - reads decimal numbers as the nearest double, in any locale. */
#ifndef LIB_BASE_DECIMAL_H
#define LIB_BASE_DECIMAL_H

#include <stddef.h>

/*
 * Reads the number at the start of `text` (`len` bytes, no NUL needed): -12,
 * .5, 1e-3, inf, nan.  Returns its length, 0 when there is no number.  Rounds
 * like strtod: to nearest, ties to even; too large numbers become infinite.
 */
size_t decimal_parse(const char *text, size_t len, double *number);

#endif
