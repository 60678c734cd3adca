/* probe_read.h - reads the files of a probe with threads of presto. */
#ifndef LIB_MEASURE_STORAGE_PROBE_READ_H
#define LIB_MEASURE_STORAGE_PROBE_READ_H

#include "lib/measure/storage/probe_files.h"

struct probe_pass {
	enum ceiling_pattern pattern;
	unsigned threads;
	bool warm;
	uint64_t read_bytes; /* bytes of a request to a large file */
	double limit_s;      /* the pass ends after this time */
};

struct probe_time {
	double wall_s;
	uint64_t bytes;
	uint64_t reads; /* requests to large files, or files */
	/* The same when a quarter of the bytes was read; 0: not known. */
	double early_s;
	uint64_t early_bytes;
};

/* Reads all files of a pattern once. */
int probe_read(const struct probe_plan *plan, const struct probe_files *files,
    const struct probe_pass *pass, struct probe_time *time, struct error *err);

#endif
