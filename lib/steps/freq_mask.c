/*
 * freq_mask.c - masks random bands of frequencies.
 * in:  floats, frames x bins
 * out: the same, with up to `max` neighbouring bins masked, `count` times
 */
#include "lib/audio/mask.h"
#include "lib/steps/step.h"

enum { AXIS = 1 };

static int freq_mask_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	return mask_run(priv, AXIS, random, in, out, err);
}

const struct step_ops step_freq_mask = {
	.name = "freq_mask",
	.summary = "mask random bands of frequencies",
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
	.run = freq_mask_run,
};
