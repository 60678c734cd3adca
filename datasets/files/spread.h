/* spread.h - selects evenly spaced items, the same ones every time. */
#ifndef DATASETS_FILES_SPREAD_H
#define DATASETS_FILES_SPREAD_H

#include <stddef.h>
#include <stdint.h>

/* Returns item i (< wanted) of `wanted` out of `count`; wanted <= count. */
static inline uint64_t spread(uint64_t i, uint64_t wanted, uint64_t count)
{
	/* i * count / wanted, without overflow for any count */
	return i * (count / wanted) + i * (count % wanted) / wanted;
}

/* The part of `whole` that `part` of `all` samples have. */
static inline uint64_t spread_share(uint64_t whole, uint64_t part, uint64_t all)
{
	return part == all
	           ? whole
	           : (uint64_t)((double)whole * (double)part / (double)all);
}

/* Items that hold some samples each. */
struct spread_runs {
	const void *items;
	size_t count;
	uint64_t (*samples)(const void *items, size_t item);
};

/* Returns how many evenly spaced items hold at least `wanted` samples. */
size_t spread_enough(const struct spread_runs *runs, uint64_t wanted);

/*
 * Returns the last item that begins at or before sample `number`. `first`
 * returns the number of an item's first sample. Items are not empty, so this
 * item holds the sample.
 */
size_t spread_find(const void *items, size_t count, uint64_t number,
    uint64_t (*first)(const void *items, size_t item));

#endif
