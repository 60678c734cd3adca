/*
 * png.c - see png.h.
 *
 * libpng reports errors through a function that must not return: it jumps back
 * to the caller of the library.
 */
#include "lib/image/png.h"

#include <ctype.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/deflate/deflate.h"
#include "lib/image/luma.h"
#include "lib/image/png_fast.h"

enum {
	CHUNK_MAX = 64 << 20, /* limit of a chunk without image data */
	RUNS_ONLY = 3,        /* Z_RLE of zlib */
	SIGNATURE = 8,
};

struct png_reader {
	png_struct *png; /* the current file */
	png_info *info;
	enum image_mode mode;
	struct span left; /* unread part of the file */
	size_t len;       /* size of the whole file */
	struct png_fast *fast;
	struct tensor colours; /* an image to be converted to grey */
	struct error *err;
	jmp_buf failed;
};

struct writer {
	png_struct *png;
	png_info *info;
	struct buf *out;
	struct error *err;
	jmp_buf failed;
};

/* Rewrites libpng's message in our form: in lower case, unless it is a name. */
static void say(struct error *err, const char *message)
{
	const char first = message[0] && islower((unsigned char)message[1])
	                       ? (char)tolower((unsigned char)message[0])
	                       : message[0];

	if (err->code == ERROR_NONE)
		error_set(
		    err, ERROR_DATA, "%c%s", first, first ? message + 1 : "");
}

static _Noreturn void fail_reading(png_struct *png, const char *message)
{
	struct png_reader *reader = png_get_error_ptr(png);

	say(reader->err, message);
	longjmp(reader->failed, 1);
}

static _Noreturn void fail_writing(png_struct *png, const char *message)
{
	struct writer *writer = png_get_error_ptr(png);

	say(writer->err, message);
	longjmp(writer->failed, 1);
}

/*
 * Warnings concern chunks beside the image data, or too much image data: no
 * pixel is lost.  For damage of the image data, the palette and the end, libpng
 * reports an error.  A transparency chunk with a wrong checksum is ignored.
 */
static void note(png_struct *png, const char *message)
{
	const struct png_reader *reader = png_get_error_ptr(png);

	if (reader->mode == IMAGE_UNCHANGED && strncmp(message, "tRNS", 4) == 0)
		png_error(png, message);
}

static void note_writing(png_struct *png, const char *message)
{
	UNUSED(png);
	UNUSED(message);
}

static void take(png_struct *png, png_byte *out, size_t len)
{
	struct png_reader *reader = png_get_io_ptr(png);

	if (len > reader->left.len)
		png_error(png, "premature end of file");
	memcpy(out, reader->left.data, len);
	reader->left.data += len;
	reader->left.len -= len;
}

struct png_reader *png_reader_new(struct error *err)
{
	struct png_reader *reader = memory_zeroed(sizeof(*reader), err);

	if (!reader)
		return NULL;
	reader->fast = png_fast_new(err);
	if (!reader->fast) {
		free(reader);
		return NULL;
	}
	return reader;
}

void png_reader_free(struct png_reader *reader)
{
	if (!reader)
		return;
	png_fast_free(reader->fast);
	tensor_release(&reader->colours);
	free(reader);
}

/* Checks that the file has exactly the wanted type of pixel. */
static int check_exact(struct png_reader *reader, struct error *err)
{
	const unsigned depth = png_get_bit_depth(reader->png, reader->info);
	const unsigned type = png_get_color_type(reader->png, reader->info);

	if (depth != 8 ||
	    (type != PNG_COLOR_TYPE_GRAY && type != PNG_COLOR_TYPE_RGB))
		return error_set(err, ERROR_DATA,
		    "is a PNG file of %u bits%s%s; 8 bits of grey or of "
		    "colours are read",
		    depth,
		    type & PNG_COLOR_MASK_PALETTE ? " with a palette" : "",
		    type & PNG_COLOR_MASK_ALPHA ? " with transparency" : "");
	return 0;
}

/* Requires a palette: 4 bits of grey become 0 to 255, which are no classes. */
static int check_palette(struct png_reader *reader, struct error *err)
{
	const unsigned type = png_get_color_type(reader->png, reader->info);

	if (type == PNG_COLOR_TYPE_PALETTE)
		return 0;
	return error_set(err, ERROR_DATA,
	    "is a PNG file without a palette, of %s; mode=index takes class "
	    "numbers from palettes: use mode=%s",
	    type & PNG_COLOR_MASK_COLOR ? "colours" : "grey",
	    type & PNG_COLOR_MASK_COLOR ? "rgb" : "grey");
}

static int check_kind(
    struct png_reader *reader, const struct png_form *form, struct error *err)
{
	if (form->exact && check_exact(reader, err))
		return -1;
	return form->mode == IMAGE_INDEX ? check_palette(reader, err) : 0;
}

/* Also checks, before allocating, that the file is long enough for its size. */
static int check_size(struct png_reader *reader, struct error *err)
{
	const uint64_t height = png_get_image_height(reader->png, reader->info);
	const uint64_t width = png_get_image_width(reader->png, reader->info);
	const uint64_t bits =
	    (uint64_t)png_get_bit_depth(reader->png, reader->info) *
	    png_get_channels(reader->png, reader->info);

	if (image_check_pixels(height, width, err))
		return -1;
	if (height * width * bits / 8 / DEFLATE_EXPANSION > reader->len)
		return error_set(err, ERROR_DATA, "premature end of file");
	return 0;
}

static void set_elements(struct png_reader *reader, enum dtype dtype)
{
	if (dtype == DTYPE_U8) {
		png_set_scale_16(reader->png);
		return;
	}
	png_set_expand_16(reader->png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	png_set_swap(reader->png);
#endif
}

/* After this, rows have 1 to 4 channels of the dtype. */
static void set_form(struct png_reader *reader, const struct png_form *form)
{
	png_struct *png = reader->png;
	const unsigned type = png_get_color_type(png, reader->info);

	if (form->mode == IMAGE_INDEX) {
		png_set_packing(png); /* one byte per pixel */
		return;
	}
	if (type == PNG_COLOR_TYPE_PALETTE)
		png_set_palette_to_rgb(png);
	if (type == PNG_COLOR_TYPE_GRAY)
		png_set_expand_gray_1_2_4_to_8(png);
	if (form->mode != IMAGE_UNCHANGED)
		png_set_strip_alpha(png);
	else if (png_get_valid(png, reader->info, PNG_INFO_tRNS))
		png_set_tRNS_to_alpha(png);
	if (form->mode == IMAGE_RGB && !(type & PNG_COLOR_MASK_COLOR))
		png_set_gray_to_rgb(png);
	set_elements(reader, form->dtype);
}

/* A task for a file. */
struct job {
	const struct png_form *form;
	struct shape *shape;
	struct tensor *out; /* NULL: get the shape only */
};

/* Must three channels be reduced to one? */
static bool needs_luma(const struct job *job, const struct shape *rows)
{
	return job->form->mode == IMAGE_GREY && rows->dims[2] != 1;
}

static void read_rows(
    struct png_reader *reader, int passes, const struct tensor *out)
{
	const size_t height = (size_t)out->shape.dims[0];
	const size_t stride = out->bytes / height;
	unsigned char *pixels = out->data;

	for (int pass = 0; pass < passes; pass++)
		for (size_t y = 0; y < height; y++)
			png_read_row(reader->png, pixels + y * stride, NULL);
	png_read_end(reader->png, NULL);
}

static int read_image(
    struct png_reader *reader, const struct job *job, struct error *err)
{
	const enum dtype dtype = job->form->dtype;
	struct shape rows = { .count = 3 };
	struct tensor *to = job->out;
	int passes;

	png_read_info(reader->png, reader->info);
	if (check_size(reader, err) || check_kind(reader, job->form, err))
		return -1;
	set_form(reader, job->form);
	passes = png_set_interlace_handling(reader->png);
	png_read_update_info(reader->png, reader->info);
	rows.dims[0] = png_get_image_height(reader->png, reader->info);
	rows.dims[1] = png_get_image_width(reader->png, reader->info);
	rows.dims[2] = png_get_channels(reader->png, reader->info);
	*job->shape = rows;
	if (needs_luma(job, &rows)) {
		job->shape->dims[2] = 1;
		to = &reader->colours;
	}
	if (!job->out)
		return 0;
	if (tensor_reshape(job->out, dtype, job->shape, err) ||
	    tensor_reshape(to, dtype, &rows, err))
		return -1;
	read_rows(reader, passes, to);
	if (to != job->out)
		luma_of_rgb(dtype, to->data, job->out->data,
		    shape_elements(job->shape));
	return 0;
}

/* A function of its own, since a jump leaves local variables undefined. */
static int try_read(
    struct png_reader *reader, const struct job *job, struct error *err)
{
	if (setjmp(reader->failed))
		return -1;
	reader->png = png_create_read_struct(
	    PNG_LIBPNG_VER_STRING, reader, fail_reading, note);
	reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
	if (!reader->info)
		return error_set(err, ERROR_MEMORY, "out of memory for libpng");
	png_set_read_fn(reader->png, reader, take);
	png_set_user_limits(reader->png, PNG_SIDE_MOST, PNG_SIDE_MOST);
	png_set_chunk_malloc_max(reader->png, CHUNK_MAX);
	return read_image(reader, job, err);
}

static int run_job(struct png_reader *reader, struct span file,
    const struct job *job, struct error *err)
{
	int rc;

	if (file.len < SIGNATURE || png_sig_cmp(file.data, 0, SIGNATURE))
		return error_set(err, ERROR_DATA, "not a PNG file");
	err->code = ERROR_NONE; /* keep the first of several errors */
	reader->err = err;
	reader->mode = job->form->mode;
	reader->left = file;
	reader->len = file.len;
	reader->png = NULL;
	reader->info = NULL;
	rc = try_read(reader, job, err);
	png_destroy_read_struct(&reader->png, &reader->info, NULL);
	return rc;
}

int png_reader_run(struct png_reader *reader, struct span file,
    const struct png_form *form, struct tensor *out, struct error *err)
{
	struct shape shape;
	const struct job job = { .form = form, .shape = &shape, .out = out };

	if (!form->plain && png_fast_run(reader->fast, file, form, out))
		return 0;
	return run_job(reader, file, &job, err);
}

int png_reader_look(struct png_reader *reader, struct span file,
    const struct png_form *form, struct shape *shape, struct error *err)
{
	const struct job job = { .form = form, .shape = shape };

	return run_job(reader, file, &job, err);
}

static void give(png_struct *png, png_byte *bytes, size_t len)
{
	struct writer *writer = png_get_io_ptr(png);

	if (buf_append(writer->out, bytes, len, writer->err))
		png_error(png, "out of memory");
}

static void flush(png_struct *png)
{
	UNUSED(png);
}

static int try_write(struct writer *writer, const struct tensor *image)
{
	const size_t stride = image->bytes / (size_t)image->shape.dims[0];
	const unsigned char *pixels = image->data;
	const int depth = image->dtype == DTYPE_U16 ? 16 : 8;

	if (setjmp(writer->failed))
		return -1;
	writer->png = png_create_write_struct(
	    PNG_LIBPNG_VER_STRING, writer, fail_writing, note_writing);
	writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
	if (!writer->info)
		return error_set(
		    writer->err, ERROR_MEMORY, "out of memory for libpng");
	png_set_write_fn(writer->png, writer, give, flush);
	png_set_user_limits(writer->png, PNG_SIDE_MOST, PNG_SIDE_MOST);
	png_set_IHDR(writer->png, writer->info,
	    (png_uint_32)image->shape.dims[1],
	    (png_uint_32)image->shape.dims[0], depth,
	    image->shape.dims[2] == 1 ? PNG_COLOR_TYPE_GRAY
	                              : PNG_COLOR_TYPE_RGB,
	    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
	    PNG_FILTER_TYPE_DEFAULT);
	if (depth == 16) /* noise: searching repetitions is useless */
		png_set_compression_strategy(writer->png, RUNS_ONLY);
	png_write_info(writer->png, writer->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (depth == 16)
		png_set_swap(writer->png);
#endif
	for (int64_t y = 0; y < image->shape.dims[0]; y++)
		png_write_row(writer->png, pixels + (size_t)y * stride);
	png_write_end(writer->png, NULL);
	return 0;
}

int png_encode(const struct tensor *image, struct buf *out, struct error *err)
{
	struct writer writer = { .out = out, .err = err };
	int rc;

	err->code = ERROR_NONE;
	rc = try_write(&writer, image);
	png_destroy_write_struct(&writer.png, &writer.info);
	return rc;
}
