/*
 * calibrate.h - counts of a converter to what was measured.
 */
#ifndef LIB_SIGNAL_CALIBRATE_H
#define LIB_SIGNAL_CALIBRATE_H

#include <stddef.h>

#include "lib/sample/dtype.h"

struct calibration {
	double offset, factor;
};

/*
 * out = (in - offset) * factor, computed in double: `in` is of any type but
 * float16, in any alignment; `out` is float32 or float64.
 */
void calibrate(const struct calibration *calibration, enum dtype from,
    const void *in, enum dtype to, void *out, size_t count);

/*
 * Takes the mean of every `period` numbers from them, and of the fewer that
 * are left at the end; then times `factor`.  float32 or float64, in place.
 */
void calibrate_periods(
    enum dtype dtype, void *data, size_t count, size_t period, double factor);

#endif
