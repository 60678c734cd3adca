/*
 * fuse.h - neighbouring steps on one field that run as one: only the part of
 * the image that a crop keeps is decoded, resized and so on (see
 * lib/image/window.h), and steps that change pixel by pixel run a few rows at
 * a time, which stay in the nearest cache in between.
 *
 * The bytes are those that the steps give one after the other.
 */
#ifndef LIB_PIPELINE_FUSE_H
#define LIB_PIPELINE_FUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/steps/step.h"

struct error;
struct stopwatch;
struct fuse; /* one group, of one worker */

/* A step of the chain, bound.  All is borrowed. */
struct fuse_step {
	const struct step_ops *ops;
	void *priv;
	unsigned step;               /* its number, for the draws */
	const struct type *in, *out; /* as bound */
	/* What each sample is checked against; NULL: nothing. */
	const struct type *promised;
};

/* What a step did, of one sample. */
struct fuse_part {
	uint64_t ns;    /* where a watch runs */
	uint64_t bytes; /* of what it made, or would have alone */
};

/* How a sample runs. */
struct fuse_draw {
	uint64_t seed, sample;
	uint32_t epoch;
	struct fuse_part *parts; /* gets what each step did; may be NULL */
	struct stopwatch *watch; /* runs; NULL: no clock is read */
};

/*
 * How many steps, from the first on, run as one; 0: the first goes alone.
 * `crops` is set when a crop makes the steps in front of it do less.
 */
unsigned fuse_length(
    const struct fuse_step *steps, unsigned count, bool *crops);

struct fuse *fuse_new(
    const struct fuse_step *steps, unsigned count, struct error *err);
void fuse_free(struct fuse *fuse); /* NULL is fine */

/*
 * As the steps one after the other.  On failure let them run so: they say
 * what is wrong in the words that are known.
 */
int fuse_run(struct fuse *fuse, const struct fuse_draw *draw,
    const struct tensor *in, struct tensor *out, struct error *err);

#endif
