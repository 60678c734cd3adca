/*
 * own_step.h - steps of a pipeline that run the user's code (lib/own/own.h):
 * their target and words, when their code is opened and closed, and how their
 * types are found.
 */
#ifndef LIB_PIPELINE_OWN_STEP_H
#define LIB_PIPELINE_OWN_STEP_H

#include "lib/pipeline/pipeline.h"

struct own;
struct presto_step;
struct reader;

/* Returns the common part of the options; NULL: a step of presto's. */
struct own *own_step(const struct pipeline_step *step);

/*
 * Makes `step` one of the steps that the program brought (api/presto.h), if
 * there is one of this name: 1; 0: there is none.
 */
int own_step_bring(struct pipeline_step *step, const struct presto_step *given,
    const char *name, struct error *err);
/* Takes the target, the first word of *rest. */
int own_step_begin(struct pipeline_step *step, const struct ini *ini,
    char **rest, struct error *err);
/* Keeps a word for the code: 1; 0: this kind passes none on. */
int own_step_add_word(struct pipeline_step *step, const char *name,
    const char *value, struct error *err);

/* Opens the code, unless it is open. */
int own_step_open(struct pipeline_step *step, struct error *err);
/*
 * Finds the types of step `number`'s output that are not declared, from samples
 * of `reader`.  NULL: that is an error.
 */
int own_step_find_types(struct pipeline *pipeline, unsigned number,
    const struct reader *reader, bool skips, struct error *err);
/* Fails if the step's output types for `in` are to be found from samples. */
int own_step_check_known(const struct pipeline_step *step,
    const struct schema *in, struct error *err);
void own_step_release(struct pipeline_step *step);

#endif
