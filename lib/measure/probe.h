/*
 * probe.h - measures what a storage can do: large files from end to end, and
 * small ones, with some numbers of threads, from the page cache and not.
 *
 * It makes files in a folder of its own, "presto-probe-XXXXXX", and removes it,
 * however it ends.  Before each cold pass the files are written out and dropped
 * from the page cache, and it is looked whether they have gone.  What the disk,
 * a server or the host of a virtual machine keeps cannot be dropped, and names
 * and inodes stay cached.
 */
#ifndef LIB_MEASURE_PROBE_H
#define LIB_MEASURE_PROBE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/measure/ceiling.h"

struct error;
struct medium;

enum { PROBE_THREADS = 16, PROBE_MOST_THREADS = 256 };
enum { PROBE_ROWS = 2 * CEILING_PATTERNS * PROBE_THREADS };

/* What one thread asks for at a time, but where a file is smaller. */
enum { PROBE_READ = 1 << 20 };
/* What `presto probe` reads, if nothing else is said. */
enum { PROBE_LARGE_BYTES = 256000000, PROBE_FILES = 1280 };
/* Small files are as long as the paper's; requests are counted in these. */
enum { PROBE_FILE_BYTES = 200000, PROBE_REQUEST = 4096 };

struct probe_plan {
	const char *dir;
	struct medium *medium; /* reads go through it */
	uint64_t large_bytes;  /* of all large files together */
	uint64_t files;        /* small ones */
	uint64_t file_bytes;   /* of each */
	unsigned threads[PROBE_THREADS];
	unsigned thread_count;
	bool warm; /* each once more from the page cache */
	bool fio;  /* reads with fio */
	/*
	 * Seconds after which no more is written, and that a row may take:
	 * then there are fewer bytes, fewer files, fewer repetitions.
	 */
	double write_s, row_s;
	const atomic_bool *stop; /* NULL: nobody stops it */
	void (*progress)(void *arg, double done, double all, const char *what);
	void (*warn)(void *arg, const char *text);
	void *arg;
};

struct probe_row {
	struct ceiling ceiling;
	bool warm; /* read from the page cache on purpose */
};

struct probe {
	char device[CEILING_DEVICE];
	bool memory; /* the file system is in memory: nothing can be cold */
	bool blind;  /* its page cache cannot be looked at */
	struct probe_row rows[PROBE_ROWS];
	size_t count;
};

/*
 * Each figure is the median of up to three passes.  ERROR_LIMIT when there is
 * too little room, before anything is written.
 */
int probe_run(
    const struct probe_plan *plan, struct probe *probe, struct error *err);

/* The fio that is installed, "fio 3.33"; false: none. */
bool probe_find_fio(char tool[32]);

#endif
