/*
 * units.h - reads and writes sizes, times and numbers for users.
 *
 * Sizes: 500MB and 2G are powers of 1000, 64KiB and 1MiB powers of 1024; a bare
 * number is bytes.  Times: 90s, 5m, 2h, 600us, 4ms, 100ns; a bare number is
 * seconds.  Rates: a size with "/s".
 */
#ifndef LIB_BASE_UNITS_H
#define LIB_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* Each sets *value and returns 0, or returns -1 without a message. */
int units_parse_bytes(const char *text, uint64_t *bytes);
int units_parse_rate(const char *text, double *bytes_per_s);
int units_parse_time(const char *text, double *seconds);
int units_parse_uint(const char *text, uint64_t *number);
int units_parse_real(const char *text, double *number); /* finite, C locale */

enum { UNITS_TEXT = 32 }; /* size that is enough for every text made below */

/* Write for people: "1.23 GB", "45.6 s", "12 345".  They return `text`. */
const char *units_bytes(double bytes, char text[UNITS_TEXT]);
const char *units_time(double seconds, char text[UNITS_TEXT]);
/* For estimates: two significant digits, such as "34 ms", "2.2 s". */
double units_rough(double number);
const char *units_rough_time(double seconds, char text[UNITS_TEXT]);
const char *units_number(double number, char text[UNITS_TEXT]); /* 4 digits */

#endif
