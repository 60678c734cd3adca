/*
 * fuzz_png.c - any bytes as a PNG file: an error in words, or an image of the
 * size and type that was promised, the same when libpng decodes it alone.
 * Then the same with checksums that are right, behind which few would come by
 * chance.  Whatever is read the fast way, libpng alone reads the same.
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
#include "lib/codecs/deflate/deflate.h"
#include "lib/image/png.h"
#include "lib/steps/image_decode.h"
#include "lib/steps/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SIDE_MOST = 1024, SIGNATURE = 8, SIDES = 16, FORMS = 7 };

static void require(int truth)
{
	if (!truth)
		abort();
}

static uint32_t number_at(const uint8_t *data)
{
	return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 |
	       (uint32_t)data[2] << 8 | data[3];
}

static int is_large(const uint8_t *data, size_t len)
{
	return len >= SIDES + 8 && (number_at(data + SIDES) > SIDE_MOST ||
	                               number_at(data + SIDES + 4) > SIDE_MOST);
}

/* Makes the checksum of each chunk right. */
static void mend(uint8_t *data, size_t len)
{
	size_t at = SIGNATURE;

	while (at + 12 <= len) {
		const size_t body = number_at(data + at);
		const struct span summed = { data + at + 4, body + 4 };
		uint32_t sum;

		if (body > len - at - 12)
			return;
		sum = deflate_crc32(0, summed);
		for (int i = 0; i < 4; i++)
			data[at + 8 + body + (size_t)i] =
			    (uint8_t)(sum >> (24 - 8 * i));
		at += body + 12;
	}
}

struct decoder {
	struct image_decode_options options;
	struct png_reader *reader;
	void *priv;
	struct type out;
};

static void decoder_init(struct decoder *decoder, unsigned form)
{
	static const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct error err = ERROR_INIT;

	/* The last form is the palette's numbers, which are only uint8. */
	decoder->options.mode = form < FORMS - 1 ? form % 3 : IMAGE_INDEX;
	decoder->options.dtype = form < FORMS - 1 ? form / 3 : 0;
	decoder->priv = calloc(1, step_png_decode.priv_size);
	require(decoder->priv != NULL);
	decoder->reader = png_reader_new(&err);
	require(decoder->reader != NULL);
	require(step_png_decode.bind(decoder->priv, &decoder->options, &file,
	            &decoder->out, &err) == 0);
}

static void decode(struct decoder *decoder, const uint8_t *data, size_t len)
{
	const struct png_form form = {
		.mode = (enum image_mode)decoder->options.mode,
		.dtype = decoder->options.dtype ? DTYPE_U16 : DTYPE_U8,
		.plain = true,
	};
	const struct span file = { data, len };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT, again = TENSOR_INIT;
	struct error err = ERROR_INIT;

	tensor_view_encoded(&in, data, len, "png");
	if (step_png_decode.run(decoder->priv, NULL, &in, &out, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
	} else {
		require(tensor_check(&out, &decoder->out, &err) == 0);
		require(png_reader_run(
		            decoder->reader, file, &form, &again, &err) == 0);
		require(shape_equal(&out.shape, &again.shape));
		require(memcmp(out.data, again.data, out.bytes) == 0);
	}
	tensor_release(&out);
	tensor_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct decoder decoders[FORMS]; /* as a worker's: for all */
	const unsigned form = len ? data[len - 1] % FORMS : 0;
	uint8_t *mended = malloc(len + 1);

	require(mended != NULL);
	if (!is_large(data, len)) {
		if (!decoders[form].priv)
			decoder_init(&decoders[form], form);
		decode(&decoders[form], data, len);
		memcpy(mended, data, len);
		mend(mended, len);
		decode(&decoders[form], mended, len);
	}
	free(mended);
	return 0;
}
