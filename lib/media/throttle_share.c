/*
 * throttle_share.c - see throttle.h: limits that several processes of this
 * machine share.
 *
 * The times at which the storage is free lie in a mapped file.  They are taken
 * by compare-and-exchange without locks, so a process that is killed holds up
 * nobody.  CLOCK_MONOTONIC is the same in all processes: it is their origin.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/media/throttle.h"

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && sizeof(_Atomic double) == 8,
    "these times are shared by processes");

/* Opens a file that has all the lines; -1 with the error. */
static int open_lines(const char *path, bool create, struct error *err)
{
	const int fd = open(path,
	    O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT | O_EXCL : 0),
	    0600);
	struct stat is;

	if (fd < 0)
		return error_errno(err, create ? "create" : "open", path);
	if ((create && ftruncate(fd, sizeof(struct throttle_lines))) ||
	    fstat(fd, &is)) {
		error_errno(err, "write", path);
		close(fd);
		return -1;
	}
	if (is.st_size == sizeof(struct throttle_lines))
		return fd;
	close(fd);
	return error_set(err, ERROR_DATA,
	    "%s: is no file of shared limits of this presto", path);
}

int throttle_share(
    struct throttle *throttle, const char *path, bool create, struct error *err)
{
	const int fd = open_lines(path, create, err);
	void *lines;

	if (fd < 0)
		return -1;
	lines = mmap(NULL, sizeof(struct throttle_lines),
	    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (lines == MAP_FAILED) {
		error_errno(err, "map", path);
		close(fd);
		return -1;
	}
	close(fd);
	throttle_unshare(throttle);
	throttle->lines = lines;
	throttle->origin_ns = 0;
	return 0;
}

void throttle_unshare(struct throttle *throttle)
{
	if (throttle->lines != &throttle->own_lines)
		munmap(throttle->lines, sizeof(struct throttle_lines));
	throttle->lines = &throttle->own_lines;
}
