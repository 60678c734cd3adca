/*
 * compare.h - two sessions, trial by trial: what became faster or slower, by
 * how much, and whether that is more than chance and more than is allowed.
 *
 * A trial is the same in both when strategy, threads and cache are.  Its
 * values are the throughputs of its runs, one a run.  The ratio is the
 * Hodges-Lehmann shift of their logarithms with its 95 % interval, the test is
 * that of Mann and Whitney (lib/stats/ranksum.h).  Many trials are tested at
 * once: p is adjusted by Hochberg's step-up procedure (Biometrika 75, 1988),
 * so that of comparisons in which nothing changed at most 5 % find anything,
 * however many trials they have.
 *
 * Runs of one session are alike in what changes only between sessions, so that
 * their interval is too narrow for two of them.  What is known of that is
 * taken into account.  Where the times of the reference
 * (lib/measure/reference.h) differ for sure, the machine was slower or faster,
 * and that is taken out of the ratio, as far as the trial's threads were busy;
 * half the interval of that, and a quarter of it since programs do not feel it
 * alike, make the interval of the ratio wider, as independent errors do.  Where
 * other programs, or the host, left fewer cores to the runs of one session (by
 * more than an idle system takes), its ratio may be due to that alone, which
 * widens it by all of that.  For what is not known there is the threshold: a
 * trial is slower beyond it only when all of its interval is, not slower when
 * none of it is, and anything else is no answer. Nor is a session that was cut
 * short, or a trial that NEW should have and has not.
 *
 * All trials together vary less from session to session than one, and have no
 * need of all that: they are slower beyond the threshold when the geometric
 * mean of their ratios is, and is slower by half of it for sure.  What slows
 * every step is found by that, where each trial alone leaves the answer open.
 *
 * A neighbour on the host makes runs slower, now and then by a fifth, and never
 * faster.  So all trials are slower beyond the threshold, too, when their
 * fastest runs are for sure; and nothing is that its fastest runs deny.
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

/* The trials of one session; all borrowed, and outlive the comparison. */
struct compare_session {
	const struct figures_list *trials;
	const struct timed_runs *runs;
	const char *state; /* of the session: "done", ... */
	unsigned cores;    /* usable; 0: not known */
	/* What did the reference: where it differs, that tells nothing. */
	const char *cpu, *libraries;
};

enum compare_verdict {
	COMPARE_FINE,    /* not slower by more than the threshold */
	COMPARE_SLOWER,  /* slower by more, for sure */
	COMPARE_BROKEN,  /* done, or of the right data, in BASE only */
	COMPARE_UNCLEAR, /* too few runs, or too much noise, to tell */
	COMPARE_MISSING, /* measured in BASE; in NEW skipped, or not there */
	COMPARE_NONE,    /* not measured in BASE: nothing to compare */
};

/* A trial in one session; NAN: not known. */
struct compare_side {
	bool is_there; /* false: nothing is known */
	struct figures figures;
	size_t runs;                    /* that have a throughput */
	double own_cores, others_cores; /* busy during a run; medians */
	double reference_ms;            /* of the reference workload; median */
};

struct compared {
	const char *strategy;
	unsigned threads;
	enum cache_mode cache;
	struct compare_side base, new_one;
	/* NEW over BASE; NAN unless both are known. */
	double ratio, ratio_low, ratio_high;
	double left_ratio;  /* of the cores that were left to the runs; 1 */
	double speed_ratio; /* of the machine, and taken out of `ratio`; 1 */
	double speed_doubt; /* of its logarithm: half an interval; 0 */
	/*
	 * Of the fastest runs alone (compare_parts.h), and of the machine's
	 * fastest moments, which is taken out of it; NAN: too few runs.
	 */
	double fastest_ratio, fastest_low, fastest_high, fastest_speed;
	double p, p_adjusted;
	bool is_tested; /* enough runs in both */
	bool differs; /* p_adjusted < 0.05, and the interval is not around 1 */
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
	/* Of the fastest runs alone; NAN: not known of all trials. */
	double fastest_ratio, fastest_low, fastest_high;
	bool is_slower;            /* by more than the threshold */
	bool is_slower_by_fastest; /* because of these */
};

struct comparison {
	struct compared *list; /* owned; as in BASE, then only in NEW */
	size_t count;
	double threshold; /* 0.05: 5 % less throughput is allowed */
	const char *base_state, *new_state; /* of the sessions */
	bool may_lack; /* NEW may be of fewer trials, and is judged by those */
	size_t verdicts[COMPARE_NONE + 1]; /* how many of each */
	size_t both;                       /* with a ratio */
	struct compare_mean mean;          /* of those */
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

/* It failed, was interrupted, or has not ended: what it lacks is not known. */
bool compare_is_cut(const char *state);

/*
 * COMPARE_BROKEN or COMPARE_SLOWER if a trial is, or COMPARE_SLOWER if all are
 * together, else COMPARE_UNCLEAR if one is, or a session is cut, else
 * COMPARE_MISSING if one is and NEW may not lack any, else COMPARE_FINE;
 * COMPARE_NONE when there was nothing to compare.
 */
enum compare_verdict comparison_verdict(const struct comparison *comparison);

/* All trials together are, and none of them by itself. */
bool comparison_is_slower_together(const struct comparison *comparison);

/*
 * Runs that each session needs for one trial of `tests` to be found slower
 * when none of the others is: fewer cannot give so small a p.
 */
unsigned compare_runs_needed(size_t tests);

#endif
