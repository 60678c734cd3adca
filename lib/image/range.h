/*
 * range.h - options that are a number, or two that something random is drawn
 * between: "0.5", "0.1,2".
 */
#ifndef LIB_IMAGE_RANGE_H
#define LIB_IMAGE_RANGE_H

#include <stdbool.h>

#include "lib/base/random.h"

struct error;

struct range {
	double low, high;
	bool is_pair; /* two were given; else both are the one */
};

/*
 * Reads either; ERROR_USAGE when it is none, falls, or is not within `least`
 * to `most`; `name` is the option's.
 */
int range_parse(
    const char *text, const char *name, struct range *range, struct error *err);
int range_check(const struct range *range, const char *name, double least,
    double most, struct error *err);

/* Two that rise, above 0 and at most `most`; ERROR_USAGE. */
int range_parse_rising(const char *text, const char *name, double most,
    struct range *range, struct error *err);

double range_draw(const struct range *range, struct random *random);

#endif
