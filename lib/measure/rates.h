/*
 * rates.h - what the whole machine does, over a span of time: the columns of
 * `presto report --what system`.
 *
 * From /proc (stat, diskstats, net/dev, vmstat, meminfo, pressure).  NAN is
 * not known here.
 */
#ifndef LIB_MEASURE_RATES_H
#define LIB_MEASURE_RATES_H

#include <stdint.h>

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
};

#endif
