/* copy.c - see copy.h. */
#include "lib/base/copy.h"

#if defined(__x86_64__)

enum { AHEAD = 1024 }; /* prefetch distance in bytes */

void copy_past_caches(void *to, const void *from, size_t bytes)
{
	unsigned char *out = to;
	const unsigned char *in = from;
	size_t head = -(uintptr_t)to % COPY_LINE;

	if (head > bytes)
		head = bytes;
	memcpy(out, in, head);
	for (; bytes - head >= COPY_LINE; head += COPY_LINE) {
		/* Only a hint, so the address may lie behind the end. */
		_mm_prefetch((const char *)in + head + AHEAD, _MM_HINT_T0);
		copy_line(out + head, in + head);
	}
	memcpy(out + head, in + head, bytes - head);
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

void copy_fence(void)
{
}

#endif
