/*
 * png.c - see png.h.
 *
 * libpng reports errors through a function that must not return: it jumps
 * back to who called the library.
 */
#include "lib/steps/png.h"

#include <ctype.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/image.h"

enum {
	CHUNK_MAX = 64 << 20, /* that is no image data */
	SIGNATURE = 8,
};

struct png_reader {
	png_struct *png; /* of the file that is read */
	png_info *info;
	struct span left; /* of the file */
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

/* Their message as ours are: in lower case, unless it is a name. */
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

/* What loses no pixel is accepted. */
static void note(png_struct *png, const char *message)
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
	struct png_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		error_memory(err, sizeof(*reader));
	return reader;
}

void png_reader_free(struct png_reader *reader)
{
	free(reader);
}

static int check_form(struct png_reader *reader, struct error *err)
{
	const unsigned depth = png_get_bit_depth(reader->png, reader->info);
	const unsigned type = png_get_color_type(reader->png, reader->info);
	const uint64_t height = png_get_image_height(reader->png, reader->info);
	const uint64_t width = png_get_image_width(reader->png, reader->info);

	if (height * width > IMAGE_PIXELS_MAX)
		return error_set(err, ERROR_DATA,
		    "image of %llux%llu is larger than %d pixels",
		    (unsigned long long)height, (unsigned long long)width,
		    IMAGE_PIXELS_MAX);
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

static int read_image(
    struct png_reader *reader, struct tensor *out, struct error *err)
{
	struct shape shape = { .count = 3 };
	unsigned char *pixels;
	size_t stride;
	int passes;

	png_read_info(reader->png, reader->info);
	if (check_form(reader, err))
		return -1;
	passes = png_set_interlace_handling(reader->png);
	png_read_update_info(reader->png, reader->info);
	shape.dims[0] = png_get_image_height(reader->png, reader->info);
	shape.dims[1] = png_get_image_width(reader->png, reader->info);
	shape.dims[2] = png_get_channels(reader->png, reader->info);
	if (tensor_reshape(out, DTYPE_U8, &shape, err))
		return -1;
	pixels = out->data;
	stride = (size_t)(shape.dims[1] * shape.dims[2]);
	for (int pass = 0; pass < passes; pass++)
		for (int64_t y = 0; y < shape.dims[0]; y++)
			png_read_row(
			    reader->png, pixels + (size_t)y * stride, NULL);
	png_read_end(reader->png, NULL);
	return 0;
}

/* Apart, because of what a jump does to the variables of who set it. */
static int try_read(
    struct png_reader *reader, struct tensor *out, struct error *err)
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
	return read_image(reader, out, err);
}

int png_reader_run(struct png_reader *reader, struct span file,
    struct tensor *out, struct error *err)
{
	int rc;

	if (file.len < SIGNATURE || png_sig_cmp(file.data, 0, SIGNATURE))
		return error_set(err, ERROR_DATA, "not a PNG file");
	err->code = ERROR_NONE; /* the first of several counts */
	reader->err = err;
	reader->left = file;
	reader->png = NULL;
	reader->info = NULL;
	rc = try_read(reader, out, err);
	png_destroy_read_struct(&reader->png, &reader->info, NULL);
	return rc;
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

	if (setjmp(writer->failed))
		return -1;
	writer->png = png_create_write_struct(
	    PNG_LIBPNG_VER_STRING, writer, fail_writing, note);
	writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
	if (!writer->info)
		return error_set(
		    writer->err, ERROR_MEMORY, "out of memory for libpng");
	png_set_write_fn(writer->png, writer, give, flush);
	png_set_user_limits(writer->png, PNG_SIDE_MOST, PNG_SIDE_MOST);
	png_set_IHDR(writer->png, writer->info,
	    (png_uint_32)image->shape.dims[1],
	    (png_uint_32)image->shape.dims[0], 8,
	    image->shape.dims[2] == 1 ? PNG_COLOR_TYPE_GRAY
	                              : PNG_COLOR_TYPE_RGB,
	    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
	    PNG_FILTER_TYPE_DEFAULT);
	png_write_info(writer->png, writer->info);
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
