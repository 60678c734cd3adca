/* range.h - options that are a number, or a range to draw from: "0.1,2". */
#ifndef LIB_IMAGE_RANGE_H
#define LIB_IMAGE_RANGE_H

#include <stdbool.h>

#include "lib/base/random.h"

struct error;

struct range {
	double low, high;
	bool is_pair; /* two numbers were given; else both are equal */
};

/*
 * Parses either form.  ERROR_USAGE if it is invalid, decreasing, or not within
 * `least` to `most`; `name` is the option's.
 */
int range_parse(
    const char *text, const char *name, struct range *range, struct error *err);
int range_check(const struct range *range, const char *name, double least,
    double most, struct error *err);

/* Parses two increasing numbers above 0 and up to `most`; ERROR_USAGE. */
int range_parse_rising(const char *text, const char *name, double most,
    struct range *range, struct error *err);

double range_draw(const struct range *range, struct random *random);

#endif
