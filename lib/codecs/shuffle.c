/*
 * shuffle.c - splits numbers into byte planes: all first bytes, then all second
 * bytes. The bytes with sign and exponent are much alike in similar numbers.
 *  in:  numbers of 2, 4 or 8 bytes
 *  out: the same dtype and shape, with other contents
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/data_kind.h"
#include "lib/codecs/kernels/byte_planes.h"
#include "lib/codecs/transform.h"
#include "lib/sample/step_ops.h"

static int shuffle_stored(
    const struct type *type, struct type *stored, struct error *err)
{
	char text[SHAPE_TEXT];

	if (type->layout == LAYOUT_ENCODED || dtype_bytes(type->dtype) == 1)
		return error_set(err, ERROR_USAGE,
		    "shuffle is for numbers of 2 bytes or more, not %s",
		    type->layout == LAYOUT_ENCODED ? type_text(type, text)
		                                   : dtype_name(type->dtype));
	*stored = *type;
	return 0;
}

static int shuffle_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	UNUSED(err);
	*out = *in;
	return 0;
}

static int shuffle_encode(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const size_t bytes = dtype_bytes(in->dtype), count = in->bytes / bytes;

	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, in->dtype, &in->shape, err))
		return -1;
	byte_planes_split(in->data, count, bytes, out->data, count);
	return 0;
}

static int shuffle_decode(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const size_t bytes = dtype_bytes(in->dtype), count = in->bytes / bytes;

	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, in->dtype, &in->shape, err))
		return -1;
	byte_planes_join(in->data, count, out->data, count, bytes);
	return 0;
}

static const struct step_ops encode = {
	.name = "shuffle",
	.any_alignment = true,
	.bind = shuffle_bind,
	.run = shuffle_encode,
};

static const struct step_ops decode = {
	.name = "shuffle",
	.any_alignment = true,
	.bind = shuffle_bind,
	.run = shuffle_decode,
};

const struct transform_ops transform_shuffle = {
	.name = "shuffle",
	.summary = "filter: store all first bytes of numbers, then all second "
	           "bytes, and so on",
	.suits = "numbers of 2 bytes or more: continuous floats",
	.is_filter = true,
	.trial_kinds = DATA_FLOATS,
	.trial_behind = "zstd:1",
	.stored = shuffle_stored,
	.encode = &encode,
	.decode = &decode,
};
