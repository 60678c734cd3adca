/*
 * machine.h - what is known of the machine in two sessions: the cores that
 * other programs took, and the time of the reference workload.
 *
 * Nothing is divided out of a ratio.  The reference workload sees drift of the
 * processor, but not each neighbour; sessions by turns see both.
 */
#ifndef STRATEGIES_COMPARE_MACHINE_H
#define STRATEGIES_COMPARE_MACHINE_H

#include <stdint.h>

#include "strategies/compare/compare.h"

struct error;

/* Sets runs, cores and reference_ms of a side: medians over a trial's runs. */
int compare_machine_read(struct compare_side *side,
    const struct compare_session *session, int64_t trial, struct error *err);

/*
 * Sets speed_ratio, and left_ratio: cores that were left to the runs in NEW,
 * over those in BASE.  A trial can use as many as it ever took, and one more
 * for its threads to meet.
 */
void compare_machine_change(struct compared *to,
    const struct compare_session *base, const struct compare_session *new_one);

#endif
