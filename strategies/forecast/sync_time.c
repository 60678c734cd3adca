/* sync_time.c - see sync_time.h. */
#include "strategies/forecast/sync_time.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/temporary.h"

enum { FILES = 4, FILE_BYTES = 4096, LARGE_BYTES = 2 << 20 };

static const double common_s = 1e-3, common_byte_s = 2e-9;

/* Writes one new file, and syncs it and its folder. */
static bool write_one(const char *dir, const char *path, size_t bytes)
{
	struct temporary file = TEMPORARY_INIT;
	struct error ignored = ERROR_INIT;
	unsigned char *zeros = calloc(1, bytes);
	const bool fine =
	    zeros && temporary_begin_named(&file, path, &ignored) == 0 &&
	    write(file.fd, zeros, bytes) == (ssize_t)bytes &&
	    fsync(file.fd) == 0 && path_sync_dir(dir, &ignored) == 0;

	temporary_end(&file);
	free(zeros);
	return fine;
}

/* Returns the mean seconds of `files` files, or -1. */
static double write_some(const char *dir, int files, size_t bytes)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct error ignored = ERROR_INIT;
	struct buf path = BUF_INIT;
	bool fine = buf_printf(&path, &ignored, "%s/presto-sync", dir) == 0;

	for (int i = 0; fine && i < files; i++)
		fine = write_one(dir, (const char *)path.data, bytes);
	buf_release(&path);
	if (!fine)
		return -1;
	return (double)(clock_now(&clock_monotonic) - start) / 1e9 / files;
}

struct sync_cost sync_cost_measure(const char *dir)
{
	struct sync_cost cost = { common_s, common_byte_s };
	double small_s, large_s;

	if (!dir)
		return cost;
	small_s = write_some(dir, FILES, FILE_BYTES);
	large_s = small_s < 0 ? -1 : write_some(dir, 1, LARGE_BYTES);
	if (large_s < 0)
		return cost;
	cost.file_s = small_s;
	cost.byte_s = large_s > small_s ? (large_s - small_s) / LARGE_BYTES : 0;
	return cost;
}
