/*
 * spread.h - which of many are taken when only some are wanted: evenly spaced,
 * the first always, the same every time.
 */
#ifndef DATASETS_FILES_SPREAD_H
#define DATASETS_FILES_SPREAD_H

#include <stddef.h>
#include <stdint.h>

/* Number i (< wanted) of `wanted` out of `count`; wanted <= count. */
static inline uint64_t spread(uint64_t i, uint64_t wanted, uint64_t count)
{
	/* i * count / wanted, without overflow for any count */
	return i * (count / wanted) + i * (count % wanted) / wanted;
}

/* Items that hold some samples each. */
struct spread_runs {
	const void *items;
	size_t count;
	uint64_t (*samples)(const void *items, size_t item);
};

/* How many of them, evenly spaced, hold as many samples as are wanted. */
size_t spread_enough(const struct spread_runs *runs, uint64_t wanted);

/*
 * The last item that begins at this sample or before: it has it, as none of
 * those behind the last sample is empty.  `first` is the number of an item's
 * first sample.
 */
size_t spread_find(const void *items, size_t count, uint64_t number,
    uint64_t (*first)(const void *items, size_t item));

#endif
