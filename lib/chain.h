/*
 * chain.h - a part of the pipeline, from one representation to another, as one
 * worker runs it: a sample goes through all steps end to end, the last one
 * writing where the sample is wanted.
 *
 * Used by one thread.  Nothing is allocated once buffers have grown.
 */
#ifndef LIB_CHAIN_H
#define LIB_CHAIN_H

#include <stdint.h>

#include "lib/pipeline.h"

struct chain;

/* Thread CPU time of each step; of the traced pass only. */
struct chain_trace {
	uint64_t step_ns[PIPELINE_STEPS]; /* by index in the pipeline */
	uint64_t copy_ns;                 /* fields that no step touched */
	uint64_t samples;
};

/*
 * Steps from .. to-1, which make representation `to` of `from`.  The pipeline
 * is bound, and outlives the chain.
 */
struct chain *chain_new(const struct pipeline *pipeline, unsigned from,
    unsigned to, struct error *err);
void chain_free(struct chain *chain); /* NULL is fine */

/* The draws of the random steps depend on these and on the sample's key. */
void chain_set_draw(struct chain *chain, uint64_t seed, uint32_t epoch);
/* From now on times are added to `trace`; NULL: no clock is read. */
void chain_set_trace(struct chain *chain, struct chain_trace *trace);

/*
 * Makes `out` of `in`: fields, count and label; out->key is the caller's.
 * Errors begin with the step.  On failure `out` holds anything.
 */
int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err);

#endif
