/* names.c - see names.h.  An open-addressing hash table, at most half full. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/names.h"

enum { SLOTS_LEAST = 16 };

/* Finds the slot of the name, or the free slot where it belongs. */
static size_t find_slot(const struct names *names, struct span name)
{
	const size_t mask = names->slot_count - 1;
	size_t slot = (size_t)hash_bytes(name.data, name.len, 0) & mask;

	while (names->slots[slot] >= 0 &&
	       !span_equal(names->list[names->slots[slot]], name))
		slot = (slot + 1) & mask;
	return slot;
}

static int grow_slots(struct names *names, struct error *err)
{
	const size_t wanted =
	    names->slot_count ? names->slot_count * 2 : SLOTS_LEAST;
	int32_t *slots = malloc(wanted * sizeof(*slots));

	if (!slots)
		return error_memory(err, wanted * sizeof(*slots));
	memset(slots, 0xff, wanted * sizeof(*slots));
	free(names->slots);
	names->slots = slots;
	names->slot_count = wanted;
	for (size_t i = 0; i < names->count; i++)
		slots[find_slot(names, names->list[i])] = (int32_t)i;
	return 0;
}

static int add(struct names *names, struct span name, struct error *err)
{
	struct span *list;

	if (names->count >= INT32_MAX - 1)
		return error_set(
		    err, ERROR_LIMIT, "more than %d names", INT32_MAX - 1);
	list = array_grow(names->list, &names->capacity, names->count + 1,
	    sizeof(*list), err);
	if (!list)
		return -1;
	names->list = list;
	list[names->count++] = name;
	return 0;
}

int32_t names_number(struct names *names, struct span name, struct error *err)
{
	size_t slot;

	if (names->count * 2 >= names->slot_count && grow_slots(names, err))
		return -1;
	slot = find_slot(names, name);
	if (names->slots[slot] < 0) {
		if (add(names, name, err))
			return -1;
		names->slots[slot] = (int32_t)(names->count - 1);
	}
	return names->slots[slot];
}

int32_t names_find(const struct names *names, struct span name)
{
	return names->count ? names->slots[find_slot(names, name)] : -1;
}

void names_clear(struct names *names)
{
	if (names->slot_count)
		memset(names->slots, 0xff,
		    names->slot_count * sizeof(*names->slots));
	names->count = 0;
}

void names_release(struct names *names)
{
	free(names->list);
	free(names->slots);
	*names = (struct names)NAMES_INIT;
}
