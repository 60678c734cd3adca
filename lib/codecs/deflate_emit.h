/*
 * deflate_emit.h - literals and matches into blocks of deflate with codes of
 * their own (RFC 1951, 3.2.7); inside lib/codecs only.
 *
 *	emit_begin	where the blocks go
 *	emit_literal, emit_match
 *	emit_end	an empty stored block behind them: it ends at a byte
 *
 * What finds the matches is the caller's.  Used by one thread.
 */
#ifndef LIB_CODECS_DEFLATE_EMIT_H
#define LIB_CODECS_DEFLATE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/codecs/deflate_codes.h"

enum {
	EMIT_TOKENS = 1 << 16, /* of a block */
	EMIT_CODES = END_OF_BLOCK + 1 + LENGTHS,
	EMIT_MATCH = 1 << 16, /* a token: length times this and distance */
};

struct emit {
	unsigned char *at, *end;
	uint64_t bits; /* that are not written yet; fewer than 8 between */
	unsigned bit_count;
	bool is_full; /* there was no room */
	unsigned count;
	uint32_t codes[EMIT_CODES], distances[DISTANCE_CODES]; /* how often */
	uint32_t tokens[EMIT_TOKENS];
};

void emit_begin(struct emit *emit, unsigned char *out, size_t room);
/* Bytes behind `out`; 0 when there was no room. */
size_t emit_end(struct emit *emit, const unsigned char *out);
/* The tokens so far, as a block. */
void emit_block(struct emit *emit);

/* 0 to LENGTHS - 1, of 3 to 258 bytes. */
static inline unsigned emit_length_code(unsigned length)
{
	const unsigned x = length - 3;
	unsigned log;

	if (length == 258)
		return LENGTHS - 1;
	if (x < 8)
		return x;
	log = 31 - (unsigned)__builtin_clz(x);
	return 4 * (log - 1) + (x >> (log - 2) & 3);
}

static inline unsigned emit_distance_code(unsigned distance)
{
	const unsigned x = distance - 1;
	unsigned log;

	if (x < 4)
		return x;
	log = 31 - (unsigned)__builtin_clz(x);
	return 2 * log + (x >> (log - 1) & 1);
}

static inline void emit_token(struct emit *emit, uint32_t token)
{
	emit->tokens[emit->count++] = token;
	if (emit->count == EMIT_TOKENS)
		emit_block(emit);
}

static inline void emit_literal(struct emit *emit, unsigned char byte)
{
	emit->codes[byte]++;
	emit_token(emit, byte);
}

/* 3 to 258 bytes, 1 to 32768 behind. */
static inline void emit_match(
    struct emit *emit, unsigned length, unsigned distance)
{
	emit->codes[END_OF_BLOCK + 1 + emit_length_code(length)]++;
	emit->distances[emit_distance_code(distance)]++;
	emit_token(emit, length * EMIT_MATCH + distance);
}

#endif
