/*
 * sync_time.h - measures how long a storage takes to make written data safe.
 * This is most of the time of writing many small files, whatever their content.
 */
#ifndef STRATEGIES_FORECAST_MODELS_SYNC_TIME_H
#define STRATEGIES_FORECAST_MODELS_SYNC_TIME_H

struct sync_cost {     /* seconds */
	double file_s; /* per small file, with the entry in its folder */
	double byte_s; /* per byte */
	/* Reading a byte of a file that is not in memory; 0: not known. */
	double read_byte_s;
	double read_file_s; /* the same of a small file ... */
	/* ... and of one of SYNC_MIDDLE bytes, which is read ahead of less. */
	double read_middle_s;
};

enum { SYNC_MIDDLE = 256 << 10 };

/*
 * Measures 4 small files, 2 of SYNC_MIDDLE bytes and one of 2 MiB in the
 * folder, which are removed at once.  The large one is dropped from the page
 * cache and read again: a rough idea of a storage that was not probed.  If
 * `dir` is NULL, or cannot be written to, it returns values that are usual for
 * an SSD: 1 ms, and 500 MB/s.
 */
struct sync_cost sync_cost_measure(const char *dir);

/* Seconds to read a file of so many bytes that is not in memory. */
double sync_cost_read_s(const struct sync_cost *cost, double bytes);

#endif
