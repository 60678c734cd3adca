/*
 * compare.h - compares two programs, BASE and NEW, trial by trial: which trials
 * became slower, by how much, and whether by more than chance and a threshold.
 *
 * Trials match if strategy, threads and cache do.  A run gives one value, its
 * throughput.  The model of its logarithm, for run r of trial t in session s of
 * side k, is a sum:
 *
 *	level(t)	the trial in BASE
 *	change(t)	in NEW only: what is asked for
 *	drift(s)	the machine in this session: the same for all trials,
 *			and much the same for the session before and behind it
 *	round(s, r)	a neighbour on the host in this round: the same for all
 *			trials, and either there or not
 *	layout(k, s, t)	where code and data came to lie: each build and trial
 *			has its own; of several builds each session has another
 *	noise(k, s, r, t)	of the run alone; its tails may be heavy
 *
 * There is one estimator.  Rounds that a neighbour slowed are lifted
 * (neighbour.h).  Sessions by turns, BASE, NEW, BASE, NEW, are pairs of
 * neighbours in time: the change is the mean of the differences of pairs, and
 * its doubt comes from their scatter alone (change.h).  So it holds what a
 * session has of drift and layout, and is not pooled over trials.
 *
 * A trial is slower if its change is beyond the threshold with 97.5 %, and
 * beyond no change with 99.75 %, for all trials together (Bonferroni), by each
 * plausible explanation of the neighbour.  The second counts where noise is
 * larger than the threshold.  All trials together are slower if their mean is.
 * A trial is fine if its interval is not beyond the threshold, by any
 * explanation, and unclear otherwise.  Where the fastest moments of both sides
 * were not alike, the explanations differ, and the trial is unclear.
 *
 * Sessions that are not by turns, as single ones, do not show how much drift
 * there is between them.  A trial is then slower only if it is so by 50 % more
 * than the threshold, and by what other programs took.  It is fine if no
 * slow-down is seen, and no change of the machine (apart.h).
 *
 * The layout of one build does not change from session to session and looks
 * like a change: measure several builds of the same source in turn.
 *
 * How often the answers are wrong: test/simulate/compare.c.
 */
#ifndef STRATEGIES_COMPARE_COMPARE_H
#define STRATEGIES_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strategies/figures/figures.h"

struct error;
struct timed_runs;

/* Fewer runs of a trial are not tested. */
enum { COMPARE_RUNS_LEAST = 5, COMPARE_RUNS_ADVISED = 10 };
/* Sessions of each side, by turns. */
enum { COMPARE_TURNS_ADVISED = 5 };

/* Level of all intervals; a difference is found if p is below the rest of 1. */
#define COMPARE_CONFIDENCE 0.95

/* One session of a side; borrowed. */
struct compare_turn {
	const struct figures_list *trials;
	const struct timed_runs *runs;
	const char *started; /* "2026-11-21T08:04:17Z" */
	/* Sessions of one database that began in one second are in order. */
	const char *database;
	int64_t session;
};

/* One side: its sessions; borrowed, they outlive the comparison. */
struct compare_session {
	const struct figures_list *trials; /* of all its sessions together */
	const struct timed_runs *runs;     /* likewise */
	const struct compare_turn *turns;  /* the sessions, oldest first */
	size_t turn_count;
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
	struct load_figures load; /* what else tells it apart; of BASE first */
	struct compare_side base, new_one;
	/* NEW over BASE; NAN unless both are known. */
	double ratio, ratio_low, ratio_high;
	/* What is known of the machine; the ratio is as it was measured. */
	double left_ratio;  /* cores that were left to the runs; 1: not known */
	double speed_ratio; /* by the reference workload; 1: not known */
	/* The smallest slow-down that would be found nine times out of ten. */
	double sees; /* 0.08: 8 %; NAN: not tested */
	double p, p_adjusted;
	bool is_tested; /* enough runs in both */
	bool differs;   /* p_adjusted < 0.05, and 1 is not in the interval */
	double storage_ratio, prep_ratio, cpu_ratio;
	enum compare_verdict verdict;
};

/*
 * The geometric mean of all ratios; except for `ratio`, NAN unless there are
 * two trials, and all were tested.
 */
struct compare_mean {
	double ratio; /* NAN: there is none */
	double low, high;
	double p;
	double sees;    /* as in struct compared, in all trials */
	bool is_slower; /* by more than the threshold */
};

struct comparison {
	struct compared *list; /* owned; as in BASE, then only in NEW */
	size_t count;
	double threshold; /* 0.05: 5 % less throughput is allowed */
	const char *base_state, *new_state; /* "done", ... */
	bool may_lack; /* NEW may have fewer trials: the others decide */
	size_t verdicts[COMPARE_NONE + 1]; /* the number of each */
	size_t both;                       /* trials with a ratio */
	size_t turns;  /* 0: the sessions are not by turns */
	bool is_alike; /* the machine's fastest moments are, in both */
	/* Not by turns: NEW is, as a whole, and the machine may be (apart.h).
	 */
	bool is_faster;
	struct compare_mean mean; /* over these */
};

#define COMPARISON_INIT      \
	{                    \
		.list = NULL \
	}

int comparison_make(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    double threshold, struct error *err);
void comparison_release(struct comparison *comparison);

/* Which session came first?  As strcmp; 0: not known. */
int compare_turn_order(
    const struct compare_turn *a, const struct compare_turn *b);

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
 * The smallest slow-down of any one trial that would be found nine times out of
 * ten: the largest `sees`.  NAN: not all were tested.
 */
double comparison_sees(const struct comparison *comparison);

#endif
