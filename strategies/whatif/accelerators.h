/*
 * accelerators.h - the samples per second that a set of unlike accelerators
 * needs.  It divides the global batch over them (virtual_nodes.h), and says how
 * long a step takes, how much each host needs, and which devices are better
 * left out.
 *
 * The accelerators are described in a file:
 *	[job]
 *	batch = 8192
 *	allreduce = 1.061s
 *
 *	[V100]
 *	count = 2
 *	host = a
 *	memory = 16GB
 *	throughput = 256:984, 1024:984
 * The throughput is that of one device, measured while it did not wait for
 * data.
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

/* Devices of a type that take no part, and the step with one more of them. */
struct left_out {
	unsigned type;    /* index into the job's */
	unsigned devices; /* the number that is left out */
	double step_s;    /* with one more; NAN: no division exists */
	char why[ACCELERATORS_WHY];
};

struct host_demand {
	char host[NODES_NAME];
	double samples_per_s;
};

struct accelerators {
	struct nodes_job job;
	struct division division;
	double samples_per_s; /* needed by all hosts together */
	struct host_demand hosts[NODES_TYPES];
	unsigned host_count;
	unsigned most; /* index of the host with the highest demand */
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

/* The number of devices that take part. */
unsigned accelerators_devices(const struct accelerators *accelerators);

/* Divides the batch of the job, and sets all that follows. */
int accelerators_solve(struct accelerators *accelerators, struct error *err);

/* Replaces the names of hosts by numbers: "1" and so on. */
void accelerators_hide_hosts(struct accelerators *accelerators);

/* Sets the demand of each host from the division; accelerators_solve does. */
void accelerators_demand(struct accelerators *accelerators);

/*
 * Samples per second of the host with the highest demand.  A strategy that
 * delivers this is sufficient: each host is assumed to have a machine and a
 * copy of the data like the measured one.
 */
double accelerators_most(const struct accelerators *accelerators);

#endif
