/* merges.c - see merges.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/tokens/merges.h"

enum { BITS_LEAST = 4, WORD_BITS = 64 };

int merges_init(struct merges *merges, uint32_t count, struct error *err)
{
	unsigned bits = BITS_LEAST;
	size_t slots;

	while ((size_t)1 << bits < (size_t)count * 2)
		bits++;
	slots = (size_t)1 << bits;
	*merges = (struct merges){
		.slots = malloc(slots * sizeof(*merges->slots)),
		.joined = malloc((count + 1) * sizeof(*merges->joined)),
		.shift = WORD_BITS - bits,
		.mask = slots - 1,
	};
	if (!merges->slots || !merges->joined) {
		merges_release(merges);
		return error_memory(err, slots * sizeof(*merges->slots));
	}
	memset(merges->slots, 0xff, slots * sizeof(*merges->slots));
	return 0;
}

int merges_add(
    struct merges *merges, uint32_t left, uint32_t right, uint32_t joined)
{
	const uint64_t key = merges_key(left, right);
	size_t slot = merges_slot(merges, key);

	if (merges_rank(merges, left, right) != MERGES_NONE)
		return -1;
	while (merges->slots[slot] != UINT64_MAX)
		slot = (slot + 1) & merges->mask;
	merges->slots[slot] = key << MERGES_BITS | merges->count;
	merges->joined[merges->count++] = joined;
	return 0;
}

void merges_release(struct merges *merges)
{
	free(merges->slots);
	free(merges->joined);
	*merges = (struct merges)MERGES_INIT;
}
