/*
 * virtual_nodes.h - how a global batch is divided over unlike accelerators, so
 * that a training step is shortest (VirtualFlow, Or, Zhang and Freedman 2022,
 * its solver for heterogeneous training).
 *
 * The batch is cut into virtual nodes; a device runs its own one after another
 * and then takes part in one all-reduce.  Of type i, n_i devices run v_i nodes
 * of b_i samples each:
 *	minimise  max_i v_i t_i(b_i) + allreduce,  sum_i n_i v_i b_i = batch
 * where t_i(b) is the time for a batch of b, from a profile.  All devices of a
 * type have the same share.  The division found is the best there is.
 *
 * Limits: b_i are the profiled sizes and their whole parts down to the smallest
 * profiled one, their times interpolated; nothing is extrapolated.  The
 * all-reduce takes as long over any devices of several hosts, and as long over
 * any of one; a single device needs none.  It is not hidden behind the
 * computing.  Times in seconds, sizes in samples.
 */
#ifndef STRATEGIES_WHATIF_VIRTUAL_NODES_H
#define STRATEGIES_WHATIF_VIRTUAL_NODES_H

#include <stdbool.h>

struct error;

enum {
	NODES_TYPES = 8,
	NODES_POINTS = 24,    /* of a profile */
	NODES_DEVICES = 4096, /* of a type */
	NODES_BATCH = 1 << 20,
	NODES_NAME = 64,
};

/* So many samples at a time are trained on at this rate, on one device. */
struct nodes_point {
	unsigned batch;
	double samples_per_s;
};

struct nodes_type {
	char type[NODES_NAME], host[NODES_NAME];
	unsigned count;                          /* devices that there are */
	double memory_bytes;                     /* of each; NAN: not known */
	struct nodes_point points[NODES_POINTS]; /* by rising batch */
	unsigned point_count;
};

struct nodes_job {
	unsigned batch;             /* global */
	unsigned max_virtual_nodes; /* of a device; 0: no limit */
	double allreduce_s;         /* of several hosts */
	double allreduce_host_s;    /* of devices on one host */
	double sample_bytes;        /* on the device; NAN: not known */
	double model_bytes;
	struct nodes_type types[NODES_TYPES];
	unsigned type_count;
};

/* Of a type; devices 0: it takes no part, and the rest is 0. */
struct nodes_share {
	unsigned devices;
	unsigned samples; /* of each */
	unsigned virtual_nodes, node_batch;
	double compute_s; /* of each, without the all-reduce */
};

struct division {
	struct nodes_share shares[NODES_TYPES]; /* in the order of the types */
	double allreduce_s, step_s;
};

/* What a type must take part with, at least and at most. */
struct nodes_bounds {
	unsigned least[NODES_TYPES], most[NODES_TYPES];
};

struct nodes_bounds nodes_unbound(const struct nodes_job *job);

/* Does the memory of a device hold so many samples? */
bool nodes_fit(
    const struct nodes_job *job, const struct nodes_type *type, unsigned batch);
/*
 * The next smaller whole part of a profiled size than `batch`, which is one,
 * or the size; 0: there is none, or it is less than what was profiled.
 */
unsigned nodes_next_part(
    const struct nodes_type *type, unsigned size, unsigned batch);

/* Time of a virtual node; NAN: not profiled, or more than the memory holds. */
double nodes_batch_s(
    const struct nodes_job *job, const struct nodes_type *type, unsigned batch);

/*
 * The best division within the bounds.  Of those that take as long, the one
 * with the fewest types, then devices.  ERROR_USAGE: none gives exactly the
 * batch, and the nearest ones that some give are named; ERROR_LIMIT: there are
 * too many to try them all.
 */
int nodes_divide(const struct nodes_job *job, const struct nodes_bounds *bounds,
    struct division *division, struct error *err);

/*
 * What a division takes: sets compute_s, virtual_nodes and node_batch of its
 * shares from their devices and samples, and the times of the whole.
 * ERROR_USAGE when a share cannot be made of profiled batches.
 */
int nodes_time(
    const struct nodes_job *job, struct division *division, struct error *err);

#endif
