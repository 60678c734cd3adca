/*
 * offload.h - would it pay to let other machines do a part of the online work,
 * and how many of them?  The rules are those of FastFlow (Um et al. 2023),
 * which compares the accelerator's rate with the local and the remote rate, and
 * of cedar (Zhao et al. 2024), which knows the work and the bytes of each step.
 *
 * A point is a place between online steps.  Remote workers run the steps before
 * it and send their result over the network.  This machine runs the steps
 * behind it, and all steps for samples that are not sent away.  A sample takes
 * all_s of CPU time here, remote_s of it before the point.  A sample that comes
 * from a worker still takes the fraction
 *
 * 	rho = (all_s - remote_s + bytes / receive) / all_s
 *
 * The CPU here can process K samples per second: the measured rate, or more
 * where the storage was the bottleneck or cores were idle.  With y samples per
 * second sent, the rate is
 *
 * 	x = y + min(alone, K - rho y)
 * 	y <= min(workers * worker rate, bandwidth / bytes, K / rho)
 *
 * If rho is 1 or more, y is limited to the spare capacity.  `alone` is the rate
 * here without help: as measured, or K where fewer threads ran than there are
 * cores, since more threads cost less than other machines.
 *
 * Limits: remote work is bound by the CPU; each worker reads the dataset from
 * its own storage as fast as it needs; nothing is lost on the way.  Staying
 * local is always possible and wins ties.  Rates are in samples/s, times in s.
 */
#ifndef STRATEGIES_WHATIF_OFFLOAD_H
#define STRATEGIES_WHATIF_OFFLOAD_H

#include <stdbool.h>

#include "strategies/whatif/offload_facts.h"

struct error;
struct ini;

enum {
	OFFLOAD_REASON = 384,
	OFFLOAD_WORKERS = 100000,
};

/* ---- FastFlow ---- */

/* The number of remote workers: at least one. */
double offload_workers(double accelerator, double local, double worker);

/*
 * The fraction of the samples that is best processed here.  `remote` is the
 * rate of all workers; `decode` is the cost here of a sample that comes from a
 * worker, as a fraction of the cost of a whole sample.
 */
double offload_local_fraction(
    double accelerator, double local, double remote, double decode);

/* ---- cedar ---- */

/*
 * Amdahl's law, solved for the part: a part is `fraction` of the work, and the
 * whole became `speedup` times as fast.  Returns how much faster the part
 * became; INFINITY: it takes no time any more.
 */
double offload_part_speedup(double fraction, double speedup);

/* ---- the decision ---- */

/* The remote workers and the network; NAN: not known. */
struct offload_site {
	double cores;       /* a worker's */
	double speed;       /* a core's; 1: as one here */
	double rate;        /* a worker's, for all of the work; or NAN */
	double count;       /* workers */
	double bandwidth;   /* bytes/s to here; INFINITY: no limit */
	double latency;     /* seconds */
	double receive;     /* bytes/s that a core here can receive */
	double accelerator; /* samples/s that it needs; NAN: not known */
};

struct offload_point {
	const struct offload_place *place; /* one of the facts' */
	double fraction;     /* CPU time before the point, of all */
	double worker_rate;  /* one worker's */
	double network_rate; /* the network's limit; INFINITY: none */
	double left;         /* rho */
	double most_sent;    /* sending more gains nothing */
	unsigned workers;    /* 0: none would help */
	double samples_per_s;
	double local_fraction; /* fraction of the samples that stay here */
	double part_speedup;
	bool is_enough; /* for the accelerators */
	bool is_candidate;
};

struct offload {
	double needed;
	double local; /* as measured */
	double alone; /* with more threads; local: they would not help */
	struct offload_point points[OFFLOAD_POINTS];
	unsigned count;
	const struct offload_point *best; /* NULL: stay local */
	double in_flight;                 /* samples, with the best */
	char reason[OFFLOAD_REASON];
};

/* The offload points into the facts. */
struct offload_plan {
	struct offload_facts facts;
	struct offload offload;
};

/* Sets the site from a file: [remote], [network], [accelerator]. */
int offload_read(
    struct offload_site *site, const char *path, struct error *err);
int offload_parse(
    struct offload_site *site, const struct ini *ini, struct error *err);

/* Decides.  `facts` outlive it; the site knows the accelerator's rate. */
void offload_make(struct offload *offload, const struct offload_facts *facts,
    const struct offload_site *site);

#endif
