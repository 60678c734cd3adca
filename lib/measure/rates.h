/*
 * rates.h - activity of the whole machine in an interval: the columns of
 * `presto report --what system`.
 *
 * From /proc (stat, diskstats, net/dev, vmstat, meminfo, pressure). NAN means
 * unknown: the file is missing or has another form.
 *
 * Only whole disks that hold data themselves are counted: neither partitions
 * nor devices on top of others (dm, md, loop), so that no byte counts twice.
 * The same holds for networks: bridges, bonds, VLANs and tunnels are left out.
 */
#ifndef LIB_MEASURE_RATES_H
#define LIB_MEASURE_RATES_H

#include <stdint.h>

#include "lib/measure/core_times.h"

struct system_rates {
	uint64_t interval_ns; /* length of the interval */
	/* Percent of the time of all cores that this process may use. */
	double user_percent, system_percent, idle_percent;
	double wait_percent, stolen_percent;
	double disk_read, disk_write;       /* bytes/s, all disks */
	double network_read, network_write; /* bytes/s, without loopback */
	double memory_free, memory_cached, memory_used; /* bytes at the end */
	double major_faults, minor_faults;              /* per second */
	double context_switches, interrupts;
	/* Percent of the time in which a task waited for it (PSI). */
	double pressure_cpu, pressure_io, pressure_memory;
	double swapped; /* bytes/s, in and out; not stored */
};

/* Counters of the kernel, since the machine started. */
enum rates_count {
	RATES_DISK_READ, /* bytes */
	RATES_DISK_WRITE,
	RATES_NETWORK_READ,
	RATES_NETWORK_WRITE,
	RATES_FAULTS, /* all faults */
	RATES_MAJOR_FAULTS,
	RATES_SWAPPED_IN, /* pages */
	RATES_SWAPPED_OUT,
	RATES_SWITCHES,
	RATES_INTERRUPTS,
	RATES_PRESSURE_CPU, /* microseconds */
	RATES_PRESSURE_IO,
	RATES_PRESSURE_MEMORY,
	RATES_COUNTS
};

/* Counters at one moment. */
struct rates_mark {
	uint64_t at_ns; /* clock_monotonic */
	struct core_times cores;
	uint64_t counts[RATES_COUNTS]; /* UINT64_MAX: unknown */
	double memory_free, memory_cached, memory_used; /* NAN: unknown */
};

struct rates; /* the open files; used by one thread at a time */

/* `root` is put before /proc: "" except in tests. NULL: no memory. */
struct rates *rates_open(const char *root);
void rates_close(struct rates *rates); /* NULL is fine */
void rates_mark(struct rates *rates, struct rates_mark *mark);

/* Computes the rates between two moments. */
void rates_between(const struct rates_mark *mark, const struct rates_mark *now,
    struct system_rates *rates);
/* Joins two intervals into `rates`; `next` is the later one. */
void rates_join(struct system_rates *rates, const struct system_rates *next);

#endif
