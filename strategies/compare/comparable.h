/*
 * comparable.h - can two sessions be compared?  They can if machine, data,
 * pipeline, code of the user's and loading are the same, so that only the
 * program or its libraries can make a difference.
 *
 * Names and places do not count: a pipeline file and its data may lie
 * elsewhere.  Nor do the strategies asked for, and the number of runs.
 */
#ifndef STRATEGIES_COMPARE_COMPARABLE_H
#define STRATEGIES_COMPARE_COMPARABLE_H

struct error;
struct grid;
struct session_record;

/*
 * Fills two empty grids with the column "text", a row for each difference:
 * "seed: 1 in BASE, 2 in NEW".  `notes` do not forbid a comparison.
 */
int comparable_check(const struct session_record *base,
    const struct session_record *new_one, struct grid *differences,
    struct grid *notes, struct error *err);

#endif
