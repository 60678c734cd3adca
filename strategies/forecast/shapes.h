/*
 * shapes.h - what a few samples showed of the shapes of a representation, for
 * stores that want them all alike (store_ops.one_shape).
 */
#ifndef STRATEGIES_PLAN_SHAPES_H
#define STRATEGIES_PLAN_SHAPES_H

#include <stdbool.h>

#include "lib/sample/sample.h"

struct shapes {
	bool seen; /* there was a sample */
	bool differ;
	unsigned field; /* the first that differs */
	struct shape first[FIELDS_MAX];
	struct shape other; /* of that field */
};

void shapes_note(struct shapes *shapes, const struct sample *sample);

#endif
