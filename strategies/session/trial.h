/*
 * trial.h - one strategy loaded in one way: its online part, run and timed.
 *
 *	trial_open	threads and buffers
 *	trial_check	an untimed, traced epoch: it checks the output
 *			(outputs.h), finds the CPU time of each step, and lets
 *			buffers grow; then epochs that only read, and that
 *			read and decode (partial_epochs.h).  Of a part of the
 *samples where that is enough and an epoch is long trial_run	one run; several
 *trials can be open, one runs at a time trial_rest	gives threads and
 *buffers back until the next run trial_close
 *
 * A run is, with
 *	cache none:    cold epochs: the data is dropped, and that is verified,
 *		in front of each;
 *	cache system:  the data is dropped, one cold epoch, then warm ones; one
 *		that still had to read from storage is only on the way there;
 *	cache application:  empty the cache, drop the data, one cold epoch that
 *		fills the cache and then delivers from it, then epochs that
 *		deliver from it.
 * It has as many epochs as the plan says, and more while they take less than
 * its shortest time, or the whole run less than TRIAL_WHOLE_RUN times that.
 * Buffers that were given back grow in an epoch that does not count.
 *
 * The application cache holds the representation after the last step in front
 * of the first random one (lib/loader/cache.h).  Each run fills it anew, from
 * the kernel's memory on: what filling costs is the first epoch's, as it is in
 * a training, and has as many measurements as runs.
 *
 * The clock runs from the first sample wanted to the last batch delivered;
 * threads and buffers exist before.
 */
#ifndef STRATEGIES_SESSION_TRIAL_H
#define STRATEGIES_SESSION_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "lib/db/results.h"
#include "lib/loader/loader.h"
#include "strategies/plan/loading.h"
#include "strategies/session/monitor.h"
#include "strategies/session/outputs.h"
#include "strategies/session/partial_epochs.h"

struct error;
struct medium;
struct plan;
struct reference;
struct batch_freelist;

struct trial_checks {      /* of the untimed epoch */
	bool want_outputs; /* hash its output */
	bool part_will_do; /* hash a part of it, where an epoch is long */
	/*
	 * A trial that was checked, loads in the same way, and has the same
	 * frames (frames.h).  This trial looks at checksums only, and takes
	 * over the other results of its check.  NULL: none.  Borrowed by
	 * trial_check.
	 */
	const struct trial *like;
	double epoch_s; /* predicted time of an epoch; 0: not known */
};

struct trial_host {          /* what all trials of a session share; borrowed */
	uint64_t began_ns;   /* the session, by CLOCK_MONOTONIC */
	uint64_t base_bytes; /* resident then, without any trial */
	struct reference *workload; /* runs between epochs; NULL: none */
	struct monitor *monitor;    /* NULL: none */
	struct batch_freelist
	    *freelist; /* batches of all open trials; or NULL */
};

struct trial_plan {
	struct loading loading;
	const struct reader *reader; /* gives representation loading.from */
	struct medium *medium;       /* of the reader */
	bool *drop_failed; /* the data stays in the page cache: residency.h */
	/*
	 * Bytes per second of its storage when it is cold, as measured by
	 * other trials and by this one; 0: not known.  NULL: not kept.
	 */
	double *cold_rate;
	uint64_t cache_budget; /* bytes, of CACHE_APPLICATION */
	bool skip_errors;
	struct skipped *skipped; /* gets the samples left out; or NULL */
	struct trial_checks check;
	struct trial_host host;
	struct monitor_target target; /* its label is borrowed */
	const atomic_bool *stop;
	/* After each epoch; may be NULL. */
	void (*progress)(void *arg);
	void *arg;
};

struct trial_result {
	struct run_row *runs; /* owned: epochs of all runs */
	size_t run_count, run_capacity;
	unsigned runs_made;
	struct loader_trace trace; /* of the steps from loading_from on */
	double traced_share;       /* of the samples that it is of */
	struct partial_epochs
	    partial;             /* but EXTENT_ALL, see partial_epochs_whole */
	struct outputs outputs;  /* owned, sorted; if wanted */
	uint64_t skipped;        /* in one epoch */
	uint64_t cache_bytes;    /* that the application cache kept */
	uint64_t peak_rss_bytes; /* with this trial alone */
};

struct trial;

/* The plan is copied, what it points to is not.  Close it with trial_close. */
struct trial *trial_open(const struct trial_plan *plan, struct error *err);
void trial_close(struct trial *trial); /* NULL is fine */

/*
 * All fail with ERROR_LIMIT, of CACHE_APPLICATION only, when the samples do
 * not fit into the budget.
 */
int trial_check(struct trial *trial, struct error *err);
int trial_run(struct trial *trial, struct error *err);
void trial_rest(struct trial *trial);
/* Memory that nobody uses goes back to the system. */
void trial_trim(void);

const struct trial_plan *trial_get_plan(const struct trial *trial);
/* The trial's; may be changed to take something over. */
struct trial_result *trial_get_result(struct trial *trial);

/* Samples per second of the last run: of the epochs that count. */
double trial_last_rate(const struct trial *trial);

/* How many epochs a run has at least. */
unsigned trial_epochs(const struct plan *plan, enum cache_mode cache);

/*
 * Of the plan's shortest time of the epochs that count: so long is a run with a
 * cache at least, with its first epoch.  Where that one is short more of the
 * others cost little, and it is some time until caches and threads settle.
 */
enum { TRIAL_WHOLE_RUN = 3 };

#endif
