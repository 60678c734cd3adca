/* deflate_emit.c - see deflate_emit.h. */
#include "lib/codecs/deflate_emit.h"

#include <string.h>

#include "lib/codecs/deflate_lengths.h"

enum {
	DYNAMIC = 2,
	LENGTH_CODES = 19, /* of the code of the codes' lengths */
	LENGTH_BITS = 7,
	REPEAT = 16,     /* the one before, 3 to 6 times */
	ZEROS = 17,      /* 3 to 10 */
	MANY_ZEROS = 18, /* 11 to 138 */
	LENGTHS_MOST = EMIT_CODES + DISTANCE_CODES,
	HEAD_MOST = 640, /* bytes that the codes of a block take */
	SLACK = 16,      /* written at once, and the end */
};

static const uint8_t length_order[LENGTH_CODES] = { 16, 17, 18, 0, 8, 7, 9, 6,
	10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };

/* A code to write with: bits as they go out, and how many. */
struct code {
	uint16_t bits[EMIT_CODES];
	uint8_t lengths[EMIT_CODES];
};

/* ---- bits ---- */

static inline void put(struct emit *emit, uint64_t bits, unsigned count)
{
	emit->bits |= bits << emit->bit_count;
	emit->bit_count += count;
}

/* All whole bytes; there is room for 8. */
static inline void flush(struct emit *emit)
{
	for (unsigned i = 0; i < 8; i++)
		emit->at[i] = (unsigned char)(emit->bits >> 8 * i);
	emit->at += emit->bit_count / 8;
	emit->bits >>= emit->bit_count / 8 * 8;
	emit->bit_count %= 8;
}

/* ---- codes ---- */

/* Canonical codes of these lengths, their first bit lowest. */
static void set_bits(struct code *code, unsigned count)
{
	unsigned counts[WALK_CODE_MOST + 1] = { 0 };
	unsigned next[WALK_CODE_MOST + 2] = { 0 };

	for (unsigned i = 0; i < count; i++)
		counts[code->lengths[i]]++;
	counts[0] = 0;
	for (unsigned len = 1; len <= WALK_CODE_MOST; len++)
		next[len + 1] = (next[len] + counts[len]) << 1;
	for (unsigned i = 0; i < count; i++) {
		const unsigned len = code->lengths[i];
		unsigned from = len ? next[len]++ : 0, to = 0;

		for (unsigned b = 0; b < len; b++, from >>= 1)
			to = to << 1 | (from & 1);
		code->bits[i] = (uint16_t)to;
	}
}

static void make_code(struct code *code, const uint32_t *often, unsigned count,
    unsigned most_bits)
{
	deflate_lengths(code->lengths, often, count, most_bits);
	set_bits(code, count);
}

/* ---- the head of a block ---- */

/* Lengths of both codes as they are told: symbols, and what goes with them. */
struct told {
	uint8_t symbols[LENGTHS_MOST], more[LENGTHS_MOST];
	unsigned count;
	uint32_t often[LENGTH_CODES];
};

static void tell(struct told *told, unsigned symbol, unsigned more)
{
	told->symbols[told->count] = (uint8_t)symbol;
	told->more[told->count++] = (uint8_t)more;
	told->often[symbol]++;
}

static unsigned run_of(const uint8_t *lengths, unsigned count, unsigned most)
{
	unsigned n = 1;

	while (n < count && n < most && lengths[n] == lengths[0])
		n++;
	return n;
}

static void tell_lengths(
    struct told *told, const uint8_t *lengths, unsigned count)
{
	for (unsigned i = 0; i < count;) {
		const bool is_zero = lengths[i] == 0;
		unsigned run =
		    run_of(lengths + i, count - i, is_zero ? 138 : 7);

		if (is_zero && run >= 11) {
			tell(told, MANY_ZEROS, run - 11);
		} else if (is_zero && run >= 3) {
			tell(told, ZEROS, run - 3);
		} else if (!is_zero && run >= 4) {
			tell(told, lengths[i], 0);
			tell(told, REPEAT, run - 4);
		} else {
			tell(told, lengths[i], 0);
			run = 1;
		}
		i += run;
	}
}

static void put_told(
    struct emit *emit, const struct told *told, const struct code *code)
{
	static const uint8_t more_bits[] = { 2, 3, 7 }; /* from REPEAT on */

	for (unsigned i = 0; i < told->count; i++) {
		const unsigned symbol = told->symbols[i];

		put(emit, code->bits[symbol], code->lengths[symbol]);
		if (symbol >= REPEAT)
			put(emit, told->more[i], more_bits[symbol - REPEAT]);
		flush(emit);
	}
}

static unsigned used(const uint8_t *lengths, unsigned count, unsigned least)
{
	while (count > least && lengths[count - 1] == 0)
		count--;
	return count;
}

static void put_head(
    struct emit *emit, const struct code *codes, const struct code *distances)
{
	const unsigned code_count =
	    used(codes->lengths, EMIT_CODES, END_OF_BLOCK + 1);
	const unsigned distance_count =
	    used(distances->lengths, DISTANCE_CODES, 1);
	struct told told = { .count = 0 };
	uint8_t lengths[LENGTHS_MOST];
	struct code of_lengths;
	unsigned count = LENGTH_CODES;

	memcpy(lengths, codes->lengths, code_count);
	memcpy(lengths + code_count, distances->lengths, distance_count);
	tell_lengths(&told, lengths, code_count + distance_count);
	make_code(&of_lengths, told.often, LENGTH_CODES, LENGTH_BITS);
	while (count > 4 && of_lengths.lengths[length_order[count - 1]] == 0)
		count--;
	put(emit, DYNAMIC << 1, 3); /* and not the last */
	put(emit, code_count - END_OF_BLOCK - 1, 5);
	put(emit, distance_count - 1, 5);
	put(emit, count - 4, 4);
	flush(emit);
	for (unsigned i = 0; i < count; i++) {
		put(emit, of_lengths.lengths[length_order[i]], 3);
		flush(emit);
	}
	put_told(emit, &told, &of_lengths);
}

/* ---- blocks ---- */

static unsigned distance_bits(unsigned symbol)
{
	return symbol < 4 ? 0 : symbol / 2 - 1;
}

/* What all tokens take. */
static uint64_t count_bits(const struct emit *emit, const struct code *codes,
    const struct code *distances)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < EMIT_CODES; i++) {
		const unsigned more =
		    i > END_OF_BLOCK ? walk_length_extra[i - END_OF_BLOCK - 1]
		                     : 0;

		bits += (uint64_t)emit->codes[i] * (codes->lengths[i] + more);
	}
	for (unsigned i = 0; i < DISTANCE_CODES; i++)
		bits += (uint64_t)emit->distances[i] *
		        (distances->lengths[i] + distance_bits(i));
	return bits;
}

static inline void put_match(struct emit *emit, const struct code *codes,
    const struct code *distances, uint32_t token)
{
	const unsigned length = token / EMIT_MATCH;
	const unsigned distance = token % EMIT_MATCH;
	const unsigned l = emit_length_code(length);
	const unsigned d = emit_distance_code(distance);
	const unsigned more = distance_bits(d);

	put(emit, codes->bits[END_OF_BLOCK + 1 + l],
	    codes->lengths[END_OF_BLOCK + 1 + l]);
	put(emit, length - walk_length_base[l], walk_length_extra[l]);
	put(emit, distances->bits[d], distances->lengths[d]);
	/* Of each log two codes: what is below their first bits. */
	put(emit, (distance - 1) & ((1u << more) - 1), more);
}

static void put_tokens(
    struct emit *emit, const struct code *codes, const struct code *distances)
{
	for (unsigned i = 0; i < emit->count; i++) {
		const uint32_t token = emit->tokens[i];

		if (token / EMIT_MATCH)
			put_match(emit, codes, distances, token);
		else
			put(emit, codes->bits[token], codes->lengths[token]);
		flush(emit);
	}
	put(emit, codes->bits[END_OF_BLOCK], codes->lengths[END_OF_BLOCK]);
	flush(emit);
}

static void forget(struct emit *emit)
{
	emit->count = 0;
	memset(emit->codes, 0, sizeof(emit->codes));
	memset(emit->distances, 0, sizeof(emit->distances));
}

void emit_block(struct emit *emit)
{
	struct code codes, distances;

	emit->codes[END_OF_BLOCK] = 1;
	make_code(&codes, emit->codes, EMIT_CODES, WALK_CODE_MOST);
	make_code(&distances, emit->distances, DISTANCE_CODES, WALK_CODE_MOST);
	if (count_bits(emit, &codes, &distances) / 8 + HEAD_MOST + SLACK >
	    (uint64_t)(emit->end - emit->at))
		emit->is_full = true;
	if (!emit->is_full) {
		put_head(emit, &codes, &distances);
		put_tokens(emit, &codes, &distances);
	}
	forget(emit);
}

void emit_begin(struct emit *emit, unsigned char *out, size_t room)
{
	emit->at = out;
	emit->end = out + room;
	emit->bits = 0;
	emit->bit_count = 0;
	emit->is_full = false;
	forget(emit);
}

size_t emit_end(struct emit *emit, const unsigned char *out)
{
	if (emit->count > 0)
		emit_block(emit);
	if (emit->is_full || emit->end - emit->at < SLACK)
		return 0;
	put(emit, 0, 3); /* a stored block, not the last */
	put(emit, 0, (8 - emit->bit_count % 8) % 8);
	flush(emit);
	memcpy(emit->at, "\0\0\xff\xff", 4);
	return (size_t)(emit->at + 4 - out);
}
