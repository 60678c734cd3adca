/* deflate_words.c - see deflate_words.h. */
#include "lib/codecs/deflate_words.h"

#include <stdlib.h>
#include <string.h>

#include "lib/codecs/deflate_emit.h"

enum {
	HASH_BITS = 14,
	WORD = 4,
	LONGEST = 256, /* of matches: whole words */
	FARTHEST = 32768,
	LOOKED_AT = 12, /* bytes: three words */
};

/* Where one, two and three words with this hash were last, and 1. */
struct deflate_words {
	uint32_t one[1 << HASH_BITS], two[1 << HASH_BITS],
	    three[1 << HASH_BITS];
	size_t literals;
	struct emit emit;
};

struct match {
	unsigned length, distance;
};

struct deflate_words *deflate_words_new(void)
{
	return calloc(1, sizeof(struct deflate_words));
}

void deflate_words_free(struct deflate_words *words)
{
	free(words);
}

static inline uint32_t load4(const unsigned char *at)
{
	uint32_t x;

	memcpy(&x, at, sizeof(x));
	return x;
}

static inline uint64_t load8(const unsigned char *at)
{
	uint64_t x;

	memcpy(&x, at, sizeof(x));
	return x;
}

static inline uint32_t hash(uint64_t x)
{
	return (uint32_t)(x * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

/* Entries of what begins there. */
struct entries {
	uint32_t *one, *two, *three;
};

static inline struct entries find_entries(
    struct deflate_words *words, const unsigned char *at)
{
	const uint64_t first = load8(at);
	const uint64_t third = load4(at + 8);

	return (struct entries){
		.one = &words->one[hash(load4(at))],
		.two = &words->two[hash(first)],
		.three =
		    &words->three[hash(first ^ third * 0xc2b2ae3d27d4eb4f)],
	};
}

/* Whole words that are the same there and there. */
static inline unsigned common(
    const unsigned char *a, const unsigned char *b, const unsigned char *end)
{
	const unsigned most = end - a < LONGEST ? (unsigned)(end - a) : LONGEST;
	unsigned n = 0;

	while (n + 8 <= most && load8(a + n) == load8(b + n))
		n += 8;
	if (n + WORD <= most && load4(a + n) == load4(b + n))
		n += WORD;
	return n;
}

/* Is there one as long where an entry says?  It is nearer. */
static inline void look(
    struct match *best, uint32_t entry, struct span in, size_t at)
{
	const size_t distance = at + 1 - entry;
	const unsigned char *here = in.data + at;
	unsigned length;

	if (entry == 0 || distance > FARTHEST ||
	    load4(here) != load4(here - distance))
		return;
	length = common(here, here - distance, in.data + in.len);
	if (length >= best->length)
		*best = (struct match){ length, (unsigned)distance };
}

/* Three words are more than two, two more than one: then it is the nearest. */
static inline struct match find_match(
    struct deflate_words *words, struct span in, size_t at)
{
	const struct entries entries = find_entries(words, in.data + at);
	struct match best = { .length = 0 };

	look(&best, *entries.three, in, at);
	if (best.length < 3 * WORD)
		look(&best, *entries.two, in, at);
	if (best.length < 2 * WORD)
		look(&best, *entries.one, in, at);
	*entries.one = *entries.two = *entries.three = (uint32_t)at + 1;
	return best;
}

/* What a match goes over can be found later, too. */
static inline void note(
    struct deflate_words *words, struct span in, size_t from, size_t to)
{
	if (to > in.len - LOOKED_AT)
		to = in.len - LOOKED_AT;
	for (size_t at = from; at < to; at += WORD) {
		const struct entries entries =
		    find_entries(words, in.data + at);

		*entries.one = *entries.two = *entries.three = (uint32_t)at + 1;
	}
}

size_t deflate_words_compress(struct deflate_words *words, struct span in,
    unsigned char *out, size_t room)
{
	struct emit *emit = &words->emit;
	size_t at = 0;

	memset(words->one, 0, sizeof(words->one));
	memset(words->two, 0, sizeof(words->two));
	memset(words->three, 0, sizeof(words->three));
	words->literals = 0;
	emit_begin(emit, out, room);
	while (at + LOOKED_AT <= in.len && !emit->is_full) {
		const struct match match = find_match(words, in, at);

		if (match.length == 0) {
			emit_literal(emit, in.data[at++]);
			words->literals++;
			continue;
		}
		emit_match(emit, match.length, match.distance);
		note(words, in, at + WORD, at + match.length);
		at += match.length;
	}
	while (at < in.len && !emit->is_full)
		emit_literal(emit, in.data[at++]);
	return emit_end(emit, out);
}

size_t deflate_words_literals(const struct deflate_words *words)
{
	return words->literals;
}
