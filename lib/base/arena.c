/* arena.c - see arena.h. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"

enum {
	BLOCK = 32 << 20,
	LARGE = BLOCK / 8, /* larger pieces get a block of their own */
};

static size_t round_up(size_t bytes, size_t align)
{
	return bytes + (align - bytes % align) % align;
}

static unsigned char *add_block(
    struct arena *arena, size_t bytes, struct error *err)
{
	struct pages *blocks = array_grow(arena->blocks, &arena->block_capacity,
	    arena->block_count + 1, sizeof(*blocks), err);
	unsigned char *start;

	if (!blocks)
		return NULL;
	arena->blocks = blocks;
	start = pages_take(&blocks[arena->block_count], bytes, err);
	if (start)
		arena->block_count++;
	return start;
}

void *arena_take(
    struct arena *arena, size_t bytes, size_t align, struct error *err)
{
	unsigned char *taken;
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
	taken = arena->at + pad;
	arena->at = taken + bytes;
	arena->left -= pad + bytes;
	return taken;
}

void arena_release(struct arena *arena)
{
	for (size_t i = 0; i < arena->block_count; i++)
		pages_give(&arena->blocks[i]);
	free(arena->blocks);
	*arena = (struct arena)ARENA_INIT;
}
