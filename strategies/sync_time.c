/* sync_time.c - see sync_time.h. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include "strategies/sync_time.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"

enum { FILES = 4, FILE_BYTES = 4096 };

static const double common_s = 1e-3;

/* One new file: its folder has something to sync as well. */
static bool write_one(char *path)
{
	static const unsigned char bytes[FILE_BYTES];
	const int fd = mkstemp(path);
	bool fine;

	if (fd < 0)
		return false;
	fine = write(fd, bytes, sizeof(bytes)) == FILE_BYTES && fsync(fd) == 0;
	close(fd);
	unlink(path);
	return fine;
}

double sync_time(const char *dir)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct error ignored = ERROR_INIT;
	bool fine = dir != NULL;

	for (int i = 0; fine && i < FILES; i++) {
		struct buf path = BUF_INIT;

		fine = buf_printf(&path, &ignored, "%s/presto-sync-XXXXXX",
		           dir) == 0 &&
		       write_one((char *)path.data);
		buf_release(&path);
	}
	if (!fine)
		return common_s;
	return (double)(clock_now(&clock_monotonic) - start) / 1e9 / FILES;
}
