/*
 * jpeg_damage.h - which of libjpeg's warnings mean that pixels are lost, and
 * what libjpeg does not warn of.
 *
 * A warning that is not in the table, of a later libjpeg, is damage until
 * somebody has looked at it.
 */
#ifndef LIB_IMAGE_JPEG_DAMAGE_H
#define LIB_IMAGE_JPEG_DAMAGE_H

#include <stddef.h>
#include <stdio.h> /* jpeglib.h needs it, and does not include it */

#include <jpeglib.h>

struct error;

enum jpeg_damage {
	JPEG_WHOLE, /* no pixel is lost */
	JPEG_DAMAGED,
	JPEG_UNSURE, /* it depends on the bytes: jpeg_padding */
};

/* What a warning means, by its number (JWRN_*). */
enum jpeg_damage jpeg_damage_of(int code);

/*
 * To be asked at a warning of extraneous bytes.  Behind a header segment they
 * are harmless: returns 0.  Behind image data, returns the number of bytes
 * before the marker that is read, if they are zeros; else -1: damage, since
 * the data of all pixels ended before the encoder's did.
 *
 * Zeros behind image data are padding of a camera, or they took the place of
 * the data: zeros are valid codes.  The difference is whether the file can be
 * decoded without them.
 */
long jpeg_padding(const struct jpeg_decompress_struct *info, size_t file_bytes);

/*
 * ERROR_DATA when a file of several scans ended before all of them came:
 * libjpeg makes a picture without colours or details of it, and says nothing.
 * To be asked before jpeg_finish_decompress.
 */
int jpeg_check_scans(struct jpeg_decompress_struct *info, struct error *err);

#endif
