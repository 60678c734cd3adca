/* sync_time.c - see sync_time.h. */
#include "strategies/forecast/models/sync_time.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/cached.h"
#include "lib/files/path.h"
#include "lib/files/temporary.h"
#include "lib/stats/statistics.h"

enum {
	FILE_BYTES = 4096,
	READ_BYTES = 512 << 10,
	THREADS_MOST = 8,
};

static const double common_s = 1e-3, common_byte_s = 2e-9;

/* Pairs of files of one size that a thread writes one after the other. */
enum size { SMALL, MIDDLE, LARGE, SIZES };
enum { FILES_MOST = 4 };

static const struct {
	unsigned files;
	size_t bytes;
} sizes[SIZES] = {
	[SMALL] = { FILES_MOST, FILE_BYTES },
	[MIDDLE] = { FILES_MOST, SYNC_MIDDLE },
	[LARGE] = { 3, SYNC_LARGE },
};

struct writer {
	const char *dir;
	unsigned number;
	double write_s[SIZES][FILES_MOST], read_s[SIZES][FILES_MOST];
	bool failed;
	pthread_t thread;
};

/* Medians of all threads: a single file may wait for the journal. */
struct times {
	double write_s[SIZES], read_s[SIZES];
};

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
 * Writes one new file, and syncs it.  Then reads it again, and adds the seconds
 * to *read_s.
 */
static bool write_one(const char *path, size_t bytes, double *read_s)
{
	struct temporary file = TEMPORARY_INIT;
	struct error ignored = ERROR_INIT;
	unsigned char *zeros = calloc(1, bytes);
	const bool fine = zeros &&
	                  temporary_begin_named(&file, path, &ignored) == 0 &&
	                  write(file.fd, zeros, bytes) == (ssize_t)bytes &&
	                  fsync(file.fd) == 0;

	if (fine)
		*read_s += read_again(file.fd, zeros, bytes);
	temporary_end(&file);
	free(zeros);
	return fine;
}

/* Writes and reads all files of a size: two, as of a shard, and the folder. */
static bool write_some(struct writer *writer, enum size size, const char *path)
{
	const size_t bytes = sizes[size].bytes;

	for (unsigned i = 0; i < sizes[size].files; i++) {
		const uint64_t start = clock_now(&clock_monotonic);
		struct error ignored = ERROR_INIT;
		double read_s = 0;

		if (!write_one(path, bytes, &read_s) ||
		    !write_one(path, bytes, &read_s) ||
		    path_sync_dir(writer->dir, &ignored))
			return false;
		writer->read_s[size][i] = read_s / 2;
		writer->write_s[size][i] =
		    ((double)(clock_now(&clock_monotonic) - start) / 1e9 -
		        read_s) /
		    2;
	}
	return true;
}

static void *run_writer(void *arg)
{
	struct writer *writer = arg;
	struct error ignored = ERROR_INIT;
	struct buf path = BUF_INIT;

	writer->failed = buf_printf(&path, &ignored, "%s/presto-sync-%u",
	                     writer->dir, writer->number) != 0;
	for (int i = 0; !writer->failed && i < SIZES; i++)
		writer->failed =
		    !write_some(writer, (enum size)i, (const char *)path.data);
	buf_release(&path);
	return NULL;
}

static struct times find_medians(const struct writer *writers, unsigned threads)
{
	struct times times = { .write_s = { 0 } };

	for (unsigned s = 0; s < SIZES; s++) {
		double written[THREADS_MOST * FILES_MOST];
		double read[THREADS_MOST * FILES_MOST];
		unsigned count = 0;

		for (unsigned i = 0; i < threads * sizes[s].files; i++) {
			const struct writer *writer =
			    &writers[i / sizes[s].files];

			written[count] = writer->write_s[s][i % sizes[s].files];
			read[count++] = writer->read_s[s][i % sizes[s].files];
		}
		times.write_s[s] = median_of(written, count);
		times.read_s[s] = median_of(read, count);
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
		writers[i] = (struct writer){ .dir = dir, .number = i };
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

/* Seconds for each byte of all threads together. */
static double byte_seconds(const struct times *times, unsigned threads)
{
	return fmax(times->write_s[LARGE] - times->write_s[SMALL], 0) /
	       SYNC_LARGE / threads;
}

struct sync_cost sync_cost_measure(const char *dir, unsigned threads)
{
	struct sync_cost cost = { .file_s = common_s, .byte_s = common_byte_s };
	struct times alone, together;

	if (threads < 1)
		threads = 1;
	if (threads > THREADS_MOST)
		threads = THREADS_MOST;
	if (!dir || !measure(dir, 1, &alone))
		return cost;
	together = alone;
	if (threads > 1 && !measure(dir, threads, &together))
		return cost;
	cost.file_s = together.write_s[SMALL];
	cost.byte_s =
	    fmin(byte_seconds(&alone, 1), byte_seconds(&together, threads));
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
