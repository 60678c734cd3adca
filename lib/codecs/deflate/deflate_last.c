/*
 * deflate_last.c - see deflate_walk.h: finds the last block from the end.
 *
 * A stored block gives its length. A dynamic block begins with three known bits
 * and two codes that must be complete. Few positions look like that; few of
 * these decode to the end of the stream; and only the right one gives the
 * expected bytes.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/codecs/deflate/deflate_bits.h"
#include "lib/codecs/deflate/deflate_codes.h"
#include "lib/codecs/deflate/deflate_walk.h"

enum {
	/*
	 * Bits that are searched from the end. A searched bit takes as long as
	 * several bits that are walked over.
	 */
	SEARCHED_MOST = 96 << 10,
	SEARCHED_PART = 4,
	DENSE = 3,
	STORED_HEAD = 4, /* length and its complement */
	STORED_MOST = 65535,
	STORED_LEAST = 64, /* fewer bytes could match by chance */
	DYNAMIC_HEAD = 16, /* more bytes than may_begin looks at */
};

/* How much of the code space (128 parts) two code lengths of 3 bits use. */
static const uint8_t pair_parts[64] = { 0, 64, 32, 16, 8, 4, 2, 1, 64, 128, 96,
	80, 72, 68, 66, 65, 32, 96, 64, 48, 40, 36, 34, 33, 16, 80, 48, 32, 24,
	20, 18, 17, 8, 72, 40, 24, 16, 12, 10, 9, 4, 68, 36, 20, 12, 8, 6, 5, 2,
	66, 34, 18, 10, 6, 4, 3, 1, 65, 33, 17, 9, 5, 3, 2 };

/* Do these lengths make a complete code? */
static bool is_code_of_lengths(uint64_t lengths, unsigned count)
{
	unsigned parts = 0;

	lengths &= (UINT64_C(1) << 3 * count) - 1;
	for (; lengths && parts <= 128; lengths >>= 6)
		parts += pair_parts[lengths & 63];
	return parts == 128;
}

/* Returns the bits of a byte at which 1, 0, 1 begin: a final, dynamic block. */
static inline unsigned last_dynamic_begins(const unsigned char *data)
{
	const unsigned next = data[0] | (unsigned)data[1] << 8;

	return next & ~(next >> 1) & next >> 2 & 0xff;
}

/* Could the rest of a dynamic block's head follow there? */
static bool may_begin(const unsigned char *data, uint64_t bit)
{
	const uint64_t head = bits_load(data + bit / 8) >> bit % 8;
	const unsigned codes = (unsigned)(head >> 3) & 31,
	               distances = (unsigned)(head >> 8) & 31,
	               lengths = 4 + ((unsigned)(head >> 13) & 15);

	if (codes > LENGTHS || distances >= DISTANCE_CODES)
		return false;
	bit += 17;
	return is_code_of_lengths(
	    bits_load(data + bit / 8) >> bit % 8, lengths);
}

static int next_symbol(const struct deflate_walk *walk, struct bits *bits)
{
	unsigned single;

	bits_refill(bits);
	single = walk->singles[bits->held & ((1u << WALK_BITS) - 1)];
	if (single == 0)
		return walk_decode(&walk->codes, bits);
	bits_drop(bits, single & 15);
	return (int)(single >> 4);
}

/* Decodes a distance in bytes; 0: there is no such code. */
static size_t next_distance(const struct deflate_walk *walk, struct bits *bits)
{
	const int symbol = walk_decode(&walk->distances, bits);
	unsigned extra;

	if (symbol < 4)
		return (size_t)symbol + 1;
	if (symbol >= DISTANCE_CODES)
		return 0;
	extra = (unsigned)symbol / 2 - 1;
	return 1 + ((2 + ((size_t)symbol & 1)) << extra) +
	       bits_take(bits, extra);
}

/* Does the block inflate to the bytes of `raw` from `at` on? */
static bool holds(const struct deflate_walk *walk, struct bits bits,
    struct span raw, size_t at)
{
	for (;;) {
		const int symbol = next_symbol(walk, &bits);
		const int length = symbol - END_OF_BLOCK - 1;
		size_t len, back;

		if (symbol == END_OF_BLOCK)
			return at == raw.len;
		if (symbol < 0 || length >= LENGTHS || at == raw.len)
			return false;
		if (symbol < END_OF_BLOCK) {
			if (raw.data[at++] != symbol)
				return false;
			continue;
		}
		len = walk_length_base[length] +
		      bits_take(&bits, walk_length_extra[length]);
		bits_refill(&bits);
		back = next_distance(walk, &bits);
		if (back == 0 || back > at || len > raw.len - at ||
		    memcmp(raw.data + at, raw.data + at - back, len) != 0)
			return false;
		at += len;
	}
}

/* Does the last block begin at this bit, and end with the end of `raw`? */
static bool is_last(struct deflate_walk *walk, struct span stream,
    struct span raw, struct walked *walked)
{
	struct bits bits = { .data = stream.data,
		.len = stream.len,
		.at = (size_t)(walked->last / 8) };
	struct bits codes;
	uint64_t bytes = 0;

	bits_refill(&bits);
	bits_drop(&bits, (unsigned)(walked->last % 8));
	bits_drop(&bits, 3);
	bits_refill(&bits);
	if (walk_begin_dynamic(walk, &bits))
		return false;
	codes = bits;
	if (walk_codes(walk, &bits, &bytes) || bits_is_over(&bits))
		return false;
	walked->end = bits_position(&bits);
	return (walked->end + 7) / 8 == stream.len && bytes <= raw.len &&
	       holds(walk, codes, raw, raw.len - (size_t)bytes);
}

static bool find_dynamic(struct deflate_walk *walk, struct span stream,
    struct span raw, struct walked *walked)
{
	size_t most = stream.len / SEARCHED_PART;

	if (most > SEARCHED_MOST)
		most = SEARCHED_MOST;
	if (stream.len < DYNAMIC_HEAD)
		return false;
	for (size_t at = stream.len - DYNAMIC_HEAD; at-- > stream.len - most;) {
		unsigned begins = last_dynamic_begins(stream.data + at);

		for (unsigned bit = 0; begins; bit++, begins >>= 1) {
			walked->last = 8 * (uint64_t)at + bit;
			if (begins & 1 &&
			    may_begin(stream.data, walked->last) &&
			    is_last(walk, stream, raw, walked))
				return true;
		}
	}
	return false;
}

/*
 * Finds the bit at which the stored block begins whose length is at `at`. It is
 * the last bit set before it: the type and the padding are 0.
 */
static bool find_begin(
    const unsigned char *data, size_t at, struct walked *walked)
{
	const uint64_t end = 8 * (uint64_t)at;

	for (uint64_t bit = end; bit > 0 && bit-- > end - 10;)
		if (data[bit / 8] >> bit % 8 & 1) {
			walked->last = bit;
			return bit + 3 <= end;
		}
	return false;
}

static bool find_stored(
    struct span stream, struct span raw, struct walked *walked)
{
	const unsigned char *data = stream.data;

	for (size_t len = STORED_LEAST; len <= STORED_MOST && len <= raw.len &&
	                                len + STORED_HEAD < stream.len;
	     len++) {
		const size_t at = stream.len - len - STORED_HEAD;

		if ((data[at] | data[at + 1] << 8) != (int)len ||
		    (data[at + 2] | data[at + 3] << 8) != (int)(~len & 0xffff))
			continue;
		walked->end = 8 * (uint64_t)stream.len;
		return memcmp(data + at + STORED_HEAD, raw.data + raw.len - len,
		           len) == 0 &&
		       find_begin(data, at, walked);
	}
	return false;
}

int deflate_find_last(struct deflate_walk *walk, struct span stream,
    struct span raw, struct walked *walked)
{
	/* Where few codes stand for many bytes, walking over all is faster. */
	const bool is_dense = stream.len > raw.len / DENSE;
	const bool is_first = stream.len > 0 && stream.data[0] & 1;

	if (is_dense && !is_first &&
	    (find_stored(stream, raw, walked) ||
	        find_dynamic(walk, stream, raw, walked))) {
		walked->raw = raw.len;
		return 0;
	}
	return deflate_walk(walk, stream, walked) || walked->raw != raw.len ? -1
	                                                                    : 0;
}
