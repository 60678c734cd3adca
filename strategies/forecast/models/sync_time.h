/*
 * sync_time.h - measures how long a storage takes to make written data safe,
 * and to read small files back.  This is most of the time of writing many small
 * files, whatever their content.
 */
#ifndef STRATEGIES_FORECAST_MODELS_SYNC_TIME_H
#define STRATEGIES_FORECAST_MODELS_SYNC_TIME_H

/* Seconds to read a file that is not in memory; all 0: not known. */
struct read_cost {
	double file_s;   /* a small file */
	double middle_s; /* one of SYNC_MIDDLE bytes, read ahead of less */
	double byte_s;   /* a byte of a large file */
};

struct sync_cost { /* seconds */
	/* Seconds of a thread, while the others write as well: */
	double file_s; /* per small file, with the entry in its folder */
	double byte_s; /* per byte of all threads together */
	/* Seconds of a thread that reads alone, or beside the others. */
	struct read_cost alone, together;
};

enum { SYNC_MIDDLE = 256 << 10, SYNC_LARGE = 2 << 20 };

/*
 * Measures 6 small files, 6 of SYNC_MIDDLE bytes and 4 of SYNC_LARGE in the
 * folder, which are removed at once: by one thread, and by so many threads at a
 * time (8 at most), each with files of its own.  Each is synced, named and
 * synced with its folder, as a shard is.  They are dropped from the page cache
 * and read again: a rough idea of a storage that was not probed.  Medians
 * count.  On a storage that takes long, fewer files count, and one thread.  If
 * `dir` is NULL, or cannot be written to, it returns values that are usual for
 * an SSD: 1 ms, and 500 MB/s.
 */
struct sync_cost sync_cost_measure(const char *dir, unsigned threads);

/* Seconds of a thread to read a file of so many bytes that is not in memory. */
double read_cost_s(const struct read_cost *cost, double bytes);

#endif
