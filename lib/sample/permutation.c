/* permutation.c - see permutation.h. */
#include "lib/sample/permutation.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"

/* Shuffles numbers in memory. */
static int hold(struct permutation *permutation, uint32_t count, uint64_t seed,
    uint64_t use, struct error *err)
{
	struct random random = random_stream(seed, 0, use, 0);
	size_t bytes;
	uint32_t *at;

	if (size_mul(count, sizeof(*at), &bytes))
		return error_memory(err, SIZE_MAX);
	at = malloc(bytes ? bytes : 1);
	if (!at)
		return error_memory(err, bytes);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t place = random_below(&random, i + 1);

		at[i] = at[place];
		at[place] = i;
	}
	*permutation = (struct permutation){ .at = at, .count = count };
	return 0;
}

int permutation_init(struct permutation *permutation, uint64_t count,
    uint64_t seed, uint64_t use, struct error *err)
{
	if (count <= PERMUTATION_HELD)
		return hold(permutation, (uint32_t)count, seed, use, err);
	*permutation = (struct permutation){ .count = count };
	random_order_init(&permutation->computed, count, seed, use);
	return 0;
}

void permutation_release(struct permutation *permutation)
{
	free(permutation->at);
	*permutation = (struct permutation)PERMUTATION_INIT;
}
