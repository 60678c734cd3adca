/*
 * token_map.h - from bytes to a number, and the bytes of each: the tokens of a
 * vocabulary while it is read.  Entries are numbered from 0 as they come.
 */
#ifndef LIB_TOKENS_TOKEN_MAP_H
#define LIB_TOKENS_TOKEN_MAP_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct token_map {
	struct token_entry *entries;
	size_t count, capacity;
	struct buf bytes;  /* of all entries, one behind the other */
	uint32_t *slots;   /* by hash: entry + 1, 0 when free */
	size_t slot_count; /* a power of two, or 0 */
};

#define TOKEN_MAP_INIT     \
	{                  \
		.count = 0 \
	}

enum { TOKEN_MAP_MAX = 1 << 28 }; /* entries */

/*
 * Sets *entry to that of the bytes: 1 when they are new, 0 when they were
 * there, -1 without memory or when there are too many.
 */
int token_map_add(struct token_map *map, struct span bytes, uint32_t *entry,
    struct error *err);
/* -1 when they are not there. */
int64_t token_map_find(const struct token_map *map, struct span bytes);
/* Good until the next one is added. */
struct span token_map_bytes(const struct token_map *map, uint32_t entry);
void token_map_release(struct token_map *map); /* empty and usable again */

#endif
