/*
 * same_work.h - is the work that is asked for the one that a folder was made
 * by? Everything but the files of the dataset must be the same.
 */
#ifndef STRATEGIES_UPDATE_SAME_WORK_H
#define STRATEGIES_UPDATE_SAME_WORK_H

struct description;
struct error;
struct prepare_plan;

/* ERROR_USAGE names a key of the pipeline file that differs, if one does. */
int same_work_check(const struct prepare_plan *plan,
    const struct description *then, struct error *err);

#endif
