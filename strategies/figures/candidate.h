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

/* The runs by which a trial with the full dataset is judged. */
enum judged_by {
	JUDGED_BY_ITS_RUNS,     /* the data stays where it was measured */
	JUDGED_BY_COLD_TRIAL,   /* of the same strategy and threads */
	JUDGED_BY_FIRST_EPOCHS, /* its own, which began with cold data */
	JUDGED_BY_NOTHING       /* it was measured in memory only */
};

/*
 * The strategy with the full dataset.  Trials are ranked, tied, valued and
 * described by this throughput, and by no other.  Data that outgrows the memory
 * has left the cache before it is read again, so each epoch is a cold one; see
 * outgrow.h.
 */
struct full_figures {
	double prep_s, storage_bytes;
	double epoch_samples; /* delivered in an epoch */
	double requests;      /* of an epoch; NAN: not known */
	bool outgrows_memory;
	enum judged_by judged_by;
	double throughput; /* samples/s, the median of `runs` */
	double low, high;  /* its interval */
	bool is_assumed;   /* the interval is */
	double runs;
};

/* The worth by the objective, for an interval of the throughput. */
struct worth_range {
	double low, high;
	double grace; /* for the high end raised by 2 % */
};

/* More is better. */
struct worth {
	double value;
	struct worth_range own; /* with the interval of the throughput */
	/* With the interval of the ratio to the reference; or NAN. */
	struct worth_range paired;
	double score; /* NAN unless it may be recommended */
};

/* Numbers are NAN when they are not known. */
struct candidate {
	struct figures trial; /* low and high are the median where not known */
	struct full_figures full;

	/* Conditions for a recommendation. */
	bool lossy;    /* the data is nearly that of unprocessed */
	bool able;     /* done, not with other data, and not yours */
	bool readable; /* by the reader that was asked for */
	bool assumed;  /* measured in the cache mode that is assumed */
	bool fewer;    /* measured with fewer samples than others */
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
	double loss;  /* the most it may lose as the winner; NAN: nothing */
	bool as_good; /* tied, and its loss is small (order.h) */
	bool pareto;  /* no rival is as good in all three, and better in one */
};

/*
 * Makes a candidate of the n-th of the figures.  `full_samples` of the source
 * are the full dataset; NAN: as recorded.
 */
struct candidate candidate_make(
    const struct figures_list *figures, size_t n, double full_samples);

/*
 * Sets the throughput by which it is judged.  Without an interval, low or high
 * NAN or both the median, it is taken as +/- 2.5 %.
 */
void candidate_judge(struct candidate *candidate, enum judged_by by,
    const struct throughput *rate);

/*
 * Do its ratios hold?  They are those of the runs by which it was judged with
 * the full dataset as recorded, which may be another one now.
 */
bool candidate_ratios_hold(const struct candidate *candidate);

/* Sets `covers` and `sufficient` by the demand; NAN: not asked. */
void candidate_set_demand(struct candidate *candidate, double samples_per_s);

/* May it be recommended, if it meets the constraints?  And does it? */
bool candidate_is_rival(const struct candidate *candidate);
bool candidate_is_ranked(const struct candidate *candidate);

bool candidate_is_unprocessed(const struct candidate *candidate);
bool candidate_is_yours(const struct candidate *candidate);
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
