/*
 * arena.h - memory that is taken piece by piece and given back all at once:
 * pieces lie behind one another in large blocks, and never move.
 *
 * Blocks come from the kernel and go back to it.  What was not taken of one is
 * address space only: a page is there when it is written to.
 */
#ifndef LIB_BASE_ARENA_H
#define LIB_BASE_ARENA_H

#include <stddef.h>

struct error;
struct pages;

struct arena {
	struct pages *blocks; /* owned */
	size_t block_count, block_capacity;
	unsigned char *at; /* the free rest of the newest shared block */
	size_t left;
};

#define ARENA_INIT             \
	{                      \
		.blocks = NULL \
	}

/*
 * `bytes` bytes aligned to `align`, a power of two up to 4096, good until
 * release; NULL when there is no memory.  0 bytes are a place, too.
 */
void *arena_take(
    struct arena *arena, size_t bytes, size_t align, struct error *err);
void arena_release(struct arena *arena); /* empty and usable again */

#endif
