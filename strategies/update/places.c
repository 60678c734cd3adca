/* places.c - see places.h. */
#include "strategies/update/places.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/permutation.h"
#include "lib/stores/manifest.h"
#include "strategies/plan/stored_order.h"
#include "strategies/update/additions.h"

static uint64_t *take(uint64_t count, struct error *err)
{
	size_t bytes;
	uint64_t *numbers = NULL;

	if (size_mul(count, sizeof(*numbers), &bytes) == 0)
		numbers = malloc(bytes ? bytes : 1);
	if (!numbers)
		error_memory(err, count);
	return numbers;
}

/* Inverts the order in which the addition was stored. */
static int find_positions(struct places *places,
    const struct stored_order *order, uint64_t samples, struct error *err)
{
	struct permutation permutation;

	places->position = take(samples, err);
	if (!places->position || permutation_init(&permutation, samples,
	                             order->seed, ORDER_USE_ALL, err))
		return -1;
	for (uint64_t i = 0; i < samples; i++)
		places->position[permutation_at(&permutation, i)] = i;
	permutation_release(&permutation);
	return 0;
}

int places_init(struct places *places, const struct addition *of,
    const struct manifest *manifest, const struct stored_order *order,
    uint64_t samples, struct error *err)
{
	const size_t shards = of->end_shard - of->first_shard;

	*places = (struct places){ .of = of };
	places->is_known = of->stored == samples;
	if (!places->is_known)
		return 0;
	places->starts = take(shards + 1, err);
	if (!places->starts)
		return -1;
	places->starts[0] = 0;
	for (size_t i = 0; i < shards; i++)
		places->starts[i + 1] =
		    places->starts[i] +
		    manifest->shards[of->first_shard + i].samples;
	return order->shuffled ? find_positions(places, order, samples, err)
	                       : 0;
}

void places_find(const struct places *places, uint64_t sample, uint64_t *shard,
    uint64_t *place)
{
	const uint64_t at =
	    places->position ? places->position[sample] : sample;
	size_t low = 0, high = places->of->end_shard - places->of->first_shard;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (places->starts[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	*shard = places->of->first_shard + low;
	*place = at - places->starts[low];
}

void places_release(struct places *places)
{
	free(places->position);
	free(places->starts);
	*places = (struct places)PLACES_INIT;
}
