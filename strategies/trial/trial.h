/*
 * trial.h - loads one strategy in one way: its online part, run and timed.
 *
 *	trial_open	notes the plan
 *	trial_check	runs an untimed, traced epoch: it hashes the output
 *			(outputs.h), finds the CPU time of each step, and lets
 *			buffers grow.  Then it runs partial epochs
 *			(partial_epochs.h).  Long epochs are cut to a part of
 *			the samples where a part is enough.
 *	trial_run	makes one run; of several open trials one runs at a time
 *	trial_rest	gives back threads and buffers until the next run
 *	trial_close
 *
 * A run is, with
 *	cache none:    cold epochs.  In front of each the data is dropped from
 *		the page cache, and that is verified;
 *	cache system:  the data is dropped; then a cold epoch and warm ones.  A
 *		warm epoch that still read from storage is not counted;
 *	cache application:  the cache is emptied and the data dropped; then a
 *		cold epoch that fills the cache and delivers from it, and
 *		epochs that only deliver from it.
 * It has as many epochs as the plan says. It gets more while they take less
 * than the plan's shortest time, or the whole run less than TRIAL_WHOLE_RUN
 * times that. Buffers that were given back grow in an epoch that is not
 * counted.
 *
 * The user's own loader (user_loader.h) is measured in the same runs.  Its
 * check is one uncounted epoch; nothing is hashed or traced.
 *
 * The application cache (lib/loader/cache.h) holds loading.cached. Each run
 * fills it anew, from memory that the kernel gives it. So the first epoch
 * includes the time of filling, as in a training, and is measured once a run.
 * A partial cache has the samples of some streams. Those of the others are read
 * in each epoch, from storage: the data is dropped in front of each.
 *
 * The clock runs from the request for the first sample to the delivery of the
 * last batch; threads and buffers exist before.
 */
#ifndef STRATEGIES_TRIAL_TRIAL_H
#define STRATEGIES_TRIAL_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "lib/db/results.h"
#include "lib/loader/loader.h"
#include "lib/measure/storage/residency.h"
#include "lib/measure/trace_event.h"
#include "strategies/monitor/monitor.h"
#include "strategies/plan/loading.h"
#include "strategies/trial/outputs.h"
#include "strategies/trial/partial_epochs.h"
#include "strategies/trial/together.h"

struct error;
struct medium;
struct plan;
struct reference;
struct batch_freelist;

struct trial_checks { /* how trial_check works */
	bool whole;   /* all samples, also where an epoch is long */
	/*
	 * A trial that was checked, loads in the same way, and has the same
	 * frames (frames.h).  This trial takes over its partial epochs.  NULL:
	 * none.  Borrowed by trial_check.
	 */
	const struct trial *like;
	double epoch_s; /* predicted time of an epoch; 0: not known */
};

struct trial_host {          /* shared by all trials of a session; borrowed */
	uint64_t began_ns;   /* the session, by CLOCK_MONOTONIC */
	uint64_t base_bytes; /* resident memory then, without any trial */
	struct reference *workload; /* runs between epochs; NULL: none */
	struct monitor *monitor;    /* NULL: none */
	struct batch_freelist
	    *freelist; /* batches of all open trials; or NULL */
};

struct trial_plan {
	struct loading loading;
	/* The user's own loader in place of presto's; NULL: presto's. */
	const struct user_loader_plan *user_loader;
	const struct reader *reader; /* gives representation loading.from */
	struct medium *medium;       /* the reader's */
	/* set: the data stays in the page cache (residency.h) */
	bool *drop_failed;
	/*
	 * Bytes per second of its storage when cold, as trials measured it; 0:
	 * not known. NULL: it is not kept.
	 */
	double *cold_rate;
	uint64_t cache_budget; /* bytes; for CACHE_APPLICATION */
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
	struct run_row *runs; /* owned: the epochs of all runs */
	size_t run_count, run_capacity;
	unsigned runs_made;
	unsigned last_run;          /* its number: that of its round; 0: none */
	struct run_row checked;     /* the check of a user's loader */
	struct loader_trace trace;  /* for steps from loading_from on */
	double traced_fraction;     /* fraction of the samples traced */
	struct trace_events events; /* its first ones; the list is owned */
	struct partial_epochs
	    partial; /* without EXTENT_ALL: see partial_epochs_whole */
	struct outputs outputs;     /* the check finds them; sorted; owned */
	struct residency residency; /* the worst before its cold epochs */
	uint64_t skipped, filtered; /* in one epoch */
	uint64_t cache_bytes;       /* in the application cache */
	uint64_t cached_samples;    /* likewise */
	uint64_t peak_rss_bytes;    /* for this trial alone */
	struct together_log hosts;  /* of runs together; owned */
};

struct trial;

/* The plan is copied; what it points to is borrowed. */
struct trial *trial_open(const struct trial_plan *plan, struct error *err);
void trial_close(struct trial *trial); /* NULL is fine */

/* ERROR_LIMIT if the samples do not fit into the application cache. */
int trial_check(struct trial *trial, struct error *err);
int trial_run(struct trial *trial, struct error *err);
/*
 * A run that others make at the same moment (together.h).  All of them call
 * this, for trials of the same plan.
 */
int trial_run_together(
    struct trial *trial, const struct together *together, struct error *err);
/* Forgets the last run, but not what each host did in it. */
void trial_forget_run(struct trial *trial);
/* Gives the next run this number instead of the next one; it never falls. */
void trial_set_round(struct trial *trial, unsigned round);
void trial_rest(struct trial *trial);
/* Returns free memory to the system. */
void trial_trim(void);

const struct trial_plan *trial_get_plan(const struct trial *trial);
/* Returns the trial's own result; the caller may take its outputs. */
struct trial_result *trial_get_result(struct trial *trial);

/* Samples per second of the last run, in its counted epochs. */
double trial_last_rate(const struct trial *trial);

/* Returns the least number of epochs in a run. */
unsigned trial_epochs(const struct plan *plan, enum cache_mode cache);

/*
 * A run with a cache takes at least so many times the plan's shortest time,
 * with its first epoch. If the first epoch is short, more of the others cost
 * little, and caches and threads need time to settle.
 */
enum { TRIAL_WHOLE_RUN = 3 };

#endif
