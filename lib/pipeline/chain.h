/*
 * chain.h - a chain is the steps from one representation to another, bound for
 * one worker. A sample passes through all steps in turn, and the last one
 * writes to the caller's output. Neighbouring steps run as one where the bytes
 * stay the same (fuse.h).
 *
 *   chain_begin(chain, in)       then ask for the samples that it yields:
 *   chain_next(chain, out)       one; or several where a step makes several
 *   ...                          of one; or none
 *
 * Used by one thread; several chains may share the work of one sample. Nothing
 * is allocated once buffers have grown.
 */
#ifndef LIB_PIPELINE_CHAIN_H
#define LIB_PIPELINE_CHAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/stopwatch.h"
#include "lib/pipeline/pipeline.h"

struct chain;
struct codec;
struct pool;

/* Calls, bytes and time of each step in the traced pass. */
struct chain_trace {
	struct stopwatch *watch; /* borrowed; NULL: counts only */
	struct activity_cost
	    steps[PIPELINE_STEPS];  /* by index in the pipeline */
	struct activity_cost codec; /* the codec's transform */
	struct activity_cost copy;  /* fields that no step changed */
	uint64_t samples;           /* samples delivered */
	uint64_t again; /* samples run step by step after a failure */
};

struct chain_plan {
	const struct pipeline *pipeline; /* borrowed; bound */
	unsigned from, to; /* representations: steps from .. to-1 run */
	/*
	 * The input is representation `from` as `decode` transformed it, and is
	 * transformed back first. The output is representation `to` as `encode`
	 * transforms it. Compression is the store's part. NULL: none. Borrowed.
	 */
	const struct codec *decode, *encode;
	bool unfused; /* run every step by itself, on whole fields */
	/*
	 * The pool of the output's fields of unequal size. Whole-sample steps
	 * make their output in it, too, so that memory can be swapped in place
	 * of copying. NULL: each has its own memory. Borrowed; freed after the
	 * chain.
	 */
	struct pool *pool;
};

/* Fused steps, on one field. */
struct fused_steps {
	unsigned field;
	unsigned steps[PIPELINE_STEPS];
	unsigned count;
	bool crops;         /* a crop limits what the steps before it compute */
	bool is_fused_pair; /* a pair of whole-sample steps */
};

struct chain *chain_new(const struct chain_plan *plan, struct error *err);
void chain_free(struct chain *chain); /* NULL is fine */

/* Do all steps only pass fields on? */
bool chain_only_copies(const struct chain *chain);
/* Describes group `i` of fused steps; false behind the last. */
bool chain_get_fused(
    const struct chain *chain, unsigned i, struct fused_steps *group);

/*
 * Sets what random draws depend on, besides the sample's key.  Prepared samples
 * are dropped.
 */
void chain_set_draw(struct chain *chain, uint64_t seed, uint32_t epoch);
/*
 * Counts the steps' work in `trace`, and times the rounds that its watch
 * selects. NULL: counts nothing. The time of fused steps is divided: over rows
 * by the bytes that each step reads and writes, in a pair as the pair says.
 * Bytes in between are those that the steps would write by themselves; a pair
 * has none.
 */
void chain_set_trace(struct chain *chain, struct chain_trace *trace);

/*
 * Gets what steps need to run beside other chains, such as processes, so that
 * it does not take time later; and gives it back between epochs.  Prepared
 * samples are dropped then.
 */
int chain_hold(struct chain *chain, struct error *err);
void chain_rest(struct chain *chain);

/*
 * How many samples should be prepared together?  1: there is no need, since no
 * step costs less for several.  It may change after each sample.
 */
unsigned chain_several(const struct chain *chain);
/*
 * Runs the first steps of `count` samples at a time.  The next calls of
 * chain_begin must be for these samples, in this order; they fail where a step
 * has refused the sample.  The samples must not change until then.
 */
int chain_prepare(struct chain *chain, const struct sample *in, unsigned count,
    struct error *err);

/* Begins a sample; `in` must not change until its samples were made. */
int chain_begin(
    struct chain *chain, const struct sample *in, struct error *err);
/* Is another sample left? */
bool chain_more(struct chain *chain);
/*
 * Makes the next sample: 1, 0 when none is left, -1 when it failed: it is lost,
 * but the following ones can still be made. Sets fields, count, label and key
 * of `out`; the key is valid until the next call. Errors begin with the step.
 * After a failure the content of `out` is undefined.
 */
int chain_next(struct chain *chain, struct sample *out, struct error *err);

/* Returns how many samples filters dropped since it was called last. */
uint64_t chain_take_filtered(struct chain *chain);

/*
 * For a chain that only copies: fails where chain_run would.  If it does not,
 * the caller may copy the sample as it is.
 */
int chain_admit(
    const struct chain *chain, const struct sample *in, struct error *err);
/* Begins and makes a sample, in a chain where each sample yields one. */
int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err);

/*
 * Work on the samples that one sample yields, divided among chains of the same
 * plan: each takes the next number that is left. The chain that began the
 * sample offers it. Until the others are done, that chain must not begin
 * another sample, and `in` must not change.
 */
struct chain_split {
	const struct sample *in; /* input of the step that makes several */
	unsigned segment;        /* index of that step's segment in the chain */
	uint64_t count;
	atomic_uint_fast64_t next;
};

/*
 * Returns how many samples the first step that makes several yields for the
 * current sample; 1 without such a step.
 */
uint64_t chain_count(const struct chain *chain);
/* Offers the current sample to others; this chain joins in by `share`. */
void chain_offer(struct chain *chain, struct chain_split *share);
/* Like chain_begin, for a sample that another chain offers. */
int chain_join(
    struct chain *chain, struct chain_split *share, struct error *err);
/*
 * Makes only the numbers `from` to `end` - 1 of a sample that was begun or
 * joined, for callers that divide it themselves.  May be called again for
 * other numbers.
 */
void chain_set_range(struct chain *chain, uint64_t from, uint64_t end);

#endif
