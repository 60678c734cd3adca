/*
 * shapes.h - the shapes of the pilot samples in a representation, for stores
 * that need all samples to have one shape (store_ops.one_shape).  Strategies
 * whose samples differ are left out.
 */
#ifndef STRATEGIES_FORECAST_SHAPES_H
#define STRATEGIES_FORECAST_SHAPES_H

#include <stdbool.h>

#include "lib/sample/sample.h"

struct error;
struct model;
struct strategies;
struct strategy;

struct shapes {
	bool seen; /* there was a sample */
	bool differ;
	unsigned field; /* the first field that differs */
	struct shape first[FIELDS_MAX];
	struct shape other; /* its other shape */
};

void shapes_note(struct shapes *shapes, const struct sample *sample);

/* ERROR_USAGE if the strategy cannot store the pilot samples. */
int model_check(const struct model *model, const struct strategy *strategy,
    struct error *err);
/* Leaves out those that cannot: see strategies_enumerate. */
int model_leave_out(const struct model *model, struct strategies *strategies,
    struct error *err);

#endif
