/* copy.c - see copy.h. */
#include <string.h>

#include "lib/base/copy.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#include <stdint.h>

enum { LINE = 64, AHEAD = 1024 }; /* bytes */

static void copy_line(unsigned char *to, const unsigned char *from)
{
	const __m128i *in = (const __m128i *)(const void *)from;
	__m128i *out = (__m128i *)(void *)to;
	const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
	const __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);

	_mm_stream_si128(out, a);
	_mm_stream_si128(out + 1, b);
	_mm_stream_si128(out + 2, c);
	_mm_stream_si128(out + 3, d);
}

void copy_past_caches(void *to, const void *from, size_t bytes)
{
	unsigned char *out = to;
	const unsigned char *in = from;
	size_t head = -(uintptr_t)to % LINE;

	if (head > bytes)
		head = bytes;
	memcpy(out, in, head);
	for (; bytes - head >= LINE; head += LINE) {
		/* Only a hint, so it may lie behind the end. */
		_mm_prefetch((const char *)in + head + AHEAD, _MM_HINT_T0);
		copy_line(out + head, in + head);
	}
	memcpy(out + head, in + head, bytes - head);
	copy_settle();
}

void copy_settle(void)
{
	_mm_sfence();
}

#else

void copy_past_caches(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

void copy_settle(void)
{
}

#endif
