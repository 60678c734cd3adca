/* spread.c - see spread.h. */
#include "datasets/files/spread.h"

static uint64_t samples_of(const struct spread_runs *runs, size_t wanted)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < wanted; i++)
		sum += runs->samples(
		    runs->items, (size_t)spread(i, wanted, runs->count));
	return sum;
}

size_t spread_enough(const struct spread_runs *runs, uint64_t wanted)
{
	size_t few = 0, enough = runs->count;

	while (enough - few > 1) {
		const size_t middle = few + (enough - few) / 2;

		if (samples_of(runs, middle) >= wanted)
			enough = middle;
		else
			few = middle;
	}
	return enough;
}

size_t spread_find(const void *items, size_t count, uint64_t number,
    uint64_t (*first)(const void *items, size_t item))
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (first(items, middle) <= number)
			low = middle;
		else
			high = middle;
	}
	return low;
}
