/* shuffle.c - see shuffle.h. */
#include "lib/graph/shuffle.h"
#include "lib/base/cpu.h"
#include "lib/graph/mix.h"

enum { LANES = 64 }; /* places computed at once */

/* Fisher-Yates; 32-bit draws have no visible bias for up to 256 numbers. */
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
	struct shuffle shuffle = { .count = count, .columns = 1, .rows = 1 };
	unsigned bits = 0;

	while (count >> bits)
		bits++;
	/* The square root, rounded up, bit by bit. */
	for (uint64_t bit = (uint64_t)1 << (bits + 1) / 2; bit; bit /= 2) {
		const uint64_t root = shuffle.columns + bit;

		if ((root - 1) * (root - 1) < count)
			shuffle.columns = root;
	}
	if (count)
		shuffle.rows = (count - 1) / shuffle.columns + 1;
	for (unsigned i = 0; i < SHUFFLE_ROUNDS; i++)
		shuffle.keys[i] = mix(mix(seed) + (i + 1) * MIX_STEP);
	if (count <= SHUFFLE_FEW)
		shuffle_few(&shuffle, mix(seed));
	return shuffle;
}

/* Returns (at + a hash of other) modulo `most`; at < most. */
CPU_BODY uint64_t turn(uint64_t at, uint64_t other, uint64_t key, uint64_t most)
{
	const uint64_t sum = at + ((mix(other ^ key) >> 32) * most >> 32);

	return sum < most ? sum : sum - most;
}

/* Moves column and row in turn by a hash of the other: a bijection. */
CPU_BODY void pass(const struct shuffle *shuffle, uint64_t *places, unsigned n)
{
	const uint64_t columns = shuffle->columns, rows = shuffle->rows;
	uint64_t column[LANES], row[LANES];

	for (unsigned l = 0; l < n; l++) {
		row[l] = places[l] / columns;
		column[l] = places[l] - row[l] * columns;
	}
	for (unsigned i = 0; i < SHUFFLE_ROUNDS; i += 2) {
		for (unsigned l = 0; l < n; l++)
			column[l] =
			    turn(column[l], row[l], shuffle->keys[i], columns);
		for (unsigned l = 0; l < n; l++)
			row[l] =
			    turn(row[l], column[l], shuffle->keys[i + 1], rows);
	}
	for (unsigned l = 0; l < n; l++)
		places[l] = row[l] * columns + column[l];
}

uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t place)
{
	if (shuffle->count <= SHUFFLE_FEW)
		return shuffle->few[place];
	do
		pass(shuffle, &place, 1);
	while (place >= shuffle->count);
	return place;
}

CPU_AVX2 static void pass_avx2(const struct shuffle *shuffle, uint64_t *places)
{
	pass(shuffle, places, LANES);
}

CPU_AVX512 static void pass_avx512(
    const struct shuffle *shuffle, uint64_t *places)
{
	pass(shuffle, places, LANES);
}

static void pass_lanes(const struct shuffle *shuffle, uint64_t *places)
{
	if (cpu_has_avx512())
		pass_avx512(shuffle, places);
	else if (cpu_has_avx2())
		pass_avx2(shuffle, places);
	else
		pass(shuffle, places, LANES);
}

void shuffle_range(
    const struct shuffle *shuffle, uint64_t place, size_t n, uint64_t *out)
{
	const size_t whole = shuffle->count <= SHUFFLE_FEW ? 0 : n / LANES;

	for (size_t i = 0; i < whole * LANES; i++)
		out[i] = place + i;
	for (size_t i = 0; i < whole; i++)
		pass_lanes(shuffle, out + i * LANES);
	for (size_t i = 0; i < whole * LANES; i++)
		if (out[i] >= shuffle->count)
			out[i] = shuffle_at(shuffle, out[i]);
	for (size_t i = whole * LANES; i < n; i++)
		out[i] = shuffle_at(shuffle, place + i);
}
