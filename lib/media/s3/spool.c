/* spool.c - see spool.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "lib/media/s3/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/error.h"

static const char *folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int spool_open(struct spool *spool, struct error *err)
{
	char path[4096];

	spool->bytes = 0;
	spool->fd = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (spool->fd >= 0)
		return 0;
	/* Not every file system has unnamed files. */
	snprintf(path, sizeof(path), "%.4000s/presto-XXXXXX", folder());
	spool->fd = mkostemp(path, O_CLOEXEC);
	if (spool->fd < 0)
		return error_errno(err, "write a temporary file in", folder());
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
			return error_errno(
			    err, "write a temporary file in", folder());
		bytes.data += n;
		bytes.len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

int spool_append(struct spool *spool, struct span bytes, struct error *err)
{
	if (write_all(spool, spool->bytes, bytes, err))
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
			    err, "read a temporary file in", folder());
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
		return error_errno(err, "map a temporary file in", folder());
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
