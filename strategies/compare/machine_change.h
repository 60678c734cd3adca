/*
 * machine_change.h - how much of a change between two sessions the machine
 * explains: its cores were slower, or other programs left fewer of them.
 *
 * Answers on generated pairs (test/unit/test_compare_pairs.c), of which
 * half are the same and half are 8 % slower in NEW:
 *	speed ignored		46 false alarms of 900, not 7; 84 missed, not 12
 *	threads taken as busy	15 false alarms of 100 that wait, not 0
 *	cores left ignored	23 false alarms of 50 where others take cores,
 *				not 0; but no slower one is found there
 */
#ifndef STRATEGIES_COMPARE_MACHINE_CHANGE_H
#define STRATEGIES_COMPARE_MACHINE_CHANGE_H

#include "strategies/compare/compare.h"

struct error;

/* A trial of both sessions. */
struct matched_trial {
	const struct compare_session *base, *new_one;
	int64_t base_trial, new_trial; /* its numbers in them */
};

/*
 * Cores that were left to the runs in NEW, over those in BASE; 1: not known.  A
 * trial can use as many as it ever took, and one more for its threads to meet.
 */
double compare_left_ratio(const struct compare_session *base,
    const struct compare_session *new_one, const struct compared *of);

/*
 * Sets speed_ratio and fastest_speed, the speed of the machine in NEW over that
 * in BASE, and reference_ms of both sides.  They come from all times of the
 * reference workload between the first and the last run of the trial, and count
 * as far as its threads were busy, since waiting does not depend on the cores.
 */
int compare_set_speed(
    struct compared *to, const struct matched_trial *trial, struct error *err);

#endif
