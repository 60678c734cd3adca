/*
 * deflate_codes.h - the codes of a deflate block, made ready to go over them;
 * inside deflate_walk.h only.
 *
 * A step says what the next WALK_BITS bits begin with: one or two literals, a
 * length, the end of the block, or a code that is longer than they are.
 */
#ifndef LIB_CODECS_DEFLATE_CODES_H
#define LIB_CODECS_DEFLATE_CODES_H

#include <stdint.h>

#include "lib/codecs/deflate_walk.h"

struct bits;

enum { END_OF_BLOCK = 256, LENGTHS = 29, DISTANCE_CODES = 30 };

/* A step: the bits of its code, those behind it, bytes, and its kind. */
enum {
	BITS_MASK = 15,
	EXTRA_AT = 4,
	EXTRA_MASK = 7,
	BYTES_AT = 8,
	BYTES_MASK = 511,
	IS_LENGTH = 1 << 20, /* none of these three: literals */
	IS_END = 1 << 21,
	IS_LONG = 1 << 22,
};

/* Of the lengths' codes, from 257 on. */
extern const uint16_t walk_length_base[LENGTHS];
extern const uint8_t walk_length_extra[LENGTHS];

/* The next symbol, bit by bit: -1 when no code has these. */
int walk_decode(const struct walk_code *code, struct bits *bits);
/*
 * The codes of a block of this kind, of which the type was the last that was
 * taken; -1 when they are none.
 */
int walk_begin_dynamic(struct deflate_walk *walk, struct bits *bits);
int walk_begin_fixed(struct deflate_walk *walk);
/*
 * To the end of such a block, adding the bytes that it holds; -1 when there is
 * none.
 */
int walk_codes(
    const struct deflate_walk *walk, struct bits *bits, uint64_t *raw);

#endif
