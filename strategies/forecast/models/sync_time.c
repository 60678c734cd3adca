/* sync_time.c - see sync_time.h. */
#include "strategies/forecast/models/sync_time.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/cached.h"
#include "lib/files/path.h"
#include "lib/files/temporary.h"

enum {
	FILES = 4,
	MIDDLE_FILES = 2,
	FILE_BYTES = 4096,
	LARGE_BYTES = 2 << 20,
	READ_BYTES = 512 << 10,
};

static const double common_s = 1e-3, common_byte_s = 2e-9;

/* Drops a synced file from the page cache and reads it: seconds, or 0. */
static double read_again(int fd, unsigned char *to, size_t bytes)
{
	uint64_t start;

	if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) ||
	    cached_ends(fd, 0, bytes))
		return 0;
	start = clock_now(&clock_monotonic);
	for (size_t at = 0; at < bytes; at += READ_BYTES) {
		const size_t len =
		    bytes - at < READ_BYTES ? bytes - at : READ_BYTES;

		if (pread(fd, to + at, len, (off_t)at) != (ssize_t)len)
			return 0;
	}
	return (double)(clock_now(&clock_monotonic) - start) / 1e9;
}

/*
 * Writes one new file, and syncs it and its folder.  Reads it again if
 * `read_s` is not NULL, and adds the seconds to it.
 */
static bool write_one(
    const char *dir, const char *path, size_t bytes, double *read_s)
{
	struct temporary file = TEMPORARY_INIT;
	struct error ignored = ERROR_INIT;
	unsigned char *zeros = calloc(1, bytes);
	const bool fine =
	    zeros && temporary_begin_named(&file, path, &ignored) == 0 &&
	    write(file.fd, zeros, bytes) == (ssize_t)bytes &&
	    fsync(file.fd) == 0 && path_sync_dir(dir, &ignored) == 0;

	if (fine && read_s)
		*read_s += read_again(file.fd, zeros, bytes);
	temporary_end(&file);
	free(zeros);
	return fine;
}

/* Returns the mean seconds of `files` files, or -1; reading is *read_s. */
static double write_some(
    const char *dir, int files, size_t bytes, double *read_s)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct error ignored = ERROR_INIT;
	struct buf path = BUF_INIT;
	bool fine = buf_printf(&path, &ignored, "%s/presto-sync", dir) == 0;

	for (int i = 0; fine && i < files; i++)
		fine = write_one(dir, (const char *)path.data, bytes, read_s);
	buf_release(&path);
	if (!fine)
		return -1;
	*read_s /= files;
	return (double)(clock_now(&clock_monotonic) - start) / 1e9 / files -
	       *read_s;
}

struct sync_cost sync_cost_measure(const char *dir)
{
	struct sync_cost cost = { .file_s = common_s, .byte_s = common_byte_s };
	double small_s, large_s, read_s = 0, read_small_s = 0, middle_s = 0;

	if (!dir)
		return cost;
	small_s = write_some(dir, FILES, FILE_BYTES, &read_small_s);
	large_s = small_s < 0 ? -1 : write_some(dir, 1, LARGE_BYTES, &read_s);
	if (large_s < 0 ||
	    write_some(dir, MIDDLE_FILES, SYNC_MIDDLE, &middle_s) < 0)
		return cost;
	cost.read_middle_s = middle_s;
	cost.file_s = small_s;
	cost.read_byte_s = read_s / LARGE_BYTES;
	cost.read_file_s = read_small_s;
	cost.byte_s = large_s > small_s ? (large_s - small_s) / LARGE_BYTES : 0;
	return cost;
}

double sync_cost_read_s(const struct sync_cost *cost, double bytes)
{
	const double middle_s =
	    cost->read_middle_s > 0
	        ? cost->read_middle_s
	        : cost->read_file_s + SYNC_MIDDLE * cost->read_byte_s;

	if (bytes > SYNC_MIDDLE)
		return middle_s + (bytes - SYNC_MIDDLE) * cost->read_byte_s;
	return cost->read_file_s +
	       fmax(middle_s - cost->read_file_s, 0) * bytes / SYNC_MIDDLE;
}
