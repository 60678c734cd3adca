/*
 * probe.h - measures the limits of a storage: large files from end to end, and
 * small files, with several threads, with and without page cache.
 *
 * It makes files in a folder of its own, "presto-probe-XXXXXX", and removes it,
 * however it ends. Before each cold pass the files are synced and dropped from
 * the page cache, and presto checks that they are gone. Caches of the disk, a
 * server or the host of a virtual machine cannot be dropped; names and inodes
 * stay cached.
 */
#ifndef LIB_MEASURE_STORAGE_PROBE_H
#define LIB_MEASURE_STORAGE_PROBE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/measure/storage/ceiling.h"
#include "lib/measure/storage/layers.h"

struct error;
struct medium;

enum { PROBE_THREADS = 16, PROBE_MOST_THREADS = 256 };
enum { PROBE_PASSES = 5, PROBE_PASSES_MOST = 25 };
enum { PROBE_ROWS = 2 * CEILING_PATTERNS * PROBE_THREADS };

/*
 * Bytes that a thread reads at a time from a large file: these are tried in
 * turn, and then the fastest of them is repeated.
 */
enum { PROBE_READ = 1 << 20, PROBE_READ_SIZES = 3 };
extern const uint64_t probe_read_sizes[PROBE_READ_SIZES];
/* Defaults of `presto probe`. */
enum { PROBE_LARGE_BYTES = 256000000, PROBE_FILES = 1280 };
/* Small files are as large as the paper's; requests have 4 KiB. */
enum { PROBE_FILE_BYTES = 200000, PROBE_REQUEST = 4096 };

struct probe_plan {
	const char *dir;
	struct medium *medium; /* reads go through it */
	uint64_t large_bytes;  /* total of all large files */
	uint64_t files;        /* number of small files */
	uint64_t file_bytes;   /* size of each small file */
	unsigned threads[PROBE_THREADS];
	unsigned thread_count;
	bool warm; /* repeat each pass from the page cache */
	bool fio;  /* let fio read */
	/*
	 * Time limits for writing, and for one row.  When time is up there are
	 * fewer bytes, files or passes.
	 */
	double write_s, row_s;
	/*
	 * A row has enough passes once half of their interval is this fraction
	 * of the median; 0: after PROBE_PASSES_MOST.
	 */
	double precision;
	const atomic_bool *stop; /* NULL: runs to the end */
	void (*progress)(void *arg, double done, double all, const char *what);
	void (*warn)(void *arg, const char *text);
	void *arg;
};

/*
 * Signs of a cache behind the file system: a host's, a server's, a device's.
 * The files of a cold pass were dropped from the page cache of this machine.
 */
struct probe_cached {
	double repeat; /* later passes, times faster than the first of a row */
	/* First quarter of a pass, times faster than the rest; the median. */
	double early;
};
/*
 * From how many times on they are signs; below it is noise.  It judges the
 * rates within a cold epoch of a trial as well.
 */
extern const double probe_cached_least;

struct probe_row {
	struct ceiling ceiling;
	bool warm; /* read from the page cache on purpose */
};

struct probe {
	struct ceiling_place place;
	bool memory; /* the file system is in memory: never cold */
	bool blind;  /* its page cache cannot be inspected */
	struct probe_cached cached;
	/* The layer below that cannot be seen (layers.h); "": all are seen. */
	char unseen[LAYERS_TEXT];
	struct probe_row rows[PROBE_ROWS];
	size_t count;
};

/*
 * Measures all rows: at least PROBE_PASSES passes each, unless time is up.
 * ERROR_LIMIT when there is too little room, before anything is written.
 */
int probe_run(
    const struct probe_plan *plan, struct probe *probe, struct error *err);

#endif
