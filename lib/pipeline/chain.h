/*
 * chain.h - a part of the pipeline, from one representation to another, as one
 * worker runs it: a sample goes through all steps end to end, the last one
 * writing where the sample is wanted.  Neighbouring steps run as one where the
 * bytes stay the same (fuse.h).
 *
 *	chain_begin(chain, in)       what comes of it is then asked for:
 *	chain_next(chain, out)       one sample, or several where a step makes
 *	...                          several of one, or none
 *
 * Used by one thread; several may share what comes of one sample.  Nothing is
 * allocated once buffers have grown.
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

/* What each step does; of the traced pass only. */
struct chain_trace {
	struct stopwatch *watch;             /* borrowed; NULL: only counted */
	struct effort steps[PIPELINE_STEPS]; /* by index in the pipeline */
	struct effort codec;                 /* of the codec's transform */
	struct effort copy;                  /* fields that no step touched */
	uint64_t samples;                    /* that came out */
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
	/*
	 * That the outputs' fields of unequal size are of: what steps on whole
	 * samples make is, too, so that it can be exchanged for a copy.  NULL:
	 * each has its own memory.  Borrowed, freed after the chain.
	 */
	struct pool *pool;
};

/* Of a chain: so many tensors may have a piece of the pool. */
enum { CHAIN_TENSORS = PIPELINE_STEPS * FIELDS_MAX };

/* Steps that run as one, on one field. */
struct chain_group {
	unsigned field;
	unsigned steps[PIPELINE_STEPS];
	unsigned count;
	bool crops;   /* those in front make only what a crop keeps */
	bool is_pair; /* of steps on whole samples */
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
 * From now on what steps do is added to `trace`, and what they take in rounds
 * that its watch times; NULL: nothing is counted.  Where steps run as one,
 * their time is divided: over rows by the bytes that each reads and writes, of
 * a pair as it says.  What is in between is then what would be made of it;
 * between a pair nothing is.
 */
void chain_set_trace(struct chain *chain, struct chain_trace *trace);

/* `in`, its key too, stays as it is until all that comes of it was made. */
int chain_begin(
    struct chain *chain, const struct sample *in, struct error *err);
/* Is there another? */
bool chain_more(struct chain *chain);
/*
 * Makes the next: 1, or 0 when there is none left, or -1: then it is lost, and
 * those behind it can still be had.  Sets fields, count and label of `out`,
 * and its key, which is valid until the next call.  Errors begin with the
 * step.  On failure `out` holds anything.
 */
int chain_next(struct chain *chain, struct sample *out, struct error *err);

/* Of a chain in which each sample gives one: both in one call. */
int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err);

/*
 * What comes of one sample, divided among chains of the same plan: each takes
 * the next that nobody has.  The chain that began the sample offers it; it
 * must not begin another, nor `in` change, before the others are done.
 */
struct chain_share {
	const struct sample *in; /* of the step that makes several */
	unsigned stage;          /* of the chain: which step that is */
	uint64_t count;
	atomic_uint_fast64_t next;
};

/*
 * How many come of the sample that was begun: where a step makes several, of
 * the first such step; else 1.
 */
uint64_t chain_count(const struct chain *chain);
/* What the chain has begun, for others; it takes its own part through it. */
void chain_offer(struct chain *chain, struct chain_share *share);
/* As chain_begin, on what another chain offers. */
int chain_join(
    struct chain *chain, struct chain_share *share, struct error *err);

#endif
