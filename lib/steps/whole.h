/*
 * whole.h - what steps on whole samples share (struct sample_ops): the one
 * field that they work on, and the others, which stay as they are.
 */
#ifndef LIB_STEPS_WHOLE_H
#define LIB_STEPS_WHOLE_H

#include "lib/sample/sample.h"
#include "lib/steps/step.h"

/* The index of the only bit of `fields`; ERROR_USAGE when there are more. */
int whole_field(unsigned fields, unsigned *field, struct error *err);
/* Fields of `out` but those whose bit is in `made` become views of in's. */
void whole_pass(const struct sample *in, struct sample *out, unsigned made);
/* A `begin` of steps that make one of one. */
int whole_begin(void *priv, struct random *random, const struct sample *in,
    uint64_t *count, struct error *err);

#endif
