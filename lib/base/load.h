/* load.h - reads eight bytes anywhere in memory as a little-endian number. */
#ifndef LIB_BASE_LOAD_H
#define LIB_BASE_LOAD_H

#include <stdint.h>
#include <string.h>

static inline uint64_t load_u64(const unsigned char *at)
{
	uint64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bytes)
	                                              : bytes;
}

#endif
