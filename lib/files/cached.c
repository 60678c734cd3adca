/* cached.c - see cached.h. */
#define _GNU_SOURCE /* preadv2 */
#include "lib/files/cached.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>

#include "lib/base/array.h"

/* A file in memory has no page cache, and knows seals (fcntl(2)). */
static bool is_memory(int fd)
{
#ifdef F_GET_SEALS
	return fcntl(fd, F_GET_SEALS) >= 0;
#else
	UNUSED(fd);
	return false;
#endif
}

static bool is_cached(int fd, uint64_t offset)
{
#ifdef RWF_NOWAIT
	char byte;
	const struct iovec to = { .iov_base = &byte, .iov_len = 1 };

	if (preadv2(fd, &to, 1, (off_t)offset, RWF_NOWAIT) == 1)
		return true;
	return errno == EOPNOTSUPP && is_memory(fd);
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
