/*
 * deflate_codes.h - decoding tables of a deflate block, and a walk over its
 * codes; used by the deflate_walk files only.
 *
 * A table entry describes what the next WALK_BITS bits begin with: one or two
 * literals, a length, the end of the block, or a code that is longer than the
 * index of the table.
 */
#ifndef LIB_CODECS_DEFLATE_DEFLATE_CODES_H
#define LIB_CODECS_DEFLATE_DEFLATE_CODES_H

#include <stdint.h>

#include "lib/codecs/deflate/deflate_walk.h"

struct bits;

enum { END_OF_BLOCK = 256, LENGTHS = 29, DISTANCE_CODES = 30 };

/* A table entry: bits of the code, extra bits, bytes, and its kind. */
enum {
	BITS_MASK = 15,
	EXTRA_AT = 4,
	EXTRA_MASK = 7,
	BYTES_AT = 8,
	BYTES_MASK = 511,
	IS_LENGTH = 1 << 20, /* none of the three: literals */
	IS_END = 1 << 21,
	IS_LONG = 1 << 22,
};

/* Base and extra bits of the length codes, from code 257 on. */
extern const uint16_t walk_length_base[LENGTHS];
extern const uint8_t walk_length_extra[LENGTHS];

/* Decodes the next symbol bit by bit; -1 when no code matches. */
int walk_decode(const struct walk_code *code, struct bits *bits);
/*
 * Builds the tables for a block with dynamic or with fixed codes. The bits of
 * the block's type have been read. -1 when the codes are invalid.
 */
int walk_begin_dynamic(struct deflate_walk *walk, struct bits *bits);
int walk_begin_fixed(struct deflate_walk *walk);
/*
 * Walks to the end of such a block and adds the number of bytes that it holds
 * to *raw. -1 when the stream ends before the block does.
 */
int walk_codes(
    const struct deflate_walk *walk, struct bits *bits, uint64_t *raw);

#endif
