/* spool.c - see spool.h. */
#define _GNU_SOURCE /* O_TMPFILE, statfs */
#include "lib/media/s3/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"

/* Bytes after which the memory that is left is looked at again. */
#define CHECK_BYTES ((uint64_t)16 << 20)

/* ---- where ---- */

static bool is_in_memory(const char *dir)
{
	struct statfs system;

	return statfs(dir, &system) == 0 &&
	       (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

static const char *find_folder(void)
{
	static const char *const others[] = { "/tmp", "/var/tmp" };
	const char *dir = getenv("TMPDIR");

	if (dir && *dir)
		return dir;
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (access(others[i], W_OK) == 0 && !is_in_memory(others[i]))
			return others[i];
	return others[0];
}

static int failed(const struct spool *spool, struct error *err)
{
	const bool is_full = errno == ENOSPC || errno == EDQUOT;

	error_errno(err, "write a temporary file in", spool->folder);
	if (is_full)
		error_advise(err, "set TMPDIR to a folder with more room");
	return -1;
}

/* ---- room ---- */

/* Returns the memory that the kernel could still give; UINT64_MAX: unknown. */
static uint64_t memory_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];
	uint64_t kib, found = UINT64_MAX;

	while (file && found == UINT64_MAX && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) == 1)
			found = kib << 10;
	if (file)
		fclose(file);
	return found;
}

int spool_check_memory(const struct spool *spool, uint64_t available,
    uint64_t more, struct error *err)
{
	char left[UNITS_TEXT];

	if (!spool->is_in_memory || available >= SPOOL_LEAVES + more)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "%s, where objects lie until they are sent, is in memory, and only "
	    "%s of that are left; set TMPDIR to a folder on a disk",
	    spool->folder, units_bytes((double)available, left));
}

static int check_room(struct spool *spool, uint64_t more, struct error *err)
{
	if (!spool->is_in_memory ||
	    spool->bytes + more < spool->checked + CHECK_BYTES)
		return 0;
	spool->checked = spool->bytes + more;
	return spool_check_memory(spool, memory_available(), more, err);
}

/* ---- opening and writing ---- */

int spool_open(struct spool *spool, struct error *err)
{
	const char *dir = find_folder();
	char path[4096];

	*spool = (struct spool){
		.fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600),
		.is_in_memory = is_in_memory(dir),
	};
	snprintf(spool->folder, sizeof(spool->folder), "%s", dir);
	if (spool->fd >= 0)
		return 0;
	/* Not every file system has unnamed files. */
	snprintf(path, sizeof(path), "%.4000s/presto-XXXXXX", dir);
	spool->fd = mkostemp(path, O_CLOEXEC);
	if (spool->fd < 0)
		return failed(spool, err);
	unlink(path);
	return 0;
}

void spool_close(struct spool *spool)
{
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
}

static int write_all(const struct spool *spool, uint64_t offset,
    struct span bytes, struct error *err)
{
	while (bytes.len) {
		const ssize_t n =
		    pwrite(spool->fd, bytes.data, bytes.len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return failed(spool, err);
		bytes.data += n;
		bytes.len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

int spool_append(struct spool *spool, struct span bytes, struct error *err)
{
	if (check_room(spool, bytes.len, err) ||
	    write_all(spool, spool->bytes, bytes, err))
		return -1;
	spool->bytes += bytes.len;
	return 0;
}

int spool_write_at(
    struct spool *spool, uint64_t offset, struct span bytes, struct error *err)
{
	if (offset > spool->bytes || bytes.len > spool->bytes - offset)
		return error_set(err, ERROR_DATA,
		    "bytes behind the end of a file cannot be changed");
	return write_all(spool, offset, bytes, err);
}

int64_t spool_read(const struct spool *spool, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	size_t done = 0;

	while (done < len) {
		const ssize_t n = pread(spool->fd, (char *)data + done,
		    len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(
			    err, "read a temporary file in", spool->folder);
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (int64_t)done;
}

int spool_map(const struct spool *spool, uint64_t offset, size_t len,
    struct spool_view *view, struct error *err)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const size_t before = (size_t)(offset % page);

	*view = (struct spool_view){ .base = NULL };
	if (!len)
		return 0;
	view->mapped = before + len;
	view->base = mmap(NULL, view->mapped, PROT_READ, MAP_SHARED, spool->fd,
	    (off_t)(offset - before));
	if (view->base == MAP_FAILED) {
		view->base = NULL;
		return error_errno(
		    err, "map a temporary file in", spool->folder);
	}
	view->bytes = (struct span){
		.data = (const unsigned char *)view->base + before,
		.len = len,
	};
	return 0;
}

void spool_unmap(struct spool_view *view)
{
	if (view->base)
		munmap(view->base, view->mapped);
	*view = (struct spool_view){ .base = NULL };
}
