/*
 * compare.h - compares two sessions, BASE and NEW, trial by trial: which trials
 * became slower, by how much, and whether by more than chance and a threshold.
 *
 * Trials match if strategy, threads and cache do.  A run gives one value, its
 * throughput.  The ratio is the Hodges-Lehmann shift of the logarithms with its
 * 95 % interval, the test is that of Mann and Whitney (lib/stats/ranksum.h).
 * Hochberg's step-up procedure (Biometrika 75, 1988) adjusts p for the number
 * of trials: if nothing changed, at most 5 % of comparisons find a difference.
 *
 * The interval only covers what varies within a session.  The machine may also
 * change between sessions.  A change of its speed is divided out of the ratio,
 * and a change of the cores left by others widens the interval by as much
 * (machine_change.h).  The threshold covers the rest.  A trial is slower if its
 * whole interval is beyond the threshold, fine if none of it is, and unclear
 * otherwise.  A session that was cut short, or a trial that NEW lacks, is
 * unclear, too.
 *
 * The mean of all trials varies less (all_trials.h).  It is slower if it is
 * beyond the threshold and its interval beyond half of it: this finds a change
 * that slows every step a little.  It is also slower if its fastest runs are
 * (fastest_runs.h).  Nothing is slower if its fastest runs are not.
 *
 * Answers on generated pairs (test/unit/test_compare_pairs.c), 100 that are the
 * same and 100 slower by 8 %, with a neighbour that nothing else notices:
 *	all rules		1 false alarm, 4 missed
 *	no mean of all trials	1 false alarm, 29 missed
 *	no finding by fastest	1 false alarm, 19 missed
 *	no denying by fastest	20 false alarms, 3 missed
 */
#ifndef STRATEGIES_COMPARE_COMPARE_H
#define STRATEGIES_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/figures/figures.h"

struct error;
struct timed_runs;

/* Fewer runs of a trial are not tested. */
enum { COMPARE_RUNS_LEAST = 5, COMPARE_RUNS_ADVISED = 10 };

/* Level of all intervals; a difference is found if p is below the rest of 1. */
#define COMPARE_CONFIDENCE 0.95

/* The trials of one session; borrowed, they outlive the comparison. */
struct compare_session {
	const struct figures_list *trials;
	const struct timed_runs *runs;
	const char *state; /* "done", "interrupted", ... */
	unsigned cores;    /* usable; 0: not known */
	/* Times of the reference workload only compare if these are equal. */
	const char *cpu, *libraries;
};

enum compare_verdict {
	COMPARE_FINE,    /* not slower by more than the threshold */
	COMPARE_SLOWER,  /* slower by more */
	COMPARE_BROKEN,  /* it failed, or gave other data, in NEW only */
	COMPARE_UNCLEAR, /* too few runs, or too much noise, to tell */
	COMPARE_MISSING, /* measured in BASE; in NEW skipped, or not there */
	COMPARE_NONE,    /* not measured in BASE: nothing to compare */
};

/* A trial in one session; NAN: not known. */
struct compare_side {
	bool is_there; /* false: nothing is known */
	struct figures figures;
	size_t runs;                    /* the number with a throughput */
	double own_cores, others_cores; /* busy during a run; medians */
	double reference_ms;            /* reference workload; median */
};

struct compared {
	const char *strategy;
	unsigned threads;
	enum cache_mode cache;
	struct compare_side base, new_one;
	/* NEW over BASE; NAN unless both are known. */
	double ratio, ratio_low, ratio_high;
	double left_ratio;  /* cores that were left to the runs; 1: not known */
	double speed_ratio; /* the machine, divided out of `ratio`; 1 */
	/*
	 * The fastest runs alone; fastest_speed, the machine's at its fastest,
	 * is divided out of them.  NAN: too few runs.
	 */
	double fastest_ratio, fastest_low, fastest_high, fastest_speed;
	double p, p_adjusted;
	bool is_tested; /* enough runs in both */
	bool differs;   /* p_adjusted < 0.05, and 1 is not in the interval */
	double storage_ratio, prep_ratio, cpu_ratio;
	enum compare_verdict verdict;
};

/*
 * The geometric mean of all ratios.  Its interval and p are of the means over
 * the trials' n-th runs; NAN unless there are two trials, and all were tested.
 */
struct compare_mean {
	double ratio; /* NAN: there is none */
	double low, high;
	double p;
	/* The fastest runs alone; NAN: not known for all trials. */
	double fastest_ratio, fastest_low, fastest_high;
	bool is_slower;            /* by more than the threshold */
	bool is_slower_by_fastest; /* only the fastest runs are */
};

struct comparison {
	struct compared *list; /* owned; as in BASE, then only in NEW */
	size_t count;
	double threshold; /* 0.05: 5 % less throughput is allowed */
	const char *base_state, *new_state; /* "done", ... */
	bool may_lack; /* NEW may have fewer trials: the others decide */
	size_t verdicts[COMPARE_NONE + 1]; /* the number of each */
	size_t both;                       /* trials with a ratio */
	struct compare_mean mean;          /* over these */
};

#define COMPARISON_INIT      \
	{                    \
		.list = NULL \
	}

int comparison_make(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    double threshold, struct error *err);
void comparison_release(struct comparison *comparison);

bool compare_side_is_done(const struct compare_side *side);
/* "done", "failed", "skipped"; "": it is not there. */
const char *compare_side_state(const struct compare_side *side);

/* "faster", "slower", "~" (no difference), "?" (not tested), or "". */
const char *compared_word(const struct compared *compared);

/* It failed, was interrupted, or has not ended: trials may be missing. */
bool compare_is_cut(const char *state);

/*
 * The first of these that a trial is: COMPARE_BROKEN, COMPARE_SLOWER (or all
 * together are), COMPARE_UNCLEAR (or a session is cut), COMPARE_MISSING (unless
 * NEW may lack trials).  Else COMPARE_FINE; COMPARE_NONE: nothing to compare.
 */
enum compare_verdict comparison_verdict(const struct comparison *comparison);

/* All trials together are slower, but none of them by itself. */
bool comparison_is_slower_together(const struct comparison *comparison);

/*
 * Runs that each session needs so that one slower trial of `tests` can be
 * found: fewer runs cannot give so small a p.
 */
unsigned compare_runs_needed(size_t tests);

#endif
