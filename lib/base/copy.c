/* copy.c - see copy.h. */
#include "lib/base/copy.h"

enum { READ_DISTANCE = 1024 }; /* reading is asked for so many bytes ahead */

/*
 * `next` is where reading goes on behind these bytes.  `way` is a constant in
 * each call.
 */
CPU_BODY void copy_row(unsigned char *out, const unsigned char *in,
    size_t bytes, const unsigned char *next, enum copy_way way)
{
	size_t at = -(uintptr_t)out % COPY_LINE;

	if (at > bytes)
		at = bytes;
	memcpy(out, in, at);
	for (; bytes - at >= COPY_LINE; at += COPY_LINE) {
		const size_t ahead = at + READ_DISTANCE;
		const unsigned char *soon =
		    ahead < bytes ? in + ahead : next + ahead - bytes;

		/* Only hints, so the addresses may lie behind the end. */
		if (way == COPY_STREAM) {
			__builtin_prefetch(soon, 0, 0);
			copy_line(out + at, in + at);
		} else {
			__builtin_prefetch(soon);
			copy_ask(out + at);
			memcpy(out + at, in + at, COPY_LINE);
		}
	}
	memcpy(out + at, in + at, bytes - at);
}

void copy_large(void *to, const void *from, size_t bytes)
{
	copy_rows_large(to, from, bytes, 1, bytes);
}

void copy_rows_large(
    void *to, const void *from, size_t bytes, size_t count, size_t stride)
{
	copy_rows_by(copy_way_large(), to, from, bytes, count, stride);
}

void copy_rows_by(enum copy_way way, void *to, const void *from, size_t bytes,
    size_t count, size_t stride)
{
	unsigned char *out = to;
	const unsigned char *in = from;

	for (size_t y = 0; y < count; y++, in += stride, out += bytes) {
		if (way == COPY_STREAM)
			copy_row(out, in, bytes, in + stride, COPY_STREAM);
		else if (way == COPY_AHEAD)
			copy_row(out, in, bytes, in + stride, COPY_AHEAD);
		else
			memcpy(out, in, bytes);
	}
}

void copy_fence(void)
{
#if defined(__x86_64__)
	_mm_sfence();
#endif
}
