/*
 * ceiling.h - the most that a storage was seen to give: by `presto probe`, and
 * by trials that read faster than it did.  The reading of a trial is compared
 * with it, and forecasts are bounded by it.
 */
#ifndef LIB_MEASURE_STORAGE_CEILING_H
#define LIB_MEASURE_STORAGE_CEILING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * sequential: large files from end to end, one for each thread, in reads of 1
 * MiB. files: small files, each opened, read at once and closed.
 */
enum ceiling_pattern { CEILING_SEQUENTIAL, CEILING_FILES, CEILING_PATTERNS };
const char *ceiling_name(enum ceiling_pattern pattern);

enum ceiling_origin { CEILING_OF_PROBE, CEILING_OF_TRIAL };

/* Space for a device: "ext4 on /dev/vda", by machine_filesystem. */
enum { CEILING_DEVICE = 128, CEILING_BOOT = 40 };

/*
 * A storage as one boot of one machine sees it: after another boot, and on
 * another node, the same name may be another disk.
 */
struct ceiling_place {
	char device[CEILING_DEVICE]; /* "": not known */
	char boot[CEILING_BOOT];     /* by machine_boot; "": not known */
};

struct ceiling {
	enum ceiling_pattern pattern;
	enum ceiling_origin origin;
	unsigned threads;
	/* Rates of all threads together, in the fastest pass. */
	double bytes_per_s;
	double requests_per_s; /* 4 KiB requests, or files opened and read */
	/* Bytes per second: median of the passes, and its interval. */
	double median_per_s, low_per_s, high_per_s;
	unsigned passes;         /* 0: not a probe; the three are not known */
	double latency_s;        /* mean, for 1 MiB or a file; 0: not known */
	uint64_t files;          /* files that each thread read */
	uint64_t file_bytes;     /* size of each file */
	double resident_percent; /* before reading; < 0: unknown */
	bool cold;               /* not from this machine's page cache */
	bool brief;              /* it read less than `presto probe` does */
	char tool[32];           /* "fio 3.33", "presto" */
	char measured[32];       /* time in ISO 8601, UTC */
};

#endif
