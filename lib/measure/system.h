/*
 * system.h - describes the machine, and what this process has used of it.
 * Unknown values are empty or 0.
 */
#ifndef LIB_MEASURE_SYSTEM_H
#define LIB_MEASURE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/libraries.h"
#include "lib/measure/virtual.h"

struct machine {
	char cpu[96];               /* name of the model */
	bool cpu_unread;            /* an error prevented reading it */
	unsigned cores;             /* usable: affinity and cgroup quota */
	uint64_t memory_bytes;      /* memory of the machine */
	uint64_t memory_limit;      /* limit of the cgroup; 0: none */
	char virtual[VIRTUAL_TEXT]; /* "KVM"; "" on a physical machine */
	char kernel[96];            /* "Linux 6.1.0 x86_64" */
	char compiler[64];
	char libraries[LIBRARIES_TEXT]; /* "zstd 1.5.4, ..." */
};

void machine_read(struct machine *machine);
/* Returns the bytes that programs can have: the smaller of memory and limit. */
uint64_t machine_memory(const struct machine *machine);

/*
 * Prints "ext4 on /dev/vda" for the file system of `path`, "s3://BUCKET" for a
 * URL.
 */
void machine_filesystem(const char *path, char text[128]);

/*
 * Names this boot of this machine, by the kernel's random boot_id; "" where
 * the kernel has none.
 */
enum { MACHINE_BOOT = 40 };
void machine_boot(const char *root, char text[MACHINE_BOOT]);

/* Resources that this process has used since it began. */
struct usage {
	uint64_t user_ns; /* with programs of the user's steps (outside.h) */
	uint64_t system_ns;
	int64_t storage_bytes_read; /* /proc/self/io; -1: unknown */
	uint64_t peak_rss_bytes;    /* peak since usage_reset_peak */
};

void usage_read(struct usage *usage);
/* Returns the bytes of this process that are in RAM now; 0: unknown. */
uint64_t usage_resident(void);
/* Returns the resident bytes that are not pages of files; 0: unknown. */
uint64_t usage_anonymous(void);
/* Returns the number of threads of this process; 0: unknown. */
unsigned usage_threads(void);
/* Resets the peak, if the kernel allows it (clear_refs). */
void usage_reset_peak(void);

#endif
