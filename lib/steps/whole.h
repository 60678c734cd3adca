/*
 * whole.h - helpers for steps on whole samples (struct sample_ops) that work on
 * one field and pass the others on.
 */
#ifndef LIB_STEPS_WHOLE_H
#define LIB_STEPS_WHOLE_H

#include "lib/sample/sample.h"
#include "lib/steps/step.h"

/* Returns the index of the only bit of `fields`; ERROR_USAGE for several. */
int whole_field(unsigned fields, unsigned *field, struct error *err);
/* Makes fields of `out` views of those in `in`, except fields in `made`. */
void whole_pass(const struct sample *in, struct sample *out, unsigned made);
/* A `begin` for steps that make one sample of one. */
int whole_begin(void *priv, struct random *random, const struct sample *in,
    uint64_t *count, struct error *err);
/* A `make` for steps that drop samples and change none. */
int whole_make_same(void *priv, struct random *random, const struct sample *in,
    uint64_t i, struct sample *out, struct error *err);

#endif
