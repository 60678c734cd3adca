/*
 * word_cache.h - the tokens of short pieces of text that came before: most
 * words of a text are among them.  A fixed number of sets of two; the one that
 * was used longer ago makes room.
 *
 * Pieces of WORD_BYTES at most, of WORD_TOKENS at most, are kept.
 */
#ifndef LIB_TOKENS_WORD_CACHE_H
#define LIB_TOKENS_WORD_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/load.h"

struct error;

enum {
	WORD_BYTES = 16,
	WORD_TOKENS = 3,
	WORD_CACHE_BITS = 15, /* sets; a set is a cache line */
};

/* The bytes of a piece, zeros behind them. */
struct word_key {
	uint64_t low, high;
	unsigned len; /* 1 to WORD_BYTES */
};

struct word {
	uint64_t low, high;
	int32_t ids[WORD_TOKENS];
	uint8_t len, count; /* bytes, 0 when there is none; tokens */
};

struct word_set {
	struct word words[2]; /* the one used last is in front */
};

struct word_cache {
	struct word_set *sets;
	void *memory; /* owned; the sets are in it */
};

#define WORD_CACHE_INIT      \
	{                    \
		.sets = NULL \
	}

int word_cache_init(struct word_cache *cache, struct error *err);
void word_cache_release(struct word_cache *cache);

/* The lowest `bytes` bytes, 0 to 8. */
static inline uint64_t word_mask(unsigned bytes)
{
	return bytes < 8 ? ((uint64_t)1 << bytes * 8) - 1 : UINT64_MAX;
}

/* Of `len` bytes at `at`; whether there are more before `end` is looked at. */
static inline struct word_key word_key_of(
    const unsigned char *at, unsigned len, const unsigned char *end)
{
	struct word_key key = { .len = len };
	unsigned char copy[WORD_BYTES] = { 0 };

	if (end - at < WORD_BYTES) {
		memcpy(copy, at, len);
		at = copy;
	}
	key.low = load_u64(at) & word_mask(len);
	key.high = load_u64(at + 8) & (len > 8 ? word_mask(len - 8) : 0);
	return key;
}

static inline struct word_set *word_cache_set(
    const struct word_cache *cache, const struct word_key *key)
{
	uint64_t hash = (key->low ^ key->len) * 0x9e3779b97f4a7c15;

	hash = (hash ^ hash >> 32 ^ key->high) * 0xd6e8feb86659fd93;
	return &cache->sets[hash >> (64 - WORD_CACHE_BITS)];
}

static inline bool word_is(const struct word *word, const struct word_key *key)
{
	return word->low == key->low && word->high == key->high &&
	       word->len == key->len;
}

/* The word of the key, if it is in the set; it comes to the front. */
static inline const struct word *word_set_find(
    struct word_set *set, const struct word_key *key)
{
	struct word found;

	if (word_is(&set->words[0], key))
		return &set->words[0];
	if (!word_is(&set->words[1], key))
		return NULL;
	found = set->words[1];
	set->words[1] = set->words[0];
	set->words[0] = found;
	return &set->words[0];
}

/* In front of the set; no more than WORD_TOKENS. */
void word_set_add(struct word_set *set, const struct word_key *key,
    const int32_t *ids, size_t count);

#endif
