/* png_maker.c - see png_maker.h. */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "test/unit/png_maker.h"
#include "test/unit/test.h"

static const int types[] = {
	[PNG_GREY] = PNG_COLOR_TYPE_GRAY,
	[PNG_RGB] = PNG_COLOR_TYPE_RGB,
	[PNG_PALETTE] = PNG_COLOR_TYPE_PALETTE,
	[PNG_GREY_ALPHA] = PNG_COLOR_TYPE_GRAY_ALPHA,
	[PNG_RGBA] = PNG_COLOR_TYPE_RGB_ALPHA,
};

static const unsigned stored_channels[] = {
	[PNG_GREY] = 1,
	[PNG_RGB] = 3,
	[PNG_PALETTE] = 1,
	[PNG_GREY_ALPHA] = 2,
	[PNG_RGBA] = 4,
};

/* What a file is made of. */
struct picture {
	const struct png_wish *wish;
	struct random random;
	png_color palette[PNG_COLOURS_MAX];
	png_byte alpha[PNG_COLOURS_MAX];
	uint16_t key[3]; /* what is transparent */
	uint16_t *pixels;
	struct buf *file;
};

bool png_kind_has(enum png_kind kind, unsigned depth)
{
	if (kind == PNG_GREY)
		return true;
	if (kind == PNG_PALETTE)
		return depth <= 8;
	return depth >= 8;
}

unsigned png_wish_channels(const struct png_wish *wish)
{
	const unsigned alpha = wish->transparent ? 1 : 0;

	if (wish->kind == PNG_PALETTE)
		return 3 + alpha;
	return stored_channels[wish->kind] + alpha;
}

static void append(png_struct *png, png_byte *bytes, size_t len)
{
	struct picture *picture = png_get_io_ptr(png);
	struct error err = ERROR_INIT;

	test_ok(buf_append(picture->file, bytes, len, &err), &err);
}

static void flush(png_struct *png)
{
	UNUSED(png);
}

/* Values often are what their neighbour was, so that the key comes again. */
static uint16_t draw(struct picture *picture, unsigned n)
{
	const unsigned most = (1u << picture->wish->depth) - 1;

	if (random_below(&picture->random, 4) == 0)
		return picture->key[n % 3];
	return (uint16_t)random_below(&picture->random, most + 1);
}

static void put(unsigned char *row, size_t i, unsigned depth, uint16_t value)
{
	const size_t bit = i * depth;

	if (depth == 16) {
		row[2 * i] = (unsigned char)(value >> 8);
		row[2 * i + 1] = (unsigned char)value;
	} else {
		value = (uint16_t)(value << (8 - depth - bit % 8));
		row[bit / 8] |= (unsigned char)value;
	}
}

/* Of what is stored for a pixel. */
static void tell(
    const struct picture *picture, const uint16_t *stored, uint16_t *pixel)
{
	const struct png_wish *wish = picture->wish;
	const uint16_t most = wish->depth == 16 ? 65535 : 255;
	const unsigned unit =
	    wish->depth < 8 ? 255 / ((1u << wish->depth) - 1) : 1;
	const unsigned n = stored_channels[wish->kind];
	bool is_key = true;

	pixel[3] = most;
	if (wish->indices) {
		for (unsigned c = 0; c < 4; c++)
			pixel[c] = stored[0];
		return;
	}
	if (wish->kind == PNG_PALETTE) {
		const png_color *colour = &picture->palette[stored[0]];

		pixel[0] = colour->red;
		pixel[1] = colour->green;
		pixel[2] = colour->blue;
		if (wish->transparent)
			pixel[3] = picture->alpha[stored[0]];
		return;
	}
	for (unsigned c = 0; c < 3; c++) {
		const unsigned from = n < 3 ? 0 : c;

		pixel[c] = (uint16_t)(stored[from] * unit);
		is_key &= stored[from] == picture->key[from];
	}
	if (n == 2 || n == 4)
		pixel[3] = stored[n - 1];
	else if (wish->transparent && is_key)
		pixel[3] = 0;
}

static void draw_colours(struct picture *picture)
{
	random_fill(
	    &picture->random, picture->palette, sizeof(picture->palette));
	random_fill(&picture->random, picture->alpha, sizeof(picture->alpha));
	for (unsigned c = 0; c < 3; c++)
		picture->key[c] = (uint16_t)random_below(
		    &picture->random, 1u << picture->wish->depth);
}

static void write_head(png_struct *png, png_info *info, struct picture *picture)
{
	const struct png_wish *wish = picture->wish;
	const png_color_16 key = {
		.red = picture->key[0],
		.green = picture->key[1],
		.blue = picture->key[2],
		.gray = picture->key[0],
	};
	const int colours = 1 << (wish->depth < 8 ? wish->depth : 8);

	png_set_IHDR(png, info, wish->width, wish->height, (int)wish->depth,
	    types[wish->kind],
	    wish->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
	    PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (wish->kind == PNG_PALETTE)
		png_set_PLTE(png, info, picture->palette, colours);
	if (wish->transparent && wish->kind == PNG_PALETTE)
		png_set_tRNS(png, info, picture->alpha, colours, NULL);
	else if (wish->transparent)
		png_set_tRNS(png, info, NULL, 0, &key);
	if (wish->filters)
		png_set_filter(png, 0, (int)wish->filters);
	png_write_info(png, info);
}

static void write_rows(png_struct *png, struct picture *picture)
{
	const struct png_wish *wish = picture->wish;
	const unsigned n = stored_channels[wish->kind];
	const size_t stride = ((size_t)wish->width * n * wish->depth + 7) / 8;
	unsigned char *rows = calloc(wish->height, stride);
	unsigned char **each = calloc(wish->height, sizeof(*each));

	assert_non_null(rows);
	assert_non_null(each);
	for (size_t y = 0; y < wish->height; y++) {
		each[y] = rows + y * stride;
		for (size_t x = 0; x < wish->width; x++) {
			uint16_t stored[4] = { 0 };

			for (unsigned c = 0; c < n; c++) {
				stored[c] = draw(picture, c);
				put(each[y], x * n + c, wish->depth, stored[c]);
			}
			tell(picture, stored,
			    picture->pixels + 4 * (y * wish->width + x));
		}
	}
	png_write_image(png, each);
	free(rows);
	free(each);
}

void png_make(const struct png_wish *wish, struct buf *file, uint16_t **pixels)
{
	struct picture picture = {
		.wish = wish,
		.random = random_stream(wish->seed, 0, 0, 0),
		.pixels = calloc(
		    (size_t)wish->height * wish->width, 4 * sizeof(**pixels)),
		.file = file,
	};
	png_struct *png =
	    png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_info *info = png_create_info_struct(png);

	assert_non_null(info);
	assert_non_null(picture.pixels);
	draw_colours(&picture);
	png_set_write_fn(png, &picture, append, flush);
	write_head(png, info, &picture);
	write_rows(png, &picture);
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &info);
	*pixels = picture.pixels;
}
