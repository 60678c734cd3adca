/*
 * copy.h - writing what is not looked at soon, past the processor's caches.
 *
 * An ordinary write first reads the line that it overwrites, and drives out of
 * the caches what is worked on; these do neither.  For memory that is larger
 * than the caches: tensor.away.
 *
 * Such writes have no order of their own: copy_settle comes before another
 * thread is told of them.
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

enum { COPY_LINE = 64 }; /* bytes that are written as one */

/* As memcpy. */
void copy_past_caches(void *to, const void *from, size_t bytes);
void copy_settle(void);

/* Can copy_line write there? */
static inline bool copy_takes(const void *to)
{
	return (uintptr_t)to % 16 == 0;
}

/* COPY_LINE bytes. */
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
