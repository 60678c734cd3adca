/* shuffle.c - see shuffle.h. */
#include "lib/graph/shuffle.h"
#include "lib/graph/mix.h"

/* Fisher and Yates; a draw of 32 bits has no bias that 256 numbers could
 * show. */
static void shuffle_few(struct shuffle *shuffle, uint64_t seed)
{
	for (uint64_t i = 0; i < shuffle->count; i++) {
		const uint64_t word = mix(seed + (i + 1) * MIX_STEP);
		const uint64_t k = ((word >> 32) * (i + 1)) >> 32;

		shuffle->few[i] = shuffle->few[k];
		shuffle->few[k] = (uint8_t)i;
	}
}

struct shuffle shuffle_make(uint64_t count, uint64_t seed)
{
	struct shuffle shuffle = { .count = count };
	unsigned bits = 2;

	while (count > (uint64_t)1 << bits)
		bits++;
	shuffle.low_bits = bits / 2;
	shuffle.high_bits = bits - bits / 2;
	for (unsigned i = 0; i < SHUFFLE_ROUNDS; i++)
		shuffle.keys[i] = mix(mix(seed) + (i + 1) * MIX_STEP);
	if (count <= SHUFFLE_FEW)
		shuffle_few(&shuffle, mix(seed));
	return shuffle;
}

/* Each half in turn is changed by a hash of the other: one to one. */
static uint64_t pass(const struct shuffle *shuffle, uint64_t x)
{
	const uint64_t low_mask = ((uint64_t)1 << shuffle->low_bits) - 1;
	const uint64_t high_mask = ((uint64_t)1 << shuffle->high_bits) - 1;
	uint64_t low = x & low_mask, high = x >> shuffle->low_bits;

	for (unsigned i = 0; i < SHUFFLE_ROUNDS; i += 2) {
		low ^= mix(high ^ shuffle->keys[i]) & low_mask;
		high ^= mix(low ^ shuffle->keys[i + 1]) & high_mask;
	}
	return high << shuffle->low_bits | low;
}

uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t place)
{
	if (shuffle->count <= SHUFFLE_FEW)
		return shuffle->few[place];
	do
		place = pass(shuffle, place);
	while (place >= shuffle->count);
	return place;
}
