/*
 * ceiling.h - what a storage can do, as measured on one day: the rows of
 * `presto probe`, and what a trial's reading is held against.
 */
#ifndef LIB_MEASURE_CEILING_H
#define LIB_MEASURE_CEILING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * sequential: large files from end to end, one a thread, in reads of 1 MiB.
 * files: small ones, each opened, read at once and closed.
 */
enum ceiling_pattern { CEILING_SEQUENTIAL, CEILING_FILES, CEILING_PATTERNS };
const char *ceiling_name(enum ceiling_pattern pattern);

/* Names of devices: "ext4 on /dev/vda", as of machine_filesystem. */
enum { CEILING_DEVICE = 128 };

struct ceiling {
	enum ceiling_pattern pattern;
	unsigned threads;
	double bytes_per_s;      /* of all threads together */
	double requests_per_s;   /* of 4 KiB, or files opened and read */
	double latency_s;        /* mean, of a read of 1 MiB or of a file */
	uint64_t files;          /* that each thread read */
	uint64_t file_bytes;     /* of each */
	double resident_percent; /* just before; < 0: could not be seen */
	bool cold;               /* not from this machine's page cache */
	bool brief;              /* of less than `presto probe` reads */
	char tool[32];           /* "fio 3.33", "presto" */
	char measured[32];       /* when: ISO 8601, UTC */
};

#endif
