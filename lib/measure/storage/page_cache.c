/* page_cache.c - see page_cache.h. */
#define _GNU_SOURCE /* mincore, sync_file_range, syscall */
#include "lib/measure/storage/page_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* since Linux 6.5, the same on all architectures */
#endif

enum { MAPPED_PAGES = 65536 }; /* pages that mincore looks at in one call */

struct cachestat_range {
	uint64_t off, len;
};

struct cachestat {
	uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

uint64_t page_cache_page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Counts the pages of the first bytes; -1: no cachestat, or not allowed. */
static int64_t count_by_cachestat(int fd, uint64_t bytes)
{
	struct cachestat_range range = { .off = 0, .len = bytes };
	struct cachestat stat = { .cached = 0 };

	if (syscall(SYS_cachestat, fd, &range, &stat, 0))
		return -1;
	return (int64_t)stat.cached;
}

/* May this process see the pages?  To others, mincore calls all resident. */
static bool may_see(int fd)
{
	struct stat status;
	char path[64];

	if (fstat(fd, &status))
		return false;
	if (geteuid() == 0 || geteuid() == status.st_uid)
		return true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/* Counts the pages of a part by mapping it; -1: it cannot be mapped. */
static int64_t count_mapped(int fd, uint64_t from, uint64_t bytes)
{
	const uint64_t page = page_cache_page();
	unsigned char in[MAPPED_PAGES];
	void *map =
	    mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, fd, (off_t)from);
	int64_t resident = -1;

	if (map == MAP_FAILED)
		return -1;
	if (mincore(map, (size_t)bytes, in) == 0) {
		resident = 0;
		for (size_t i = 0; i < (bytes + page - 1) / page; i++)
			resident += in[i] & 1;
	}
	munmap(map, (size_t)bytes);
	return resident;
}

static int64_t count_by_mincore(int fd, uint64_t bytes)
{
	const uint64_t step = MAPPED_PAGES * page_cache_page();
	int64_t resident = 0;

	if (!may_see(fd))
		return -1;
	for (uint64_t from = 0; from < bytes; from += step) {
		const uint64_t left = bytes - from;
		const int64_t part =
		    count_mapped(fd, from, left < step ? left : step);

		if (part < 0)
			return -1;
		resident += part;
	}
	return resident;
}

int64_t page_cache_count(int fd, uint64_t bytes, bool stacked)
{
	const int64_t resident = stacked ? -1 : count_by_cachestat(fd, bytes);

	return resident < 0 && bytes > 0 ? count_by_mincore(fd, bytes)
	                                 : resident;
}

bool page_cache_shows(int fd, bool stacked)
{
	char byte;

	return pread(fd, &byte, 1, 0) == 1 &&
	       page_cache_count(fd, 1, stacked) >= 1;
}

/*
 * Writes out data only: fsync of thousands of small files would flush the disk
 * for each of them, even the clean ones.
 */
void page_cache_sync(int fd, bool stacked)
{
	if (stacked || sync_file_range(fd, 0, 0,
	                   SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
	                       SYNC_FILE_RANGE_WAIT_AFTER))
		fdatasync(fd);
}

void page_cache_drop(int fd)
{
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static bool drop_globally(const char *what)
{
	const int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, what, strlen(what)) == (ssize_t)strlen(what);
	close(fd);
	return done;
}

bool page_cache_drop_all(void)
{
	return drop_globally("1\n");
}

bool page_cache_drop_names(void)
{
	return drop_globally("2\n");
}
