/*
 * token_map.h - maps bytes to numbers and back: the tokens of a vocabulary
 * while it is read.  Entries are numbered from 0 in the order of addition.
 */
#ifndef LIB_TOKENS_TOKEN_MAP_H
#define LIB_TOKENS_TOKEN_MAP_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct token_map {
	struct token_entry *entries;
	size_t count, capacity;
	struct buf bytes;  /* bytes of all entries */
	uint32_t *slots;   /* by hash: entry + 1; 0: free */
	size_t slot_count; /* a power of two, or 0 */
};

#define TOKEN_MAP_INIT     \
	{                  \
		.count = 0 \
	}

enum { TOKEN_MAP_MAX = 1 << 28 }; /* most entries */

/* Sets *entry to the bytes' number: 1 if new, 0 if not; -1: out of memory. */
int token_map_add(struct token_map *map, struct span bytes, uint32_t *entry,
    struct error *err);
/* Returns the number of the bytes; -1: not found. */
int64_t token_map_find(const struct token_map *map, struct span bytes);
/* Valid until the next token_map_add. */
struct span token_map_bytes(const struct token_map *map, uint32_t entry);
void token_map_release(struct token_map *map); /* empty and usable again */

#endif
