/*
 * fuse.h - fused steps: neighbouring steps on one field that run as one. Only
 * the part of an image that a later crop keeps is decoded, resized and so on
 * (lib/image/window.h). Steps that change pixel by pixel run over a few rows at
 * a time, which stay in the first-level cache.
 *
 * The output has the same bytes as that of the steps one after the other.
 */
#ifndef LIB_PIPELINE_FUSE_H
#define LIB_PIPELINE_FUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/steps/step.h"

struct error;
struct stopwatch;
struct fuse; /* one group of fused steps of one worker */

/* A bound step of the chain. All is borrowed. */
struct fuse_step {
	const struct step_ops *ops;
	void *priv;
	unsigned given;              /* its stream of random draws */
	const struct type *in, *out; /* as bound */
	/* The type that each output must have; NULL: not checked. */
	const struct type *promised;
};

/* A step's work on one sample. */
struct fuse_part {
	uint64_t ns;    /* 0 without a watch */
	uint64_t bytes; /* bytes that it wrote, or would alone */
};

/* How a sample runs. */
struct fuse_draw {
	uint64_t seed, sample;
	uint32_t epoch;
	/* [steps]: gets the work of each step; may be NULL */
	struct fuse_part *parts;
	struct stopwatch *watch; /* running; NULL: no clock is read */
};

/*
 * Returns how many steps, from the first on, can be fused; 0: the first cannot.
 * Sets *crops when a crop saves work in the steps before it.
 */
unsigned fuse_length(
    const struct fuse_step *steps, unsigned count, bool *crops);

struct fuse *fuse_new(
    const struct fuse_step *steps, unsigned count, struct error *err);
void fuse_free(struct fuse *fuse); /* NULL is fine */

/* Runs the fused steps; if they fail, run them one by one for the error. */
int fuse_run(struct fuse *fuse, const struct fuse_draw *draw,
    const struct tensor *in, struct tensor *out, struct error *err);

#endif
