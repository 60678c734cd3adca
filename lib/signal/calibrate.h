/* calibrate.h - converts counts of an A/D converter to physical values. */
#ifndef LIB_SIGNAL_CALIBRATE_H
#define LIB_SIGNAL_CALIBRATE_H

#include <stddef.h>

#include "lib/sample/dtype.h"

struct calibration {
	double offset, factor;
};

/*
 * Computes out = (in - offset) * factor in double.  `in` has any type but
 * float16 and any alignment; `out` is float32 or float64.
 */
void calibrate(const struct calibration *calibration, enum dtype from,
    const void *in, enum dtype to, void *out, size_t count);

/*
 * Subtracts from every `period` numbers, and from a shorter rest, their mean;
 * then multiplies by `factor`.  float32 or float64, in place.
 */
void calibrate_periods(
    enum dtype dtype, void *data, size_t count, size_t period, double factor);

#endif
