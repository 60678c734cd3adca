/*
 * units.h - sizes, times and numbers as users write and read them.
 *
 * Sizes: 500MB and 2G are powers of 1000, 64KiB and 1MiB powers of 1024; a
 * bare number is bytes.  Times: 90s, 5m, 2h, 600us, 4ms, 100ns; a bare number
 * is seconds.  Rates: a size with "/s".
 */
#ifndef LIB_BASE_UNITS_H
#define LIB_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* All: 0 and *value set, or -1 when the text is not one (no message). */
int units_parse_bytes(const char *text, uint64_t *bytes);
int units_parse_rate(const char *text, double *bytes_per_s);
int units_parse_time(const char *text, double *seconds);
int units_parse_uint(const char *text, uint64_t *number);
int units_parse_real(const char *text, double *number); /* finite, C locale */

enum { UNITS_TEXT = 32 }; /* enough for every text made below */

/* "1.23 GB", "45.6 s", "12 345": for people.  They return `text`. */
const char *units_bytes(double bytes, char text[UNITS_TEXT]);
const char *units_time(double seconds, char text[UNITS_TEXT]);
/* To two digits, as what is not known better: "34 ms", "2.2 s". */
double units_rough(double number);
const char *units_rough_time(double seconds, char text[UNITS_TEXT]);
const char *units_number(double number, char text[UNITS_TEXT]); /* 4 digits */

#endif
