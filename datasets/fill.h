/* fill.h - makes up elements, for `synthetic` and the generator `tensors`. */
#ifndef DATASETS_FILL_H
#define DATASETS_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/sample/dtype.h"

/* in the order of FILL_WORDS */
enum fill_kind { FILL_RANDOM, FILL_ZERO, FILL_RAMP };

#define FILL_WORDS "random|zero|ramp"

struct fill {
	enum fill_kind kind;
	uint64_t seed;
};

/*
 * Fills tensor `number`: with random elements (floats from 1 to 2), zeros, or
 * numbers that count up from a start of its own.
 */
void fill_elements(const struct fill *fill, enum dtype dtype, uint64_t number,
    void *data, size_t bytes);

#endif
