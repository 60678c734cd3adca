/*
 * field_steps.h - consecutive steps on single fields, as one worker runs them.
 * Between two steps a field lies in scratch memory; neighbouring steps are
 * fused where the bytes stay the same (fuse.h). They are the parts of a chain
 * between whole-sample steps.
 *
 * Used by one thread. Nothing is allocated once buffers have grown.
 */
#ifndef LIB_PIPELINE_FIELD_STEPS_H
#define LIB_PIPELINE_FIELD_STEPS_H

#include "lib/pipeline/chain.h"

struct field_steps;

/* How one sample runs. */
struct field_steps_how {
	uint64_t seed;
	uint64_t sample; /* id; needed only where a step draws */
	uint32_t epoch;
	bool borrows; /* unchanged fields become views of the input's */
	/*
	 * For each input field: the tensor that owns its memory, if nobody
	 * needs that any more. The output field swaps memory with it. NULL: the
	 * field is copied.
	 */
	struct tensor *reusable[FIELDS_MAX];
	struct chain_trace *trace; /* NULL: no clock is read */
};

/* Binds the steps from .. to-1, none of which is a whole-sample step. */
struct field_steps *field_steps_new(
    const struct chain_plan *plan, struct error *err);
void field_steps_free(struct field_steps *steps); /* NULL is fine */

/* Do all steps only pass fields on? */
bool field_steps_only_copy(const struct field_steps *steps);
/* Does a step draw? */
bool field_steps_are_random(const struct field_steps *steps);
/* Describes the i-th group of fused steps; false behind the last. */
bool field_steps_get_fused(
    const struct field_steps *steps, unsigned i, struct fused_steps *fused);

/* How many samples at a time would suit a step?  1: one; see chain.h. */
unsigned field_steps_several(const struct field_steps *steps);
/*
 * Runs that step, and the ones before it, for samples that the next calls of
 * field_steps_run are for, in this order.  A sample that has more than `most`
 * bytes, or that a step refuses, fails in its call.
 */
int field_steps_prepare(struct field_steps *steps,
    const struct field_steps_how *how, const struct sample *in, unsigned count,
    uint64_t most, struct error *err);
/* Is the next call of field_steps_run for such a sample? */
bool field_steps_are_prepared(const struct field_steps *steps);
void field_steps_forget(struct field_steps *steps); /* drops the rest */
/* See chain.h. */
int field_steps_hold(struct field_steps *steps, struct error *err);
void field_steps_rest(struct field_steps *steps);

/* ERROR_DATA if the sample is not of the schema that the steps are for. */
int field_steps_check(const struct field_steps *steps, const struct sample *in,
    struct error *err);
/* Makes fields, count and label of `out`; see chain_next. */
int field_steps_run(struct field_steps *steps,
    const struct field_steps_how *how, const struct sample *in,
    struct sample *out, struct error *err);

#endif
