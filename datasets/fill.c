/* fill.c - see fill.h. */
#include <string.h>

#include "datasets/fill.h"
#include "lib/base/random.h"

enum { STEP_FILL = 0x73796e74 }; /* own random stream */

/*
 * Random bits would give NaNs and infinities, so sign and exponent are set to
 * those of 1: floats are from 1 to 2.
 */
static void mask_floats(enum dtype dtype, void *data, size_t bytes)
{
	if (dtype == DTYPE_F16)
		for (uint16_t *x = data; bytes >= sizeof(*x);
		     bytes -= sizeof(*x), x++)
			*x = (uint16_t)((*x & 0x3ff) | 0x3c00);
	else if (dtype == DTYPE_F32)
		for (uint32_t *x = data; bytes >= sizeof(*x);
		     bytes -= sizeof(*x), x++)
			*x = (*x & 0x7fffff) | 0x3f800000;
	else if (dtype == DTYPE_F64)
		for (uint64_t *x = data; bytes >= sizeof(*x);
		     bytes -= sizeof(*x), x++)
			*x = (*x & 0xfffffffffffff) | 0x3ff0000000000000;
}

/* Element i is start + i; a float is 1 + ((start + i) modulo 1024) / 1024. */
static uint64_t ramp_element(enum dtype dtype, uint64_t n)
{
	if (dtype == DTYPE_F16)
		return 0x3c00 | (n & 0x3ff);
	if (dtype == DTYPE_F32)
		return 0x3f800000 | (n & 0x3ff) << 13;
	if (dtype == DTYPE_F64)
		return 0x3ff0000000000000 | (n & 0x3ff) << 42;
	return n;
}

static void fill_ramp(
    enum dtype dtype, uint64_t start, void *data, size_t bytes)
{
	const size_t size = dtype_bytes(dtype), count = bytes / size;

	for (size_t i = 0; i < count; i++) {
		const uint64_t n = ramp_element(dtype, start + i);

		if (size == 1)
			((uint8_t *)data)[i] = (uint8_t)n;
		else if (size == 2)
			((uint16_t *)data)[i] = (uint16_t)n;
		else if (size == 4)
			((uint32_t *)data)[i] = (uint32_t)n;
		else
			((uint64_t *)data)[i] = n;
	}
}

/* Finishing function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

/*
 * Counts up from a drawn number and mixes the bits. This is much faster than
 * drawing each number: reading and storing should take the time.
 */
static void fill_random(
    uint64_t seed, uint64_t number, unsigned char *data, size_t bytes)
{
	struct random random = random_stream(seed, 0, number, STEP_FILL);
	uint64_t state = random_u64(&random), word;

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		word = mix(state += 0x9e3779b97f4a7c15);
		memcpy(data, &word, sizeof(word));
		data += sizeof(word);
	}
	word = mix(state + 1);
	memcpy(data, &word, bytes);
}

void fill_elements(const struct fill *fill, enum dtype dtype, uint64_t number,
    void *data, size_t bytes)
{
	switch (fill->kind) {
	case FILL_RANDOM:
		fill_random(fill->seed, number, data, bytes);
		mask_floats(dtype, data, bytes);
		break;
	case FILL_ZERO:
		memset(data, 0, bytes);
		break;
	case FILL_RAMP:
		fill_ramp(dtype, number, data, bytes);
		break;
	}
}
