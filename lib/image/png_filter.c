/*
 * png_filter.c - see png_filter.h.
 *
 * A pixel depends on the one before it.  So pixels are processed one by one,
 * with their channels side by side in a vector of 16-bit numbers.
 */
#include "lib/image/png_filter.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"

enum { STEP = 32 };

typedef uint8_t octets __attribute__((vector_size(8)));
typedef int16_t numbers __attribute__((vector_size(16)));

/* Reads four bytes, whatever the size of a pixel. */
CPU_BODY numbers pixel_at(const unsigned char *at)
{
	octets bytes = { 0 };

	memcpy(&bytes, at, 4);
	return __builtin_convertvector(bytes, numbers);
}

CPU_BODY void put_pixel(unsigned char *out, numbers pixel, size_t bytes)
{
	const octets low = __builtin_convertvector(pixel, octets);

	memcpy(out, &low, bytes);
}

CPU_BODY numbers size_of(numbers a)
{
	const numbers sign = a < 0;

	return (a ^ sign) - sign;
}

CPU_BODY numbers chosen(numbers is_a, numbers a, numbers b)
{
	return (is_a & a) | (~is_a & b);
}

/* Returns whichever of the three is nearest to left + above - corner. */
CPU_BODY numbers paeth(numbers left, numbers above, numbers corner)
{
	const numbers by_left = above - corner, by_above = left - corner;
	const numbers far_left = size_of(by_left);
	const numbers far_above = size_of(by_above);
	const numbers far_corner = size_of(by_left + by_above);
	const numbers nearer = chosen(far_above <= far_corner, above, corner);

	return chosen(
	    (far_left <= far_above) & (far_left <= far_corner), left, nearer);
}

/* `filter` and `pixel` (3 or 4 bytes) are constants in each call. */
CPU_BODY void undo(unsigned filter, size_t pixel, const unsigned char *in,
    const unsigned char *above, unsigned char *out, size_t bytes)
{
	const numbers octet = { 255, 255, 255, 255, 255, 255, 255, 255 };
	numbers left = { 0 }, corner = { 0 };

	for (size_t i = 0; i < bytes; i += pixel) {
		const numbers stored = pixel_at(in + i);
		numbers up = { 0 }, expected = left;

		if (filter != 1)
			up = pixel_at(above + i);
		if (filter == 3)
			expected = (left + up) >> 1;
		if (filter == 4)
			expected = paeth(left, up, corner);
		left = (stored + expected) & octet;
		corner = up;
		put_pixel(out + i, left, pixel);
	}
}

static unsigned char paeth_byte(int left, int above, int corner)
{
	const int by_left = above - corner, by_above = left - corner;
	const int far_left = by_left < 0 ? -by_left : by_left;
	const int far_above = by_above < 0 ? -by_above : by_above;
	const int by_corner = by_left + by_above;
	const int far_corner = by_corner < 0 ? -by_corner : by_corner;

	if (far_left <= far_above && far_left <= far_corner)
		return (unsigned char)left;
	return (unsigned char)(far_above <= far_corner ? above : corner);
}

/* For pixels of 1 and 2 bytes. */
static void undo_bytes(unsigned filter, size_t pixel, const unsigned char *in,
    const unsigned char *above, unsigned char *out, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const unsigned left = i < pixel ? 0 : out[i - pixel];
		const unsigned corner = i < pixel ? 0 : above[i - pixel];
		unsigned expected = left;

		if (filter == 3)
			expected = (left + above[i]) >> 1;
		if (filter == 4)
			expected = paeth_byte((int)left, above[i], (int)corner);
		out[i] = (unsigned char)(in[i] + expected);
	}
}

static void undo_up(const unsigned char *in, const unsigned char *above,
    unsigned char *out, size_t bytes)
{
	size_t i = 0;

	for (; i + STEP <= bytes; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (unsigned char)(in[i + k] + above[i + k]);
	for (; i < bytes; i++)
		out[i] = (unsigned char)(in[i] + above[i]);
}

CPU_BODY void undo_all(size_t pixel, unsigned filter, const unsigned char *in,
    const unsigned char *above, unsigned char *out, size_t bytes)
{
	if (filter == 1)
		undo(1, pixel, in, above, out, bytes);
	else if (filter == 3)
		undo(3, pixel, in, above, out, bytes);
	else
		undo(4, pixel, in, above, out, bytes);
}

void png_unfilter(unsigned filter, size_t pixel, const unsigned char *in,
    const unsigned char *above, unsigned char *out, size_t bytes)
{
	if (filter == 0)
		memcpy(out, in, bytes);
	else if (filter == 2)
		undo_up(in, above, out, bytes);
	else if (pixel == 3)
		undo_all(3, filter, in, above, out, bytes);
	else if (pixel == 4)
		undo_all(4, filter, in, above, out, bytes);
	else
		undo_bytes(filter, pixel, in, above, out, bytes);
}
