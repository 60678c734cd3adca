/*
 * accelerators.h - what a set of unlike accelerators asks of the data: how the
 * global batch is divided over them (virtual_nodes.h), how long a step takes,
 * how many samples per second each host must be fed with, and which devices are
 * better left out.
 *
 * They are described in a file:
 *	[job]
 *	batch = 8192
 *	allreduce = 1.061s
 *
 *	[V100]
 *	count = 2
 *	host = a
 *	memory = 16GB
 *	throughput = 256:984, 1024:984
 * where throughput is that of one device, measured without data to wait for.
 */
#ifndef STRATEGIES_WHATIF_ACCELERATORS_H
#define STRATEGIES_WHATIF_ACCELERATORS_H

#include "strategies/whatif/virtual_nodes.h"

struct error;
struct ini;

enum {
	ACCELERATORS_WARNING = 200,
	ACCELERATORS_WARNINGS = 2 * NODES_TYPES,
	ACCELERATORS_WHY = 160,
};

/* Devices of a type that take no part, and what would be if one more did. */
struct left_out {
	unsigned type;    /* index into the job's */
	unsigned devices; /* so many are left out */
	double step_s;    /* NAN: no division has them */
	char why[ACCELERATORS_WHY];
};

struct host_demand {
	char host[NODES_NAME];
	double samples_per_s;
};

struct accelerators {
	struct nodes_job job;
	struct division division;
	double samples_per_s; /* that all hosts need together */
	struct host_demand hosts[NODES_TYPES];
	unsigned host_count;
	unsigned most; /* index of the host that needs most */
	struct left_out left_out[NODES_TYPES];
	unsigned left_out_count;
	char warnings[ACCELERATORS_WARNINGS][ACCELERATORS_WARNING];
	unsigned warning_count;
};

/* Sets the job from a file: ERROR_USAGE says the line. */
int accelerators_read(
    struct accelerators *accelerators, const char *path, struct error *err);
int accelerators_parse(struct accelerators *accelerators, const struct ini *ini,
    struct error *err);

/* Those that take part. */
unsigned accelerators_devices(const struct accelerators *accelerators);

/* Divides the batch of the job, and sets all that follows. */
int accelerators_solve(struct accelerators *accelerators, struct error *err);

/* Numbers the hosts, "1" and so on, in place of their names. */
void accelerators_hide_hosts(struct accelerators *accelerators);

/*
 * What the hosts need with the division that is there; of
 * accelerators_solve.
 */
void accelerators_demand(struct accelerators *accelerators);

/*
 * Samples per second that the host takes that takes most.  A strategy that
 * delivers so much is sufficient: each host is taken to have a machine, and a
 * copy of the data, like the one that was measured.
 */
double accelerators_most(const struct accelerators *accelerators);

#endif
