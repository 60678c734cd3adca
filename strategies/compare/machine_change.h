/*
 * machine_change.h - how much of a change between two sessions the machine
 * explains: its cores were slower, or other programs left fewer of them.
 *
 * False alarms on generated pairs of sessions in which the program is the same:
 *	the speed is ignored		45 of 1,600 (else 5)
 *	all threads count as busy	19 of 200 that wait for storage (else 0)
 *	cores of others are ignored	45 of 100 beside others (else 0)
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
