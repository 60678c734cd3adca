/*
 * ceiling.h - measured limits of a storage: the rows of `presto probe`, to
 * which the reading of a trial is compared.
 */
#ifndef LIB_MEASURE_CEILING_H
#define LIB_MEASURE_CEILING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * sequential: large files from end to end, one for each thread, in reads of 1
 * MiB. files: small files, each opened, read at once and closed.
 */
enum ceiling_pattern { CEILING_SEQUENTIAL, CEILING_FILES, CEILING_PATTERNS };
const char *ceiling_name(enum ceiling_pattern pattern);

/* Space for a device: "ext4 on /dev/vda", by machine_filesystem. */
enum { CEILING_DEVICE = 128 };

struct ceiling {
	enum ceiling_pattern pattern;
	unsigned threads;
	double bytes_per_s;      /* all threads together */
	double requests_per_s;   /* 4 KiB requests, or files opened and read */
	double latency_s;        /* mean, for a read of 1 MiB or a file */
	uint64_t files;          /* files that each thread read */
	uint64_t file_bytes;     /* size of each file */
	double resident_percent; /* before reading; < 0: unknown */
	bool cold;               /* not from this machine's page cache */
	bool brief;              /* it read less than `presto probe` does */
	char tool[32];           /* "fio 3.33", "presto" */
	char measured[32];       /* time in ISO 8601, UTC */
};

#endif
