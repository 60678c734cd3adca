/*
 * fuzz_jpeg.c - any bytes as a JPEG file: an error in words, or an image of
 * the size and type that was promised, the same when it is decoded again.
 *
 * Files that claim more than SIDE_MOST a side are left out: they cost time,
 * and find nothing that smaller ones do not.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/steps/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SIDE_MOST = 1024, FRAME_LEN = 9 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* Any frame header in it, read or not, with such a side. */
static int is_large(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i + FRAME_LEN <= len; i++)
		if (data[i] == 0xff && (data[i + 1] & 0xf0) == 0xc0 &&
		    (data[i + 5] * 256 + data[i + 6] > SIDE_MOST ||
		        data[i + 7] * 256 + data[i + 8] > SIDE_MOST))
			return 1;
	return 0;
}

struct decoder {
	void *priv;
	struct type out;
};

static struct decoder decoder_new(void)
{
	static const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct decoder decoder = {
		.priv = calloc(1, step_jpeg_decode.priv_size),
	};
	struct error err = ERROR_INIT;

	require(decoder.priv != NULL);
	require(step_jpeg_decode.bind(decoder.priv, step_jpeg_decode.defaults,
	            &file, &decoder.out, &err) == 0);
	return decoder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct decoder decoder; /* used for all inputs, as a worker's */
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT, again = TENSOR_INIT;
	struct random random = { .left = 0 };
	struct error err = ERROR_INIT;

	if (is_large(data, len))
		return 0;
	if (!decoder.priv)
		decoder = decoder_new();
	tensor_view_encoded(&in, data, len, "jpg");
	if (step_jpeg_decode.run(decoder.priv, &random, &in, &out, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
	} else {
		require(tensor_check(&out, &decoder.out, &err) == 0);
		require(step_jpeg_decode.run(
		            decoder.priv, &random, &in, &again, &err) == 0);
		require(shape_equal(&out.shape, &again.shape));
		require(memcmp(out.data, again.data, out.bytes) == 0);
	}
	tensor_release(&out);
	tensor_release(&again);
	return 0;
}
