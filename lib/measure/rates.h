/*
 * rates.h - what the whole machine does, over a span of time: the columns of
 * `presto report --what system`.
 *
 * From /proc (stat, diskstats, net/dev, vmstat, meminfo, pressure).  NAN is
 * not known here: no such file, or other text in it.
 *
 * Disks are whole ones that hold data themselves: not partitions, and not what
 * stands on other disks (dm, md, loop), so that no byte counts twice.  Nor do
 * networks that go through another (bridges, bonds, VLANs, tunnels).
 */
#ifndef LIB_MEASURE_RATES_H
#define LIB_MEASURE_RATES_H

#include <stdint.h>

#include "lib/measure/core_times.h"

struct system_rates {
	uint64_t interval_ns; /* that the rates are over */
	/* Of all cores that this process may use, together 100. */
	double user_percent, system_percent, idle_percent;
	double wait_percent, stolen_percent;
	double disk_read, disk_write;       /* bytes/s, of all disks */
	double network_read, network_write; /* bytes/s, but loopback */
	double memory_free, memory_cached, memory_used; /* bytes, at its end */
	double major_faults, minor_faults;              /* per second */
	double context_switches, interrupts;
	/* Of the time, some task waited for it (PSI). */
	double pressure_cpu, pressure_io, pressure_memory;
	double swapped; /* bytes/s, in and out; not stored */
};

/* What the kernel counts, since the machine started. */
enum rates_count {
	RATES_DISK_READ, /* bytes */
	RATES_DISK_WRITE,
	RATES_NETWORK_READ,
	RATES_NETWORK_WRITE,
	RATES_FAULTS, /* all */
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

/* A moment. */
struct rates_mark {
	uint64_t at_ns; /* clock_monotonic */
	struct core_times cores;
	uint64_t counts[RATES_COUNTS]; /* UINT64_MAX: unknown */
	double memory_free, memory_cached, memory_used; /* NAN: unknown */
};

struct rates; /* the files, open; for one thread at a time */

/* `root` is put in front of /proc: "" but in tests.  NULL: no memory. */
struct rates *rates_open(const char *root);
void rates_close(struct rates *rates); /* NULL is fine */
void rates_mark(struct rates *rates, struct rates_mark *mark);

/* What went on between two moments. */
void rates_between(const struct rates_mark *mark, const struct rates_mark *now,
    struct system_rates *rates);
/* Makes `rates` those of both spans, `next` being the later. */
void rates_join(struct system_rates *rates, const struct system_rates *next);

#endif
