/*
 * trial.h - one strategy loaded in one way: its online part, run and timed.
 *
 * First an untimed, traced epoch: it checks the output (verify.h), finds the
 * CPU time of each step, and lets buffers grow.  Then the runs:
 *	cache none:    drop the data, verify, one cold epoch;
 *	cache system:  drop the data, one cold epoch, then warm ones;
 *	cache application:  empty the cache, drop the data, one cold epoch that
 *		fills the cache and then delivers from it, then epochs that
 *		deliver from it.
 * The application cache holds the representation after the last step in front
 * of the first random one (lib/loader/cache.h).  Each run fills it anew, from
 * the kernel's memory on: what filling costs is the first epoch's, as it is in
 * a training, and has as many measurements as runs.
 *
 * The clock runs from the first sample wanted to the last batch delivered;
 * threads and buffers exist before.
 */
#ifndef STRATEGIES_TRIAL_H
#define STRATEGIES_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "lib/db/results.h"
#include "lib/loader/loader.h"
#include "strategies/verify.h"

struct error;
struct medium;
struct plan;

struct trial_plan {
	const struct plan *plan;
	const struct reader *reader; /* gives representation `from` */
	const struct pipeline *pipeline;
	unsigned from;
	unsigned threads;
	enum cache_mode cache;
	struct medium *medium; /* of the reader */
	bool skip_errors;
	uint64_t cache_budget; /* bytes, of CACHE_APPLICATION */
	bool want_outputs;     /* hash what the traced epoch delivers */
	const atomic_bool *stop;
	/* After each epoch; and for each sample skipped.  May be NULL. */
	void (*progress)(void *arg);
	void (*skipped)(void *arg, const char *why);
	void *arg;
};

struct trial_result {
	struct run_row *runs; /* owned */
	size_t run_count;
	struct loader_trace trace; /* of the steps from trial_from on */
	uint64_t traced_wall_ns;
	struct outputs outputs; /* owned, sorted; if wanted */
	uint64_t skipped;       /* in one epoch */
	uint64_t cache_bytes;   /* that the application cache kept */
};

#define TRIAL_RESULT_INIT    \
	{                    \
		.runs = NULL \
	}

/* The representation that epochs of the throughput begin with. */
unsigned trial_from(const struct trial_plan *plan);

/*
 * ERROR_LIMIT, of CACHE_APPLICATION only: the samples do not fit into the
 * budget.
 */
int trial_measure(const struct trial_plan *plan, struct trial_result *result,
    struct error *err);
void trial_result_release(struct trial_result *result);

/* How many epochs, the traced one too, a trial of this kind takes. */
unsigned trial_epochs(const struct plan *plan, enum cache_mode cache);

#endif
