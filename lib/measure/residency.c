/* residency.c - see residency.h. */
#define _GNU_SOURCE /* mincore, syscall */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/input.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/measure/residency.h"
#include "lib/sample/reader.h"

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* since Linux 6.5, the same on all architectures */
#endif

struct cachestat_range {
	uint64_t off, len;
};

struct cachestat {
	uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

struct pages {
	uint64_t all, resident;
	uint64_t kept; /* resident pages of files in memory (tmpfs) */
	size_t page;
};

/* Counts the file's pages in the cache; -1 when the kernel has no cachestat. */
static int64_t pages_by_cachestat(int fd)
{
	struct cachestat_range range = { .off = 0, .len = 0 };
	struct cachestat stat = { .cached = 0 };

	if (syscall(SYS_cachestat, fd, &range, &stat, 0))
		return -1;
	return (int64_t)stat.cached;
}

/* Counts them by mapping the file; -1 when that fails. */
static int64_t pages_by_mincore(int fd, uint64_t bytes, size_t page)
{
	const size_t count = (size_t)((bytes + page - 1) / page);
	unsigned char *in = malloc(count + 1);
	void *map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, fd, 0);
	int64_t resident = -1;

	if (in && map != MAP_FAILED && mincore(map, (size_t)bytes, in) == 0) {
		resident = 0;
		for (size_t i = 0; i < count; i++)
			resident += in[i] & 1;
	}
	if (map != MAP_FAILED)
		munmap(map, (size_t)bytes);
	free(in);
	return resident;
}

static uint32_t file_system(int fd)
{
	struct statfs system;

	return fstatfs(fd, &system) == 0 ? (uint32_t)system.f_type : 0;
}

/* Is it on an overlay? Only a mapping shows the pages of its file. */
static bool is_overlay(int fd)
{
	return file_system(fd) == 0x794c7630;
}

/* Is it on a tmpfs or ramfs, whose files are always in memory? */
static bool is_memory(int fd)
{
	const uint32_t type = file_system(fd);

	return type == 0x01021994 || type == 0x858458f6;
}

bool residency_is_memory(const char *path)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);
	const bool is = fd >= 0 && is_memory(fd);

	if (fd >= 0)
		close(fd);
	return is;
}

/* Adds the pages of an open file. */
static void count_pages(struct pages *pages, int fd, uint64_t bytes)
{
	const uint64_t count = (bytes + pages->page - 1) / pages->page;
	int64_t resident = is_overlay(fd) ? -1 : pages_by_cachestat(fd);

	if (resident < 0)
		resident = pages_by_mincore(fd, bytes, pages->page);
	pages->all += count;
	/* Unknown counts as resident, not as cold. */
	pages->resident += resident < 0 ? count : (uint64_t)resident;
	if (resident > 0 && is_memory(fd))
		pages->kept += (uint64_t)resident;
}

static int count_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct stat status;
	const int fd = bytes ? input_open(path, O_RDONLY, &status, err) : -1;

	if (fd < 0)
		return bytes == 0 ? 0 : -1;
	count_pages(arg, fd, bytes);
	close(fd);
	return 0;
}

/*
 * Writes out data only: fsync of thousands of small files would flush the disk
 * for each of them, even the clean ones.
 */
static void write_out(int fd)
{
	if (is_overlay(fd) ||
	    sync_file_range(fd, 0, 0,
	        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
	            SYNC_FILE_RANGE_WAIT_AFTER))
		fdatasync(fd);
}

/*
 * Counts right after dropping: a reader may read an index to name the files
 * behind it, and visits it last.
 */
static int drop_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct stat status;
	const int fd = input_open(path, O_RDONLY, &status, err);

	if (fd < 0)
		return -1;
	write_out(fd); /* dirty pages cannot be dropped */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (bytes)
		count_pages(arg, fd, bytes);
	close(fd);
	return 0;
}

/* Drops the caches of the whole machine, for all users: needs root. */
static bool drop_globally(void)
{
	const int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, "1\n", 2) == 2;
	close(fd);
	return done;
}

static double percent_of(uint64_t part, const struct pages *pages)
{
	return pages->all ? 100.0 * (double)part / (double)pages->all : 0.0;
}

static double share(const struct pages *pages)
{
	return percent_of(pages->resident, pages);
}

/* Is it worth dropping the page cache of the whole machine? */
static bool is_worth_it(const struct pages *pages)
{
	return percent_of(pages->resident - pages->kept, pages) > 1.0;
}

static int visit_reader(const struct reader *reader, reader_visit *visit,
    struct pages *pages, struct error *err)
{
	*pages = (struct pages){ .page = (size_t)sysconf(_SC_PAGESIZE) };
	return reader->ops->each_file(reader, visit, pages, err);
}

int residency_percent(
    const struct reader *reader, double *percent, struct error *err)
{
	struct pages pages;

	if (visit_reader(reader, count_file, &pages, err))
		return -1;
	*percent = share(&pages);
	return 0;
}

int residency_drop(const struct reader *reader, bool *drop_failed,
    double *percent, struct error *err)
{
	struct pages pages;
	uint64_t before;

	if (visit_reader(reader, drop_file, &pages, err))
		return -1;
	before = pages.resident;
	if (is_worth_it(&pages) && !*drop_failed && drop_globally()) {
		if (visit_reader(reader, drop_file, &pages, err))
			return -1;
		*drop_failed =
		    is_worth_it(&pages) && pages.resident > before / 2;
	}
	*percent = share(&pages);
	return 0;
}

/* ---- folders ---- */

struct folder {
	const char *dir;
	bool drop;
	struct pages pages;
};

static int visit_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct folder *folder = arg;
	char *path = path_join(folder->dir, name, err);
	struct stat status;
	const int fd = path ? input_open(path, O_RDONLY, &status, err) : -1;

	free(path);
	if (fd < 0)
		return -1;
	if (folder->drop) {
		write_out(fd);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	}
	count_pages(&folder->pages, fd, bytes);
	close(fd);
	return 0;
}

static int visit_folder(
    const char *dir, bool drop, struct pages *pages, struct error *err)
{
	struct folder folder = { .dir = dir,
		.drop = drop,
		.pages = { .page = (size_t)sysconf(_SC_PAGESIZE) } };
	const int rc = path_each(dir, visit_file, &folder, err);

	*pages = folder.pages;
	return rc;
}

int residency_of_folder(const char *dir, double *percent, struct error *err)
{
	struct pages pages;

	if (visit_folder(dir, false, &pages, err))
		return -1;
	*percent = share(&pages);
	return 0;
}

int residency_drop_folder(const char *dir, double *percent, struct error *err)
{
	struct pages pages;

	if (visit_folder(dir, true, &pages, err))
		return -1;
	if (is_worth_it(&pages) && drop_globally() &&
	    visit_folder(dir, false, &pages, err))
		return -1;
	*percent = share(&pages);
	return 0;
}
