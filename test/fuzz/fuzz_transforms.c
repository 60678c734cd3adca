/*
 * fuzz_transforms.c - any bytes as what a transform stored: an error in words,
 * or a tensor of the type that was promised, the same when it is decoded
 * again; and any tensor through a filter and back.
 *
 * The first byte chooses transform and type.  Files that claim more than
 * SIDE_MOST a side are left out: they cost time, and find nothing that smaller
 * ones do not.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/steps/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SIDE_MOST = 1024, TRANSFORMS = 4, TYPES = 4, IHDR_END = 24 };

static const struct type types[TYPES] = {
	{ .dtype = DTYPE_U8,
	    .layout = LAYOUT_HWC,
	    .shape = { 3, { -1, -1, 3 } } },
	{ .dtype = DTYPE_U8,
	    .layout = LAYOUT_HWC,
	    .shape = { 3, { -1, -1, 1 } } },
	{ .dtype = DTYPE_I16, .shape = { 1, { -1 } } },
	{ .dtype = DTYPE_U64, .shape = { 2, { -1, 2 } } },
};

static void require(int truth)
{
	if (!truth)
		abort();
}

struct coder {
	const struct step_ops *ops;
	void *priv;
};

static void coder_open(struct coder *coder, const struct step_ops *ops,
    const void *options, const struct type *in)
{
	struct error err = ERROR_INIT;
	struct type out;

	coder->ops = ops;
	coder->priv = calloc(1, ops->priv_size + 1);
	require(coder->priv != NULL);
	require(ops->bind(coder->priv, options, in, &out, &err) == 0);
}

static int run(struct coder *coder, const struct tensor *in, struct tensor *out,
    struct error *err)
{
	struct random random = { .left = 0 };

	*err = (struct error)ERROR_INIT;
	return coder->ops->run(coder->priv, &random, in, out, err);
}

/* Used for all inputs, as a worker's. */
struct pair {
	struct coder encode, decode;
	struct type stored;
};

/* NULL: the transform does not take the type. */
static struct pair *pair_of(const struct transform_ops *transform, size_t type)
{
	static struct pair pairs[TRANSFORMS][TYPES];
	static const struct codec codec = { .ops = &codec_none, .quality = 90 };
	size_t i = 0;
	struct pair *pair;
	struct error err;

	while (transform_at(i) != transform)
		i++;
	require(i < TRANSFORMS);
	pair = &pairs[i][type];
	if (transform->stored(&types[type], &pair->stored, &err))
		return NULL;
	if (pair->encode.ops)
		return pair;
	coder_open(&pair->encode, transform->encode, &codec, &types[type]);
	coder_open(&pair->decode, transform->decode,
	    transform->decode_options ? transform->decode_options(&types[type])
	                              : &codec,
	    &pair->stored);
	return pair;
}

static int is_large(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i + 9 <= len; i++)
		if (data[i] == 0xff && (data[i + 1] & 0xf0) == 0xc0 &&
		    (data[i + 5] * 256 + data[i + 6] > SIDE_MOST ||
		        data[i + 7] * 256 + data[i + 8] > SIDE_MOST))
			return 1;
	if (len < IHDR_END)
		return 0;
	return data[16] || data[17] || data[18] > 4 || data[20] || data[21] ||
	       data[22] > 4;
}

static void check_file(struct pair *pair, const uint8_t *data, size_t len)
{
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT, again = TENSOR_INIT;
	struct error err;

	if (is_large(data, len))
		return;
	tensor_view_encoded(&in, data, len, "");
	if (run(&pair->decode, &in, &out, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
	} else {
		require(run(&pair->decode, &in, &again, &err) == 0);
		require(shape_equal(&out.shape, &again.shape));
		require(memcmp(out.data, again.data, out.bytes) == 0);
	}
	tensor_release(&out);
	tensor_release(&again);
}

/* Both ways: what is packed can be unpacked, whatever it is. */
static void check_tensor(
    struct pair *pair, const struct type *type, const uint8_t *data, size_t len)
{
	const size_t row =
	    dtype_bytes(type->dtype) * (type->shape.count == 3 ? 5 * 3 : 2);
	struct tensor in = TENSOR_INIT, packed = TENSOR_INIT, out = TENSOR_INIT;
	struct shape shape = type->shape;
	struct error err;

	shape.dims[0] = (int64_t)(len / row);
	if (shape.count == 3)
		shape.dims[1] = shape.dims[2] == 1 ? 15 : 5;
	else if (shape.count == 1)
		shape.dims[0] *= 2;
	require(tensor_reshape(&in, type->dtype, &shape, &err) == 0);
	memcpy(in.data, data, in.bytes);
	require(run(&pair->encode, &in, &packed, &err) == 0);
	require(run(&pair->decode, &packed, &out, &err) == 0);
	require(out.bytes == in.bytes && shape_equal(&out.shape, &in.shape));
	require(memcmp(out.data, in.data, in.bytes) == 0);
	tensor_release(&in);
	tensor_release(&packed);
	tensor_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct transform_ops *transform;
	struct pair *pair;
	size_t type;

	if (len < 1)
		return 0;
	transform = transform_at(data[0] % TRANSFORMS);
	type = data[0] / TRANSFORMS % TYPES;
	pair = pair_of(transform, type);
	if (!pair)
		return 0;
	if (transform->is_filter)
		check_tensor(pair, &types[type], data + 1, len - 1);
	else
		check_file(pair, data + 1, len - 1);
	return 0;
}
