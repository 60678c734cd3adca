/* element.c - see element.h. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/element.h"
#include "lib/sample/half.h"

/* Sets the range of an integer type: `low` is in it, `high` is not. */
static void whole_range(enum dtype dtype, double *low, double *high)
{
	static const bool is_signed[DTYPE_COUNT] = {
		[DTYPE_I8] = true,
		[DTYPE_I16] = true,
		[DTYPE_I32] = true,
		[DTYPE_I64] = true,
	};
	const int bits = (int)dtype_bytes(dtype) * 8 - is_signed[dtype];

	*high = ldexp(1, bits);
	*low = is_signed[dtype] ? -*high : 0;
}

static int set_whole(double value, enum dtype dtype,
    unsigned char bytes[ELEMENT_BYTES], struct error *err)
{
	double low, high;
	uint64_t whole;

	whole_range(dtype, &low, &high);
	if (!(value >= low && value < high) || value != floor(value))
		return error_set(err, ERROR_USAGE,
		    "value %g cannot be stored as %s", value,
		    dtype_name(dtype));
	whole = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
	for (size_t i = 0; i < dtype_bytes(dtype); i++)
		bytes[i] = (unsigned char)(whole >> (8 * i));
	return 0;
}

int element_set(double value, enum dtype dtype,
    unsigned char bytes[ELEMENT_BYTES], struct error *err)
{
	const float narrow = (float)value;
	const uint16_t half = half_from_float(narrow);

	switch (dtype) {
	case DTYPE_F16:
		memcpy(bytes, &half, sizeof(half));
		return 0;
	case DTYPE_F32:
		memcpy(bytes, &narrow, sizeof(narrow));
		return 0;
	case DTYPE_F64:
		memcpy(bytes, &value, sizeof(value));
		return 0;
	default:
		return set_whole(value, dtype, bytes, err);
	}
}

/* Doubles the filled part until `to` is full. */
void element_fill(void *to, size_t count,
    const unsigned char bytes[ELEMENT_BYTES], enum dtype dtype)
{
	const size_t size = dtype_bytes(dtype), all = count * size;
	unsigned char *at = to;
	size_t done = size;

	if (!count)
		return;
	memcpy(at, bytes, size);
	while (done < all) {
		const size_t more = all - done < done ? all - done : done;

		memcpy(at + done, at, more);
		done += more;
	}
}
