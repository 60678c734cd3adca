/*
 * candidate.h - a trial as a report has it, with what ranking says of it.
 */
#ifndef STRATEGIES_FIGURES_CANDIDATE_H
#define STRATEGIES_FIGURES_CANDIDATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct grid;

/* So many figures have no 95 % interval of the median: see v_throughput. */
enum { FEW_FIGURES = 5 };

/* What pays after more epochs than this does not pay. */
enum { EPOCHS_IN_PRACTICE = 10000 };

/* A number, or `instead` of one that is not known. */
static inline double number_or(double number, double instead)
{
	return isnan(number) ? instead : number;
}

/* A trial.  Numbers are NAN when not known, texts "" and the grid's. */
struct candidate {
	const char *strategy, *split, *store, *codec, *cache;
	const char *bottleneck, *bottleneck_evidence;
	const char *equivalent, *portable; /* words of the report */
	const char *emulated_storage;      /* "50 MB/s"; "" when it was none */
	double threads;
	double samples; /* delivered in an epoch */
	double runs;
	double figures;               /* runs that it is the median of */
	double throughput, low, high; /* samples/s; see v_throughput */
	double tie_low, tie_high;     /* of one figure, some way around it */
	double relative_low, relative_high; /* to the fastest, round by round */
	double first_epoch;                 /* samples/s */
	double resident_percent;
	double cache_bytes;           /* that an application cache kept */
	double prep_s, storage_bytes; /* of what was profiled */
	double full_prep_s, full_storage_bytes;
	double full_epoch_samples; /* delivered in an epoch of everything */
	/*
	 * samples/s of the full dataset: what was measured, unless the cache
	 * would have to keep more than the memory has.
	 */
	double full_throughput;
	bool outgrows_memory;
	double break_even_epochs; /* against unprocessed; NAN: never */
	bool lossy;               /* the data is not quite the same */
	bool able;                /* done, and not of other data */
	bool readable;            /* by the reader that was asked for */
	/* Of the cache mode that is assumed for the full dataset. */
	bool assumed;

	/* What the objective says. */
	double worth, worth_low, worth_high;
	double paired_low, paired_high; /* from relative_*; NAN as they are */
	double score;                   /* NAN unless able */
	/* From 1, which all that are tied share; 0: it is not ranked. */
	unsigned rank;
	const char *unranked; /* why: "presto only", say; "" when ranked */
	bool beaten;          /* clearly, by another that is ranked */
	bool tied;            /* with others: which is best is open */
	bool pareto;          /* none is better in all of three */
	bool meets;           /* the constraints */
	double total_s;       /* preparation and all epochs; NAN: not asked */
	double cost;          /* of a month, see prices.h; NAN: not asked */
	/* Of what accelerators take; NAN: not asked. */
	double covers;
	bool sufficient; /* covers all of it */
};

/*
 * Reads a row of a report (the columns of v_report; those that v_trial has
 * besides are used when they are there).  `full_samples` of the source are the
 * full dataset; NAN: as recorded.
 */
struct candidate candidate_read(
    const struct grid *report, size_t row, double full_samples);

/* Holds it against what accelerators take; NAN: not asked. */
void candidate_set_demand(struct candidate *candidate, double samples_per_s);

/* Is it the trial of this row: the same strategy, loaded in the same way? */
bool candidate_is_of(
    const struct candidate *candidate, const struct grid *view, size_t row);
/* Are both rows of the same trial, each of its session? */
bool candidate_rows_match(
    const struct grid *a, size_t row_a, const struct grid *b, size_t row_b);
/* The first row of `in` that is of the same trial as one of `of`; row_count. */
size_t candidate_same_row(
    const struct grid *in, const struct grid *of, size_t row);

/* May it be recommended, if it meets the constraints?  And does it? */
bool candidate_is_rival(const struct candidate *candidate);
bool candidate_is_ranked(const struct candidate *candidate);

bool candidate_is_unprocessed(const struct candidate *candidate);
bool candidate_is_cached(const struct candidate *candidate);

/* What its cache would keep of the full dataset; NAN: no cache, or unknown. */
double candidate_full_kept_bytes(const struct candidate *candidate);

/* samples/s of the epoch that fills a cache, where there is one. */
double candidate_first_epoch(
    const struct candidate *candidate, double throughput);

/* Seconds for preparation and epochs of the full dataset. */
double candidate_total_s(
    const struct candidate *candidate, double epochs, double throughput);

/*
 * From how many epochs on its total is no more than that of `base`; NAN:
 * never.
 */
double candidate_break_even(
    const struct candidate *candidate, const struct candidate *base);

#endif
