/*
 * compare_parts.h - what a comparison knows of the machine: how many cores, and
 * how fast ones, the runs of a trial had.  Inside strategies only.
 */
#ifndef STRATEGIES_COMPARE_PARTS_H
#define STRATEGIES_COMPARE_PARTS_H

#include <stddef.h>

#include "strategies/compare.h"

struct error;

/*
 * How many cores were left to the runs in NEW, over that in BASE.  A trial has
 * no use for more than it ever took, and one to spare for its threads to meet.
 * 1 where it is not known.
 */
double compare_left_ratio(const struct compare_session *base,
    const struct compare_session *new_one, const struct compared *of);

/*
 * How fast the machine was in NEW, over BASE, to this trial: sets speed_ratio,
 * speed_doubt, and reference_ms of both sides.  Of all that the session did of
 * the reference from the trial's first run to its last, also between runs of
 * other trials; as far as its threads were busy, since what they wait for is
 * not the cores.
 */
int compare_set_speed(struct compared *to, const struct compare_session *base,
    size_t base_row, const struct compare_session *new_one, size_t new_row,
    struct error *err);

#endif
