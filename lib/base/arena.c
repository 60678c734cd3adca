/* arena.c - see arena.h. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	BLOCK = 32 << 20,
	LARGE = BLOCK / 8,   /* from here on a piece has a block of its own */
	HUGE_PAGE = 2 << 20, /* fewer page faults, fewer TLB misses */
};

struct arena_block {
	void *map;
	size_t len;
};

static size_t round_up(size_t bytes, size_t align)
{
	return bytes + (align - bytes % align) % align;
}

/* Begins at a huge page; only whole ones are asked to be huge. */
static unsigned char *add_block(
    struct arena *arena, size_t bytes, struct error *err)
{
	struct arena_block *blocks =
	    array_grow(arena->blocks, &arena->block_capacity,
	        arena->block_count + 1, sizeof(*blocks), err);
	unsigned char *map, *start;
	size_t len;

	if (!blocks)
		return NULL;
	arena->blocks = blocks;
	if (size_add(bytes, HUGE_PAGE, &len)) {
		error_memory(err, bytes);
		return NULL;
	}
	map = mmap(NULL, len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED) {
		error_memory(err, len);
		return NULL;
	}
	blocks[arena->block_count++] =
	    (struct arena_block){ .map = map, .len = len };
	start = map + (HUGE_PAGE - (uintptr_t)map % HUGE_PAGE) % HUGE_PAGE;
	/* A wish: where it is refused small pages do. */
	madvise(start, bytes - bytes % HUGE_PAGE, MADV_HUGEPAGE);
	return start;
}

void *arena_take(
    struct arena *arena, size_t bytes, size_t align, struct error *err)
{
	unsigned char *piece;
	size_t pad;

	assert(align > 0 && align <= 4096 && (align & (align - 1)) == 0);
	if (bytes >= LARGE)
		return add_block(arena, bytes, err);
	pad = round_up((uintptr_t)arena->at, align) - (uintptr_t)arena->at;
	if (!arena->at || pad + bytes > arena->left) {
		arena->at = add_block(arena, BLOCK, err);
		arena->left = arena->at ? BLOCK : 0;
		pad = 0;
		if (!arena->at)
			return NULL;
	}
	piece = arena->at + pad;
	arena->at = piece + bytes;
	arena->left -= pad + bytes;
	return piece;
}

void arena_release(struct arena *arena)
{
	for (size_t i = 0; i < arena->block_count; i++)
		munmap(arena->blocks[i].map, arena->blocks[i].len);
	free(arena->blocks);
	*arena = (struct arena)ARENA_INIT;
}
