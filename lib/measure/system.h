/*
 * system.h - the machine that a figure was measured on, and what this process
 * has used of it.  What cannot be found out here is empty or 0.
 */
#ifndef LIB_MEASURE_SYSTEM_H
#define LIB_MEASURE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/libraries.h"
#include "lib/measure/virtual.h"

struct machine {
	char cpu[96];               /* model name */
	bool cpu_unread;            /* it is not known for an error */
	unsigned cores;             /* usable: affinity and cgroup quota */
	uint64_t memory_bytes;      /* of the machine */
	uint64_t memory_limit;      /* of the cgroup; 0: none */
	char virtual[VIRTUAL_TEXT]; /* "KVM"; "" when it is none */
	char kernel[96];            /* "Linux 6.1.0 x86_64" */
	char compiler[64];
	char libraries[LIBRARIES_TEXT]; /* "zstd 1.5.4, ..." */
};

void machine_read(struct machine *machine);
/* Bytes that programs can have: the least of both. */
uint64_t machine_memory(const struct machine *machine);

/* "ext4 on /dev/vda" of the file system that `path` is on. */
void machine_filesystem(const char *path, char text[128]);

/* What this process has used since it began. */
struct usage {
	uint64_t user_ns;
	uint64_t system_ns;
	int64_t storage_bytes_read; /* /proc/self/io; -1 when not known */
	uint64_t peak_rss_bytes;    /* highest since usage_reset_peak */
};

void usage_read(struct usage *usage);
/* Memory of this process that is in RAM now, in bytes; 0: not known. */
uint64_t usage_resident(void);
/* The part of it that is no page of a file; 0: not known. */
uint64_t usage_anonymous(void);
/* Threads of this process; 0: not known. */
unsigned usage_threads(void);
/* Starts the peak anew where the kernel allows it (clear_refs). */
void usage_reset_peak(void);

#endif
