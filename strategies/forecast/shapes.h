/*
 * shapes.h - the shapes of the pilot samples in a representation, for stores
 * that need all samples to have one shape (store_ops.one_shape).
 */
#ifndef STRATEGIES_FORECAST_SHAPES_H
#define STRATEGIES_FORECAST_SHAPES_H

#include <stdbool.h>

#include "lib/sample/sample.h"

struct shapes {
	bool seen; /* there was a sample */
	bool differ;
	unsigned field; /* the first field that differs */
	struct shape first[FIELDS_MAX];
	struct shape other; /* its other shape */
};

void shapes_note(struct shapes *shapes, const struct sample *sample);

#endif
