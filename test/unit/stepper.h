/*
 * stepper.h - runs one step for tests: parsed from the words of a pipeline
 * file, bound, and run on tensors.
 */
#ifndef TEST_UNIT_STEPPER_H
#define TEST_UNIT_STEPPER_H

#include "lib/sample/sample.h"

struct error;
struct step_ops;

struct stepper {
	const struct step_ops *ops;
	char *text; /* the words; options point into it */
	void *options;
	void *priv;
	struct type out;      /* what bind promised */
	struct schema schema; /* the same of a step on whole samples */
};

/* "resize shorter=256": -1 and the step's message, or bound. */
int stepper_open(struct stepper *stepper, const char *words,
    const struct type *in, struct error *err);
/* Runs it with the draw of this seed; what bind promised is checked. */
int stepper_run(struct stepper *stepper, uint64_t seed, const struct tensor *in,
    struct tensor *out, struct error *err);
void stepper_close(struct stepper *stepper); /* also after a failed open */

/*
 * The same of a step on whole samples (struct sample_ops): it is to work on
 * the first field, or on the ones whose bits are set.  What bind promised is
 * in stepper->schema.
 */
int stepper_open_sample(struct stepper *stepper, const char *words,
    const struct schema *in, unsigned fields, struct error *err);
/* Begins the sample: how many come of it. */
int stepper_begin(struct stepper *stepper, uint64_t seed,
    const struct sample *in, uint64_t *count, struct error *err);
/* Makes number `i` of it; what bind promised is checked. */
int stepper_make(struct stepper *stepper, uint64_t seed,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err);

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
