/*
 * virtual_nodes.h - how a global batch is divided over unlike accelerators, so
 * that a training step is shortest (VirtualFlow, Or, Zhang and Freedman 2022,
 * its solver for heterogeneous training).
 *
 * The batch is cut into virtual nodes.  A device runs its nodes one after
 * another and then takes part in one all-reduce.  n_i devices of type i run v_i
 * nodes of b_i samples each:
 *	minimise  max_i v_i t_i(b_i) + allreduce,  sum_i n_i v_i b_i = batch
 * where t_i(b) is the profiled time for a batch of b.  All devices of a type
 * have the same share.  The result is an optimum, not an approximation.
 *
 * Limits: b_i is a profiled size, or a whole part of one that is not below the
 * smallest; times between are interpolated, and none is extrapolated.  The
 * all-reduce takes one time over devices of several hosts, another over those
 * of one host, and none for a single device.  It does not overlap with
 * computing.
 * Times are in seconds, sizes in samples.
 */
#ifndef STRATEGIES_WHATIF_VIRTUAL_NODES_H
#define STRATEGIES_WHATIF_VIRTUAL_NODES_H

#include <stdbool.h>

struct error;

enum {
	NODES_TYPES = 8,
	NODES_POINTS = 24,    /* in a profile */
	NODES_DEVICES = 4096, /* a type */
	NODES_BATCH = 1 << 20,
	NODES_NAME = 64,
};

/* The rate of one device for batches of this size. */
struct nodes_point {
	unsigned batch;
	double samples_per_s;
};

struct nodes_type {
	char type[NODES_NAME], host[NODES_NAME];
	unsigned count;                          /* devices */
	double memory_bytes;                     /* a device; NAN: not known */
	struct nodes_point points[NODES_POINTS]; /* by rising batch */
	unsigned point_count;
};

struct nodes_job {
	unsigned batch;             /* global */
	unsigned max_virtual_nodes; /* a device; 0: no limit */
	double allreduce_s;         /* over several hosts */
	double allreduce_host_s;    /* over devices on one host */
	double sample_bytes;        /* on the device; NAN: not known */
	double model_bytes;
	struct nodes_type types[NODES_TYPES];
	unsigned type_count;
};

/* A type's part of the batch; all 0: it takes no part. */
struct nodes_share {
	unsigned devices;
	unsigned samples; /* a device */
	unsigned virtual_nodes, node_batch;
	double compute_s; /* a device, without the all-reduce */
};

struct division {
	struct nodes_share shares[NODES_TYPES]; /* in the order of the types */
	double allreduce_s, step_s;
};

/* The least and the most devices of each type. */
struct nodes_bounds {
	unsigned least[NODES_TYPES], most[NODES_TYPES];
};

struct nodes_bounds nodes_unbound(const struct nodes_job *job);

/* Does the memory of a device hold so many samples? */
bool nodes_fit(
    const struct nodes_job *job, const struct nodes_type *type, unsigned batch);
/*
 * `batch` is a profiled size or a whole part of it.  Returns the next smaller
 * whole part; 0: there is none, or it is below the smallest profiled size.
 */
unsigned nodes_next_part(
    const struct nodes_type *type, unsigned size, unsigned batch);

/* Time of a virtual node; NAN: not profiled, or too large for the memory. */
double nodes_batch_s(
    const struct nodes_job *job, const struct nodes_type *type, unsigned batch);

/*
 * The best division within the bounds.  Among equally short ones it has the
 * fewest types, then the fewest devices.  ERROR_USAGE: no division gives
 * exactly this batch; the error names the nearest batches.  ERROR_LIMIT: there
 * are too many to try them all.
 */
int nodes_divide(const struct nodes_job *job, const struct nodes_bounds *bounds,
    struct division *division, struct error *err);

/*
 * Sets the times of a division, and compute_s, virtual_nodes and node_batch of
 * its shares, from their devices and samples.  ERROR_USAGE when a share cannot
 * be made of profiled batches.
 */
int nodes_time(
    const struct nodes_job *job, struct division *division, struct error *err);

#endif
