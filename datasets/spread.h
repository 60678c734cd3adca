/*
 * spread.h - which of many are taken when only some are wanted: evenly spaced,
 * the first always, the same every time.
 */
#ifndef DATASETS_SPREAD_H
#define DATASETS_SPREAD_H

#include <stdint.h>

/* Number i (< wanted) of `wanted` out of `count`; wanted <= count. */
static inline uint64_t spread(uint64_t i, uint64_t wanted, uint64_t count)
{
	/* i * count / wanted, without overflow for any count */
	return i * (count / wanted) + i * (count % wanted) / wanted;
}

#endif
