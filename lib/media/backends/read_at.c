/* read_at.c - see read_at.h. */
#include "lib/media/backends/read_at.h"

#include <errno.h>
#include <unistd.h>

#include "lib/base/error.h"

int64_t read_at(int fd, const char *path, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	size_t done = 0;

	while (done < len) {
		const ssize_t n = pread(fd, (char *)data + done, len - done,
		    (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "read", path);
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (int64_t)done;
}
