/* chance.h - the option `chance`: how probably a step changes a sample. */
#ifndef LIB_IMAGE_CHANCE_H
#define LIB_IMAGE_CHANCE_H

#include <stdbool.h>

#include "lib/base/random.h"
#include "lib/syntax/option.h"

struct chance_options {
	double chance;
};

/* The options of a step that has no other, and their defaults (0.5). */
extern const struct option chance_option_table[];
extern const struct chance_options chance_defaults;

/* A step_ops.is_certain: true for a chance of 0 or 1. */
bool chance_is_certain(const void *options);

/* Takes one draw. */
bool chance_draw(double chance, struct random *random);

#endif
