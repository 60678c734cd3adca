/* deflate_codes.c - see deflate_codes.h. */
#include "lib/codecs/deflate/deflate_codes.h"

#include <string.h>

#include "lib/codecs/deflate/deflate_bits.h"

const uint16_t walk_length_base[LENGTHS] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13,
	15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
	227, 258 };
const uint8_t walk_length_extra[LENGTHS] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
	2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };

static unsigned reversed(unsigned code, unsigned len)
{
	unsigned back = 0;

	for (unsigned i = 0; i < len; i++)
		back |= ((code >> i) & 1) << (len - 1 - i);
	return back;
}

/* Fills counts and symbols; -1 when the lengths allow no such code. */
static int order_code(
    struct walk_code *code, const uint8_t *lengths, unsigned count)
{
	uint16_t next[WALK_CODE_MOST + 2] = { 0 };
	int left = 1;

	memset(code->counts, 0, sizeof(code->counts));
	for (unsigned i = 0; i < count; i++)
		code->counts[lengths[i]]++;
	code->counts[0] = 0;
	for (unsigned len = 1; len <= WALK_CODE_MOST; len++) {
		left = 2 * left - code->counts[len];
		if (left < 0)
			return -1;
		next[len + 1] = (uint16_t)(next[len] + code->counts[len]);
	}
	for (unsigned i = 0; i < count; i++)
		if (lengths[i])
			code->symbols[next[lengths[i]]++] = (uint16_t)i;
	return 0;
}

int walk_decode(const struct walk_code *code, struct bits *bits)
{
	int at = 0, first = 0, index = 0;

	for (unsigned len = 1; len <= WALK_CODE_MOST; len++) {
		at |= (int)bits_take(bits, 1);
		if (at - first < code->counts[len])
			return code->symbols[index + at - first];
		index += code->counts[len];
		first = 2 * (first + code->counts[len]);
		at *= 2;
	}
	return -1;
}

/* Called for each code of up to `most` bits, given in stream order. */
typedef void visit_code(
    struct deflate_walk *walk, unsigned symbol, unsigned code, unsigned len);

static void each_code(struct deflate_walk *walk, const struct walk_code *code,
    unsigned most, visit_code *visit)
{
	unsigned next = 0, index = 0;

	for (unsigned len = 1; len <= most; len++, next *= 2)
		for (unsigned i = 0; i < code->counts[len]; i++)
			visit(walk, code->symbols[index++],
			    reversed(next++, len), len);
}

static void fill_single(
    struct deflate_walk *walk, unsigned symbol, unsigned code, unsigned len)
{
	for (unsigned i = code; i < 1u << WALK_BITS; i += 1u << len)
		walk->singles[i] = (uint16_t)(symbol << 4 | len);
}

static void fill_distance(
    struct deflate_walk *walk, unsigned symbol, unsigned code, unsigned len)
{
	const unsigned extra = symbol < 4 ? 0 : symbol / 2 - 1;

	if (symbol >= DISTANCE_CODES)
		return;
	for (unsigned i = code; i < 1u << WALK_DISTANCE_BITS; i += 1u << len)
		walk->distance_bits[i] = (uint8_t)(len + extra);
}

/* Makes the table entry of a symbol that is not a literal. */
static uint32_t other_step(unsigned symbol, unsigned len)
{
	const unsigned length = symbol - END_OF_BLOCK - 1;

	if (symbol == END_OF_BLOCK)
		return IS_END | len;
	if (length >= LENGTHS)
		return IS_LONG;
	return IS_LENGTH | len |
	       (uint32_t)walk_length_extra[length] << EXTRA_AT |
	       (uint32_t)walk_length_base[length] << BYTES_AT;
}

/* Makes the entry for these bits: one or two literals, or another symbol. */
static uint32_t find_step(const struct deflate_walk *walk, unsigned index)
{
	const unsigned first = walk->singles[index], len = first & 15;
	unsigned second, both;

	if (len == 0)
		return IS_LONG;
	if (first >> 4 >= END_OF_BLOCK)
		return other_step(first >> 4, len);
	second = walk->singles[index >> len];
	both = len + (second & 15);
	if (second == 0 || both > WALK_BITS || second >> 4 >= END_OF_BLOCK)
		return len | 1 << BYTES_AT;
	return both | 2 << BYTES_AT;
}

static int make_tables(struct deflate_walk *walk, const uint8_t *lengths,
    unsigned count, const uint8_t *distances, unsigned distance_count)
{
	if (order_code(&walk->codes, lengths, count) ||
	    order_code(&walk->distances, distances, distance_count))
		return -1;
	memset(walk->singles, 0, sizeof(walk->singles));
	memset(walk->distance_bits, 0, sizeof(walk->distance_bits));
	each_code(walk, &walk->codes, WALK_BITS, fill_single);
	each_code(walk, &walk->distances, WALK_DISTANCE_BITS, fill_distance);
	for (unsigned i = 0; i < 1u << WALK_BITS; i++)
		walk->steps[i] = find_step(walk, i);
	return 0;
}

static int read_lengths(struct bits *bits, const struct walk_code *code,
    uint8_t *lengths, unsigned count)
{
	static const struct {
		unsigned bits, base;
	} repeats[] = { { 2, 3 }, { 3, 3 }, { 7, 11 } };
	unsigned n = 0;

	while (n < count) {
		int symbol;
		unsigned times;
		uint8_t value = 0;

		bits_refill(bits);
		symbol = walk_decode(code, bits);
		if (symbol < 0 || bits_is_over(bits))
			return -1;
		if (symbol < 16) {
			lengths[n++] = (uint8_t)symbol;
			continue;
		}
		if (symbol == 16 && n == 0)
			return -1;
		if (symbol == 16)
			value = lengths[n - 1];
		times = repeats[symbol - 16].base +
		        bits_take(bits, repeats[symbol - 16].bits);
		if (times > count - n)
			return -1;
		memset(lengths + n, value, times);
		n += times;
	}
	return 0;
}

int walk_begin_dynamic(struct deflate_walk *walk, struct bits *bits)
{
	static const uint8_t order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11,
		4, 12, 3, 13, 2, 14, 1, 15 };
	uint8_t lengths[WALK_SYMBOLS + WALK_DISTANCES] = { 0 };
	uint8_t own[19] = { 0 };
	unsigned count, distance_count, own_count;

	count = 257 + bits_take(bits, 5);
	distance_count = 1 + bits_take(bits, 5);
	own_count = 4 + bits_take(bits, 4);
	if (count > 286)
		return -1;
	for (unsigned i = 0; i < own_count; i++) {
		bits_refill(bits);
		own[order[i]] = (uint8_t)bits_take(bits, 3);
	}
	if (order_code(&walk->codes, own, 19) ||
	    read_lengths(bits, &walk->codes, lengths, count + distance_count))
		return -1;
	return make_tables(
	    walk, lengths, count, lengths + count, distance_count);
}

int walk_begin_fixed(struct deflate_walk *walk)
{
	uint8_t lengths[WALK_SYMBOLS], distances[WALK_DISTANCES];

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	memset(distances, 5, sizeof(distances));
	return make_tables(
	    walk, lengths, WALK_SYMBOLS, distances, WALK_DISTANCES);
}
