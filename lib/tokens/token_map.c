/* token_map.c - see token_map.h. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/tokens/token_map.h"

enum { SLOTS_FIRST = 1024 };

struct token_entry {
	size_t at, len; /* position in map->bytes */
	uint32_t hash;
};

static uint32_t hash_of(struct span bytes)
{
	return (uint32_t)hash_bytes(bytes.data, bytes.len, 0);
}

struct span token_map_bytes(const struct token_map *map, uint32_t entry)
{
	return (struct span){
		.data = map->bytes.data + map->entries[entry].at,
		.len = map->entries[entry].len,
	};
}

/* Returns the slot of the bytes, or the free slot where they belong. */
static size_t find_slot(
    const struct token_map *map, struct span bytes, uint32_t hash)
{
	size_t slot = hash & (map->slot_count - 1);

	while (map->slots[slot]) {
		const uint32_t entry = map->slots[slot] - 1;

		if (map->entries[entry].hash == hash &&
		    span_equal(token_map_bytes(map, entry), bytes))
			break;
		slot = (slot + 1) & (map->slot_count - 1);
	}
	return slot;
}

/* Keeps at least half of the slots free. */
static int grow_slots(struct token_map *map, struct error *err)
{
	const size_t count =
	    map->slot_count ? map->slot_count * 2 : SLOTS_FIRST;
	uint32_t *slots;

	if (map->count < map->slot_count / 2)
		return 0;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return error_memory(err, count * sizeof(*slots));
	for (size_t i = 0; i < map->count; i++) {
		size_t slot = map->entries[i].hash & (count - 1);

		while (slots[slot])
			slot = (slot + 1) & (count - 1);
		slots[slot] = (uint32_t)i + 1;
	}
	free(map->slots);
	map->slots = slots;
	map->slot_count = count;
	return 0;
}

int token_map_add(struct token_map *map, struct span bytes, uint32_t *entry,
    struct error *err)
{
	const uint32_t hash = hash_of(bytes);
	struct token_entry *grown;
	size_t slot;

	if (map->count == TOKEN_MAP_MAX)
		return error_set(
		    err, ERROR_LIMIT, "more than %d tokens", TOKEN_MAP_MAX);
	if (grow_slots(map, err))
		return -1;
	slot = find_slot(map, bytes, hash);
	if (map->slots[slot]) {
		*entry = map->slots[slot] - 1;
		return 0;
	}
	grown = array_grow(
	    map->entries, &map->capacity, map->count + 1, sizeof(*grown), err);
	if (!grown)
		return -1;
	map->entries = grown;
	grown[map->count] = (struct token_entry){
		.at = map->bytes.len,
		.len = bytes.len,
		.hash = hash,
	};
	if (buf_append(&map->bytes, bytes.data, bytes.len, err))
		return -1;
	*entry = (uint32_t)map->count++;
	map->slots[slot] = *entry + 1;
	return 1;
}

int64_t token_map_find(const struct token_map *map, struct span bytes)
{
	if (!map->count)
		return -1;
	return (int64_t)map->slots[find_slot(map, bytes, hash_of(bytes))] - 1;
}

void token_map_release(struct token_map *map)
{
	free(map->entries);
	free(map->slots);
	buf_release(&map->bytes);
	*map = (struct token_map)TOKEN_MAP_INIT;
}
