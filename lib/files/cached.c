/* cached.c - see cached.h. */
#define _GNU_SOURCE /* preadv2 */
#include "lib/files/cached.h"

#include <sys/uio.h>

#include "lib/base/array.h"

static bool is_cached(int fd, uint64_t offset)
{
#ifdef RWF_NOWAIT
	char byte;
	const struct iovec to = { .iov_base = &byte, .iov_len = 1 };

	return preadv2(fd, &to, 1, (off_t)offset, RWF_NOWAIT) == 1;
#else
	UNUSED(fd);
	UNUSED(offset);
	return false;
#endif
}

bool cached_ends(int fd, uint64_t offset, size_t len)
{
	return is_cached(fd, offset) && is_cached(fd, offset + len - 1);
}
