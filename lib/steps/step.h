/*
 * step.h - the table of all steps.
 *
 * A step is a `const struct step_ops` in a file of its own, which bears its
 * name, and a line in lib/steps/steps.def.
 */
#ifndef LIB_STEPS_STEP_H
#define LIB_STEPS_STEP_H

#include "lib/sample/step_ops.h"

#define STEP(name) extern const struct step_ops step_##name;
#include "lib/steps/steps.def"
#undef STEP

/* Does the output depend on a draw?  The options are already checked. */
bool step_draws(const struct step_ops *ops, const void *options);

/* Returns NULL for an unknown name. */
const struct step_ops *step_find(const char *name);
/* Returns the steps in the order of the table; NULL after the last. */
const struct step_ops *step_at(size_t i);

/* A step that the program brought is a step_library with this as `own`. */
extern const struct own_ops library_own_given;

#endif
