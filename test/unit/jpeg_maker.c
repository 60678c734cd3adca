/* jpeg_maker.c - see jpeg_maker.h. */
#include <stdio.h> /* jpeglib.h needs it, and does not include it */
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "lib/base/error.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/test.h"

static void put16(unsigned char *at, unsigned value, bool is_big_endian)
{
	at[is_big_endian ? 1 : 0] = (unsigned char)(value & 0xff);
	at[is_big_endian ? 0 : 1] = (unsigned char)(value >> 8);
}

void exif_make(
    unsigned orientation, bool is_big_endian, unsigned char exif[EXIF_SEGMENT])
{
	unsigned char *tiff = exif + 6;

	memset(exif, 0, EXIF_SEGMENT);
	memcpy(exif, "Exif", 4);
	memcpy(tiff, is_big_endian ? "MM" : "II", 2);
	put16(tiff + 2, 42, is_big_endian);
	put16(tiff + (is_big_endian ? 6 : 4), 8, is_big_endian);
	put16(tiff + 8, 1, is_big_endian); /* entries */
	put16(tiff + 10, 0x0112, is_big_endian);
	put16(tiff + 12, 3, is_big_endian);
	put16(tiff + (is_big_endian ? 16 : 14), 1, is_big_endian);
	put16(tiff + 18, orientation, is_big_endian);
}

static void set_colours(struct jpeg_compress_struct *info, enum jpeg_kind kind)
{
	static const struct {
		J_COLOR_SPACE in, file;
		int components;
	} spaces[] = {
		[JPEG_GREY] = { JCS_GRAYSCALE, JCS_GRAYSCALE, 1 },
		[JPEG_YCC] = { JCS_RGB, JCS_YCbCr, 3 },
		[JPEG_RGB] = { JCS_RGB, JCS_RGB, 3 },
		[JPEG_CMYK] = { JCS_CMYK, JCS_CMYK, 4 },
		[JPEG_YCCK] = { JCS_CMYK, JCS_YCCK, 4 },
	};

	info->in_color_space = spaces[kind].in;
	info->input_components = spaces[kind].components;
	jpeg_set_defaults(info);
	jpeg_set_colorspace(info, spaces[kind].file);
	if (kind == JPEG_CMYK)
		info->write_Adobe_marker = TRUE;
}

static void set_sampling(
    struct jpeg_compress_struct *info, const struct jpeg_wish *wish)
{
	if (!wish->down || !wish->across)
		return;
	for (int c = 0; c < info->num_components; c++) {
		const bool is_wide = c == 0 || (wish->is_mixed && c == 1);
		const bool is_high = c == 0 || (wish->is_mixed && c == 2);
		jpeg_component_info *component = &info->comp_info[c];

		component->h_samp_factor = is_wide ? (int)wish->across : 1;
		component->v_samp_factor = is_high ? (int)wish->down : 1;
	}
}

/* Whole components, one after the other. */
static const jpeg_scan_info scans[] = {
	{ .comps_in_scan = 1, .component_index = { 0 }, .Se = 63 },
	{ .comps_in_scan = 1, .component_index = { 1 }, .Se = 63 },
	{ .comps_in_scan = 1, .component_index = { 2 }, .Se = 63 },
	{ .comps_in_scan = 1, .component_index = { 3 }, .Se = 63 },
};

static void write_rows(
    struct jpeg_compress_struct *info, const struct jpeg_wish *wish)
{
	const size_t row = (size_t)wish->width * (size_t)info->input_components;
	unsigned char *copy = malloc(row);

	assert_non_null(copy);
	for (size_t y = 0; y < wish->height; y++) {
		JSAMPROW rows[1] = { copy };

		memcpy(copy, wish->pixels + y * row, row);
		jpeg_write_scanlines(info, rows, 1);
	}
	free(copy);
}

void jpeg_make(const struct jpeg_wish *wish, struct buf *out)
{
	struct jpeg_compress_struct info;
	struct jpeg_error_mgr errors;
	struct error err = ERROR_INIT;
	unsigned char exif[EXIF_SEGMENT], *file = NULL;
	unsigned long len = 0;

	memset(&info, 0, sizeof(info));
	info.err = jpeg_std_error(&errors);
	jpeg_create_compress(&info);
	jpeg_mem_dest(&info, &file, &len);
	info.image_height = wish->height;
	info.image_width = wish->width;
	set_colours(&info, wish->kind);
	jpeg_set_quality(&info, wish->quality ? (int)wish->quality : 100, TRUE);
	set_sampling(&info, wish);
	info.restart_interval = wish->restart;
	if (wish->in_scans) {
		info.scan_info = scans;
		info.num_scans = info.num_components;
	}
	if (wish->is_progressive)
		jpeg_simple_progression(&info);
	jpeg_start_compress(&info, TRUE);
	if (wish->orientation) {
		exif_make(wish->orientation, wish->is_big_endian, exif);
		jpeg_write_marker(&info, JPEG_APP0 + 1, exif, sizeof(exif));
	}
	write_rows(&info, wish);
	jpeg_finish_compress(&info);
	jpeg_destroy_compress(&info);
	out->len = 0;
	test_ok(buf_append(out, file, len, &err), &err);
	free(file);
}
