/*
 * offload.h - would it pay to let other machines do a part of the online work,
 * and how many of them?  Rules of FastFlow (Um et al. 2023), which sets the
 * accelerator's rate against the local and the remote ones, and of cedar (Zhao
 * et al. 2024), which knows the work and the bytes of each step.
 *
 * A point is a place in the online part: workers elsewhere do what is before
 * it, and send the representation there over the network; the rest is done
 * here, as is every sample that is not sent away.  Of a sample's CPU time all_s
 * here, remote_s is before the point:
 *
 *	rho = (all_s - remote_s + bytes / receive) / all_s
 *
 * is what one that comes from elsewhere still costs here.  With K samples per
 * second as the capacity of the CPU here - what is delivered, or more where the
 * storage holds it back or cores were idle - and y sent,
 *
 *	x = y + min(alone, K - rho y)
 *	y <= min(workers * worker rate, bandwidth / bytes, K / rho)
 *
 * is reached; where rho is 1 or more, y is no more than there is capacity to
 * spare for.  `alone` is what is reached here without help: what is delivered,
 * or K where fewer threads ran than there are cores, since more threads cost
 * less than other machines.
 *
 * Limits: the work elsewhere is bound by the CPU; workers read the dataset as
 * fast as they need it, each at its own storage; nothing is lost on
 * the way.  Staying local is always a candidate and wins ties.  Rates are
 * samples per second, times seconds.
 */
#ifndef STRATEGIES_WHATIF_OFFLOAD_H
#define STRATEGIES_WHATIF_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/pipeline/pipeline.h"

struct error;
struct ini;
struct session_work;
struct trial_work;

enum {
	OFFLOAD_POINTS = PIPELINE_STEPS + 1, /* what is read, and each step */
	OFFLOAD_NAME = 64,
	OFFLOAD_REASON = 384,
	OFFLOAD_WORKERS = 100000,
};

/* ---- FastFlow ---- */

/* Workers elsewhere: at least one. */
double offload_workers(double accelerator, double local, double worker);

/*
 * The share of the samples that is best processed here; `remote` is the rate
 * of all workers, `decode` what a sample that comes from elsewhere costs here,
 * as a share of what it costs to process it.
 */
double offload_local_share(
    double accelerator, double local, double remote, double decode);

/* ---- cedar ---- */

/*
 * By Amdahl's law, turned round: how much faster a part became, which is
 * `fraction` of the work, when all became `speedup` times as fast.  INFINITY:
 * it takes no time any more.
 */
double offload_part_speedup(double fraction, double speedup);

/* ---- the decision ---- */

/* What there is elsewhere; NAN: not known. */
struct offload_site {
	double cores, speed; /* of a worker; a core's, 1: as one here */
	double rate;         /* of a worker, all of the work; or NAN */
	double count;        /* workers there are */
	double bandwidth;    /* bytes/s to here; INFINITY: no limit */
	double latency;      /* of the network */
	double receive;      /* bytes/s that a core here takes */
	double accelerator;  /* samples/s that are needed; NAN: not said */
};

/* Work before a point, of a sample, and what is sent there. */
struct offload_place {
	char name[OFFLOAD_NAME];
	double cpu_s, bytes;
};

struct offload_facts {
	double all_s;
	double samples_per_s; /* here, as measured */
	double alone;         /* here, with more threads: as much or more */
	double capacity;      /* here, by the CPU: as much or more again */
	struct offload_place places[OFFLOAD_POINTS]; /* in their order */
	unsigned count;
};

struct offload_point {
	const struct offload_place *place; /* of the facts */
	double fraction;                   /* of the work that is sent away */
	double worker_rate;                /* of one worker */
	double network_rate; /* that the network carries; INFINITY: no limit */
	double left;         /* rho */
	double most_sent;    /* of which something is gained */
	unsigned workers;    /* 0: none would help */
	double samples_per_s;
	double local_share; /* of the samples, processed here */
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

/* Both live as long. */
struct offload_plan {
	struct offload_facts facts;
	struct offload offload;
};

/* Sets the site from a file: [remote], [network], [accelerator]. */
int offload_read(
    struct offload_site *site, const char *path, struct error *err);
int offload_parse(
    struct offload_site *site, const struct ini *ini, struct error *err);

/*
 * Makes the facts of a trial from its work, and that of its steps in the
 * session.  CPU time is that of the timed runs, divided as the traced pass
 * says.  `first` names what is read, before all steps.  `alone` and `capacity`
 * are what was delivered.  False when the CPU time is not known.
 */
bool offload_facts_make(struct offload_facts *facts, const char *first,
    const struct trial_work *trial, const struct session_work *work);

/*
 * Raises them by the cores that were idle: `cores` are those here, less what
 * other programs took.  A trial that its storage held back has CPU time to
 * spare, but more threads do not help it; one with as many threads as cores had
 * what there is.
 */
void offload_use_idle(struct offload_facts *facts, double threads, double cores,
    double others_cores, bool waits_for_storage);

/*
 * Decides; `facts` outlive it.  The accelerator's rate of the site is known.
 */
void offload_make(struct offload *offload, const struct offload_facts *facts,
    const struct offload_site *site);

#endif
