/*
 * comparable.h - can the figures of two sessions be set side by side?  They can
 * when the machine, the data, the pipeline and the way it is loaded are the
 * same, so that only the program, or what it stands on, made a difference.
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
 * What differs, in words: "seed: 1 in BASE, 2 in NEW".  Each is a row in the
 * only column, "text", of a grid that is empty before: `differences` forbid a
 * comparison, `notes` are good to know.
 */
int comparable_check(const struct session_record *base,
    const struct session_record *new_one, struct grid *differences,
    struct grid *notes, struct error *err);

#endif
