/* axis.c - see axis.h. */
#include "lib/image/resample/axis.h"

int taps_cache_find(struct taps_cache *cache, const struct taps_wish *wish,
    const struct taps **taps, struct error *err)
{
	size_t oldest = 0;

	for (size_t i = 0; i < TAPS_CACHE; i++) {
		const struct taps *t = &cache->kept[i].taps;

		if (cache->kept[i].used && t->in == wish->in &&
		    t->out == wish->out && t->kind == wish->kind) {
			cache->kept[i].used = ++cache->now;
			*taps = t;
			return 0;
		}
		if (cache->kept[i].used < cache->kept[oldest].used)
			oldest = i;
	}
	cache->kept[oldest].used = 0;
	if (taps_fill(&cache->kept[oldest].taps, wish, err))
		return -1;
	cache->kept[oldest].used = ++cache->now;
	*taps = &cache->kept[oldest].taps;
	return 0;
}

void taps_cache_release(struct taps_cache *cache)
{
	for (size_t i = 0; i < TAPS_CACHE; i++)
		taps_release(&cache->kept[i].taps);
	*cache = (struct taps_cache){ .now = 0 };
}

void axis_span(struct axis *axis)
{
	const struct taps *taps = axis->taps;
	const size_t last = axis->first + axis->count - 1;

	axis->low = axis->first;
	axis->high = last + 1;
	if (!taps)
		return;
	axis->low = (size_t)taps->first[axis->first];
	axis->high = (size_t)taps->first[last] + (size_t)taps->count[last];
}

void axis_span_strides(struct axis *axis)
{
	const struct taps *taps = axis->taps;
	const size_t first = axis->first, last = first + axis->count - 1;

	axis_span(axis);
	if (!taps)
		return;
	axis->low = (size_t)(taps->first[first] - taps->skip[first]);
	axis->high =
	    (size_t)(taps->first[last] - taps->skip[last]) + taps->stride;
}

int axis_take(const struct axis *axis, struct buf *starts, struct taps *part,
    struct error *err)
{
	const struct taps *taps = axis->taps;
	size_t weights;

	if (!taps)
		return 0;
	*part = *taps;
	if (axis->count == taps->out && axis->low == 0)
		return 0;
	if (buf_reserve(starts, axis->count * sizeof(*part->first), err))
		return -1;
	part->first = (int32_t *)(void *)starts->data;
	for (size_t i = 0; i < axis->count; i++)
		part->first[i] =
		    taps->first[axis->first + i] - (int32_t)axis->low;
	weights = axis->first * taps->stride;
	part->count += axis->first;
	part->skip += axis->first;
	part->weights += taps->weights ? weights : 0;
	part->low += taps->low ? weights : 0;
	part->floats += taps->floats ? weights : 0;
	part->out = axis->count;
	part->reach = axis->high - axis->low;
	return 0;
}
