/*
 * time_mask.c - masks random spans of time.
 * in:  floats, frames x bins
 * out: the same, with up to `max` neighbouring frames masked, `count` times
 */
#include "lib/audio/mask.h"
#include "lib/steps/step.h"

enum { AXIS = 0 };

static int time_mask_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	return mask_run(priv, AXIS, random, in, out, err);
}

const struct step_ops step_time_mask = {
	.name = "time_mask",
	.summary = "mask random spans of time",
	.in = "floats, frames x bins",
	.out = "the same",
	.random = true,
	.any_alignment = true,
	.options = mask_options,
	.options_size = sizeof(struct mask_options),
	.defaults = &mask_defaults,
	.check = mask_check,
	.priv_size = sizeof(struct mask),
	.bind = mask_bind,
	.run = time_mask_run,
};
