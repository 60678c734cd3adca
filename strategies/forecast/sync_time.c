/* sync_time.c - see sync_time.h. */
#include "strategies/forecast/sync_time.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/temporary.h"

enum { FILES = 4, FILE_BYTES = 4096 };

static const double common_s = 1e-3;

/* Writes one new file; its folder is synced as well. */
static bool write_one(const char *path)
{
	static const unsigned char bytes[FILE_BYTES];
	struct temporary file = TEMPORARY_INIT;
	struct error ignored = ERROR_INIT;
	const bool fine = temporary_begin_named(&file, path, &ignored) == 0 &&
	                  write(file.fd, bytes, sizeof(bytes)) == FILE_BYTES &&
	                  fsync(file.fd) == 0;

	temporary_end(&file);
	return fine;
}

double sync_time(const char *dir)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct error ignored = ERROR_INIT;
	bool fine = dir != NULL;

	for (int i = 0; fine && i < FILES; i++) {
		struct buf path = BUF_INIT;

		fine =
		    buf_printf(&path, &ignored, "%s/presto-sync", dir) == 0 &&
		    write_one((const char *)path.data);
		buf_release(&path);
	}
	if (!fine)
		return common_s;
	return (double)(clock_now(&clock_monotonic) - start) / 1e9 / FILES;
}
