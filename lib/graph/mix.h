/*
 * mix.h - the last steps of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a
 * bijection in which each output bit depends on all input bits.
 */
#ifndef LIB_GRAPH_MIX_H
#define LIB_GRAPH_MIX_H

#include <stdint.h>

#define MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

#endif
