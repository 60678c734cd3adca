/*
 * bench_images.c - decoding image files: the step against the library called
 * as its manual has it, over the same photographs in memory.
 *
 * images/png is of 8 bits a channel, images/png16 of 16, which become 8;
 * images/any is a JPEG file by image_decode against jpeg_decode.
 */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/steps/step.h"
#include "test/bench/bench.h"
#include "test/bench/photos.h"

enum { FILES = 24, OPTIONS_MAX = 64 };

struct files {
	struct buf items[FILES];
};

/* ---- files ---- */

static void append(png_struct *png, png_byte *bytes, size_t len)
{
	struct error err = ERROR_INIT;

	if (buf_append(png_get_io_ptr(png), bytes, len, &err))
		bench_die(&err);
}

static void flush(png_struct *png)
{
	UNUSED(png);
}

/* Of 16 bits: those of the photograph twice. */
static void write_png(const struct tensor *photo, int depth, struct buf *file)
{
	const size_t width = (size_t)photo->shape.dims[1];
	const size_t row = width * 3;
	const unsigned char *pixels = photo->data;
	unsigned char *wide = bench_alloc(row * 2);
	png_struct *png =
	    png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_info *info = png_create_info_struct(png);

	png_set_write_fn(png, file, append, flush);
	png_set_IHDR(png, info, (png_uint_32)width,
	    (png_uint_32)photo->shape.dims[0], depth, PNG_COLOR_TYPE_RGB,
	    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
	    PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (int64_t y = 0; y < photo->shape.dims[0]; y++) {
		const unsigned char *from = pixels + (size_t)y * row;

		for (size_t i = 0; depth == 16 && i < 2 * row; i++)
			wide[i] = from[i / 2];
		png_write_row(png, depth == 16 ? wide : from);
	}
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &info);
	free(wide);
}

static void files_init(
    struct files *files, const struct photos *photos, int depth)
{
	struct error err = ERROR_INIT;

	memset(files, 0, sizeof(*files));
	for (size_t i = 0; i < FILES; i++) {
		const struct tensor *photo = &photos->items[i % photos->count];

		if (depth)
			write_png(photo, depth, &files->items[i]);
		else if (buf_append(
		             &files->items[i], photo->data, photo->bytes, &err))
			bench_die(&err);
	}
}

static void files_release(struct files *files)
{
	for (size_t i = 0; i < FILES; i++)
		buf_release(&files->items[i]);
}

/* ---- a step ---- */

struct decoder {
	const struct step_ops *ops;
	void *priv;
	unsigned char options[OPTIONS_MAX];
	const struct files *files;
	struct tensor out;
};

static void decoder_init(struct decoder *decoder, const struct step_ops *ops,
    const struct files *files)
{
	static const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct error err = ERROR_INIT;
	struct type out;

	*decoder = (struct decoder){ .ops = ops, .files = files };
	decoder->priv = bench_alloc(ops->priv_size);
	memset(decoder->priv, 0, ops->priv_size);
	if (ops->defaults)
		memcpy(decoder->options, ops->defaults, ops->options_size);
	if (ops->bind(decoder->priv, decoder->options, &file, &out, &err))
		bench_die(&err);
}

static void decoder_release(struct decoder *decoder)
{
	decoder->ops->release(decoder->priv);
	free(decoder->priv);
	tensor_release(&decoder->out);
}

static double decode(void *arg, unsigned times)
{
	struct decoder *decoder = arg;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < (size_t)times * FILES; i++) {
		const struct buf *file = &decoder->files->items[i % FILES];
		struct tensor in = TENSOR_INIT;

		tensor_view_encoded(&in, file->data, file->len, "");
		if (decoder->ops->run(
		        decoder->priv, NULL, &in, &decoder->out, &err))
			bench_die(&err);
	}
	return (double)times * FILES;
}

/* ---- libpng ---- */

struct bare {
	const struct files *files;
	struct buf out;
};

static void take(png_struct *png, png_byte *out, size_t len)
{
	struct span *left = png_get_io_ptr(png);

	if (len > left->len)
		png_error(png, "too short");
	memcpy(out, left->data, len);
	left->data += len;
	left->len -= len;
}

static void bare_png(struct bare *bare, struct span file)
{
	png_struct *png =
	    png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_info *info = png_create_info_struct(png);
	struct error err = ERROR_INIT;
	size_t height, row;

	png_set_read_fn(png, &file, take);
	png_read_info(png, info);
	png_set_scale_16(png);
	png_read_update_info(png, info);
	height = png_get_image_height(png, info);
	row = png_get_rowbytes(png, info);
	if (buf_reserve(&bare->out, height * row, &err))
		bench_die(&err);
	for (size_t y = 0; y < height; y++)
		png_read_row(png, bare->out.data + y * row, NULL);
	png_read_end(png, NULL);
	png_destroy_read_struct(&png, &info, NULL);
}

static double bare_decode(void *arg, unsigned times)
{
	struct bare *bare = arg;

	for (size_t i = 0; i < (size_t)times * FILES; i++)
		bare_png(bare, buf_span(&bare->files->items[i % FILES]));
	return (double)times * FILES;
}

/* ---- rows ---- */

static void bench_png(
    const char *name, const struct photos *photos, int depth, unsigned rounds)
{
	struct decoder decoder;
	struct files files;
	struct bare bare = { .files = &files };

	files_init(&files, photos, depth);
	decoder_init(&decoder, &step_png_decode, &files);
	bench_run(name, &bench_samples_per_s, rounds,
	    &(struct bench_side){ .run = decode, .arg = &decoder },
	    &(struct bench_side){
	        .run = bare_decode, .arg = &bare, .is_library = true });
	decoder_release(&decoder);
	buf_release(&bare.out);
	files_release(&files);
}

static void bench_any(const struct photos *photos, unsigned rounds)
{
	struct decoder any, jpeg;
	struct files files;

	files_init(&files, photos, 0);
	decoder_init(&any, &step_image_decode, &files);
	decoder_init(&jpeg, &step_jpeg_decode, &files);
	bench_run("images/any", &bench_samples_per_s, rounds,
	    &(struct bench_side){ .run = decode, .arg = &any },
	    &(struct bench_side){ .run = decode, .arg = &jpeg });
	decoder_release(&any);
	decoder_release(&jpeg);
	files_release(&files);
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct bench_args args;
	struct photos photos;
	char *dir;

	bench_args_read(&args, argc, argv);
	dir = path_join(args.work, "images", &err);
	if (!dir)
		bench_die(&err);
	photos_link(args.photos, dir, FILES, false);
	photos_load(&photos, dir, "same = identity\n");
	bench_any(&photos, args.rounds);
	photos_release(&photos);
	photos_load(&photos, dir, "decoded = jpeg_decode\n");
	bench_png("images/png", &photos, 8, args.rounds);
	bench_png("images/png16", &photos, 16, args.rounds);
	photos_release(&photos);
	photos_unlink(dir);
	free(dir);
	return 0;
}
