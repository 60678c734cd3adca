/* pages.c - see pages.h. */
#define _GNU_SOURCE /* madvise, MAP_ANONYMOUS, memfd_create, seals */
#include "lib/base/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum { POPULATE_WRITE = 23 }; /* MADV_POPULATE_WRITE: not in older headers */

/* Maps at least so many bytes from the boundary of a huge page on. */
static unsigned char *map_aligned(
    struct pages *pages, size_t bytes, int protection, struct error *err)
{
	unsigned char *map;
	size_t len;

	if (size_add(bytes, PAGES_HUGE, &len)) {
		error_memory(err, bytes);
		return NULL;
	}
	map = mmap(NULL, len, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED) {
		error_memory(err, len);
		return NULL;
	}
	*pages = (struct pages){ .map = map, .len = len };
	return map + (PAGES_HUGE - (uintptr_t)map % PAGES_HUGE) % PAGES_HUGE;
}

/* Asks for huge pages; if the kernel refuses, small ones serve. */
static void use_huge(void *start, size_t bytes)
{
	if (bytes >= PAGES_HUGE)
		madvise(start, bytes - bytes % PAGES_HUGE, MADV_HUGEPAGE);
}

void *pages_take(struct pages *pages, size_t bytes, struct error *err)
{
	unsigned char *start =
	    map_aligned(pages, bytes, PROT_READ | PROT_WRITE, err);

	if (start)
		use_huge(start, bytes);
	return start;
}

void pages_give(struct pages *pages)
{
	if (pages->map)
		munmap(pages->map, pages->len);
	*pages = (struct pages){ .map = NULL };
}

/* ---- memory of two processes ---- */

/* Maps memory with a descriptor at a place that is ours. */
static bool map_at(void *place, size_t bytes, int flags, int fd, size_t offset)
{
	return mmap(place, bytes, PROT_READ | PROT_WRITE,
	           flags | MAP_FIXED | MAP_NORESERVE, fd,
	           (off_t)offset) == place;
}

static void *map_shared(
    struct pages *pages, size_t bytes, int fd, struct error *err)
{
	void *start = map_aligned(pages, bytes, PROT_NONE, err);

	if (!start || map_at(start, bytes, MAP_SHARED, fd, 0))
		return start;
	error_memory(err, bytes);
	pages_give(pages);
	return NULL;
}

void *pages_share(struct pages *pages, size_t bytes, int *fd, struct error *err)
{
	void *start = NULL;

	*fd = memfd_create("presto", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0) {
		error_errno(err, "make", "shared memory");
		return NULL;
	}
	if (ftruncate(*fd, (off_t)bytes))
		error_errno(err, "make", "shared memory");
	else
		start = map_shared(pages, bytes, *fd, err);
	if (start && fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
		return start;
	if (start)
		error_errno(err, "seal", "shared memory");
	pages_give(pages);
	close(*fd);
	*fd = -1;
	return NULL;
}

bool pages_fill(void *part, size_t bytes)
{
	use_huge(part, bytes);
	if (madvise(part, bytes, POPULATE_WRITE) == 0)
		return true;
	if (errno != EINVAL)
		return false;
	memset(part, 0, bytes); /* Linux before 5.14 */
	return true;
}

size_t pages_round(size_t bytes)
{
	const size_t page =
	    bytes < PAGES_HUGE ? (size_t)sysconf(_SC_PAGESIZE) : PAGES_HUGE;

	return bytes + (page - bytes % page) % page;
}

/* Is it of the kind that pages_share makes?  Others may lack pages. */
static bool is_sealed(int fd, size_t bytes)
{
	const int seals = fcntl(fd, F_GET_SEALS);
	struct statfs system;
	struct stat found;

	return seals >= 0 && seals & F_SEAL_SHRINK && fstat(fd, &found) == 0 &&
	       found.st_size >= 0 && (uint64_t)found.st_size >= bytes &&
	       fstatfs(fd, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

void *pages_borrow(struct pages *pages, int fd, size_t bytes, struct error *err)
{
	if (!is_sealed(fd, bytes)) {
		error_set(err, ERROR_DATA,
		    "memory of another process is smaller than it says, or is "
		    "not sealed");
		return NULL;
	}
	return map_shared(pages, bytes, fd, err);
}

bool pages_part(void *part, size_t bytes, int fd, size_t offset)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (!map_at(part, bytes, MAP_PRIVATE, fd, offset))
		return false;
	/* A write copies the page, and this one does not change it. */
	for (size_t at = 0; at < bytes; at += page)
		atomic_fetch_or(
		    (volatile atomic_uchar *)((unsigned char *)part + at), 0);
	return true;
}

bool pages_rejoin(void *part, size_t bytes, int fd, size_t offset)
{
	return map_at(part, bytes, MAP_SHARED, fd, offset);
}
