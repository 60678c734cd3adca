/*
 * word_cache.h - caches the tokens of short pieces of text, since most words of
 * a text occur again.  It has a fixed number of sets of two entries; a new
 * entry replaces the one that was not used last.
 *
 * It keeps pieces of up to WORD_BYTES bytes and WORD_TOKENS tokens.
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
	WORD_CACHE_BITS = 15, /* sets; each is a cache line */
};

/* The bytes of a piece, padded with zeros. */
struct word_key {
	uint64_t low, high;
	unsigned len; /* 1 to WORD_BYTES */
};

struct word {
	uint64_t low, high;
	int32_t ids[WORD_TOKENS];
	uint8_t len, count; /* in bytes, 0: empty; number of tokens */
};

struct word_set {
	struct word words[2]; /* the one used last comes first */
};

struct word_cache {
	struct word_set *sets;
	void *memory; /* owned; contains the sets */
};

int word_cache_init(struct word_cache *cache, struct error *err);
void word_cache_release(struct word_cache *cache);

/* Returns a mask of the lowest `bytes` bytes, 0 to 8. */
static inline uint64_t word_mask(unsigned bytes)
{
	return bytes < 8 ? ((uint64_t)1 << bytes * 8) - 1 : UINT64_MAX;
}

/* Makes the key of `len` bytes at `at`; `end` is where memory ends. */
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

/* Finds the key in the set and moves it to the front. */
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

/* Adds a word to the front of the set; at most WORD_TOKENS tokens. */
void word_set_add(struct word_set *set, const struct word_key *key,
    const int32_t *ids, size_t count);

#endif
