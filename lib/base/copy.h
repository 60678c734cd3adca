/*
 * copy.h - copies that bypass the processor's caches (non-temporal stores).
 *
 * An ordinary write first reads the cache line that it overwrites, and evicts
 * the data that is being worked on.  These copies avoid both.  They are meant
 * for memory that is larger than the caches; see tensor.non_temporal.
 *
 * Such stores are not ordered: call copy_fence before another thread is told
 * about the data.
 */
#ifndef LIB_BASE_COPY_H
#define LIB_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum { COPY_LINE = 64 }; /* bytes of one store */

/* Like memcpy. */
void copy_past_caches(void *to, const void *from, size_t bytes);
/*
 * The same for `count` rows of `bytes` bytes each, which lie `stride` bytes
 * apart, and without a gap in `to`.
 */
void copy_rows_past_caches(
    void *to, const void *from, size_t bytes, size_t count, size_t stride);
void copy_fence(void);

/* Is the address aligned for copy_line? */
static inline bool copy_takes(const void *to)
{
	return (uintptr_t)to % 16 == 0;
}

/* Copies COPY_LINE bytes. */
static inline void copy_line(void *to, const void *from)
{
#if defined(__x86_64__)
	const __m128i *in = from;
	__m128i *out = to;
	const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
	const __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);

	_mm_stream_si128(out, a);
	_mm_stream_si128(out + 1, b);
	_mm_stream_si128(out + 2, c);
	_mm_stream_si128(out + 3, d);
#else
	memcpy(to, from, COPY_LINE);
#endif
}

#endif
