/* md5.c - see md5.h. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "test/unit/md5.h"

enum { BLOCK = 64, ROUNDS = 64 };

static uint32_t turn(uint32_t x, unsigned by)
{
	return x << by | x >> (32 - by);
}

static void take_block(uint32_t state[4], const unsigned char *block)
{
	static const unsigned turns[4][4] = { { 7, 12, 17, 22 },
		{ 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };
	static const unsigned step[4] = { 1, 5, 3, 7 };
	static const unsigned from[4] = { 0, 1, 5, 0 };
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

	for (unsigned i = 0; i < ROUNDS; i++) {
		const unsigned round = i / 16;
		const unsigned at = (from[round] + step[round] * i) % 16 * 4;
		const uint32_t word = (uint32_t)block[at] |
		                      (uint32_t)block[at + 1] << 8 |
		                      (uint32_t)block[at + 2] << 16 |
		                      (uint32_t)block[at + 3] << 24;
		const uint32_t sine =
		    (uint32_t)floor(fabs(sin(i + 1.0)) * 4294967296.0);
		const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
		                       : round == 1 ? (d & b) | (~d & c)
		                       : round == 2 ? b ^ c ^ d
		                                    : c ^ (b | ~d);
		const uint32_t next =
		    b + turn(a + mixed + sine + word, turns[round][i % 4]);

		a = d;
		d = c;
		c = b;
		b = next;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

void md5(const void *data, size_t len, unsigned char digest[MD5_BYTES])
{
	uint32_t state[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
	const unsigned char *bytes = data;
	unsigned char last[2 * BLOCK] = { 0 };
	const size_t rest = len % BLOCK;
	const size_t end = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;

	for (size_t i = 0; i + BLOCK <= len; i += BLOCK)
		take_block(state, bytes + i);
	if (rest)
		memcpy(last, bytes + len - rest, rest);
	last[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[end - 8 + i] =
		    (unsigned char)((uint64_t)len * 8 >> (8 * i));
	for (size_t i = 0; i < end; i += BLOCK)
		take_block(state, last + i);
	for (unsigned i = 0; i < MD5_BYTES; i++)
		digest[i] = (unsigned char)(state[i / 4] >> (8 * (i % 4)));
}
