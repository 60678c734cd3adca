/* word_cache.c - see word_cache.h. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/tokens/word_cache.h"

_Static_assert(sizeof(struct word_set) == 64, "a set is a cache line");

int word_cache_init(struct word_cache *cache, struct error *err)
{
	const size_t set = sizeof(struct word_set);
	const size_t bytes = (set << WORD_CACHE_BITS) + set;
	size_t skipped;

	/* Not aligned_alloc: unused pages then take no memory. */
	cache->memory = calloc(1, bytes);
	if (!cache->memory)
		return error_memory(err, bytes);
	skipped = -(uintptr_t)cache->memory % set;
	cache->sets = (void *)((unsigned char *)cache->memory + skipped);
	return 0;
}

void word_cache_release(struct word_cache *cache)
{
	free(cache->memory);
	cache->memory = NULL;
	cache->sets = NULL;
}

void word_set_add(struct word_set *set, const struct word_key *key,
    const int32_t *ids, size_t count)
{
	struct word *word = &set->words[0];

	set->words[1] = *word;
	*word = (struct word){
		.low = key->low,
		.high = key->high,
		.len = (uint8_t)key->len,
		.count = (uint8_t)count,
	};
	memcpy(word->ids, ids, count * sizeof(*ids));
}
