/*
 * copy.h - copies into memory that is larger than the processor's caches, such
 * as a batch of images; see tensor.is_large.
 *
 * An ordinary write first reads the cache line that it overwrites, and waits
 * for it.  Which way avoids that best depends on the processor (cpu_streams):
 *	COPY_STREAM	non-temporal stores do not read the line, and evict
 *			nothing that is being worked on
 *	COPY_AHEAD	ordinary stores; each line is asked for COPY_DISTANCE
 *			bytes in front of them
 * Two cores of an Intel Xeon (model 85) copied 5.9 GB/s by the first way and
 * 11.8 by the second.  On an AMD EPYC non-temporal stores were faster than
 * ordinary ones without prefetches; the second way was not tried there.
 *
 * Non-temporal stores are not ordered: call copy_fence before another thread is
 * told about the data.
 */
#ifndef LIB_BASE_COPY_H
#define LIB_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum {
	COPY_LINE = 64, /* bytes of one store */
	COPY_DISTANCE = 4096,
};

enum copy_way { COPY_ORDINARY, COPY_AHEAD, COPY_STREAM };

/* Like memcpy. */
void copy_large(void *to, const void *from, size_t bytes);
/*
 * The same for `count` rows of `bytes` bytes each, which lie `stride` bytes
 * apart, and without a gap in `to`.
 */
void copy_rows_large(
    void *to, const void *from, size_t bytes, size_t count, size_t stride);
/* The same in one of the ways, for tests. */
void copy_rows_by(enum copy_way way, void *to, const void *from, size_t bytes,
    size_t count, size_t stride);
void copy_fence(void);

/* Returns how to write large memory. */
static inline enum copy_way copy_way_large(void)
{
#if defined(__x86_64__)
	return cpu_streams() ? COPY_STREAM : COPY_AHEAD;
#else
	/* A core for arm64 sees by itself that whole lines are written. */
	return COPY_ORDINARY;
#endif
}

/* Returns how to write there; non-temporal stores want 16 aligned bytes. */
static inline enum copy_way copy_way_to(const void *to, bool is_large)
{
	const enum copy_way way = is_large ? copy_way_large() : COPY_ORDINARY;

	return way == COPY_STREAM && (uintptr_t)to % 16 ? COPY_ORDINARY : way;
}

/* Asks for the line that is written soon; it may lie behind the end. */
static inline void copy_ask(const void *to)
{
	__builtin_prefetch((const unsigned char *)to + COPY_DISTANCE, 1);
}

/* Copies COPY_LINE bytes by non-temporal stores, where there are any. */
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
