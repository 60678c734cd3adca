/*
 * hflip.c - mirrors an image left to right, at random.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cpu.h"
#include "lib/image/chance.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"

struct hflip {
	double chance;
	enum layout layout;
	bool flips;   /* is the current sample flipped? */
	size_t width; /* its width */
};

static int hflip_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct hflip *hflip = priv;

	if (image_check(in, err))
		return -1;
	hflip->chance = ((const struct chance_options *)given)->chance;
	hflip->layout = in->layout;
	*out = *in;
	return 0;
}

/* `bytes` is a constant where it matters, so that memcpy becomes a move. */
CPU_BODY void flip_pixels(const unsigned char *restrict in,
    unsigned char *restrict out, size_t width, size_t bytes)
{
	for (size_t x = 0; x < width; x++)
		memcpy(out + x * bytes, in + (width - 1 - x) * bytes, bytes);
}

/*
 * Five pixels of three bytes at a time, by one shuffle.  The load begins one
 * byte early and the store ends one byte late, both within the row; the next
 * five pixels overwrite that byte.
 */
CPU_AVX2 static void flip_rgb_avx2(
    const unsigned char *restrict in, unsigned char *restrict out, size_t width)
{
	typedef unsigned char bytes16 __attribute__((vector_size(16)));
	size_t x = 0;

	for (; x + 6 <= width; x += 5) {
		bytes16 pixels;

		memcpy(&pixels, in + (width - x - 5) * 3 - 1, sizeof(pixels));
		pixels = __builtin_shufflevector(pixels, pixels, 13, 14, 15, 10,
		    11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0);
		memcpy(out + x * 3, &pixels, sizeof(pixels));
	}
	flip_pixels(in, out + x * 3, width - x, 3);
}

static void flip_row(const unsigned char *in, unsigned char *out, size_t width,
    size_t pixel_bytes)
{
	if (pixel_bytes == 3 && cpu_has_avx2())
		flip_rgb_avx2(in, out, width);
	else if (pixel_bytes == 3)
		flip_pixels(in, out, width, 3);
	else if (pixel_bytes == 4)
		flip_pixels(in, out, width, 4);
	else if (pixel_bytes == 12)
		flip_pixels(in, out, width, 12);
	else if (pixel_bytes == 1)
		flip_pixels(in, out, width, 1);
	else
		flip_pixels(in, out, width, pixel_bytes);
}

static int hflip_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct hflip *hflip = priv;
	const struct image image = image_of(in, hflip->layout);
	const size_t row = image.width * image.pixel_bytes;
	const size_t rows = image.planes * image.height;

	if (!chance_draw(hflip->chance, random))
		return tensor_copy(out, in, err);
	if (tensor_reshape(out, in->dtype, &in->shape, err))
		return -1;
	for (size_t y = 0; y < rows; y++)
		flip_row((const unsigned char *)in->data + y * row,
		    (unsigned char *)out->data + y * row, image.width,
		    image.pixel_bytes);
	return 0;
}

static int hflip_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct hflip *hflip = priv;

	UNUSED(err);
	hflip->flips = chance_draw(hflip->chance, random);
	hflip->width = frame->size.width;
	return 0;
}

static bool hflip_is_idle(const void *priv)
{
	return !((const struct hflip *)priv)->flips;
}

static int hflip_need(void *priv, struct box *box, struct error *err)
{
	const struct hflip *hflip = priv;

	UNUSED(err);
	if (hflip->flips)
		box->left = hflip->width - box->left - box->width;
	return 0;
}

static void hflip_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	UNUSED(priv);
	flip_row(in, out, row->pixels, row->channels * dtype_bytes(row->dtype));
}

static const struct window_ops window = {
	.reach = REACH_ROW,
	.plan = hflip_plan,
	.is_idle = hflip_is_idle,
	.need = hflip_need,
	.run = hflip_run_row,
};

const struct step_ops step_hflip = {
	.name = "hflip",
	.summary = "mirror the image, left to right, by chance",
	.in = "image",
	.out = "the same",
	.kind = KIND_FLIP,
	.random = true,
	.is_certain = chance_is_certain,
	.any_alignment = true,
	.options = chance_option_table,
	.options_size = sizeof(struct chance_options),
	.defaults = &chance_defaults,
	.priv_size = sizeof(struct hflip),
	.bind = hflip_bind,
	.run = hflip_run,
	.window = &window,
};
