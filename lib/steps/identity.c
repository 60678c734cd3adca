/*
 * identity.c - does nothing: the baseline of every comparison.
 * in:  anything
 * out: the same
 */
#include "lib/base/array.h"
#include "lib/steps/step.h"

static int identity_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	UNUSED(err);
	*out = *in;
	return 0;
}

const struct step_ops step_identity = {
	.name = "identity",
	.summary = "leave everything as it is",
	.in = "anything",
	.out = "the same",
	.kind = KIND_NOTHING,
	.any_alignment = true,
	.bind = identity_bind,
};
