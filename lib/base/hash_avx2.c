/*
 * hash_avx2.c - see hash_avx2.h.
 *
 * xxHash chooses its vector instructions at compile time, so this file compiles
 * it a second time.  On machines without AVX2 it does the same as hash.c.
 */
#include <stdlib.h>

#include "lib/base/hash_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define XXH_VECTOR 2 /* XXH_AVX2 */
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes_avx2(const void *data, size_t len, uint64_t seed)
{
	return XXH3_64bits_withSeed(data, len, seed);
}

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
