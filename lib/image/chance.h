/*
 * chance.h - steps that do what they do to a sample, or not: the option
 * `chance`.
 */
#ifndef LIB_IMAGE_CHANCE_H
#define LIB_IMAGE_CHANCE_H

#include <stdbool.h>

#include "lib/base/random.h"
#include "lib/syntax/option.h"

struct chance_options {
	double chance;
};

/* The table of a step that has no other option; and its defaults: half. */
extern const struct option chance_option_table[];
extern const struct chance_options chance_defaults;

/* Never, or always: as step_ops.is_certain. */
bool chance_is_certain(const void *options);

/* One draw. */
bool chance_draw(double chance, struct random *random);

#endif
