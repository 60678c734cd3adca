/* jpeg_writer.c - see jpeg_writer.h. */
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "lib/base/error.h"
#include "lib/image/jpeg_writer.h"

enum { FIRST_ROOM = 64 << 10, LEAST_ROOM = 4 << 10 };

/* libjpeg ends with a jump on an error. */
struct writer {
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct jpeg_destination_mgr output;
	jmp_buf failed;
	struct buf *out;
	struct error *err;
};

static void fail(j_common_ptr common)
{
	struct writer *writer = common->client_data;
	char words[JMSG_LENGTH_MAX];

	common->err->format_message(common, words);
	error_set(writer->err, ERROR_DATA, "cannot write JPEG: %s", words);
	longjmp(writer->failed, 1);
}

/* Lets libjpeg write into the free part of the buffer. */
static void give_room(struct writer *writer, size_t bytes)
{
	struct buf *out = writer->out;

	if (buf_reserve(out, out->len + bytes, writer->err))
		longjmp(writer->failed, 1);
	writer->output.next_output_byte = out->data + out->len;
	writer->output.free_in_buffer = out->cap - out->len;
}

static void begin_output(j_compress_ptr jpeg)
{
	struct writer *writer = jpeg->client_data;

	give_room(writer, LEAST_ROOM);
}

static boolean grow_output(j_compress_ptr jpeg)
{
	struct writer *writer = jpeg->client_data;

	writer->out->len = writer->out->cap;
	give_room(writer, writer->out->cap);
	return TRUE;
}

static void end_output(j_compress_ptr jpeg)
{
	struct writer *writer = jpeg->client_data;

	writer->out->len = writer->out->cap - writer->output.free_in_buffer;
}

static void configure(
    struct jpeg_compress_struct *jpeg, const struct jpeg_picture *picture)
{
	jpeg->image_width = picture->width;
	jpeg->image_height = picture->height;
	jpeg->input_components = (int)picture->channels;
	jpeg->in_color_space = picture->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
	jpeg_set_defaults(jpeg);
	jpeg_set_quality(jpeg, picture->quality, TRUE);
	if (picture->full_chroma) {
		jpeg->comp_info[0].h_samp_factor = 1;
		jpeg->comp_info[0].v_samp_factor = 1;
	}
}

static void write_rows(
    struct jpeg_compress_struct *jpeg, const struct jpeg_picture *picture)
{
	const size_t stride = (size_t)picture->width * picture->channels;

	jpeg_start_compress(jpeg, TRUE);
	while (jpeg->next_scanline < jpeg->image_height) {
		/* The library's type is not const, although it only reads. */
		union {
			const unsigned char *is;
			JSAMPROW wanted;
		} row = { picture->pixels + jpeg->next_scanline * stride };

		jpeg_write_scanlines(jpeg, &row.wanted, 1);
	}
	jpeg_finish_compress(jpeg);
}

/* A function of its own, since a jump leaves local variables undefined. */
static int try_write(struct writer *writer, const struct jpeg_picture *picture)
{
	if (setjmp(writer->failed))
		return -1;
	jpeg_create_compress(&writer->jpeg);
	writer->jpeg.dest = &writer->output;
	configure(&writer->jpeg, picture);
	write_rows(&writer->jpeg, picture);
	return 0;
}

int jpeg_write(
    const struct jpeg_picture *picture, struct buf *out, struct error *err)
{
	struct writer writer = {
		.out = out,
		.err = err,
		.output = {
			.init_destination = begin_output,
			.empty_output_buffer = grow_output,
			.term_destination = end_output,
		},
	};
	int rc;

	if (buf_reserve(out, FIRST_ROOM, err))
		return -1;
	writer.jpeg.err = jpeg_std_error(&writer.errors);
	writer.jpeg.client_data = &writer;
	writer.errors.error_exit = fail;
	rc = try_write(&writer, picture);
	jpeg_destroy_compress(&writer.jpeg);
	return rc;
}
