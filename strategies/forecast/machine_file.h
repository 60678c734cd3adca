/*
 * machine_file.h - a machine that is not at hand, for presto predict: an INI
 * file that presto probe --export writes.
 *
 *	[machine]
 *	cpu = AMD EPYC          not read
 *	cores = 2
 *	speed = 1               of a core, relative to the one that was probed
 *	reference = 1.02ms      time of the reference workload there
 *	memory = 4GB
 *
 *	[storage]               0, or no such line: not limited
 *	bandwidth = 1200MB/s    of all threads together
 *	stream = 600MB/s        of one thread
 *	latency = 0us           of a request
 *	iops = 0                requests per second
 *	open = 80us             to open a file
 *	opens = 20000           files opened per second
 *	sync = 2ms              to make a small file safe
 *
 * presto predict runs the reference workload (lib/measure/reference.h) as well:
 * the cores are `speed` times its time here over its time there as fast as
 * these.
 */
#ifndef STRATEGIES_FORECAST_MACHINE_FILE_H
#define STRATEGIES_FORECAST_MACHINE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "strategies/forecast/models/epoch_time.h"

struct error;
struct machine;
struct model;
struct probe;

struct machine_file {
	uint64_t cores;
	double speed, reference_s; /* reference_s 0: not known */
	uint64_t memory;           /* bytes; 0: not known */
	struct storage_speed storage;
	double sync_s;    /* of a small file; 0: not known */
	bool has_storage; /* the file has the section */
};

/* Errors name the file and the line. */
int machine_file_read(
    struct machine_file *file, const char *path, struct error *err);

/* Describes this machine, and the storage of `dir`, which was probed. */
int machine_file_of(struct machine_file *file, const struct machine *machine,
    const struct probe *probe, const char *dir, struct error *err);
/* `cpu`, its name: "" leaves it out. */
void machine_file_print(
    const struct machine_file *file, const char *cpu, FILE *out);

/* Makes the model one of that machine; `file` is borrowed. */
int machine_file_apply(
    const struct machine_file *file, struct model *model, struct error *err);

#endif
