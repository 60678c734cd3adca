/* copy.c - see copy.h. */
#include "lib/base/copy.h"

#if defined(__x86_64__)

enum { AHEAD = 1024 }; /* prefetch distance in bytes */

/* `next` is where reading goes on behind these bytes. */
static inline void copy_row(unsigned char *out, const unsigned char *in,
    size_t bytes, const unsigned char *next)
{
	size_t at = -(uintptr_t)out % COPY_LINE;

	if (at > bytes)
		at = bytes;
	memcpy(out, in, at);
	for (; bytes - at >= COPY_LINE; at += COPY_LINE) {
		const size_t ahead = at + AHEAD;

		/* Only a hint, so the address may lie behind the end. */
		_mm_prefetch(ahead < bytes ? in + ahead : next + ahead - bytes,
		    _MM_HINT_NTA);
		copy_line(out + at, in + at);
	}
	memcpy(out + at, in + at, bytes - at);
}

void copy_past_caches(void *to, const void *from, size_t bytes)
{
	const unsigned char *in = from;

	copy_row(to, in, bytes, in + bytes);
}

void copy_rows_past_caches(
    void *to, const void *from, size_t bytes, size_t count, size_t stride)
{
	unsigned char *out = to;
	const unsigned char *in = from;

	for (size_t y = 0; y < count; y++, in += stride, out += bytes)
		copy_row(out, in, bytes, in + stride);
}

void copy_fence(void)
{
	_mm_sfence();
}

#else

void copy_past_caches(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

void copy_rows_past_caches(
    void *to, const void *from, size_t bytes, size_t count, size_t stride)
{
	unsigned char *out = to;
	const unsigned char *in = from;

	for (size_t y = 0; y < count; y++)
		memcpy(out + y * bytes, in + y * stride, bytes);
}

void copy_fence(void)
{
}

#endif
