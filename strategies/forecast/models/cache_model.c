/* cache_model.c - see cache_model.h. */
#include "strategies/forecast/models/cache_model.h"

double cache_model_hit(double behind, double bytes, double cost_per_byte)
{
	return behind + bytes * cost_per_byte;
}

double cache_model_share(double need_bytes, double room_bytes)
{
	return need_bytes <= room_bytes ? 1 : room_bytes / need_bytes;
}

bool cache_model_allows(const struct cache_model_step *steps, size_t i,
    const struct cache_model_storage *storage)
{
	for (size_t s = 0; s <= i; s++)
		if (steps[s].random)
			return false;
	return storage->free_bytes <= 0 ||
	       storage->samples * steps[i].out_bytes < storage->free_bytes;
}

/* The cost of the steps from `first` on. */
static double cost_from(
    const struct cache_model_step *steps, size_t count, size_t first)
{
	double ms = 0;

	for (size_t s = first; s < count; s++)
		ms += steps[s].cost_ms;
	return ms;
}

double cache_model_ms(const struct cache_model_step *steps, size_t count,
    size_t i, const struct cache_model_storage *storage)
{
	return cache_model_hit(cost_from(steps, count, i + 1),
	    steps[i].out_bytes, storage->read_s_per_byte * 1000);
}

double cache_model_none_ms(const struct cache_model_step *steps, size_t count)
{
	return cost_from(steps, count, 0);
}

size_t cache_model_best(const struct cache_model_step *steps, size_t count,
    const struct cache_model_storage *storage)
{
	double least = cache_model_none_ms(steps, count);
	size_t best = count;

	for (size_t i = 0; i < count; i++) {
		const double ms = cache_model_ms(steps, count, i, storage);

		if (cache_model_allows(steps, i, storage) && ms < least) {
			least = ms;
			best = i;
		}
	}
	return best;
}
