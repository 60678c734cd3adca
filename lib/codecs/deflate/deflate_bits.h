/*
 * deflate_bits.h - reads the bits of a deflate stream, lowest bit first; used
 * by the deflate_walk files only.
 */
#ifndef LIB_CODECS_DEFLATE_DEFLATE_BITS_H
#define LIB_CODECS_DEFLATE_DEFLATE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bits {
	const unsigned char *data;
	size_t len, at; /* at: offset of the next byte */
	uint64_t held;
	unsigned count; /* number of bits in `held` */
	uint64_t over;  /* zero bits supplied behind the end */
};

/* Reads 8 bytes, little endian. Compilers make one load of it. */
static inline uint64_t bits_load(const unsigned char *b)
{
	const uint64_t low = b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
	                     (uint64_t)b[3] << 24;

	return low | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
	       (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* Fills `held` to at least 56 bits; bits behind the end are 0. */
static inline void bits_refill(struct bits *bits)
{
	if (bits->len - bits->at >= sizeof(uint64_t)) {
		const unsigned bytes = (63 - bits->count) / 8;

		bits->held |= bits_load(bits->data + bits->at) << bits->count;
		bits->at += bytes;
		bits->count += 8 * bytes;
		return;
	}
	for (; bits->count < 56; bits->count += 8) {
		if (bits->at < bits->len)
			bits->held |= (uint64_t)bits->data[bits->at++]
			              << bits->count;
		else
			bits->over += 8;
	}
}

static inline void bits_drop(struct bits *bits, unsigned count)
{
	bits->held >>= count;
	bits->count -= count;
}

/* Takes `count` bits, at most 32, from `held`. */
static inline unsigned bits_take(struct bits *bits, unsigned count)
{
	const unsigned value =
	    (unsigned)(bits->held & ((UINT64_C(1) << count) - 1));

	bits_drop(bits, count);
	return value;
}

/* Position of the next bit from the start of the data. */
static inline uint64_t bits_position(const struct bits *bits)
{
	return 8 * (uint64_t)bits->at + bits->over - bits->count;
}

static inline bool bits_is_over(const struct bits *bits)
{
	return bits_position(bits) > 8 * (uint64_t)bits->len;
}

#endif
