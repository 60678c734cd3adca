/*
 * candidate.h - a trial that may be recommended: its figures, the figures of
 * the full dataset, and its place in a ranking.
 */
#ifndef STRATEGIES_FIGURES_CANDIDATE_H
#define STRATEGIES_FIGURES_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/figures/figures.h"

/* A preparation that needs more epochs than this does not pay in practice. */
enum { EPOCHS_IN_PRACTICE = 10000 };

/* The strategy with the full dataset. */
struct full_figures {
	double prep_s, storage_bytes;
	double epoch_samples; /* delivered in an epoch */
	/* samples/s: as measured, unless the cache would exceed the memory */
	double throughput;
	bool outgrows_memory;
};

/* The worth by the objective; more is better. */
struct worth {
	double value;
	double low, high; /* with the interval of the throughput */
	/* With the interval of the ratio to the fastest trial; or NAN. */
	double paired_low, paired_high;
	double score; /* NAN unless it may be recommended */
};

/* Numbers are NAN when they are not known. */
struct candidate {
	struct figures trial; /* low and high are the median where not known */
	struct full_figures full;
	/* Interval of the throughput, for finding ties. */
	double tie_low, tie_high;

	/* Conditions for a recommendation. */
	bool lossy;    /* the data is nearly that of unprocessed */
	bool able;     /* done, and not with other data */
	bool readable; /* by the reader that was asked for */
	bool assumed;  /* measured in the cache mode that is assumed */
	bool meets;    /* the constraints */

	struct worth worth;
	double break_even_epochs; /* against unprocessed; NAN: never */
	double total_s; /* preparation and all epochs; NAN: not asked */
	double cost;    /* for a month, see prices.h; NAN: not asked */
	double covers;  /* fraction of what accelerators take; NAN: not asked */
	bool sufficient; /* it covers all of that */

	unsigned rank; /* from 1, the same for all that are tied; 0: none */
	const char *unranked; /* why: "presto only"; "" when ranked */
	bool beaten;          /* clearly, by another that is ranked */
	bool tied;            /* with others: any of them may be the best */
	bool pareto; /* no rival is as good in all three, and better in one */
};

/*
 * Makes a candidate of the n-th of the figures.  `full_samples` of the source
 * are the full dataset; NAN: as recorded.
 */
struct candidate candidate_make(
    const struct figures_list *figures, size_t n, double full_samples);

/* Sets `covers` and `sufficient` by the demand; NAN: not asked. */
void candidate_set_demand(struct candidate *candidate, double samples_per_s);

/* May it be recommended, if it meets the constraints?  And does it? */
bool candidate_is_rival(const struct candidate *candidate);
bool candidate_is_ranked(const struct candidate *candidate);

bool candidate_is_unprocessed(const struct candidate *candidate);
bool candidate_is_cached(const struct candidate *candidate);
/* Does it wait for its storage rather than for the CPU? */
bool candidate_waits_for_storage(const struct candidate *candidate);

/* Bytes that its cache would keep of the full dataset; NAN: none, unknown. */
double candidate_full_kept_bytes(const struct candidate *candidate);

/* samples/s of the first epoch, in which a cache is filled. */
double candidate_first_epoch(
    const struct candidate *candidate, double throughput);

/* Seconds for preparation and epochs of the full dataset. */
double candidate_total_s(
    const struct candidate *candidate, double epochs, double throughput);

/* Epochs from which on its total is at most that of `base`; NAN: never. */
double candidate_break_even(
    const struct candidate *candidate, const struct candidate *base);

#endif
