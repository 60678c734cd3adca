/*
 * arena.h - an allocator for many pieces that are released together.  The
 * pieces lie one behind another in large blocks, and never move.
 *
 * Blocks come from the kernel and go back to it.  The unused part of a block is
 * only address space: a page takes memory once it is written to.
 */
#ifndef LIB_BASE_ARENA_H
#define LIB_BASE_ARENA_H

#include <stddef.h>

struct error;
struct pages;

struct arena {
	struct pages *blocks; /* owned */
	size_t block_count, block_capacity;
	unsigned char *at; /* unused rest of the newest shared block */
	size_t left;
};

#define ARENA_INIT             \
	{                      \
		.blocks = NULL \
	}

/*
 * Returns `bytes` bytes aligned to `align`, a power of two up to 4096; they are
 * valid until arena_release.  NULL when out of memory.  With 0 bytes the result
 * is a valid pointer, too.
 */
void *arena_take(
    struct arena *arena, size_t bytes, size_t align, struct error *err);
void arena_release(struct arena *arena); /* empty and usable again */

#endif
