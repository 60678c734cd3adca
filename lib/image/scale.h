/*
 * scale.h - converts numbers to floats, subtracts an offset and multiplies by a
 * factor: the inner loops of center, normalize and to_float.
 *
 * Results are equal on every processor: no operation is fused or reordered.
 * `in` and `out` must not overlap.
 */
#ifndef LIB_IMAGE_SCALE_H
#define LIB_IMAGE_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sample/dtype.h"

/*
 * (x - minus) * (times + rest).  `rest` is the difference between the exact
 * factor and the float `times`.  If `times` has few digits, its product with a
 * byte is exact and the sum is rounded correctly: the result equals a division
 * at the cost of a multiplication.
 */
struct scale {
	float minus, times, rest;
	bool is_large; /* `out` lies in large memory, see copy.h */
};

/* Accepts uint8, uint16 or float32; the second, for tests, uses no vectors. */
void scale_run(struct scale scale, enum dtype dtype, const void *in, float *out,
    size_t count);
void scale_run_plain(struct scale scale, enum dtype dtype, const void *in,
    float *out, size_t count);

/*
 * (x - minus[i]) * times[i], where i cycles through the table.  Its length is a
 * multiple of SCALE_STEP and of the channels.
 */
enum { SCALE_STEP = 32 };

struct scale_table {
	size_t length;
	const float *minus, *times;
	bool is_large;
};

void scale_run_by_table(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count);
void scale_run_by_table_plain(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count);

#endif
