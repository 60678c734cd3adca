/* sync_time.c - see sync_time.h. */
#include "strategies/forecast/models/sync_time.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/cached.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"
#include "lib/files/temporary.h"
#include "lib/stats/statistics.h"

enum {
	FILE_BYTES = 4096,
	READ_BYTES = 512 << 10,
	THREADS_MOST = 8,
};

static const double common_s = 1e-3, common_byte_s = 2e-9;
/*
 * Behind so many seconds a thread measures one file of each size, and the
 * threads are not measured together.
 */
static const double enough_s = 1;

/* Files of one size that a thread writes one after the other. */
enum size { SMALL, MIDDLE, LARGE, SIZES };
enum { FILES_MOST = 6 };

static const struct {
	unsigned files;
	size_t bytes;
} sizes[SIZES] = {
	[SMALL] = { FILES_MOST, FILE_BYTES },
	[MIDDLE] = { FILES_MOST, SYNC_MIDDLE },
	[LARGE] = { 4, SYNC_LARGE },
};

struct writer {
	const char *dir;
	double write_s[SIZES][FILES_MOST], read_s[SIZES][FILES_MOST];
	unsigned count[SIZES]; /* files that were measured */
	bool failed;
	pthread_t thread;
};

/* Medians of all threads: a single file may wait for the journal. */
struct times {
	double write_s[SIZES], read_s[SIZES];
};

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now(&clock_monotonic) - start_ns) / 1e9;
}

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
	return seconds_since(start);
}

/*
 * Writes a file as stores do: synced, then named, and its folder synced.  The
 * name is a temporary one, and locked, so that a sweep removes what a killed
 * process leaves.  Its seconds, or -1.
 */
static double write_one(struct temporary *file, const char *dir,
    const char *path, const unsigned char *bytes, size_t len)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct error ignored = ERROR_INIT;

	if (temporary_begin(file, path, &ignored) ||
	    write(file->fd, bytes, len) != (ssize_t)len || fsync(file->fd))
		return -1;
	lock_file(file->fd);
	if (temporary_publish(file, &ignored) || path_sync_dir(dir, &ignored))
		return -1;
	return seconds_since(start);
}

/* Writes a file, reads it again, and removes it. */
static bool measure_one(struct writer *writer, enum size size)
{
	const size_t bytes = sizes[size].bytes;
	const unsigned i = writer->count[size];
	struct temporary file = TEMPORARY_INIT;
	struct error ignored = ERROR_INIT;
	unsigned char *zeros = calloc(1, bytes);
	char *path = temporary_path(writer->dir, &ignored);
	double seconds = -1;

	if (zeros && path) {
		seconds = write_one(&file, writer->dir, path, zeros, bytes);
		writer->write_s[size][i] = seconds;
	}
	if (seconds >= 0) {
		writer->read_s[size][i] = read_again(file.fd, zeros, bytes);
		writer->count[size]++;
	}
	if (path)
		unlink(path);
	temporary_end(&file);
	free(path);
	free(zeros);
	return seconds >= 0;
}

static void *run_writer(void *arg)
{
	struct writer *writer = arg;
	const uint64_t start = clock_now(&clock_monotonic);

	for (int s = 0; s < SIZES; s++)
		for (unsigned i = 0; i < sizes[s].files; i++) {
			if (writer->failed ||
			    (i > 0 && seconds_since(start) > enough_s))
				break;
			writer->failed = !measure_one(writer, (enum size)s);
		}
	return NULL;
}

static struct times find_medians(const struct writer *writers, unsigned threads)
{
	struct times times = { .write_s = { 0 } };

	for (unsigned s = 0; s < SIZES; s++) {
		double written[THREADS_MOST * FILES_MOST] = { 0 };
		double read[THREADS_MOST * FILES_MOST] = { 0 };
		unsigned count = 0;

		for (unsigned t = 0; t < threads; t++)
			for (unsigned i = 0; i < writers[t].count[s]; i++) {
				written[count] = writers[t].write_s[s][i];
				read[count++] = writers[t].read_s[s][i];
			}
		times.write_s[s] = count ? median_of(written, count) : 0;
		times.read_s[s] = count ? median_of(read, count) : 0;
	}
	return times;
}

/* Has so many threads write at a time; false: they cannot. */
static bool measure(const char *dir, unsigned threads, struct times *times)
{
	struct writer writers[THREADS_MOST] = { 0 };
	unsigned begun = 1;
	bool fine = true;

	for (unsigned i = 0; i < threads; i++)
		writers[i] = (struct writer){ .dir = dir };
	while (begun < threads && pthread_create(&writers[begun].thread, NULL,
	                              run_writer, &writers[begun]) == 0)
		begun++;
	run_writer(&writers[0]);
	for (unsigned i = 1; i < begun; i++)
		pthread_join(writers[i].thread, NULL);
	for (unsigned i = 0; i < begun; i++)
		fine = fine && !writers[i].failed;
	*times = find_medians(writers, begun);
	return fine;
}

static struct read_cost read_cost_of(const struct times *times)
{
	return (struct read_cost){
		.file_s = times->read_s[SMALL],
		.middle_s = times->read_s[MIDDLE],
		.byte_s = times->read_s[LARGE] / SYNC_LARGE,
	};
}

/* Seconds for each byte of all threads together; 0: lost in noise. */
static double byte_seconds(const struct times *times, unsigned threads)
{
	return fmax(times->write_s[LARGE] - times->write_s[SMALL], 0) /
	       SYNC_LARGE / threads;
}

struct sync_cost sync_cost_measure(const char *dir, unsigned threads)
{
	struct sync_cost cost = { .file_s = common_s, .byte_s = common_byte_s };
	const uint64_t start = clock_now(&clock_monotonic);
	struct times alone, together;

	if (threads < 1)
		threads = 1;
	if (threads > THREADS_MOST)
		threads = THREADS_MOST;
	if (!dir || !measure(dir, 1, &alone))
		return cost;
	together = alone;
	if (seconds_since(start) > enough_s)
		threads = 1;
	if (threads > 1 && !measure(dir, threads, &together))
		return cost;
	cost.file_s = together.write_s[SMALL];
	cost.byte_s = byte_seconds(&together, threads);
	if (cost.byte_s <= 0)
		cost.byte_s = byte_seconds(&alone, 1);
	if (cost.byte_s <= 0)
		cost.byte_s = common_byte_s;
	cost.alone = read_cost_of(&alone);
	cost.together = read_cost_of(&together);
	return cost;
}

double read_cost_s(const struct read_cost *cost, double bytes)
{
	const double middle_s = cost->middle_s > 0
	                            ? cost->middle_s
	                            : cost->file_s + SYNC_MIDDLE * cost->byte_s;

	if (bytes > SYNC_MIDDLE)
		return middle_s + (bytes - SYNC_MIDDLE) * cost->byte_s;
	return cost->file_s +
	       fmax(middle_s - cost->file_s, 0) * bytes / SYNC_MIDDLE;
}
