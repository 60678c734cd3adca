/*
 * stepper.h - one step for tests: made of the words that a pipeline file has,
 * bound, and run on tensors.
 */
#ifndef TEST_UNIT_STEPPER_H
#define TEST_UNIT_STEPPER_H

#include "lib/sample/tensor.h"

struct error;
struct step_ops;

struct stepper {
	const struct step_ops *ops;
	char *text; /* the words; options point into it */
	void *options;
	void *priv;
	struct type out; /* what bind promised */
};

/* "resize shorter=256": -1 and the step's message, or bound. */
int stepper_open(struct stepper *stepper, const char *words,
    const struct type *in, struct error *err);
/* Runs it with the draw of this seed; what bind promised is checked. */
int stepper_run(struct stepper *stepper, uint64_t seed, const struct tensor *in,
    struct tensor *out, struct error *err);
void stepper_close(struct stepper *stepper); /* also after a failed open */

/* Open, run on one tensor, close; a failure fails the test. */
void stepper_once(const char *words, const struct type *type,
    const struct tensor *in, struct tensor *out);

/* The type of images HxWxC of this dtype; sides are not known. */
struct type stepper_image_type(enum dtype dtype, int64_t channels);
struct type stepper_planes_type(enum dtype dtype, int64_t channels); /* CHW */
/* `tensor` becomes an image full of noise, always the same. */
void stepper_noise(struct tensor *tensor, enum dtype dtype, int64_t height,
    int64_t width, int64_t channels);

#endif
