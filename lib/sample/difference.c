/* difference.c - see difference.h. */
#include "lib/sample/difference.h"

#include <math.h>
#include <string.h>

#include "lib/sample/half.h"

/* Returns element i as a number. */
static double element(const struct tensor *tensor, size_t i)
{
	const unsigned char *at = tensor->data;
	const size_t bytes = dtype_bytes(tensor->dtype);
	union {
		int8_t i8;
		uint16_t u16;
		int16_t i16;
		uint32_t u32;
		int32_t i32;
		uint64_t u64;
		int64_t i64;
		float f32;
		double f64;
	} value = { .u64 = 0 };

	memcpy(&value, at + i * bytes, bytes);
	switch (tensor->dtype) {
	case DTYPE_U8:
		return at[i];
	case DTYPE_I8:
		return value.i8;
	case DTYPE_U16:
		return value.u16;
	case DTYPE_I16:
		return value.i16;
	case DTYPE_U32:
		return value.u32;
	case DTYPE_I32:
		return value.i32;
	case DTYPE_U64:
		return (double)value.u64;
	case DTYPE_I64:
		return (double)value.i64;
	case DTYPE_F16:
		return (double)half_to_float(value.u16);
	case DTYPE_F32:
		return (double)value.f32;
	default:
		return value.f64;
	}
}

static void add(struct difference *difference, double wanted, double is)
{
	double by = fabs(is - wanted);

	if (isnan(wanted) && isnan(is))
		by = 0;
	else if (isnan(by)) /* infinite ones may be equal */
		by = wanted < is || wanted > is || isnan(wanted) || isnan(is)
		         ? INFINITY
		         : 0;
	if (!difference->count || wanted < difference->low)
		difference->low = wanted;
	if (!difference->count || wanted > difference->high)
		difference->high = wanted;
	difference->largest = fmax(difference->largest, by);
	difference->sum += by;
	difference->squares += by * by;
	difference->count++;
}

int difference_add(struct difference *difference, const struct tensor *wanted,
    const struct tensor *is)
{
	const size_t count = shape_elements(&wanted->shape);

	if (wanted->dtype != is->dtype ||
	    !shape_equal(&wanted->shape, &is->shape) ||
	    wanted->bytes != is->bytes ||
	    wanted->bytes != count * dtype_bytes(wanted->dtype))
		return -1;
	difference->dtype = wanted->dtype;
	for (size_t i = 0; i < count; i++)
		add(difference, element(wanted, i), element(is, i));
	return 0;
}

double difference_mean(const struct difference *difference)
{
	return difference->count ? difference->sum / (double)difference->count
	                         : 0;
}

double difference_psnr_db(const struct difference *difference)
{
	const double range = difference->dtype == DTYPE_U8 ? 255
	                     : difference->dtype == DTYPE_U16
	                         ? 65535
	                         : difference->high - difference->low;

	if (!(difference->squares > 0))
		return INFINITY;
	return 20 * log10(range / sqrt(difference->squares /
	                               (double)difference->count));
}
