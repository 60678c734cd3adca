/*
 * chain.h - a part of the pipeline, from one representation to another, as one
 * worker runs it: a sample goes through all steps end to end, the last one
 * writing where the sample is wanted.  Neighbouring steps run as one where the
 * bytes stay the same (fuse.h).
 *
 * Used by one thread.  Nothing is allocated once buffers have grown.
 */
#ifndef LIB_CHAIN_H
#define LIB_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/pipeline.h"

struct chain;
struct codec;

/* Thread CPU time of each step; of the traced pass only. */
struct chain_trace {
	uint64_t step_ns[PIPELINE_STEPS]; /* by index in the pipeline */
	uint64_t codec_ns;                /* of the codec's transform */
	uint64_t copy_ns;                 /* fields that no step touched */
	uint64_t samples;
	uint64_t again; /* of those: ran one by one after they failed as one */
};

struct chain_plan {
	const struct pipeline *pipeline; /* borrowed; bound */
	unsigned from, to; /* representations: the steps from .. to-1 run */
	/*
	 * The input is `from` as this codec transformed it, and is first made
	 * what it was; the output is `to` as this codec transforms it.  Not
	 * its compression: that is the store's.  NULL: nothing.  Borrowed.
	 */
	const struct codec *decode, *encode;
	bool unfused; /* each step makes all of its output, one by one */
};

/* Steps that run as one, on one field. */
struct chain_group {
	unsigned field;
	unsigned steps[PIPELINE_STEPS];
	unsigned count;
	bool crops; /* those in front make only what a crop keeps */
};

struct chain *chain_new(const struct chain_plan *plan, struct error *err);
void chain_free(struct chain *chain); /* NULL is fine */

/* Has no step anything to do? */
bool chain_only_copies(const struct chain *chain);
/* Group `i` of those that run as one; false behind the last. */
bool chain_get_group(
    const struct chain *chain, unsigned i, struct chain_group *group);

/* The draws of the random steps depend on these and on the sample's key. */
void chain_set_draw(struct chain *chain, uint64_t seed, uint32_t epoch);
/*
 * From now on times are added to `trace`; NULL: no clock is read.  Where steps
 * run as one over rows, their time is divided by the bytes that each reads and
 * writes.
 */
void chain_set_trace(struct chain *chain, struct chain_trace *trace);

/*
 * Makes `out` of `in`: fields, count and label; out->key is the caller's.
 * Errors begin with the step.  On failure `out` holds anything.
 */
int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err);

#endif
