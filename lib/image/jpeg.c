/*
 * jpeg.c - see jpeg.h.
 *
 * libjpeg reports errors through a function that must not return: it jumps back
 * into run_job.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h> /* jpeglib.h needs it but does not include it */
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h> /* includes codes that jpeglib.h asks for */

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/jpeg.h"
#include "lib/image/jpeg_damage.h"
#include "lib/image/luma.h"

enum {
	SCANS_MAX = 500, /* limit: a scan costs time, but is cheap to write */
	ROWS = 16,       /* rows per call */
	MARGIN = 4,      /* most columns that smooth upsampling looks at */
};

struct jpeg_decoder {
	struct jpeg_decompress_struct info;
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	jmp_buf failed;
	struct error *err; /* error of the running call */
	struct buf row;    /* one row, CMYK or not wanted */
	struct span file;  /* the file being read */
	/*
	 * The file without zeros that may be padding, up to byte `copied`.
	 * While this copy is decoded, no more zeros are accepted.
	 */
	struct buf unpadded;
	size_t copied;
	bool is_unpadded;
	enum image_mode mode;
	bool exact;
};

/* A task on an open file; `arg` has its parameters and results. */
typedef int jpeg_job(
    struct jpeg_decoder *decoder, void *arg, struct error *err);

struct part {
	struct box box; /* in: the box wanted; out: the box decoded */
	struct tensor *memory;
};

static struct jpeg_decoder *decoder_of(j_common_ptr info)
{
	return info->client_data;
}

/* Jumps back; decoder->err has the message. */
static _Noreturn void give_up(struct jpeg_decoder *decoder)
{
	longjmp(decoder->failed, 1);
}

/* Rephrases libjpeg's message: "not a JPEG file: starts with 0x89 0x50". */
static _Noreturn void fail(j_common_ptr info)
{
	struct jpeg_decoder *decoder = decoder_of(info);
	const int code = info->err->msg_code;
	char text[JMSG_LENGTH_MAX];

	info->err->format_message(info, text);
	if (islower((unsigned char)text[1]))
		text[0] = (char)tolower((unsigned char)text[0]);
	if (code == JWRN_JPEG_EOF || code == JERR_INPUT_EOF)
		error_set(decoder->err, ERROR_DATA, "premature end of file");
	else if (code == JERR_OUT_OF_MEMORY)
		error_set(decoder->err, ERROR_MEMORY, "%s", text);
	else
		error_set(decoder->err, ERROR_DATA, "%s", text);
	give_up(decoder);
}

/*
 * Leaves zeros behind image data out of `unpadded`; check_padding decodes that
 * to see whether they were needed.
 */
static void note_extraneous(struct jpeg_decoder *decoder)
{
	const struct jpeg_decompress_struct *info = &decoder->info;
	const size_t at = decoder->file.len - info->src->bytes_in_buffer;
	const long zeros = jpeg_padding(info, decoder->file.len);

	if (zeros == 0)
		return;
	if (zeros < 0 || decoder->is_unpadded)
		fail((j_common_ptr)&decoder->info);
	if (buf_append(&decoder->unpadded, decoder->file.data + decoder->copied,
	        at - (size_t)zeros - decoder->copied, decoder->err))
		give_up(decoder);
	decoder->copied = at;
}

/* Called for warnings (level -1) and for traces (0 and more). */
static void note(j_common_ptr info, int level)
{
	enum jpeg_damage damage = JPEG_WHOLE;

	if (level < 0)
		damage = jpeg_damage_of(info->err->msg_code);
	if (damage == JPEG_DAMAGED)
		fail(info);
	if (damage == JPEG_UNSURE)
		note_extraneous(decoder_of(info));
}

static void say_nothing(j_common_ptr info)
{
	UNUSED(info);
}

static void limit_scans(j_common_ptr info)
{
	struct jpeg_decoder *decoder = decoder_of(info);

	if (decoder->info.input_scan_number <= SCANS_MAX)
		return;
	error_set(
	    decoder->err, ERROR_DATA, "has more than %d scans", SCANS_MAX);
	give_up(decoder);
}

struct jpeg_decoder *jpeg_decoder_new(struct error *err)
{
	struct jpeg_decoder *decoder = memory_zeroed(sizeof(*decoder), err);

	if (!decoder)
		return NULL;
	decoder->info.err = jpeg_std_error(&decoder->errors);
	decoder->errors.error_exit = fail;
	decoder->errors.emit_message = note;
	decoder->errors.output_message = say_nothing;
	decoder->progress.progress_monitor = limit_scans;
	decoder->info.client_data = decoder;
	return decoder;
}

void jpeg_decoder_free(struct jpeg_decoder *decoder)
{
	if (!decoder)
		return;
	buf_release(&decoder->row);
	buf_release(&decoder->unpadded);
	free(decoder);
}

void jpeg_decoder_set_mode(
    struct jpeg_decoder *decoder, enum image_mode mode, bool exact)
{
	decoder->mode = mode;
	decoder->exact = exact;
}

/* Is this file decoded to one channel? */
static bool is_grey(const struct jpeg_decoder *decoder)
{
	return decoder->mode == IMAGE_GREY ||
	       (decoder->mode == IMAGE_UNCHANGED &&
	           decoder->info.num_components == 1);
}

static int read_header(struct jpeg_decoder *decoder, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;

	jpeg_read_header(info, TRUE);
	if (image_check_pixels(info->image_height, info->image_width, err))
		return -1;
	if (decoder->exact && decoder->mode == IMAGE_GREY &&
	    info->num_components != 1)
		return error_set(err, ERROR_DATA,
		    "has %d channels, expected a grey image",
		    info->num_components);
	info->out_color_space = is_grey(decoder) ? JCS_GRAYSCALE : JCS_RGB;
	if (info->num_components == 4)
		info->out_color_space = JCS_CMYK;
	info->dct_method = JDCT_ISLOW;
	info->do_fancy_upsampling = TRUE;
	return 0;
}

/* Returns the channels of the result. */
static size_t channels(const struct jpeg_decoder *decoder)
{
	return is_grey(decoder) ? 1 : 3;
}

/* Reads rows up to `end`. */
static void read_rows(
    struct jpeg_decoder *decoder, JDIMENSION end, unsigned char *out)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	const size_t stride = info->output_width * channels(decoder);

	while (info->output_scanline < end) {
		JDIMENSION n = end - info->output_scanline;
		JSAMPROW rows[ROWS];

		if (n > ROWS)
			n = ROWS;
		for (JDIMENSION i = 0; i < n; i++)
			rows[i] = out + i * stride;
		out += stride * jpeg_read_scanlines(info, rows, n);
	}
}

/* a * b / 255, rounded. */
static unsigned char scaled(unsigned a, unsigned b)
{
	const unsigned product = a * b + 128;

	return (unsigned char)((product + (product >> 8)) >> 8);
}

/* In Adobe's CMYK, which is the only one in use, 255 means no ink. */
static void cmyk_to_rgb(
    const unsigned char *cmyk, unsigned char *rgb, size_t width)
{
	for (size_t x = 0; x < width; x++) {
		const unsigned black = cmyk[4 * x + 3];

		for (size_t c = 0; c < 3; c++)
			rgb[3 * x + c] =
			    (unsigned char)(black -
			                    scaled(
			                        255 - cmyk[4 * x + c], black));
	}
}

static int read_cmyk(
    struct jpeg_decoder *decoder, unsigned char *out, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	const size_t width = info->output_width;
	const size_t stride = width * channels(decoder);

	if (buf_reserve(&decoder->row, width * 7, err))
		return -1;
	while (info->output_scanline < info->output_height) {
		unsigned char *to = out + info->output_scanline * stride;
		JSAMPROW row = decoder->row.data;
		unsigned char *rgb = is_grey(decoder) ? row + width * 4 : to;

		jpeg_read_scanlines(info, &row, 1);
		cmyk_to_rgb(row, rgb, width);
		if (is_grey(decoder))
			luma_of_rgb(DTYPE_U8, rgb, to, width);
	}
	return 0;
}

/* Decodes all pixels after the header. */
static int decode_all(
    struct jpeg_decoder *decoder, struct tensor *out, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	struct shape shape = { .count = 3 };

	jpeg_start_decompress(info);
	shape.dims[0] = info->output_height;
	shape.dims[1] = info->output_width;
	shape.dims[2] = (int64_t)channels(decoder);
	if (tensor_reshape(out, DTYPE_U8, &shape, err))
		return -1;
	if (info->out_color_space != JCS_CMYK)
		read_rows(decoder, info->output_height, out->data);
	else if (read_cmyk(decoder, out->data, err))
		return -1;
	if (jpeg_has_multiple_scans(info) && jpeg_check_scans(info, err))
		return -1;
	jpeg_finish_decompress(info);
	return 0;
}

/* Decodes all rows into the same memory, to get libjpeg's warnings. */
static int skim(struct jpeg_decoder *decoder, void *arg, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	JSAMPROW row;

	UNUSED(arg);
	if (read_header(decoder, err))
		return -1;
	jpeg_start_decompress(info);
	if (buf_reserve(&decoder->row, (size_t)info->output_width * 4, err))
		return -1;
	row = decoder->row.data;
	while (info->output_scanline < info->output_height)
		jpeg_read_scanlines(info, &row, 1);
	jpeg_finish_decompress(info);
	return 0;
}

static int decode(struct jpeg_decoder *decoder, void *arg, struct error *err)
{
	return read_header(decoder, err) || decode_all(decoder, arg, err) ? -1
	                                                                  : 0;
}

static int look(struct jpeg_decoder *decoder, void *arg, struct error *err)
{
	const struct jpeg_decompress_struct *info = &decoder->info;
	struct shape *shape = arg;

	if (read_header(decoder, err))
		return -1;
	*shape = (struct shape){
		.count = 3,
		.dims = { info->image_height, info->image_width,
		    (int64_t)channels(decoder) },
	};
	return 0;
}

/* Part of a file can be decoded if its pixels come in one pass. */
static bool takes_part(
    struct jpeg_decompress_struct *info, const struct box *box)
{
	return info->out_color_space != JCS_CMYK && !info->progressive_mode &&
	       !info->arith_code && !jpeg_has_multiple_scans(info) &&
	       (box->height < info->image_height ||
	           box->width < info->image_width);
}

/*
 * Widens the box: libjpeg upsamples the edges of a part as if the image ended
 * there, and begins at a block boundary.
 */
static void take_columns(struct jpeg_decoder *decoder, struct box *box)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	const size_t right = box->left + box->width + MARGIN;
	JDIMENSION left = 0, width = info->output_width;

	if (box->left > MARGIN)
		left = (JDIMENSION)(box->left - MARGIN);
	if (right < width)
		width = (JDIMENSION)right;
	width -= left;
	if (width < info->output_width)
		jpeg_crop_scanline(info, &left, &width);
	box->left = left;
	box->width = info->output_width;
}

/*
 * Skips rows up to `end`.  They are decoded as far as needed to find the next
 * row and to notice damage.  The first rows after a skip are dropped: libjpeg
 * upsampled them with rows from before it.
 */
static int pass_over(
    struct jpeg_decoder *decoder, JDIMENSION end, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	JSAMPROW row;

	if (buf_reserve(&decoder->row, (size_t)info->output_width * 3, err))
		return -1;
	row = decoder->row.data;
	if (end > info->output_scanline + MARGIN)
		jpeg_skip_scanlines(info, end - MARGIN - info->output_scanline);
	while (info->output_scanline < end)
		jpeg_read_scanlines(info, &row, 1);
	return 0;
}

/*
 * Rows below the box are skipped in the same way, since a file that is broken
 * there is refused.  The last row must be read, or libjpeg would skip them.
 */
static int decode_part(
    struct jpeg_decoder *decoder, void *arg, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	struct part *part = arg;
	struct box *box = &part->box;
	struct shape shape = { .count = 3 };

	if (read_header(decoder, err))
		return -1;
	if (!takes_part(info, box)) {
		*box = (struct box){
			.height = info->image_height,
			.width = info->image_width,
		};
		return decode_all(decoder, part->memory, err);
	}
	jpeg_start_decompress(info);
	take_columns(decoder, box);
	shape.dims[0] = (int64_t)box->height;
	shape.dims[1] = (int64_t)box->width;
	shape.dims[2] = (int64_t)channels(decoder);
	if (tensor_reshape(part->memory, DTYPE_U8, &shape, err) ||
	    pass_over(decoder, (JDIMENSION)box->top, err))
		return -1;
	read_rows(
	    decoder, (JDIMENSION)(box->top + box->height), part->memory->data);
	if (pass_over(decoder, info->output_height, err))
		return -1;
	jpeg_finish_decompress(info);
	return 0;
}

/*
 * Creates libjpeg's state anew for each file, which costs little.  Otherwise
 * the tables of one file would serve files that lack their own.
 */
static int read_file(struct jpeg_decoder *decoder, struct span file,
    jpeg_job *job, void *arg, struct error *err)
{
	struct jpeg_decompress_struct *info = &decoder->info;
	int rc;

	decoder->err = err;
	decoder->file = file;
	if (setjmp(decoder->failed)) {
		jpeg_destroy_decompress(info);
		return -1;
	}
	jpeg_create_decompress(info);
	info->progress = &decoder->progress;
	jpeg_mem_src(info, file.data, file.len);
	rc = job(decoder, arg, err);
	jpeg_destroy_decompress(info);
	return rc;
}

/* The zeros that were left out must not have been needed. */
static int check_padding(struct jpeg_decoder *decoder, struct error *err)
{
	const struct span file = decoder->file;
	int rc;

	if (buf_append(&decoder->unpadded, file.data + decoder->copied,
	        file.len - decoder->copied, err))
		return -1;
	decoder->is_unpadded = true;
	rc = read_file(decoder, buf_span(&decoder->unpadded), skim, NULL, err);
	decoder->is_unpadded = false;
	if (rc && err->code == ERROR_DATA)
		error_set(
		    err, ERROR_DATA, "image data was overwritten with zeros");
	return rc;
}

static int run_job(struct jpeg_decoder *decoder, struct span file,
    jpeg_job *job, void *arg, struct error *err)
{
	decoder->unpadded.len = 0;
	decoder->copied = 0;
	if (read_file(decoder, file, job, arg, err))
		return -1;
	return decoder->copied ? check_padding(decoder, err) : 0;
}

int jpeg_decoder_run(struct jpeg_decoder *decoder, struct span file,
    struct tensor *out, struct error *err)
{
	return run_job(decoder, file, decode, out, err);
}

int jpeg_decoder_look(struct jpeg_decoder *decoder, struct span file,
    struct shape *shape, struct error *err)
{
	return run_job(decoder, file, look, shape, err);
}

int jpeg_decoder_run_box(struct jpeg_decoder *decoder, struct span file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err)
{
	struct part part = { .box = *box, .memory = memory };
	struct image_size size = window->frame.size;

	if (run_job(decoder, file, decode_part, &part, err))
		return -1;
	*window = window_of(memory, LAYOUT_HWC);
	window->frame.size = size;
	window->box = part.box;
	return 0;
}
