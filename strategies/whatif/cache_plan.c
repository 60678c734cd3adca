/* cache_plan.c - see cache_plan.h. */
#include "strategies/whatif/cache_plan.h"

bool cache_plan_allows(const struct cache_plan_step *steps, size_t i,
    const struct cache_plan_storage *storage)
{
	for (size_t s = 0; s <= i; s++)
		if (steps[s].random)
			return false;
	return storage->free_bytes <= 0 ||
	       storage->samples * steps[i].out_bytes < storage->free_bytes;
}

/* The cost of the steps from `first` on. */
static double cost_from(
    const struct cache_plan_step *steps, size_t count, size_t first)
{
	double ms = 0;

	for (size_t s = first; s < count; s++)
		ms += steps[s].cost_ms;
	return ms;
}

double cache_plan_ms(const struct cache_plan_step *steps, size_t count,
    size_t i, const struct cache_plan_storage *storage)
{
	return cost_from(steps, count, i + 1) +
	       steps[i].out_bytes * storage->read_s_per_byte * 1000;
}

double cache_plan_none_ms(const struct cache_plan_step *steps, size_t count)
{
	return cost_from(steps, count, 0);
}

size_t cache_plan_best(const struct cache_plan_step *steps, size_t count,
    const struct cache_plan_storage *storage)
{
	double least = cache_plan_none_ms(steps, count);
	size_t best = count;

	for (size_t i = 0; i < count; i++) {
		const double ms = cache_plan_ms(steps, count, i, storage);

		if (cache_plan_allows(steps, i, storage) && ms < least) {
			least = ms;
			best = i;
		}
	}
	return best;
}
