/* deflate_walk.c - see deflate_walk.h. */
#include "lib/codecs/deflate/deflate_walk.h"

#include <stdbool.h>

#include "lib/codecs/deflate/deflate_bits.h"
#include "lib/codecs/deflate/deflate_codes.h"

enum { STORED, FIXED, DYNAMIC };

/* Skips a distance that has a long code. Returns 1, or -1. */
static int pass_distance(const struct deflate_walk *walk, struct bits *bits)
{
	const int symbol = walk_decode(&walk->distances, bits);

	if (symbol < 0 || symbol >= DISTANCE_CODES)
		return -1;
	bits_drop(bits, symbol < 4 ? 0 : (unsigned)symbol / 2 - 1);
	return 1;
}

/* Skips a long code or the end of the block. Returns 1, 0 at the end, or -1. */
static int pass_other(
    const struct deflate_walk *walk, struct bits *bits, uint64_t *raw)
{
	const int symbol = walk_decode(&walk->codes, bits);
	const int length = symbol - END_OF_BLOCK - 1;

	if (symbol < 0 || length >= LENGTHS)
		return -1;
	if (symbol == END_OF_BLOCK)
		return 0;
	if (symbol < END_OF_BLOCK) {
		++*raw;
		return 1;
	}
	bits_refill(bits);
	*raw += walk_length_base[length] +
	        bits_take(bits, walk_length_extra[length]);
	return pass_distance(walk, bits);
}

/* Skips a length with this table entry, and its distance. Returns 1, or -1. */
static inline int pass_length(const struct deflate_walk *walk,
    struct bits *bits, uint32_t step, uint64_t *raw)
{
	unsigned known;

	bits_drop(bits, step & BITS_MASK);
	*raw += (step >> BYTES_AT & BYTES_MASK) +
	        bits_take(bits, step >> EXTRA_AT & EXTRA_MASK);
	known =
	    walk->distance_bits[bits->held & ((1u << WALK_DISTANCE_BITS) - 1)];
	bits_drop(bits, known);
	return known ? 1 : pass_distance(walk, bits);
}

static inline uint32_t next_step(
    const struct deflate_walk *walk, const struct bits *bits)
{
	return walk->steps[bits->held & ((1u << WALK_BITS) - 1)];
}

int walk_codes(const struct deflate_walk *walk, struct bits *in, uint64_t *raw)
{
	struct bits bits = *in; /* a copy that stays in registers */
	uint64_t bytes = 0;
	int got = 1;

	while (got > 0) {
		uint32_t step;

		bits_refill(&bits);
		if (bits.over && bits_is_over(&bits))
			return -1;
		step = next_step(walk, &bits);
		/* After literals, enough bits are left for one more entry. */
		if (step < IS_LENGTH) {
			bytes += step >> BYTES_AT;
			bits_drop(&bits, step & BITS_MASK);
			step = next_step(walk, &bits);
		}
		if (step < IS_LENGTH) {
			bytes += step >> BYTES_AT;
			bits_drop(&bits, step & BITS_MASK);
		} else {
			got = step & IS_LENGTH
			          ? pass_length(walk, &bits, step, &bytes)
			          : pass_other(walk, &bits, &bytes);
		}
	}
	*in = bits;
	*raw += bytes;
	return got;
}

static int pass_stored(struct bits *bits, uint64_t *raw)
{
	unsigned len;

	bits_drop(bits, bits->count % 8);
	bits_refill(bits);
	len = bits_take(bits, 16);
	if ((len ^ bits_take(bits, 16)) != 0xffff || bits_is_over(bits))
		return -1;
	/* Returns the bits that were loaded and not used. */
	bits->at = (size_t)(bits_position(bits) / 8);
	bits->held = 0;
	bits->count = 0;
	bits->over = 0;
	if (len > bits->len - bits->at)
		return -1;
	bits->at += len;
	*raw += len;
	return 0;
}

static int pass_block(
    struct deflate_walk *walk, struct bits *bits, unsigned type, uint64_t *raw)
{
	int rc = -1;

	if (type == STORED)
		return pass_stored(bits, raw);
	if (type == FIXED)
		rc = walk_begin_fixed(walk);
	else if (type == DYNAMIC)
		rc = walk_begin_dynamic(walk, bits);
	if (rc == 0)
		rc = walk_codes(walk, bits, raw);
	return rc || bits_is_over(bits) ? -1 : 0;
}

int deflate_walk(
    struct deflate_walk *walk, struct span stream, struct walked *walked)
{
	struct bits bits = { .data = stream.data, .len = stream.len };
	bool last = false;

	walked->raw = 0;
	while (!last) {
		unsigned type;

		bits_refill(&bits);
		walked->last = bits_position(&bits);
		last = bits_take(&bits, 1);
		type = bits_take(&bits, 2);
		if (bits_is_over(&bits) ||
		    pass_block(walk, &bits, type, &walked->raw))
			return -1;
	}
	walked->end = bits_position(&bits);
	return walked->end <= 8 * (uint64_t)stream.len ? 0 : -1;
}
