/* mapping.c - see mapping.h. */
#define _GNU_SOURCE /* preadv2, madvise */
#include "lib/base/mapping.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14, the same on all architectures */
#endif

/* Could this byte be read without waiting? */
static bool is_cached(int fd, uint64_t offset)
{
#ifdef RWF_NOWAIT
	char byte;
	const struct iovec to = { .iov_base = &byte, .iov_len = 1 };

	return preadv2(fd, &to, 1, (off_t)offset, RWF_NOWAIT) == 1;
#else
	(void)fd;
	(void)offset;
	return false;
#endif
}

bool mapping_make(struct mapping *mapping, int fd, uint64_t offset, size_t len,
    unsigned char **data)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t before = (size_t)(offset % page);
	void *base;

	if (len < MAPPING_LEAST || len > SIZE_MAX - page ||
	    !is_cached(fd, offset) || !is_cached(fd, offset + len - 1))
		return false;
	base = mmap(NULL, before + len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_NORESERVE, fd, (off_t)(offset - before));
	if (base == MAP_FAILED)
		return false;
	/* Page by page at once, and an error where touching would kill. */
	if (madvise(base, before + len, MADV_POPULATE_READ)) {
		munmap(base, before + len);
		return false;
	}
	mapping->base = base;
	mapping->bytes = before + len;
	*data = (unsigned char *)base + before;
	return true;
}

void mapping_release(struct mapping *mapping)
{
	if (mapping->base)
		munmap(mapping->base, mapping->bytes);
	*mapping = (struct mapping){ .base = NULL };
}
