/* late_read.c - see late_read.h. */
#define _POSIX_C_SOURCE 200809L /* F_DUPFD_CLOEXEC, pread */
#include "lib/files/late_read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/cached.h"

enum {
	FDS = 256
}; /* larger descriptors are left to others: they may run out */

bool late_read_note(
    struct late_read *late, int fd, uint64_t offset, size_t bytes)
{
	int copy;

	if (bytes == 0 || bytes > LATE_READ_MOST ||
	    !cached_ends(fd, offset, bytes))
		return false;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return false;
	if (copy >= FDS) {
		close(copy);
		return false;
	}
	*late = (struct late_read){ copy, offset, bytes };
	return true;
}

int late_read_finish(struct late_read *late, void *to, struct error *err)
{
	size_t done = 0;
	int rc = 0;

	while (rc == 0 && done < late->bytes) {
		const ssize_t n = pread(late->fd, (char *)to + done,
		    late->bytes - done, (off_t)(late->offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc =
			    error_set(err, ERROR_SYSTEM, "%s", strerror(errno));
		else if (n == 0)
			rc = error_set(err, ERROR_DATA,
			    "the file ends %zu bytes too early",
			    late->bytes - done);
		else
			done += (size_t)n;
	}
	late_read_release(late);
	return rc;
}

void late_read_release(struct late_read *late)
{
	if (late->bytes > 0)
		close(late->fd);
	*late = (struct late_read){ .bytes = 0 };
}
